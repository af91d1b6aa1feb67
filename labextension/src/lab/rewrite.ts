// Changes the one literal that sets the batch size, or says why it may not.

import type { ISharedText } from '@jupyter/ydoc';

import { currentLiteral } from '../report/site';
import type { Site } from '../report/wire.generated';
import { promptOf, sourceOf, type Place } from './notebooks';
import { Refusal } from './refusal';

/** The part of Yjs's undo manager that is needed; every shared cell of JupyterLab has one, its interface does not say so. */
interface UndoManager {
  readonly undoing: boolean;
  readonly redoing: boolean;
  stopCapturing(): void;
}

export function undoManagerOf(shared: ISharedText): UndoManager | null {
  return (shared as ISharedText & { undoManager?: UndoManager | null }).undoManager ?? null;
}

/** Rewrites literals and remembers the texts, so that an undo of ours can be told from the user's own. */
export class Rewriter {
  /** Writes `batchSize` in place of the present literal, as one undo step. Throws a `Refusal`. */
  rewrite(place: Place, site: Site, batchSize: number): void {
    const shared = place.cell.model.sharedModel;
    const before = shared.getSource();
    const literal = currentLiteral(site, before);
    if (literal === null) {
      throw new Refusal(
        `Cell ${promptOf(place.cell)} was edited since it ran. Run it, then drag again.`,
      );
    }
    refuseReadOnly(place);
    if (literal.value === batchSize) {
      return;
    }
    replace(shared, literal.start, literal.end, String(batchSize));
    this.#remember(shared, before, sourceOf(place.cell));
  }

  /** Whether this text of the cell was written or replaced by `rewrite`. */
  knows(shared: ISharedText, source: string): boolean {
    return this.#texts.get(shared)?.has(source) ?? false;
  }

  #remember(shared: ISharedText, ...texts: string[]): void {
    const known = this.#texts.get(shared) ?? new Set();
    this.#texts.set(shared, known);
    texts.forEach(text => known.add(text));
  }

  readonly #texts = new WeakMap<ISharedText, Set<string>>();
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
    throw new Refusal('This notebook is read-only, so its batch size cannot be changed.');
  }
  if (cell.model.getMetadata('editable') === false) {
    throw new Refusal(
      `Cell ${promptOf(cell)} is read-only, so the batch size in it cannot be changed.`,
    );
  }
}
