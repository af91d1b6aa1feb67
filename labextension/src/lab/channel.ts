// The line between each kernel and JupyterLab: views and readings arrive, requests leave.

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { JSONObject, JSONValue } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { Signal, type ISignal } from '@lumino/signaling';

import type { Gauges, Site, View } from '../report/wire.generated';
import type { OpenNotebooks } from './open';
import type { ViewStore } from './store';

/** The comm target that the kernel opens; the page asks for it by the same name after a reload. */
export const TARGET = 'skyline_jupyter';

const LOST_ITS_MEMORY = new Set<Kernel.Status>(['restarting', 'autorestarting', 'dead']);

/** Readings of one kernel. */
export interface GaugesFrom {
  readonly kernelId: string;
  readonly gauges: Gauges;
}

/** One open comm for each kernel that loaded `skyline_jupyter`. */
export class KernelChannels implements IDisposable {
  constructor(
    notebooks: OpenNotebooks,
    private readonly store: ViewStore,
  ) {
    notebooks.connected.connect(this.#listen, this);
  }

  /** Emits the id of a kernel that was heard for the first time, or that is gone. */
  get changed(): ISignal<this, string> {
    return this.#changed;
  }

  /** Emits what the gauges of a kernel show, while they are watched. */
  get gauges(): ISignal<this, GaugesFrom> {
    return this.#gauges;
  }

  /** Whether the kernel has been heard: `skyline_jupyter` is loaded in it. */
  isOpen(kernelId: string): boolean {
    return this.#comms.has(kernelId);
  }

  /** Ask the kernel to measure a batch size with the captured step. */
  measure(kernelId: string, batchSize: number): void {
    this.#send(kernelId, { type: 'measure', batch_size: batchSize });
  }

  /** Interrupt the kernel: it is busy, and hears nothing else. What it measured is kept. */
  async interrupt(kernelId: string): Promise<void> {
    const kernel = [...this.#targets.keys()].find(({ id }) => id === kernelId);
    if (kernel !== undefined && !kernel.isDisposed) {
      await kernel.interrupt();
    }
  }

  /** Tell the kernel which literal sets the batch size, by the place where it stands. */
  choose(kernelId: string, { execution_count, start }: Site): void {
    this.#send(kernelId, { type: 'choose', execution_count, start });
  }

  /** Watch the gauges of a kernel every so many seconds; `null` for no longer. Who is not heard for long is forgotten. */
  watchGauges(kernelId: string, viewer: string, seconds: number | null): void {
    this.#send(kernelId, { type: 'gauges', viewer, seconds });
  }

  /** Have the profiles of the kernel's notebook compared with one of them, or with none. */
  pin(kernelId: string, entryId: string | null): void {
    this.#send(kernelId, { type: 'pin', entry: entryId });
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Lets go of the comms without closing them: the kernel may serve another page. */
  dispose(): void {
    this.#isDisposed = true;
    Signal.clearData(this);
    this.#targets.forEach(remove => remove());
    this.#comms.forEach(comm => comm.dispose());
    this.#comms.clear();
  }

  #send(kernelId: string, message: JSONObject): void {
    const comm = this.#comms.get(kernelId);
    if (comm !== undefined && !comm.isDisposed) {
      comm.send(message);
    }
  }

  #listen(_: OpenNotebooks, panel: NotebookPanel): void {
    const kernel = panel.sessionContext.session?.kernel;
    // Only the first connection to a kernel carries comms; it serves all notebooks of that kernel.
    if (!kernel?.handleComms || this.#targets.has(kernel)) {
      return;
    }
    const open = (comm: Kernel.IComm): void => this.#adopt(kernel.id, comm);
    kernel.registerCommTarget(TARGET, open);
    kernel.statusChanged.connect(this.#statusChanged, this);
    kernel.disposed.connect(this.#disconnected, this);
    this.#targets.set(kernel, () => kernel.removeCommTarget(TARGET, open));
    void this.#reattach(kernel);
  }

  #statusChanged(kernel: Kernel.IKernelConnection, status: Kernel.Status): void {
    if (LOST_ITS_MEMORY.has(status)) {
      this.#forget(kernel.id);
      this.store.restarted(kernel.id);
    }
  }

  #disconnected(kernel: Kernel.IKernelConnection): void {
    this.#targets.delete(kernel);
    this.#forget(kernel.id);
  }

  #forget(kernelId: string): void {
    if (this.#comms.delete(kernelId)) {
      this.#changed.emit(kernelId);
    }
  }

  /** Finds the comm that the kernel opened before this page was loaded. */
  async #reattach(kernel: Kernel.IKernelConnection): Promise<void> {
    const reply = await kernel.requestCommInfo({ target_name: TARGET }).catch(ifGone(kernel));
    if (reply?.content.status !== 'ok' || kernel.isDisposed || this.#isDisposed) {
      return;
    }
    for (const id of Object.keys(reply.content.comms)) {
      if (!kernel.hasComm(id)) {
        this.#adopt(kernel.id, kernel.createComm(TARGET, id));
        this.#send(kernel.id, { type: 'hello' });
      }
    }
  }

  #adopt(kernelId: string, comm: Kernel.IComm): void {
    this.#comms.set(kernelId, comm);
    comm.onMsg = ({ content }: KernelMessage.ICommMsgMsg) => this.#receive(kernelId, content.data);
    comm.onClose = () => {
      if (this.#comms.get(kernelId) === comm) {
        this.#forget(kernelId);
      }
    };
    this.#changed.emit(kernelId);
  }

  #receive(kernelId: string, message: JSONValue): void {
    if (isViewMessage(message)) {
      this.store.put(kernelId, message.view);
    } else if (isGaugesMessage(message)) {
      this.#gauges.emit({ kernelId, gauges: message.gauges });
    }
  }

  readonly #changed = new Signal<this, string>(this);
  readonly #gauges = new Signal<this, GaugesFrom>(this);
  readonly #comms = new Map<string, Kernel.IComm>();
  readonly #targets = new Map<Kernel.IKernelConnection, () => void>();
  #isDisposed = false;
}

/** A kernel that went away while it was asked answers nothing; any other failure is a failure. */
function ifGone(kernel: Kernel.IKernelConnection): (reason: unknown) => undefined {
  return reason => {
    if (!kernel.isDisposed && kernel.status !== 'dead' && kernel.status !== 'restarting') {
      throw reason;
    }
  };
}

function isViewMessage(message: unknown): message is { type: 'view'; view: View } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'view' &&
    'view' in message &&
    typeof message.view === 'object' &&
    message.view !== null &&
    'kernel_id' in message.view
  );
}

function isGaugesMessage(message: unknown): message is { type: 'gauges'; gauges: Gauges } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'gauges' &&
    'gauges' in message &&
    typeof message.gauges === 'object' &&
    message.gauges !== null &&
    'readings' in message.gauges
  );
}
