/** Where each box of the icicle stands: the step on top, what it is made of below it, as wide as it takes. */

import { classOf, kindOf } from '../../report/nodes';
import { rowsOf, type Row } from '../../report/stacking';
import { amountOf, type Metric, type Tree } from '../../report/tree';

export interface Box {
  row: Row;
  kind: string;
  /** Of a module; empty where there is none to tell. */
  className: string;
  depth: number;
  x: number;
  width: number;
  /** Of the whole step. */
  share: number;
}

/** Narrower boxes are left out, with all below them. */
const NARROWEST = 1.5;

/** The boxes from `root` down, in a drawing of `width` pixels and `depths` levels. */
export function icicle(tree: Tree, root: Row, by: Metric, width: number, depths: number): Box[] {
  const whole = amountOf(tree.breakdown, [0], by);
  const amount = (row: Row): number => amountOf(tree.breakdown, row.nodes, by);
  const boxes: Box[] = [];
  const place = (row: Row, depth: number, x: number, scale: number): void => {
    const taken = amount(row);
    const box = {
      row,
      kind: kindOf(tree.breakdown, row.nodes[0] ?? -1),
      className: classOf(tree.breakdown, row.nodes[0] ?? -1),
      depth,
      x,
      width: taken * scale,
      share: whole > 0 ? taken / whole : 0,
    };
    if (box.width < NARROWEST) {
      return;
    }
    boxes.push(box);
    if (depth + 1 < depths) {
      let left = x;
      for (const below of rowsOf(tree, row)) {
        place(below, depth + 1, left, scale);
        left += amount(below) * scale;
      }
    }
  };
  const total = amount(root);
  if (total > 0) {
    place(root, 0, 0, width / total);
  }
  return boxes;
}
