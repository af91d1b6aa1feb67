// What a new batch size does to a notebook: rewrite its literal, or take that back, run what must follow, say how it went.

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';

import { currentLiteral, lineToPaste } from '../report/site';
import type { Site, View } from '../report/wire.generated';
import { trans, type Direction, type Editing, type Outcome } from '../views';
import { opposite, type EditLog } from './edits';
import { codeCells, findCell, panelsOf, sourceOf, type Place } from './notebooks';
import { outcomeOf, Refusal, type Done } from './refusal';
import type { Preference, Rerunner } from './rerun';
import type { Rewriter } from './rewrite';
import type { ViewStore } from './store';

/** Applies batch sizes. While a kernel is busy its newest request waits and the older ones are dropped. */
export class Applier {
  constructor(
    private readonly tracker: INotebookTracker,
    private readonly store: ViewStore,
    private readonly edits: EditLog,
    private readonly rewriter: Rewriter,
    private readonly rerunner: Rerunner,
    private readonly preference: Preference,
  ) {}

  /** Writes the batch size and runs what follows from it; `near` is the notebook in which the user acted. */
  apply(view: View, batchSize: number, near: NotebookPanel | null): Promise<Outcome> {
    return this.#edit(view, near, batchSize, (place, site) => {
      this.rewriter.rewrite(place, site, batchSize);
      return { batchSize, inverse: 'undo' };
    });
  }

  /** Takes our last edit back, or makes it again, and runs what follows. */
  takeBack(view: View, direction: Direction, near: NotebookPanel | null): Promise<Outcome> {
    const batchSize = this.editing(view, near)[direction] ?? undefined;
    return this.#edit(view, near, batchSize, (place, site) => ({
      batchSize: this.rewriter.takeBack(place, site, direction),
      inverse: opposite(direction),
    }));
  }

  /** Runs what follows from a batch size that an undo or a redo in the cell has put back. */
  restore(view: View, place: Place, batchSize: number, direction: Direction): Promise<Outcome> {
    return outcomeOf(async () => {
      this.#panelsOf(view, place.panel);
      const inverse = opposite(direction);
      return this.rerunner.run(view, { place, site: siteOf(view), batchSize, inverse });
    });
  }

  /** Gives up the request that waits for the kernel, and takes back its edit and those that it overtook. */
  cancel(view: View): Promise<Outcome> {
    return outcomeOf(() => {
      const turn = this.rerunner.turns.cancel(view.kernel_id);
      if (turn !== null) {
        const { place, site } = turn.request;
        const steps = [...turn.inverses].reverse();
        steps.forEach(direction => this.rewriter.takeBack(place, site, direction));
      }
      return Promise.resolve({ textOnly: true });
    });
  }

  /** Gives up the request that waits: its edit has been taken back in the cell. */
  drop(kernelId: string): void {
    this.rerunner.turns.cancel(kernelId);
  }

  /** What a dashboard should know of edits before it asks for one. */
  editing(view: View, near: NotebookPanel | null): Editing {
    const { site } = view.report ?? {};
    const panels = panelsOf(this.tracker, view.kernel_id, near);
    const place = site ? findCell(panels, site, holds(site)) : null;
    return {
      release: this.preference.release,
      undo: (place && this.edits.next(place, 'undo')?.before.value) ?? null,
      redo: (place && this.edits.next(place, 'redo')?.after.value) ?? null,
      waiting: this.rerunner.turns.waiting(view.kernel_id)?.request.batchSize ?? null,
    };
  }

  /** Runs heavy cells that the user chose by a click, as they stand. */
  run(view: View, cellIds: readonly string[], near: NotebookPanel | null): Promise<Outcome> {
    return outcomeOf(async () => {
      const panels = this.#panelsOf(view, near);
      for (const cellId of cellIds) {
        const place = findCell(panels, { cell_id: cellId }, () => false);
        if (place === null) {
          throw new Refusal(trans.__('The cell to run is no longer in this notebook.'));
        }
        await this.rerunner.runCell(place);
      }
      return {};
    });
  }

  /** Edits the site by `edit` and runs what follows; a refusal comes with the line to paste for `batchSize`. */
  #edit(
    view: View,
    near: NotebookPanel | null,
    batchSize: number | undefined,
    edit: (place: Place, site: Site) => { batchSize: number; inverse: Direction },
  ): Promise<Outcome> {
    return outcomeOf(async (): Promise<Done> => {
      const site = siteOf(view);
      const panels = this.#panelsOf(view, near);
      const line = batchSize === undefined ? undefined : lineToPaste(site, batchSize);
      const place = offering(line, () => this.#placeOf(panels, site));
      return this.rerunner.run(view, { place, site, ...offering(line, () => edit(place, site)) });
    });
  }

  #panelsOf(view: View, near: NotebookPanel | null): NotebookPanel[] {
    const panels = panelsOf(this.tracker, view.kernel_id, near);
    if (panels.length === 0 || this.store.isOutdated(view)) {
      throw new Refusal(
        trans.__(
          'The kernel that made this profile is gone. Run the cell with %1 again.',
          '`%%skyline`',
        ),
      );
    }
    return panels;
  }

  #placeOf(panels: readonly NotebookPanel[], site: Site): Place {
    const place = findCell(panels, site, holds(site));
    if (place !== null) {
      return place;
    }
    const fitting = panels.flatMap(codeCells).filter(cell => holds(site)(sourceOf(cell)));
    throw new Refusal(
      site.cell_id === null && fitting.length > 1
        ? trans.__(
            'Several cells of this notebook hold the line that sets the batch size, so none was changed.',
          )
        : trans.__('The cell that sets the batch size is no longer in this notebook.'),
    );
  }
}

function siteOf({ report }: View): Site {
  if (!report?.site) {
    throw new Refusal(report?.site_reason ?? trans.__('No literal sets this batch size.'));
  }
  return report.site;
}

function holds(site: Site): (source: string) => boolean {
  return source => currentLiteral(site, source) !== null;
}

/** A refusal in there is one of an edit: a person can still make it. */
function offering<Result>(line: string | undefined, act: () => Result): Result {
  try {
    return act();
  } catch (reason) {
    throw reason instanceof Refusal ? new Refusal(reason.message, line) : reason;
  }
}
