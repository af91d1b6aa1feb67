/** What the rows of the breakdown took in the pinned profile. */

import { signedBytes, signedMilliseconds } from '../../report/changes';
import { amountOf, type Metric } from '../../report/tree';
import type { Breakdown, NodesBefore, View } from '../../report/wire.generated';
import { trans } from '../translate';

/** What the nodes took in the pinned profile, once the comparison is one with the breakdown that is shown. */
export function nodesBefore({ report, pinned }: View): NodesBefore | null {
  const nodes = pinned?.nodes ?? null;
  return nodes?.seconds.length === report?.breakdown?.nodes.parent.length ? nodes : null;
}

/** By how much some nodes take more than they did; `null` where none of them was there. */
export function differenceOf(
  breakdown: Breakdown,
  before: NodesBefore,
  nodes: readonly number[],
  by: Metric,
): number | null {
  const column = by === 'time' ? before.seconds : before.size_bytes;
  const known = nodes.flatMap(node => column[node] ?? []);
  return known.length === 0
    ? null
    : amountOf(breakdown, nodes, by) - known.reduce((sum, amount) => sum + amount, 0);
}

/** A change of time by less than this share of the step is not told from none. */
const SLIGHT = 0.005;

/** `▲ +1.20 ms`, `new`, or nothing where nothing changed. */
export function changeWords(difference: number | null, by: Metric, whole: number): string {
  if (difference === null) {
    return trans.__('new');
  }
  if (by === 'memory') {
    return difference === 0 ? '' : signedBytes(difference);
  }
  return Math.abs(difference) < SLIGHT * whole ? '' : signedMilliseconds(difference);
}
