/** What the host knows of edits, asked for again whenever it may have changed. */

import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { View } from '../report/wire.generated';
import { EDITS_EVENT, onSkylineEvent } from './events';
import type { Editing, Host } from './host';

/** `null` where edits cannot be taken back; `seen`: the dashboard is on the page, so that its host can be reached. */
export function useEditing(view: View, host: Host, seen: boolean): Editing | null {
  const [heard, askAgain] = useReducer<number, undefined>(count => count + 1, 0);
  const { kernel_id: kernelId } = view;
  useEffect(() => {
    const listening = new AbortController();
    const hear = ({ detail }: { detail: { kernelId: string | null } }): void => {
      if (detail.kernelId === null || detail.kernelId === kernelId) {
        askAgain(undefined);
      }
    };
    onSkylineEvent(document, EDITS_EVENT, hear, listening.signal);
    return () => listening.abort();
  }, [kernelId]);
  return useMemo(() => (seen ? host.editing(view) : null), [view, host, seen, heard]);
}
