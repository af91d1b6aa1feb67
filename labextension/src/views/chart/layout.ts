/** Where everything on the chart stands: pure arithmetic from a report and a width to pixels. */

import { scaleLinear, scaleLog, type ScaleLinear, type ScaleLogarithmic } from 'd3-scale';
import { peakBytes, throughput } from '../../report/curves';
import { bytesQuantity } from '../../report/format';
import type { Curves as WireCurves, Report } from '../../report/wire.generated';
import { alignedAxes } from './axes';

/** The plot's edges in pixels, inside a drawing of `width` × `height`. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Axis {
  scale: ScaleLinear<number, number>;
  ticks: number[];
  /** What the axis counts in: samples/s, or a power of 1024 bytes. */
  unit: string;
  unitSize: number;
}

export interface ChartLayout {
  frame: Frame;
  x: ScaleLogarithmic<number, number>;
  /** Batch sizes from the left edge to the right one. */
  domain: readonly [number, number];
  sizeTicks: number[];
  throughput: Axis;
  /** Whether a step was timed at all; else the axis of the throughput is empty. */
  timed: boolean;
  /** `null` where memory is unknown. */
  memory: Axis | null;
  /** Where the memory limit begins, if that is on the chart. */
  limitSize: number | null;
}

/** On the right there is room for a label such as `100 MiB`. */
const MARGIN = { left: 52, right: 56, top: 22, bottom: 44 };
const NARROW_LEFT = 46;
const NARROW = 420;
const BARE_RIGHT = 16;
/** Room beside the outermost sizes, in octaves, so that a handle there is whole. */
const PADDING = 0.2;
/** How much of what does not fit is shown, in octaves. */
const BEYOND_LIMIT = 0.35;
const BYTES_A_UNIT = 1024;

interface Drawn {
  curves: WireCurves;
  domain: readonly [number, number];
}

/** The part of the axis over which other curves are drawn: the sizes that their profile offers. */
export function offeredBy(
  curves: WireCurves,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  const sizes = curves.step_seconds_knots.map(knot => knot.batch_size);
  const first = Math.min(Math.max(from, ...sizes.slice(0, 1)), to);
  return [first, Math.max(first, Math.min(to, ...sizes.slice(-1)))];
}

/** `pinned`: curves of another profile, which are drawn too. */
export function chartLayout(
  report: Report,
  width: number,
  height: number,
  pinned: WireCurves | null = null,
): ChartLayout {
  const limitSize = visibleLimit(report);
  const domain = sizeDomain(report, limitSize);
  const hasMemory = report.curves.peak_bytes_knots.length > 0;
  const left = width < NARROW ? NARROW_LEFT : MARGIN.left;
  const frame = {
    width,
    height,
    left,
    right: Math.max(width - (hasMemory ? MARGIN.right : BARE_RIGHT), left + 40),
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  };
  const x = scaleLog().base(2).domain(domain).range([frame.left, frame.right]);
  const drawn: Drawn[] = [{ curves: report.curves, domain }];
  if (pinned !== null) {
    drawn.push({ curves: pinned, domain: offeredBy(pinned, domain) });
  }
  // Where nothing fits, all of the curve is beyond the limit, and worth seeing.
  const axes = verticalAxes(report, drawn, frame, limitSize !== null && limitSize > domain[0]);
  const timed = report.samples.length > 0;
  return { frame, x, domain, sizeTicks: sizeTicks(x, domain), limitSize, timed, ...axes };
}

/** The limit's size, if it is near enough to the sizes on offer to be worth its place. */
function visibleLimit(report: Report): number | null {
  const limit = report.max_batch_size;
  return limit !== null && limit <= report.range.largest * 1.5 ? limit : null;
}

function sizeDomain(report: Report, limitSize: number | null): readonly [number, number] {
  const shown = [
    report.range.smallest,
    report.range.largest,
    report.batch_size,
    ...report.samples.map(sample => sample.batch_size),
  ];
  const smallest = Math.max(Math.min(...shown), 1);
  const largest = Math.max(...shown);
  const end = Math.max(largest * 2 ** PADDING, (limitSize ?? 0) * 2 ** BEYOND_LIMIT);
  return [smallest / 2 ** PADDING, end];
}

function verticalAxes(
  report: Report,
  drawn: readonly Drawn[],
  frame: Frame,
  limited: boolean,
): { throughput: Axis; memory: Axis | null } {
  const speed = highestThroughput(report, drawn);
  const bytes = highestPeak(report, drawn, limited);
  const unit = bytes === null ? 'B' : bytesQuantity(bytes).unit;
  const unitSize = BYTES_A_UNIT ** ['B', 'KiB', 'MiB', 'GiB', 'TiB'].indexOf(unit);
  const tops = alignedAxes(speed, bytes === null ? null : bytes / unitSize);
  const axis = (step: number, name: string, size: number): Axis => ({
    scale: scaleLinear([0, step * tops.intervals * size], [frame.bottom, frame.top]),
    ticks: Array.from({ length: tops.intervals + 1 }, (_, index) => index * step),
    unit: name,
    unitSize: size,
  });
  return {
    throughput: axis(tops.leftStep, '/s', 1),
    memory: tops.rightStep === null ? null : axis(tops.rightStep, unit, unitSize),
  };
}

function highestThroughput(report: Report, drawn: readonly Drawn[]): number {
  const measured = report.samples.map(sample => sample.batch_size / sample.step_seconds);
  const predicted = drawn.flatMap(({ curves, domain }) =>
    sizesAlong(domain, curves, 40).map(size => {
      const estimate = throughput(curves, size);
      // A wide band may leave the picture; the curve may not.
      return estimate === null ? 0 : Math.min(estimate.high, estimate.value * 1.1);
    }),
  );
  return Math.max(...measured, ...predicted) || 1;
}

function highestPeak(report: Report, drawn: readonly Drawn[], limited: boolean): number | null {
  if (report.curves.peak_bytes_knots.length === 0) {
    return null;
  }
  const predicted = drawn.flatMap(({ curves, domain }) =>
    domain.map(size => peakBytes(curves, size)?.value ?? 0),
  );
  const measured = report.samples.map(sample => sample.peak_bytes ?? 0);
  const highest = Math.max(...predicted, ...measured, 1);
  return limited ? Math.min(highest, report.limit.limit_bytes * 1.1) : highest;
}

/** Sizes at which a curve is drawn: evenly spaced on the axis, and every knot, where it bends. */
export function sizesAlong(
  domain: readonly [number, number],
  curves: WireCurves,
  count: number,
): number[] {
  const [from, to] = domain;
  const even = Array.from(
    { length: count + 1 },
    (_, index) => from * (to / from) ** (index / count),
  );
  const knots = [...curves.step_seconds_knots, ...curves.peak_bytes_knots];
  const bends = knots.map(knot => knot.batch_size).filter(size => size > from && size < to);
  return [...new Set([...even, ...bends])].sort((a, b) => a - b);
}

/** Powers of two, all or every second, third… so that their labels stay apart. */
function sizeTicks(
  x: ScaleLogarithmic<number, number>,
  [from, to]: readonly [number, number],
): number[] {
  const first = Math.ceil(Math.log2(from));
  const last = Math.floor(Math.log2(to));
  const widest = String(2 ** last).length * 7 + 16;
  const stride = Math.max(1, Math.ceil(widest / (x(2) - x(1))));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += 1) {
    if ((last - power) % stride === 0) {
      ticks.push(2 ** power);
    }
  }
  return ticks;
}
