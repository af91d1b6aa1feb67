// Which of our edits can be taken back or made again: remembered beside each cell's own undo history, whoever moves in that.

import type { ISharedText } from '@jupyter/ydoc';
import { Signal, type ISignal } from '@lumino/signaling';

import type { Direction } from '../views';
import { kernelIdOf, type Place } from './notebooks';

/** What stood at the site, and what it meant. */
export interface Written {
  readonly text: string;
  readonly value: number;
}

/** One edit of ours. */
export interface Edit {
  readonly before: Written;
  readonly after: Written;
}

/** The edits of a cell: those that stand, and those that were taken back, the next one last in each. */
interface Edits {
  readonly past: readonly Edit[];
  readonly future: readonly Edit[];
}

/** The part of Yjs's undo manager that is needed; every shared cell of JupyterLab has one, its interface does not say so. */
export interface UndoManager {
  readonly undoing: boolean;
  readonly redoing: boolean;
  readonly undoStack: readonly object[];
  readonly redoStack: readonly object[];
  stopCapturing(): void;
  undo(): unknown;
  redo(): unknown;
  on(name: 'stack-item-popped', listener: (event: Popped) => void): void;
}

interface Popped {
  readonly stackItem: object;
  readonly type: Direction;
}

/** What happens to an edit when an item is taken off one of the cell's two stacks. */
interface Mark {
  readonly edit: Edit;
  readonly leads: Direction;
}

const NONE: Edits = { past: [], future: [] };

export function undoManagerOf(shared: ISharedText): UndoManager | null {
  return (shared as ISharedText & { undoManager?: UndoManager | null }).undoManager ?? null;
}

/** Keeps the edits of every cell; they outlive a reload of the page, which a cell's own history does not. */
export class EditLog {
  constructor(private readonly storage: Storage = sessionStorage) {}

  /** Emits the id of the kernel in whose notebook an edit can now be taken back, made again, or no more. */
  get changed(): ISignal<this, string> {
    return this.#changed;
  }

  /** The edit that an undo takes back, or a redo makes again; `null` where there is none. */
  next(place: Place, direction: Direction): Edit | null {
    const { past, future } = this.#editsOf(place);
    return (direction === 'undo' ? past : future).at(-1) ?? null;
  }

  /** Whether the cell's own history would do just that. */
  isOnTop(place: Place, direction: Direction): boolean {
    const mark = this.#topMark(place, direction);
    return mark?.leads === direction && mark.edit === this.next(place, direction);
  }

  /** An edit has just been written, as one step of the cell's own history. */
  wrote(place: Place, edit: Edit): void {
    this.#mark(place, { edit, leads: 'undo' });
    this.#put(place, { past: [...this.#editsOf(place).past, edit], future: [] });
  }

  /** The next edit was taken back, or made again, by writing: as one step of the cell's own history. */
  rewrote(place: Place, direction: Direction): void {
    const edit = this.next(place, direction);
    if (edit !== null) {
      this.#mark(place, { edit, leads: opposite(direction) });
      this.#put(place, moved(this.#editsOf(place), direction));
    }
  }

  #mark(place: Place, mark: Mark): void {
    const undoManager = undoManagerOf(place.cell.model.sharedModel);
    const item = undoManager?.undoStack.at(-1);
    if (undoManager && item) {
      this.#marks.set(item, mark);
      this.#watch(place, undoManager);
    }
  }

  /** Whoever takes an item of ours off a stack, by whatever key or button: the edits follow. */
  #watch(place: Place, undoManager: UndoManager): void {
    if (this.#watched.has(undoManager)) {
      return;
    }
    this.#watched.add(undoManager);
    undoManager.on('stack-item-popped', ({ stackItem, type }) => {
      const mark = this.#marks.get(stackItem);
      const { undoStack, redoStack } = undoManager;
      const inverse = (type === 'undo' ? redoStack : undoStack).at(-1);
      if (mark === undefined || inverse === undefined) {
        return;
      }
      this.#marks.set(inverse, { edit: mark.edit, leads: opposite(mark.leads) });
      if (this.next(place, mark.leads) === mark.edit) {
        this.#put(place, moved(this.#editsOf(place), mark.leads));
      }
    });
  }

  #topMark({ cell }: Place, direction: Direction): Mark | undefined {
    const undoManager = undoManagerOf(cell.model.sharedModel);
    const stack = direction === 'undo' ? undoManager?.undoStack : undoManager?.redoStack;
    const top = stack?.at(-1);
    return top && this.#marks.get(top);
  }

  #editsOf(place: Place): Edits {
    const { sharedModel } = place.cell.model;
    const known = this.#edits.get(sharedModel) ?? this.#remembered(place);
    this.#edits.set(sharedModel, known);
    return known;
  }

  #put(place: Place, edits: Edits): void {
    this.#edits.set(place.cell.model.sharedModel, edits);
    this.storage.setItem(keyOf(place), JSON.stringify(edits));
    this.#changed.emit(kernelIdOf(place.panel) ?? '');
  }

  /** What was kept before the page was loaded anew. */
  #remembered(place: Place): Edits {
    const kept = this.storage.getItem(keyOf(place));
    return kept === null ? NONE : (JSON.parse(kept) as Edits);
  }

  readonly #changed = new Signal<this, string>(this);
  readonly #edits = new WeakMap<ISharedText, Edits>();
  readonly #marks = new WeakMap<object, Mark>();
  readonly #watched = new WeakSet<UndoManager>();
}

function moved({ past, future }: Edits, direction: Direction): Edits {
  const [edit] = (direction === 'undo' ? past : future).slice(-1);
  if (edit === undefined) {
    return { past, future };
  }
  return direction === 'undo'
    ? { past: past.slice(0, -1), future: [...future, edit] }
    : { past: [...past, edit], future: future.slice(0, -1) };
}

export function opposite(direction: Direction): Direction {
  return direction === 'undo' ? 'redo' : 'undo';
}

function keyOf({ panel, cell }: Place): string {
  return `skyline-jupyter:edits:${kernelIdOf(panel) ?? ''}:${cell.model.id}`;
}
