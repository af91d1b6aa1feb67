// A quiet mark on the cells that still use another batch size than the notebook now says.

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';

import { codeCells, kernelIdOf, panelsOf } from './notebooks';
import type { OpenNotebooks } from './open';
import type { ViewStore } from './store';

export const STALE_CLASS = 'skyline-stale-cell';

/** Keeps the marks equal to what the newest view of each kernel calls stale. */
export class StaleMarks implements IDisposable {
  constructor(
    private readonly notebooks: OpenNotebooks,
    private readonly store: ViewStore,
  ) {
    store.changed.connect(this.#viewChanged, this);
    notebooks.changed.connect(this.#notebookChanged, this);
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    Signal.clearData(this);
  }

  #viewChanged(_: ViewStore, kernelId: string): void {
    panelsOf(this.notebooks.tracker, kernelId).forEach(panel => this.#mark(panel));
  }

  #notebookChanged(_: OpenNotebooks, panel: NotebookPanel): void {
    this.#mark(panel);
  }

  #mark(panel: NotebookPanel): void {
    const stale = this.store.get(kernelIdOf(panel) ?? '')?.plan?.stale ?? [];
    const ids = new Set(stale.map(cell => cell.cell_id));
    for (const cell of codeCells(panel)) {
      cell.toggleClass(STALE_CLASS, ids.has(cell.model.id));
    }
  }

  #isDisposed = false;
}
