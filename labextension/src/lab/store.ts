// Keeps what each kernel last reported, so that the side panel and the marks on cells can follow the active notebook.

import { Signal, type ISignal } from '@lumino/signaling';

import type { View } from '../report/wire.generated';

/** The newest view of every kernel, and which views a restart has made worthless. */
export class ViewStore {
  /** Emits the id of the kernel whose view came or went. */
  get changed(): ISignal<this, string> {
    return this.#changed;
  }

  get(kernelId: string): View | null {
    return this.#views.get(kernelId) ?? null;
  }

  put(kernelId: string, view: View): void {
    this.#views.set(kernelId, view);
    this.note(view);
    this.#changed.emit(kernelId);
  }

  /** Remember that this view was seen: after a restart it must not be acted on any more. */
  note(view: View): void {
    const seen = this.#seen.get(view.kernel_id) ?? new Set();
    this.#seen.set(view.kernel_id, seen.add(view.id));
  }

  /** The kernel lost its memory: nothing that it reported holds any more. */
  restarted(kernelId: string): void {
    for (const id of this.#seen.get(kernelId) ?? []) {
      this.#outdated.add(id);
    }
    this.#seen.delete(kernelId);
    if (this.#views.delete(kernelId)) {
      this.#changed.emit(kernelId);
    }
  }

  /** Whether the kernel was restarted since it sent this view. */
  isOutdated(view: View): boolean {
    return this.#outdated.has(view.id);
  }

  readonly #changed = new Signal<this, string>(this);
  readonly #views = new Map<string, View>();
  readonly #seen = new Map<string, Set<string>>();
  readonly #outdated = new Set<string>();
}
