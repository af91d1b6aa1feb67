/**
 * What a dashboard asks of the place it stands in. The widget, JupyterLab's side panel and an
 * exported page differ only here.
 */

import type { Site, View } from '../report/wire.generated';

/** How a request to the notebook ended. */
export type Outcome =
  | {
      kind: 'applied';
      /** A sentence for people, such as a cell that was left alone because it was edited since. */
      message?: string;
      /** The new line to paste, where the cell's text could not be changed. */
      line?: string;
      /** The kernel keeps its size: there is nothing to measure. */
      textOnly?: boolean;
    }
  | {
      kind: 'refused';
      message: string;
      /** What a person can paste instead. */
      line?: string;
    }
  /** A newer request took over, or the user gave it up. */
  | { kind: 'cancelled' };

/** The two ways in a cell's history. */
export type Direction = 'undo' | 'redo';

/** What a release of the handle runs besides the edit: nothing, the light cells, or every cell that depends on the size. */
export type Release = 'edit' | 'light' | 'all';

/** How things stand with edits of the view's batch size. */
export interface Editing {
  release: Release;
  /** The size that an undo of our last edit brings back; `null`: there is nothing to undo. */
  undo: number | null;
  /** The size that a redo brings back. */
  redo: number | null;
  /** The size whose cells wait for the busy kernel. */
  waiting: number | null;
}

export interface Host {
  /** There is a live notebook behind the dashboard; without one the handle only previews. */
  readonly available: boolean;
  /** Write `batchSize` at the view's site, run what follows from it, and have it measured. */
  apply(view: View, batchSize: number): Promise<Outcome>;
  /** Take our last edit back, or make it again, with all that follows. */
  takeBack(view: View, direction: Direction): Promise<Outcome>;
  /** Give up the request that waits for the kernel, and take its edit back. */
  cancel(view: View): Promise<Outcome>;
  /** How things stand with edits; `null` where they cannot be taken back. `EDITS_EVENT` says when to ask again. */
  editing(view: View): Editing | null;
  /** Run these cells, which the user chose by a click. */
  run(view: View, cellIds: readonly string[]): Promise<Outcome>;
  /**
   * Interrupt the cell that is measured: what was measured so far is kept, and a new view follows.
   * False where only the notebook's own button can.
   */
  interrupt(view: View): boolean;
  /** Tell the kernel which of the report's candidates sets the batch size; a new view follows. */
  choose(view: View, candidate: Site): void;
  /** Have the kernel compare this notebook's profiles with one of its history, or with none; a new view follows. */
  pin(view: View, entryId: string | null): void;
  /** The present prompt of each cell, such as `[7]`; a cell left out keeps the view's own number. */
  labels(view: View, cellIds: readonly string[]): Readonly<Record<string, string>>;
}
