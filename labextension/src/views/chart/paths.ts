/** The curves as SVG paths, and as points that labels keep clear of. */

import { area, line } from 'd3-shape';
import { peakBytes, throughput, type Estimate } from '../../report/curves';
import type { Curves, Report } from '../../report/wire.generated';
import { offeredBy, sizesAlong, type Axis, type ChartLayout } from './layout';

export interface Point {
  x: number;
  y: number;
}

interface Band extends Point {
  low: number;
  high: number;
}

export interface CurvePaths {
  points: Point[];
  band: string;
  /** Through what was measured. */
  solid: string;
  /** Beyond what was measured, on both sides. */
  dashed: string;
}

const PIXELS_A_POINT = 3;
const drawLine = line<Point>(
  point => point.x,
  point => point.y,
);
const drawBand = area<Band>(
  point => point.x,
  point => point.low,
  point => point.high,
);

export function throughputPaths(report: Report, layout: ChartLayout): CurvePaths {
  const measured = report.samples.map(sample => sample.batch_size);
  return curvePaths(report, layout, layout.throughput, measured, size =>
    throughput(report.curves, size),
  );
}

export function memoryPaths(report: Report, layout: ChartLayout): CurvePaths | null {
  if (layout.memory === null) {
    return null;
  }
  // Two traced steps give the peak at every size: there is no "beyond what was measured".
  const measured =
    report.curves.peak_bytes_source === 'events'
      ? [...layout.domain]
      : report.samples
          .filter(sample => sample.peak_bytes !== null)
          .map(sample => sample.batch_size);
  return curvePaths(report, layout, layout.memory, measured, size =>
    peakBytes(report.curves, size),
  );
}

export interface PinnedPath {
  points: Point[];
  path: string;
}

/** The curve of another profile, over the sizes that it offers. */
export function pinnedPath(
  curves: Curves,
  layout: ChartLayout,
  axis: Axis,
  evaluate: (curves: Curves, size: number) => Estimate | null,
): PinnedPath {
  const count = Math.ceil((layout.frame.right - layout.frame.left) / PIXELS_A_POINT);
  const domain = offeredBy(curves, layout.domain);
  const sizes = domain[0] < domain[1] ? sizesAlong(domain, curves, count) : [];
  const points = sizes.flatMap(size => {
    const estimate = evaluate(curves, size);
    return estimate === null ? [] : [{ x: layout.x(size), y: axis.scale(estimate.value) }];
  });
  return { points, path: drawLine(points) ?? '' };
}

function curvePaths(
  report: Report,
  layout: ChartLayout,
  axis: Axis,
  measured: readonly number[],
  evaluate: (size: number) => Estimate | null,
): CurvePaths {
  const count = Math.ceil((layout.frame.right - layout.frame.left) / PIXELS_A_POINT);
  const sizes = sizesAlong(layout.domain, report.curves, count);
  const points = sizes.flatMap(size => {
    const estimate = evaluate(size);
    return estimate === null ? [] : [{ size, ...bandPoint(layout.x(size), axis, estimate) }];
  });
  const first = Math.min(...measured);
  const last = Math.max(...measured);
  const draw = (part: typeof points): string => (part.length > 1 ? (drawLine(part) ?? '') : '');
  return {
    points,
    band: drawBand(points) ?? '',
    solid: draw(points.filter(point => point.size >= first && point.size <= last)),
    dashed:
      draw(points.filter(point => point.size <= first)) +
      draw(points.filter(point => point.size >= last)),
  };
}

function bandPoint(x: number, axis: Axis, estimate: Estimate): Band {
  return {
    x,
    y: axis.scale(estimate.value),
    low: axis.scale(estimate.low),
    high: axis.scale(estimate.high),
  };
}
