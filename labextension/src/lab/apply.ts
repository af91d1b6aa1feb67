// What a new batch size does to a notebook, from top to bottom: rewrite its literal, run what must follow, say how it went.

import type { CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal, type ISignal } from '@lumino/signaling';

import { currentLiteral, statementWith } from '../report/site';
import type { PlannedCell, Site, View } from '../report/wire.generated';
import type { Outcome } from '../views';
import { whenIdle } from './idle';
import { findCell, panelsOf, promptOf, sourceOf, type Place } from './notebooks';
import { outcomeOf, Refusal } from './refusal';
import type { Rewriter } from './rewrite';
import type { CellRunner } from './run';
import type { ViewStore } from './store';

/** A batch size that the kernel has taken over from its cell. */
export interface SiteRun {
  readonly cell: CodeCell;
  readonly batchSize: number;
}

/** Applies batch sizes. While a kernel is busy its newest request waits and the older ones are dropped. */
export class Applier {
  constructor(
    private readonly tracker: INotebookTracker,
    private readonly store: ViewStore,
    private readonly rewriter: Rewriter,
    private readonly runner: CellRunner,
  ) {}

  /** Emits when the kernel has a new batch size. */
  get ran(): ISignal<this, SiteRun> {
    return this.#ran;
  }

  /** Writes the batch size and runs what follows from it; `near` is the notebook in which the user acted. */
  apply(view: View, batchSize: number, near: NotebookPanel | null): Promise<Outcome> {
    return outcomeOf(async () => {
      const site = siteOf(view);
      const place = this.#placeOf(view, site, near);
      this.rewriter.rewrite(place, site, batchSize);
      return this.#runWhatFollows(view, site, place, batchSize);
    });
  }

  /** Runs what follows from a batch size that an undo or a redo has put back into its cell. */
  restore(view: View, place: Place, batchSize: number): Promise<Outcome> {
    return outcomeOf(async () => {
      this.#panelsOf(view, place.panel);
      return this.#runWhatFollows(view, siteOf(view), place, batchSize);
    });
  }

  /** Runs heavy cells that the user chose by a click, as they stand. */
  run(view: View, cellIds: readonly string[], near: NotebookPanel | null): Promise<Outcome> {
    return outcomeOf(async () => {
      const panels = this.#panelsOf(view, near);
      for (const cellId of cellIds) {
        const place = findCell(panels, { cell_id: cellId }, () => false);
        if (place === null) {
          throw new Refusal('The cell to run is no longer in this notebook.');
        }
        await this.#runCell(place);
      }
      return undefined;
    });
  }

  #panelsOf(view: View, near: NotebookPanel | null): NotebookPanel[] {
    const panels = panelsOf(this.tracker, view.kernel_id, near);
    if (panels.length === 0 || this.store.isOutdated(view)) {
      throw new Refusal(
        'The kernel that made this profile is gone. Run the cell with `%%skyline` again.',
      );
    }
    return panels;
  }

  #placeOf(view: View, site: Site, near: NotebookPanel | null): Place {
    const panels = this.#panelsOf(view, near);
    const place = findCell(panels, site, source => currentLiteral(site, source) !== null);
    if (place === null) {
      throw new Refusal('The cell that sets the batch size is no longer in this notebook.');
    }
    return place;
  }

  async #runWhatFollows(
    view: View,
    site: Site,
    place: Place,
    batchSize: number,
  ): Promise<string | undefined> {
    const written = sourceOf(place.cell);
    const turn = this.#takeTurn(view.kernel_id);
    await this.#waitForKernel(place, turn);
    if (place.cell.isDisposed || sourceOf(place.cell) !== written) {
      throw new Refusal('The cell was edited before it could run. Run it, then drag again.');
    }
    if (view.plan?.site_heavy === '') {
      await this.#runCell(place);
    } else if (site.statement !== '') {
      // Without a statement the literal stands in heavy work, such as a loop over the loader: nothing runs.
      await this.#runStatement(place, statementWith(site, batchSize));
    }
    this.#ran.emit({ cell: place.cell, batchSize });
    return this.#runLightCells(view, view.plan?.light ?? [], place.panel, turn);
  }

  /** Runs the light cells in their order; the sentence names those that were left alone. */
  async #runLightCells(
    view: View,
    planned: readonly PlannedCell[],
    near: NotebookPanel,
    turn: AbortSignal,
  ): Promise<string | undefined> {
    const left: string[] = [];
    for (const cell of planned) {
      refuseIfSuperseded(turn);
      const panels = panelsOf(this.tracker, view.kernel_id, near);
      const place = findCell(panels, cell, source => source === cell.source);
      if (place !== null && sourceOf(place.cell) === cell.source) {
        await this.#runCell(place);
      } else {
        left.push(place === null ? `[${cell.execution_count}]` : promptOf(place.cell));
      }
    }
    return leftAlone(left);
  }

  async #runCell(place: Place): Promise<void> {
    if (!(await this.runner.runCell(place))) {
      throw new Refusal(
        `Cell ${promptOf(place.cell)} did not run to its end. Its output says why.`,
      );
    }
  }

  async #runStatement({ panel, cell }: Place, statement: string): Promise<void> {
    if (!(await this.runner.runStatement(panel.sessionContext, statement))) {
      throw new Refusal(`\`${statement}\` raised an error. Run cell ${promptOf(cell)} to see it.`);
    }
  }

  /** The newest request of a kernel: any older one that still waits, or has cells left to run, ends here. */
  #takeTurn(kernelId: string): AbortSignal {
    this.#turns.get(kernelId)?.abort();
    const turn = new AbortController();
    this.#turns.set(kernelId, turn);
    return turn.signal;
  }

  async #waitForKernel({ panel, cell }: Place, turn: AbortSignal): Promise<void> {
    const readiness = await whenIdle(panel.sessionContext, turn);
    refuseIfSuperseded(turn);
    if (readiness === 'gone') {
      throw new Refusal(`The kernel stopped before cell ${promptOf(cell)} could run.`);
    }
  }

  readonly #ran = new Signal<this, SiteRun>(this);
  readonly #turns = new Map<string, AbortController>();
}

function siteOf({ report }: View): Site {
  if (!report?.site) {
    throw new Refusal(report?.site_reason ?? 'No literal sets this batch size.');
  }
  return report.site;
}

function refuseIfSuperseded(turn: AbortSignal): void {
  if (turn.aborted) {
    throw new Refusal('A newer batch size took the place of this one.');
  }
}

function leftAlone(labels: readonly string[]): string | undefined {
  const [only] = labels;
  if (only === undefined) {
    return undefined;
  }
  return labels.length === 1
    ? `Cell ${only} was edited since it ran, so it was left alone.`
    : `Cells ${labels.join(', ')} were edited since they ran, so they were left alone.`;
}
