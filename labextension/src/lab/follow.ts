// Follows the literal in the notebook: whoever changes it, the handle moves; an undo of ours brings the kernel's value back too.

import type { CellChange } from '@jupyter/ydoc';
import type { CodeCell } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';

import { currentLiteral } from '../report/site';
import type { Site, View } from '../report/wire.generated';
import { dispatchSkylineEvent, SOURCE_EVENT, type Direction } from '../views';
import type { Applier } from './apply';
import type { KernelChannels } from './channel';
import { undoManagerOf } from './edits';
import { findCell, kernelIdOf, panelsOf, type Place } from './notebooks';
import type { OpenNotebooks } from './open';
import type { Rerunner, SiteRun } from './rerun';
import type { Rewriter } from './rewrite';
import type { ViewStore } from './store';

type SharedCell = CodeCell['model']['sharedModel'];

/** What is followed in one cell. */
interface Watch {
  readonly place: Place;
  /** The view whose plan says what an undo must run: the last one that was applied, or else seen. */
  readonly view: View;
  readonly site: Site;
  /** The batch size that the dashboards show. */
  shown: number;
  /** The batch size that the kernel was given last. */
  ran: number;
}

/** Watches every cell in which a profile found the batch size. */
export class SiteFollower implements IDisposable {
  constructor(
    private readonly notebooks: OpenNotebooks,
    store: ViewStore,
    private readonly rewriter: Rewriter,
    private readonly applier: Applier,
    rerunner: Rerunner,
    private readonly channels: KernelChannels,
  ) {
    store.changed.connect(this.#viewChanged, this);
    notebooks.changed.connect(this.#look, this);
    rerunner.ran.connect(this.#ran, this);
  }

  /** Follow this view's site, in every open notebook of its kernel, from now on. */
  follow(view: View): void {
    const { site } = view.report ?? {};
    if (!site) {
      return;
    }
    const views = this.#views.get(view.kernel_id) ?? new Map<string, View>();
    this.#views.set(view.kernel_id, views.set(keyOf(site), view));
    for (const panel of panelsOf(this.notebooks.tracker, view.kernel_id)) {
      this.#watch(panel, view);
    }
  }

  /** Follow a view that is drawn somewhere, unless its site is followed already. */
  notice(view: View): void {
    const site = view.report?.site;
    if (site && !this.#views.get(view.kernel_id)?.has(keyOf(site))) {
      // Drawing must not be interrupted by an event that makes it draw again.
      queueMicrotask(() => this.follow(view));
    }
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    Signal.clearData(this);
  }

  #viewChanged(store: ViewStore, kernelId: string): void {
    const view = store.get(kernelId);
    if (view === null) {
      this.#views.delete(kernelId);
    } else {
      this.follow(view);
    }
  }

  #look(_: OpenNotebooks, panel: NotebookPanel): void {
    for (const view of this.#views.get(kernelIdOf(panel) ?? '')?.values() ?? []) {
      this.#watch(panel, view);
    }
  }

  #watch(panel: NotebookPanel, view: View): void {
    const { site, batch_size: batchSize } = view.report ?? {};
    if (!site || batchSize === undefined || this.#isDisposed) {
      return;
    }
    const place = findCell([panel], site, source => currentLiteral(site, source) !== null);
    if (place === null) {
      return;
    }
    const shared = place.cell.model.sharedModel;
    const known = this.#watches.get(shared);
    if (known?.view === view) {
      return;
    }
    const ran = known?.ran ?? batchSize;
    this.#watches.set(shared, { place, view, site, shown: batchSize, ran });
    if (known === undefined) {
      shared.changed.connect(this.#changed, this);
    }
    this.#tell(shared);
  }

  #changed(shared: SharedCell, change: CellChange): void {
    const watch = this.#watches.get(shared);
    const batchSize = this.#tell(shared);
    if (watch === undefined || batchSize === null) {
      return;
    }
    if (typeof change.executionCountChange?.newValue === 'number') {
      watch.ran = batchSize;
    }
    const direction = this.#movedByHand(shared);
    if (direction !== null && this.rewriter.knows(shared, shared.getSource())) {
      this.#takenBack(watch, batchSize, direction);
    }
  }

  /** The way in which the user moves in the cell's own history right now. */
  #movedByHand(shared: SharedCell): Direction | null {
    const undoManager = this.rewriter.isActing ? null : undoManagerOf(shared);
    return undoManager?.undoing ? 'undo' : undoManager?.redoing ? 'redo' : null;
  }

  /** The user has taken an edit of ours back, or made it again. */
  #takenBack(watch: Watch, batchSize: number, direction: Direction): void {
    if (batchSize === watch.ran) {
      // The kernel never had the other size: at most a request for it still waits.
      this.applier.drop(watch.view.kernel_id);
    } else {
      void this.#restore(watch, batchSize, direction);
    }
  }

  /** Tells the dashboards what the literal reads now, if they show anything else. */
  #tell(shared: SharedCell): number | null {
    const watch = this.#watches.get(shared);
    const literal = watch ? currentLiteral(watch.site, shared.getSource()) : null;
    if (watch === undefined || literal === null) {
      return null;
    }
    if (literal.value !== watch.shown) {
      watch.shown = literal.value;
      dispatchSkylineEvent(document, SOURCE_EVENT, {
        kernelId: watch.view.kernel_id,
        cellId: shared.getId(),
        batchSize: literal.value,
      });
    }
    return literal.value;
  }

  async #restore({ view, place }: Watch, batchSize: number, direction: Direction): Promise<void> {
    const outcome = await this.applier.restore(view, place, batchSize, direction);
    if (outcome.kind === 'applied' && outcome.textOnly !== true) {
      this.channels.measure(view.kernel_id, batchSize);
    }
  }

  #ran(_: Rerunner, { cell, batchSize }: SiteRun): void {
    const watch = this.#watches.get(cell.model.sharedModel);
    if (watch !== undefined) {
      watch.ran = batchSize;
    }
  }

  readonly #views = new Map<string, Map<string, View>>();
  readonly #watches = new WeakMap<SharedCell, Watch>();
  #isDisposed = false;
}

function keyOf(site: Site): string {
  return site.cell_id ?? site.cell_source;
}
