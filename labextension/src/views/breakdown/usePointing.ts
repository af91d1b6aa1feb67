/** Hears which node is pointed at, in whichever dashboard or cell of the kernel. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { onSkylineEvent, POINT_EVENT } from '../events';

export function usePointing(kernelId: string, hear: (node: number, keep: boolean) => void): void {
  const latest = useRef(hear);
  latest.current = hear;
  // Before anyone points: at once, not after the picture.
  useLayoutEffect(() => {
    const listening = new AbortController();
    onSkylineEvent(
      document,
      POINT_EVENT,
      ({ detail }) => {
        if (detail.kernelId === kernelId) {
          latest.current(detail.node, detail.keep);
        }
      },
      listening.signal,
    );
    return () => listening.abort();
  }, [kernelId]);
}
