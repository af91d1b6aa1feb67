/** The parts of the extension that edit a notebook, around a runner that only notes what it is asked to run. */

import type { NotebookPanel } from '@jupyterlab/notebook';

import { Applier } from '../../labextension/src/lab/apply';
import { EditLog } from '../../labextension/src/lab/edits';
import type { Place } from '../../labextension/src/lab/notebooks';
import { Rerunner } from '../../labextension/src/lab/rerun';
import { Rewriter } from '../../labextension/src/lab/rewrite';
import type { CellRunner } from '../../labextension/src/lab/run';
import { ViewStore } from '../../labextension/src/lab/store';
import type { Release } from '../../labextension/src/views';
import { OpenPanel, planned, siteIn, trackerOf, viewOf } from './lab-notebook';

export const SIZE = 'batch_size = 64  # small';
export const LOADER = 'loader = make(batch_size)';

/** Notes what was run; `failing` cells raise an error. */
export class NotingRunner {
  readonly ran: string[] = [];
  readonly panels: NotebookPanel[] = [];
  failing = '';

  runCell({ cell, panel }: Place): Promise<boolean> {
    this.ran.push(cell.model.id);
    this.panels.push(panel);
    return Promise.resolve(cell.model.id !== this.failing);
  }

  runStatement(_: unknown, code: string): Promise<boolean> {
    this.ran.push(code);
    return Promise.resolve(true);
  }
}

export interface Desk {
  applier: Applier;
  runner: NotingRunner;
  store: ViewStore;
  /** What the user has set; may be changed. */
  preference: { release: Release };
}

export function desk(...panels: OpenPanel[]): Desk {
  const runner = new NotingRunner();
  const store = new ViewStore();
  const preference: Desk['preference'] = { release: 'light' };
  const tracker = trackerOf(...panels);
  const edits = new EditLog();
  const rerunner = new Rerunner(tracker, runner as unknown as CellRunner, preference);
  const rewriter = new Rewriter(edits);
  const applier = new Applier(tracker, store, edits, rewriter, rerunner, preference);
  return { applier, runner, store, preference };
}

export function notebook(kernelId = 'k'): OpenPanel {
  return new OpenPanel(kernelId, [
    { id: 'size', source: SIZE },
    { id: 'loader', source: LOADER },
    { id: 'train', source: 'train(loader)' },
  ]);
}

/** The profile of such a notebook. */
export const view = viewOf({
  kernelId: 'k',
  site: siteIn('size', SIZE, '64'),
  light: [planned('loader', LOADER)],
});
