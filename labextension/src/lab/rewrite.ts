// Changes the one literal that sets the batch size, takes such a change back, or says why it may not.

import type { ISharedText } from '@jupyter/ydoc';

import { currentLiteral, type Literal } from '../report/site';
import type { Site } from '../report/wire.generated';
import { trans, type Direction } from '../views';
import { undoManagerOf, type EditLog } from './edits';
import { promptOf, sourceOf, type Place } from './notebooks';
import { Refusal } from './refusal';

/** Rewrites literals and remembers the texts, so that an undo of ours can be told from the user's own. */
export class Rewriter {
  constructor(private readonly edits: EditLog) {}

  /** It moves in a cell's own history now: whoever sees that need not act on it. */
  get isActing(): boolean {
    return this.#isActing;
  }

  /** Writes `batchSize` in place of the present literal, as one undo step. Throws a `Refusal`. */
  rewrite(place: Place, site: Site, batchSize: number): void {
    const literal = editable(place, site);
    if (literal.value === batchSize) {
      return;
    }
    const before = { text: textOf(place, literal), value: literal.value };
    const after = { text: String(batchSize), value: batchSize };
    this.#write(place, literal, after.text);
    this.edits.wrote(place, { before, after });
  }

  /**
   * Takes our last edit back, or makes it again, and returns the batch size that now stands there: through the
   * cell's own history where our edit is on top of that, or else by writing. Throws a `Refusal`.
   */
  takeBack(place: Place, site: Site, direction: Direction): number {
    const edit = this.edits.next(place, direction);
    if (edit === null) {
      throw new Refusal(
        trans.__("There is no edit of Skyline's to take back in cell %1.", promptOf(place.cell)),
      );
    }
    const literal = editable(place, site);
    const wanted = direction === 'undo' ? edit.before : edit.after;
    if (this.edits.isOnTop(place, direction)) {
      this.#act(place, direction);
    } else {
      this.#write(place, literal, wanted.text);
      this.edits.rewrote(place, direction);
    }
    return currentLiteral(site, sourceOf(place.cell))?.value ?? wanted.value;
  }

  /** Whether this text of the cell was written or replaced by `rewrite`. */
  knows(shared: ISharedText, source: string): boolean {
    return this.#texts.get(shared)?.has(source) ?? false;
  }

  #act({ cell }: Place, direction: Direction): void {
    const undoManager = undoManagerOf(cell.model.sharedModel);
    this.#isActing = true;
    try {
      undoManager?.[direction]();
    } finally {
      this.#isActing = false;
    }
  }

  #write({ cell }: Place, { start, end }: Literal, text: string): void {
    const shared = cell.model.sharedModel;
    const before = shared.getSource();
    replace(shared, start, end, text);
    this.#remember(shared, before, shared.getSource());
  }

  #remember(shared: ISharedText, ...texts: string[]): void {
    const known = this.#texts.get(shared) ?? new Set();
    this.#texts.set(shared, known);
    texts.forEach(text => known.add(text));
  }

  readonly #texts = new WeakMap<ISharedText, Set<string>>();
  #isActing = false;
}

/** The literal in the cell's present text. */
function editable(place: Place, site: Site): Literal {
  const literal = currentLiteral(site, sourceOf(place.cell));
  if (literal === null) {
    throw new Refusal(
      trans.__('Cell %1 was edited since it ran. Run it, then drag again.', promptOf(place.cell)),
    );
  }
  refuseReadOnly(place);
  return literal;
}

function textOf({ cell }: Place, { start, end }: Literal): string {
  return sourceOf(cell).slice(start, end);
}

/** Without the pauses in capturing, Yjs would merge the edit with typing less than half a second away. */
function replace(shared: ISharedText, start: number, end: number, text: string): void {
  const undoManager = undoManagerOf(shared);
  undoManager?.stopCapturing();
  shared.transact(() => shared.updateSource(start, end, text));
  undoManager?.stopCapturing();
}

function refuseReadOnly({ panel, cell }: Place): void {
  if (panel.content.model?.readOnly) {
    throw new Refusal(trans.__('This notebook is read-only, so its batch size cannot be changed.'));
  }
  if (cell.model.getMetadata('editable') === false) {
    throw new Refusal(
      trans.__('Cell %1 is read-only, so the batch size in it cannot be changed.', promptOf(cell)),
    );
  }
}
