// The two ways in which a dashboard reaches the notebooks: events from an output, and direct calls from the side panel.

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';

import type { View } from '../report/wire.generated';
import {
  APPLY_EVENT,
  CANCEL_EVENT,
  EDITING_EVENT,
  INTERRUPT_EVENT,
  LABELS_EVENT,
  LANGUAGE_EVENT,
  onSkylineEvent,
  RUN_EVENT,
  TAKE_BACK_EVENT,
  type Host,
  type Outcome,
  trans,
  type SkylineEventMap,
} from '../views';
import type { Applier } from './apply';
import type { KernelChannels } from './channel';
import type { SiteFollower } from './follow';
import { findCell, panelAt, panelsOf, promptOf } from './notebooks';

/** Takes the events of the dashboards in outputs, wherever on the page these are, until it is disposed. */
export function serveOutputs(
  tracker: INotebookTracker,
  applier: Applier,
  follower: SiteFollower,
  channels: KernelChannels,
): IDisposable {
  const served = new AbortController();
  const take = <Name extends keyof SkylineEventMap>(
    name: Name,
    act: (detail: SkylineEventMap[Name], near: NotebookPanel | null) => void,
  ): void => {
    const listener = (event: CustomEvent<SkylineEventMap[Name]>): void => {
      event.preventDefault();
      act(event.detail, panelAt(tracker, event.target));
    };
    onSkylineEvent(document, name, listener, served.signal);
  };
  take(APPLY_EVENT, ({ view, batchSize, settle }, near) => {
    follower.follow(view);
    void applier.apply(view, batchSize, near).then(settle);
  });
  take(TAKE_BACK_EVENT, ({ view, direction, settle }, near) => {
    follower.follow(view);
    void applier.takeBack(view, direction, near).then(settle);
  });
  take(CANCEL_EVENT, ({ view, settle }) => void applier.cancel(view).then(settle));
  take(EDITING_EVENT, ({ view, answer }, near) => answer(applier.editing(view, near)));
  take(RUN_EVENT, ({ view, cells, settle }, near) => {
    void applier.run(view, cells, near).then(settle);
  });
  take(LABELS_EVENT, ({ view, cells, answer }, near) => {
    follower.notice(view);
    answer(labelsOf(tracker, view, cells, near));
  });
  take(LANGUAGE_EVENT, ({ answer }) => answer(trans));
  take(INTERRUPT_EVENT, ({ view }) => void channels.interrupt(view.kernel_id));
  return new DisposableDelegate(() => served.abort());
}

/** What the dashboard in the side panel asks, on behalf of the active notebook. */
export function sidePanelHost(
  tracker: INotebookTracker,
  applier: Applier,
  channels: KernelChannels,
): Host {
  const measured = async (view: View, size: number | null, request: Promise<Outcome>) => {
    const outcome = await request;
    if (outcome.kind === 'applied' && outcome.textOnly !== true && size !== null) {
      channels.measure(view.kernel_id, size);
    }
    return outcome;
  };
  return {
    available: true,
    apply: (view, size) => measured(view, size, applier.apply(view, size, tracker.currentWidget)),
    takeBack(view, direction) {
      const near = tracker.currentWidget;
      const size = applier.editing(view, near)[direction];
      return measured(view, size, applier.takeBack(view, direction, near));
    },
    cancel: view => applier.cancel(view),
    editing: view => applier.editing(view, tracker.currentWidget),
    run: (view, cells) => applier.run(view, cells, tracker.currentWidget),
    interrupt(view) {
      void channels.interrupt(view.kernel_id);
      return true;
    },
    choose: (view, candidate) => channels.choose(view.kernel_id, candidate),
    pin: (view, entryId) => channels.pin(view.kernel_id, entryId),
    labels: (view, cells) => labelsOf(tracker, view, cells, tracker.currentWidget),
  };
}

function labelsOf(
  tracker: INotebookTracker,
  view: View,
  cells: readonly string[],
  near: NotebookPanel | null,
): Record<string, string> {
  const panels = panelsOf(tracker, view.kernel_id, near);
  const labels: Record<string, string> = {};
  for (const cellId of cells) {
    const place = findCell(panels, { cell_id: cellId }, () => false);
    const prompt = place && promptOf(place.cell);
    // A cell that runs now is better known by the number that the kernel gave it.
    if (prompt !== null && prompt !== '[*]') {
      labels[cellId] = prompt;
    }
  }
  return labels;
}
