// Tells the dashboards when what they know of edits may have changed: they ask again.

import { DisposableDelegate, type IDisposable } from '@lumino/disposable';

import { dispatchSkylineEvent, EDITS_EVENT } from '../views';
import type { EditLog } from './edits';
import type { Preferences } from './preferences';
import type { Turns } from './turns';

export function tellDashboards(
  edits: EditLog,
  turns: Turns,
  preferences: Preferences,
): IDisposable {
  const tell = (_: unknown, kernelId: string): void => {
    dispatchSkylineEvent(document, EDITS_EVENT, { kernelId });
  };
  const tellAll = (): void => {
    dispatchSkylineEvent(document, EDITS_EVENT, { kernelId: null });
  };
  edits.changed.connect(tell);
  turns.changed.connect(tell);
  preferences.changed.connect(tellAll);
  return new DisposableDelegate(() => {
    edits.changed.disconnect(tell);
    turns.changed.disconnect(tell);
    preferences.changed.disconnect(tellAll);
  });
}
