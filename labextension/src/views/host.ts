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
    }
  | { kind: 'refused'; message: string };

export interface Host {
  /** There is a live notebook behind the dashboard; without one the handle only previews. */
  readonly available: boolean;
  /** Write `batchSize` at the view's site, run what follows from it, and have it measured. */
  apply(view: View, batchSize: number): Promise<Outcome>;
  /** Run these cells, which the user chose by a click. */
  run(view: View, cellIds: readonly string[]): Promise<Outcome>;
  /**
   * Interrupt the cell that is measured: what was measured so far is kept, and a new view follows.
   * False where only the notebook's own button can.
   */
  interrupt(view: View): boolean;
  /** Tell the kernel which of the report's candidates sets the batch size; a new view follows. */
  choose(view: View, candidate: Site): void;
  /** The present prompt of each cell, such as `[7]`; a cell left out keeps the view's own number. */
  labels(view: View, cellIds: readonly string[]): Readonly<Record<string, string>>;
}
