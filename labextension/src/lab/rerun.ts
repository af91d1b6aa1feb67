// Runs what follows from a new batch size: the site's cell or statement, and the cells that the user lets it run.

import type { CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal, type ISignal } from '@lumino/signaling';

import { currentLiteral, statementWith } from '../report/site';
import type { PlannedCell, Site, View } from '../report/wire.generated';
import { trans, type Release } from '../views';
import { findCell, panelsOf, promptOf, sourceOf, type Place } from './notebooks';
import { Cancelled, Refusal, type Done } from './refusal';
import type { CellRunner } from './run';
import { Turns, type Request, type Turn } from './turns';

/** A batch size that the kernel has taken over from its cell. */
export interface SiteRun {
  readonly cell: CodeCell;
  readonly batchSize: number;
}

/** What the user has chosen that a release does. */
export interface Preference {
  readonly release: Release;
}

/** Runs cells in the order of the plan, for the newest request of each kernel only. */
export class Rerunner {
  constructor(
    private readonly tracker: INotebookTracker,
    private readonly runner: CellRunner,
    private readonly preference: Preference,
  ) {}

  readonly turns = new Turns();

  /** Emits when the kernel has a new batch size. */
  get ran(): ISignal<this, SiteRun> {
    return this.#ran;
  }

  /** Runs what follows from the size that stands in the request's cell now. */
  async run(view: View, request: Request): Promise<Done> {
    const turn = this.turns.take(view.kernel_id, request);
    const { release } = this.preference;
    if (release === 'edit') {
      return { textOnly: true };
    }
    const written = sourceOf(request.place.cell);
    await this.#waitForKernel(view.kernel_id, turn);
    if (request.place.cell.isDisposed || sourceOf(request.place.cell) !== written) {
      throw new Refusal(
        trans.__('The cell was edited before it could run. Run it, then drag again.'),
      );
    }
    await this.#runSite(view, request);
    const { light = [], heavy = [] } = view.plan ?? {};
    return this.#runPlanned(view, release === 'all' ? [...light, ...heavy] : light, turn);
  }

  /** Runs a cell as it stands. Throws a `Refusal` if it fails. */
  async runCell(place: Place): Promise<void> {
    if (!(await this.runner.runCell(place))) {
      throw new Refusal(
        trans.__('Cell %1 did not run to its end. Its output says why.', promptOf(place.cell)),
      );
    }
  }

  async #runSite({ plan }: View, { place, site, batchSize }: Request): Promise<void> {
    if (plan?.site_heavy === '') {
      await this.runCell(place);
    } else if (site.statement !== '') {
      // Without a statement the literal stands in heavy work, such as a loop over the loader: nothing runs.
      await this.#runStatement(place, statementWith(site, batchSize));
    }
    this.#ran.emit({ cell: place.cell, batchSize });
  }

  /** Runs the cells in their order; the sentence names those that were left alone. */
  async #runPlanned(view: View, planned: readonly PlannedCell[], turn: Turn): Promise<Done> {
    const { place, site } = turn.request;
    const left: string[] = [];
    for (const cell of planned) {
      cancelIfOver(turn);
      const found = this.#find(view, cell, place.panel);
      if (found !== null && isAsItRan(found, cell, place, site)) {
        await this.runCell(found);
      } else {
        left.push(found === null ? `[${cell.execution_count}]` : promptOf(found.cell));
      }
    }
    return leftAlone(left);
  }

  #find(view: View, planned: PlannedCell, near: NotebookPanel): Place | null {
    const panels = panelsOf(this.tracker, view.kernel_id, near);
    return findCell(panels, planned, source => source === planned.source);
  }

  async #runStatement({ panel, cell }: Place, statement: string): Promise<void> {
    if (!(await this.runner.runStatement(panel.sessionContext, statement))) {
      throw new Refusal(
        trans.__('%1 raised an error. Run cell %2 to see it.', `\`${statement}\``, promptOf(cell)),
      );
    }
  }

  async #waitForKernel(kernelId: string, turn: Turn): Promise<void> {
    const readiness = await this.turns.wait(kernelId, turn);
    cancelIfOver(turn);
    if (readiness === 'gone') {
      const { cell } = turn.request.place;
      throw new Refusal(trans.__('The kernel stopped before cell %1 could run.', promptOf(cell)));
    }
  }

  readonly #ran = new Signal<this, SiteRun>(this);
}

function cancelIfOver(turn: Turn): void {
  if (turn.signal.aborted) {
    throw new Cancelled();
  }
}

/** Whether a planned cell holds what the kernel ran, but for the literal if it is the site's own. */
function isAsItRan({ cell }: Place, planned: PlannedCell, at: Place, site: Site): boolean {
  const source = sourceOf(cell);
  return (
    source === planned.source ||
    (cell.model.id === at.cell.model.id && currentLiteral(site, source) !== null)
  );
}

function leftAlone(labels: readonly string[]): Done {
  const [only] = labels;
  if (only === undefined) {
    return {};
  }
  const message =
    labels.length === 1
      ? trans.__('Cell %1 was edited since it ran, so it was left alone.', only)
      : trans.__(
          'Cells %1 were edited since they ran, so they were left alone.',
          labels.join(', '),
        );
  return { message };
}
