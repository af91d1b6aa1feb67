/**
 * Curves against batch size: what `skyline_jupyter/report/curve.py` computes, line for line.
 * `tests/fixtures/curves.json` holds the vectors that both languages must meet.
 */

import type { Curves, Estimate, Knot } from './wire.generated';

export type { Estimate } from './wire.generated';

/** Seconds of one training step, or `null` where nothing was measured. */
export function stepSeconds(curves: Curves, batchSize: number): Estimate | null {
  return evaluate(curves.step_seconds_knots, batchSize);
}

/** Samples per second, or `null` where nothing was measured. */
export function throughput(curves: Curves, batchSize: number): Estimate | null {
  const step = stepSeconds(curves, batchSize);
  return (
    step && {
      value: batchSize / step.value,
      low: batchSize / step.high,
      high: batchSize / step.low,
    }
  );
}

/** Bytes of peak memory, or `null` where memory could not be measured. */
export function peakBytes(curves: Curves, batchSize: number): Estimate | null {
  return evaluate(curves.peak_bytes_knots, batchSize);
}

/** The curve through `knots` at `batchSize`; `null` without knots. */
export function evaluate(knots: readonly Knot[], batchSize: number): Estimate | null {
  const first = knots[0];
  if (!first) {
    return null;
  }
  if (knots.length === 1 || batchSize <= first.batch_size) {
    return { value: first.value, low: first.low, high: first.high };
  }
  let right = 1;
  while (right < knots.length - 1 && batchSizeAt(knots, right) < batchSize) {
    right += 1;
  }
  const a = knots[right - 1] ?? first;
  const b = knots[right] ?? first;
  const share = (batchSize - a.batch_size) / (b.batch_size - a.batch_size);
  return {
    value: a.value + share * (b.value - a.value),
    low: a.low + share * (b.low - a.low),
    high: a.high + share * (b.high - a.high),
  };
}

function batchSizeAt(knots: readonly Knot[], index: number): number {
  return knots[index]?.batch_size ?? Number.POSITIVE_INFINITY;
}
