// Says when an open notebook changed in a way that matters here: opened, closed, another kernel, other cells.

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';
import { Signal, type ISignal } from '@lumino/signaling';

/** One signal for everything that moves under our feet in the open notebooks. */
export class OpenNotebooks implements IDisposable {
  constructor(readonly tracker: INotebookTracker) {
    tracker.widgetAdded.connect(this.#added, this);
    tracker.forEach(panel => this.#added(tracker, panel));
  }

  /** Emits a notebook whose cells or kernel are not what they were. */
  get changed(): ISignal<this, NotebookPanel> {
    return this.#changed;
  }

  /** Emits a notebook that has just connected to a kernel. */
  get connected(): ISignal<this, NotebookPanel> {
    return this.#connected;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    Signal.clearData(this);
    for (const stop of [...this.#stops]) {
      stop();
    }
  }

  #added(_: INotebookTracker, panel: NotebookPanel): void {
    const cellsChanged = (): void => this.#changed.emit(panel);
    const kernelChanged = (): void => {
      this.#connected.emit(panel);
      this.#changed.emit(panel);
    };
    const stop = (): void => {
      panel.sessionContext.kernelChanged.disconnect(kernelChanged);
      panel.content.model?.cells.changed.disconnect(cellsChanged);
      panel.disposed.disconnect(stop);
      this.#stops.delete(stop);
    };
    this.#stops.add(stop);
    panel.disposed.connect(stop);
    panel.sessionContext.kernelChanged.connect(kernelChanged);
    void panel.context.ready.then(() => {
      if (this.#stops.has(stop)) {
        panel.content.model?.cells.changed.connect(cellsChanged);
        kernelChanged();
      }
    });
  }

  readonly #changed = new Signal<this, NotebookPanel>(this);
  readonly #connected = new Signal<this, NotebookPanel>(this);
  readonly #stops = new Set<() => void>();
  #isDisposed = false;
}
