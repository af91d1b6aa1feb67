/**
 * The host of a dashboard in a cell's output: JupyterLab through DOM events, where the extension is
 * there to take them, or else the kernel through the widget's own messages.
 */

import {
  APPLY_EVENT,
  dispatchSkylineEvent,
  LABELS_EVENT,
  RUN_EVENT,
  INTERRUPT_EVENT,
  type Host,
  type Outcome,
} from '../views';
import { kernelAnswer, type WidgetModel } from './model';

const NO_EXTENSION =
  'Skyline cannot run cells here. Run them yourself, or open the notebook in JupyterLab.';

export function outputHost(element: HTMLElement, model: WidgetModel, signal: AbortSignal): Host {
  return {
    available: true,
    async apply(view, batchSize) {
      const outcome = await new Promise<Outcome>(settle => {
        const taken = dispatchSkylineEvent(element, APPLY_EVENT, { view, batchSize, settle });
        if (!taken) {
          model.send({ type: 'apply', batch_size: batchSize });
          void answerFrom(model, batchSize, signal).then(settle);
        }
      });
      if (outcome.kind === 'applied' && !signal.aborted) {
        model.send({ type: 'measure', batch_size: batchSize });
      }
      return outcome;
    },
    run: (view, cellIds) =>
      new Promise(settle => {
        const cells = [...cellIds];
        if (!dispatchSkylineEvent(element, RUN_EVENT, { view, cells, settle })) {
          settle({ kind: 'refused', message: NO_EXTENSION });
        }
      }),
    interrupt: view => dispatchSkylineEvent(element, INTERRUPT_EVENT, { view }),
    choose(_, { execution_count, start }) {
      model.send({ type: 'choose', execution_count, start });
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
