/** What a report says of a batch size: what was measured where there is a sample, else the curve. */

import { peakBytes, stepSeconds } from './curves';
import type { Report, Sample } from './wire.generated';

export function sampleAt(report: Report, size: number): Sample | undefined {
  return report.samples.find(sample => sample.batch_size === size);
}

/** Whether there is anything to draw: where no step could be run, memory alone. */
export function hasNumbers(report: Report): boolean {
  return report.samples.length > 0 || report.curves.peak_bytes_knots.length > 0;
}

/** Whether there are sizes to choose from. */
export function offersSizes(report: Report): boolean {
  const measured = new Set(report.samples.map(sample => sample.batch_size)).size;
  return measured > 1 || (measured === 0 && report.curves.peak_bytes_knots.length > 1);
}

/** Seconds of one step. */
export function stepSecondsAt(report: Report, size: number): number | null {
  return sampleAt(report, size)?.step_seconds ?? stepSeconds(report.curves, size)?.value ?? null;
}

/** Samples per second. */
export function throughputAt(report: Report, size: number): number | null {
  const step = stepSecondsAt(report, size);
  return step === null ? null : size / step;
}

/** Bytes at the peak of a step. */
export function peakAt(report: Report, size: number): number | null {
  return sampleAt(report, size)?.peak_bytes ?? peakBytes(report.curves, size)?.value ?? null;
}

/** Samples per second over the sizes on offer: the most need not be at the largest of them. */
export function highestThroughput(report: Report): number {
  const { smallest, largest } = report.range;
  const knots = report.curves.step_seconds_knots.map(knot => knot.batch_size);
  const measured = report.samples.map(sample => sample.batch_size);
  const sizes = [...knots, ...measured].filter(size => size >= smallest && size <= largest);
  return Math.max(...[...sizes, largest].map(size => throughputAt(report, size) ?? 0));
}
