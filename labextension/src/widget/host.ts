/**
 * The host of a dashboard in a cell's output: JupyterLab through DOM events, where the extension is
 * there to take them, or else the kernel through the widget's own messages.
 */

import type { View } from '../report/wire.generated';
import {
  APPLY_EVENT,
  CANCEL_EVENT,
  dispatchSkylineEvent,
  EDITING_EVENT,
  INTERRUPT_EVENT,
  LABELS_EVENT,
  RUN_EVENT,
  TAKE_BACK_EVENT,
  trans,
  type Editing,
  type Host,
  type Outcome,
} from '../views';
import { kernelAnswer, type WidgetModel } from './model';

export function outputHost(element: HTMLElement, model: WidgetModel, signal: AbortSignal): Host {
  const thenMeasure = measuring(model, signal);
  return {
    available: true,
    apply: (view, batchSize) =>
      thenMeasure(batchSize, apply(element, model, signal, view, batchSize)),
    takeBack(view, direction) {
      const size = editingOf(element, view)?.[direction] ?? null;
      const request = new Promise<Outcome>(settle => {
        orRefuse(
          dispatchSkylineEvent(element, TAKE_BACK_EVENT, { view, direction, settle }),
          settle,
        );
      });
      return thenMeasure(size, request);
    },
    cancel: view =>
      new Promise(settle => {
        orRefuse(dispatchSkylineEvent(element, CANCEL_EVENT, { view, settle }), settle);
      }),
    editing: view => editingOf(element, view),
    run: (view, cellIds) =>
      new Promise(settle => {
        const cells = [...cellIds];
        orRefuse(dispatchSkylineEvent(element, RUN_EVENT, { view, cells, settle }), settle);
      }),
    interrupt: view => dispatchSkylineEvent(element, INTERRUPT_EVENT, { view }),
    choose(_, { execution_count, start }) {
      model.send({ type: 'choose', execution_count, start });
    },
    pin(_, entryId) {
      model.send({ type: 'pin', entry: entryId });
    },
    labels(view, cellIds) {
      let labels: Record<string, string> = {};
      const answer = (found: Record<string, string>): void => {
        labels = found;
      };
      dispatchSkylineEvent(element, LABELS_EVENT, { view, cells: [...cellIds], answer });
      return labels;
    },
  };
}

/** Has a size measured once the notebook trains with it. */
function measuring(
  model: WidgetModel,
  signal: AbortSignal,
): (size: number | null, request: Promise<Outcome>) => Promise<Outcome> {
  return async (size, request) => {
    const outcome = await request;
    const ran = outcome.kind === 'applied' && outcome.textOnly !== true;
    if (ran && size !== null && !signal.aborted) {
      model.send({ type: 'measure', batch_size: size });
    }
    return outcome;
  };
}

function apply(
  element: HTMLElement,
  model: WidgetModel,
  signal: AbortSignal,
  view: View,
  batchSize: number,
): Promise<Outcome> {
  return new Promise(settle => {
    if (!dispatchSkylineEvent(element, APPLY_EVENT, { view, batchSize, settle })) {
      model.send({ type: 'apply', batch_size: batchSize });
      void answerFrom(model, batchSize, signal).then(settle);
    }
  });
}

function orRefuse(taken: boolean, settle: (outcome: Outcome) => void): void {
  if (!taken) {
    const message = trans.__(
      'Skyline cannot run cells here. Run them yourself, or open the notebook in JupyterLab.',
    );
    settle({ kind: 'refused', message });
  }
}

function editingOf(element: HTMLElement, view: View): Editing | null {
  let editing: Editing | null = null;
  const answer = (given: Editing): void => {
    editing = given;
  };
  dispatchSkylineEvent(element, EDITING_EVENT, { view, answer });
  return editing;
}

/** The kernel's answer to the request for `batchSize`; never settles once `signal` aborts. */
function answerFrom(model: WidgetModel, batchSize: number, signal: AbortSignal): Promise<Outcome> {
  return new Promise(resolve => {
    const stop = (): void => {
      model.off('msg:custom', onMessage);
      signal.removeEventListener('abort', stop);
    };
    const onMessage = (content: unknown): void => {
      const answer = kernelAnswer(content);
      if (answer?.type === 'refused') {
        resolve({ kind: 'refused', message: answer.message });
      } else if (answer?.type === 'applied' && answer.batch_size === batchSize) {
        resolve({ kind: 'applied', line: answer.line });
      } else {
        return;
      }
      stop();
    };
    model.on('msg:custom', onMessage);
    signal.addEventListener('abort', stop);
  });
}
