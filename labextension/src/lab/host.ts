// The two ways in which a dashboard reaches the notebooks: events from an output, and direct calls from the side panel.

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';

import type { View } from '../report/wire.generated';
import {
  APPLY_EVENT,
  LABELS_EVENT,
  onSkylineEvent,
  RUN_EVENT,
  INTERRUPT_EVENT,
  type ApplyDetail,
  type Host,
  type LabelsDetail,
  type RunDetail,
  type InterruptDetail,
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
  const { signal } = served;
  const take = (event: Event): NotebookPanel | null => {
    event.preventDefault();
    return panelAt(tracker, event.target);
  };
  const apply = (event: CustomEvent<ApplyDetail>): void => {
    const { view, batchSize, settle } = event.detail;
    follower.follow(view);
    void applier.apply(view, batchSize, take(event)).then(settle);
  };
  const run = (event: CustomEvent<RunDetail>): void => {
    const { view, cells, settle } = event.detail;
    void applier.run(view, cells, take(event)).then(settle);
  };
  const labels = (event: CustomEvent<LabelsDetail>): void => {
    const { view, cells, answer } = event.detail;
    follower.notice(view);
    answer(labelsOf(tracker, view, cells, take(event)));
  };
  const interrupt = (event: CustomEvent<InterruptDetail>): void => {
    take(event);
    void channels.interrupt(event.detail.view.kernel_id);
  };
  onSkylineEvent(document, APPLY_EVENT, apply, signal);
  onSkylineEvent(document, RUN_EVENT, run, signal);
  onSkylineEvent(document, LABELS_EVENT, labels, signal);
  onSkylineEvent(document, INTERRUPT_EVENT, interrupt, signal);
  return new DisposableDelegate(() => served.abort());
}

/** What the dashboard in the side panel asks, on behalf of the active notebook. */
export function sidePanelHost(
  tracker: INotebookTracker,
  applier: Applier,
  channels: KernelChannels,
): Host {
  return {
    available: true,
    async apply(view, batchSize) {
      const outcome = await applier.apply(view, batchSize, tracker.currentWidget);
      if (outcome.kind === 'applied') {
        channels.measure(view.kernel_id, batchSize);
      }
      return outcome;
    },
    run: (view, cells) => applier.run(view, cells, tracker.currentWidget),
    interrupt(view) {
      void channels.interrupt(view.kernel_id);
      return true;
    },
    choose: (view, candidate) => channels.choose(view.kernel_id, candidate),
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
