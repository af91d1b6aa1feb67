/** Round steps for two vertical axes that share their grid lines. */

export interface AlignedAxes {
  /** Both axes have as many. */
  intervals: number;
  leftStep: number;
  rightStep: number | null;
}

const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const INTERVALS = [4, 3, 5];

/** The number of intervals, and a round step for each axis, that leave the least of the plot empty. */
export function alignedAxes(leftHighest: number, rightHighest: number | null): AlignedAxes {
  const choices = INTERVALS.map(intervals => {
    const leftStep = roundStep(leftHighest / intervals);
    const rightStep = rightHighest === null ? null : roundStep(rightHighest / intervals);
    const empty =
      (leftStep * intervals) / leftHighest +
      (rightStep === null || rightHighest === null ? 0 : (rightStep * intervals) / rightHighest);
    return { intervals, leftStep, rightStep, empty };
  });
  const best = choices.reduce((a, b) => (b.empty < a.empty - 1e-9 ? b : a));
  return { intervals: best.intervals, leftStep: best.leftStep, rightStep: best.rightStep };
}

/** The smallest round number that is at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = ROUND.find(round => round * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}
