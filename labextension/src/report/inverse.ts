/** From a value back to the batch size that gives it: what dragging a bar asks for. */

import { stepSize, type SnapRange } from './snap';

/** The sizes on which a handle rests, in increasing order. */
export function sizesWorthTaking(range: SnapRange): number[] {
  const sizes = [range.smallest];
  for (let size = range.smallest; size < range.largest;) {
    size = stepSize(range, size, 1);
    sizes.push(size);
  }
  return sizes;
}

/**
 * The size whose value is nearest to `wanted`; of equals the smallest.
 *
 * `free`: any whole number between the two sizes worth taking around it, not only those.
 */
export function sizeForValue(
  range: SnapRange,
  valueAt: (size: number) => number | null,
  wanted: number,
  free: boolean,
): number {
  const worth = sizesWorthTaking(range);
  const best = nearest(worth, valueAt, wanted);
  if (!free) {
    return worth[best] ?? range.smallest;
  }
  const from = worth[Math.max(best - 1, 0)] ?? range.smallest;
  const to = worth[Math.min(best + 1, worth.length - 1)] ?? range.largest;
  const between = evenly(from, to);
  return between[nearest(between, valueAt, wanted)] ?? from;
}

/** So many sizes are tried at most, on each move of a pointer. */
const MOST_TRIED = 512;

function evenly(from: number, to: number): number[] {
  const count = Math.min(to - from, MOST_TRIED);
  const sizes = Array.from({ length: count + 1 }, (_, index) =>
    Math.round(from + ((to - from) * index) / Math.max(count, 1)),
  );
  return [...new Set(sizes)];
}

function nearest(
  sizes: readonly number[],
  valueAt: (size: number) => number | null,
  wanted: number,
): number {
  const off = sizes.map(size => Math.abs((valueAt(size) ?? Number.POSITIVE_INFINITY) - wanted));
  return off.indexOf(Math.min(...off));
}
