// What each line of a cell takes: pure, from the breakdown to what the gutter shows.

import { formatBytes, formatMilliseconds, formatPercent } from '../../report/format';
import { amountOf, type Metric } from '../../report/tree';
import type { Breakdown, LineCost } from '../../report/wire.generated';

/** One mark in the gutter of a cell. */
export interface HeatLine {
  /** 1-based. */
  line: number;
  /** What the line read when it was measured. */
  text: string;
  /** Of the step's time, or of all that its lines allocate. */
  share: number;
  label: string;
  /** Everything that is known of the line, for a pointer that rests on it. */
  details: string;
  /** In the breakdown; -1 where none stands for the line. */
  node: number;
}

/** Below this share a line is cold. */
const COLD = 0.005;

export function heatOf(breakdown: Breakdown, cellId: string, metric: Metric): HeatLine[] {
  const whole =
    metric === 'time'
      ? amountOf(breakdown, [0], 'time')
      : Math.max(...breakdown.lines.map(line => line.size_bytes), 0);
  const amount = (line: LineCost): number =>
    metric === 'time' ? line.forward_seconds + line.backward_seconds : line.size_bytes;
  return breakdown.lines
    .filter(line => line.cell_id === cellId && amount(line) > COLD * whole)
    .map(line => ({
      line: line.line,
      text: line.text,
      share: amount(line) / whole,
      label: metric === 'time' ? formatPercent(amount(line) / whole) : formatBytes(amount(line)),
      details: detailsOf(line, amountOf(breakdown, [0], 'time'), breakdown.batch_size),
      node: line.node,
    }));
}

function detailsOf(line: LineCost, step: number, batchSize: number): string {
  const seconds = line.forward_seconds + line.backward_seconds;
  return [
    `${formatPercent(step > 0 ? seconds / step : 0)} of the step at batch size ${batchSize}`,
    `forward ${formatMilliseconds(line.forward_seconds)}, backward ${formatMilliseconds(line.backward_seconds)}`,
    `allocates ${formatBytes(line.size_bytes)}`,
    `runs ${line.calls} ${line.calls === 1 ? 'operator' : 'operators'}`,
  ].join('\n');
}
