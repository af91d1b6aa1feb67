/** Which batch sizes a handle rests on: powers of two, multiples of 8, those that a caller names, and those that go evenly into the data set. */

import type { Report } from './wire.generated';

export interface SnapRange {
  smallest: number;
  largest: number;
  /** Sizes that count although they are neither, such as today's. */
  also: readonly number[];
  /** Sizes that leave no smaller last batch. */
  even: readonly number[];
}

/** The sizes on offer: today's, those that were measured and the one that is advised count, however odd. */
export function snapRange(report: Report): SnapRange {
  const { smallest, largest } = report.range;
  const advised = report.findings.flatMap(finding => finding.batch_size ?? []);
  const measured = report.samples.map(sample => sample.batch_size);
  const even = divisors(report.step.dataset_size ?? 0).filter(
    size => size >= smallest && size <= largest,
  );
  return { smallest, largest, also: [report.batch_size, ...measured, ...advised], even };
}

function divisors(count: number): number[] {
  const found: number[] = [];
  for (let size = 1; size * size <= count; size += 1) {
    if (count % size === 0) {
      found.push(size, count / size);
    }
  }
  return found;
}

/** A power of two or a named size this near, in octaves, wins over a nearer multiple of 8. */
const PULL = 0.05;

export function clampSize(range: SnapRange, size: number): number {
  return Math.min(Math.max(Math.round(size), range.smallest), range.largest);
}

/** The size worth having nearest to `raw`, by ratio. */
export function snapSize(range: SnapRange, raw: number): number {
  const power = 2 ** Math.round(Math.log2(Math.max(raw, 1)));
  const near = [...named(range), power].filter(size => octaves(size, raw) <= PULL);
  const offered = near.length > 0 ? near : [below(raw), above(raw)];
  return clampSize(range, nearest([...offered, ...range.even], raw));
}

/** The next size worth having on that side of `size`, or the end of the range. */
export function stepSize(range: SnapRange, size: number, direction: 1 | -1): number {
  const grid = direction === 1 ? above(size + 1) : below(size - 1);
  const ahead = [...named(range), ...range.even].filter(other => (other - size) * direction > 0);
  const next = direction === 1 ? Math.min(grid, ...ahead) : Math.max(grid, ...ahead);
  return clampSize(range, next);
}

function named(range: SnapRange): number[] {
  return [...range.also, range.smallest, range.largest].filter(
    size => size >= range.smallest && size <= range.largest,
  );
}

/** Powers of two below 8; above, multiples of 8 that keep at least a sixteenth of an octave apart. */
function pitch(size: number): number {
  return Math.max(8, 2 ** Math.floor(Math.log2(size)) / 16);
}

function below(size: number): number {
  if (size < 8) {
    return 2 ** Math.floor(Math.log2(Math.max(size, 1)));
  }
  return Math.floor(size / pitch(size)) * pitch(size);
}

function above(size: number): number {
  if (size <= 8) {
    return 2 ** Math.ceil(Math.log2(Math.max(size, 1)));
  }
  return Math.ceil(size / pitch(size)) * pitch(size);
}

function octaves(a: number, b: number): number {
  return Math.abs(Math.log2(a / Math.max(b, 1)));
}

function nearest(sizes: readonly number[], raw: number): number {
  return sizes.reduce((best, size) => (octaves(size, raw) < octaves(best, raw) ? size : best));
}
