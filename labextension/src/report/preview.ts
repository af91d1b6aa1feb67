/** What bounds a step at a size that is only looked at: the rule of the verdict (`findings/verdict.py`), over the curve. */

import { sampleAt, stepSecondsAt, throughputAt } from './values';
import type { Report, Sample } from './wire.generated';

/** What takes the time of a step; `null`: one size cannot show it. */
export type Bound = 'data' | 'compute' | 'partly overhead' | 'overhead' | null;

export interface Preview {
  bound: Bound;
  /** Throughput, as a multiple of the one that the notebook has now. */
  gain: number;
  /** `null`: not known. */
  fits: boolean | null;
}

const DATA_SHARE = 0.5;
const PROPORTIONAL = 0.8;
const FLAT = 0.4;

/** `null` where there is no curve. */
export function previewOf(report: Report, size: number): Preview | null {
  const then = throughputAt(report, size);
  const now = throughputAt(report, report.batch_size);
  if (then === null || now === null) {
    return null;
  }
  const { max_batch_size: largest } = report;
  return {
    bound: boundAt(report, size),
    gain: then / now,
    fits: largest === null ? null : size <= largest,
  };
}

function boundAt(report: Report, size: number): Bound {
  const [below, above] = neighbours(report.samples, size);
  const measured = sampleAt(report, size);
  const near = measured ? [measured] : [below, above].filter(sample => sample !== undefined);
  if (near.length > 0 && near.every(isDataBound)) {
    return 'data';
  }
  const elasticity = elasticityAt(report, size, below, above);
  if (elasticity === null) {
    return null;
  }
  if (elasticity >= PROPORTIONAL) {
    return 'compute';
  }
  return elasticity <= FLAT ? 'overhead' : 'partly overhead';
}

/** d log(step time) / d log(batch size), between the neighbours of the size. */
function elasticityAt(
  report: Report,
  size: number,
  below: Sample | undefined,
  above: Sample | undefined,
): number | null {
  const seconds = stepSecondsAt(report, size);
  if (seconds === null) {
    return null;
  }
  const here = { batch_size: size, step_seconds: seconds };
  const [low, high] = [below ?? here, above ?? here];
  return low === high
    ? null
    : Math.log(high.step_seconds / low.step_seconds) / Math.log(high.batch_size / low.batch_size);
}

/** The measured sizes next to it, on either side. */
function neighbours(
  samples: readonly Sample[],
  size: number,
): [below: Sample | undefined, above: Sample | undefined] {
  const sorted = [...samples].sort((a, b) => a.batch_size - b.batch_size);
  return [
    sorted.findLast(sample => sample.batch_size < size),
    sorted.find(sample => sample.batch_size > size),
  ];
}

function isDataBound(sample: Sample): boolean {
  const { step_seconds: step, compute_seconds: compute, data_seconds: data } = sample;
  return Math.min(step - compute, data ?? 0) > DATA_SHARE * step;
}
