// What each line of a cell takes: pure, from the breakdown to what the gutter shows.

import { formatBytes, formatCount, formatMilliseconds, formatPercent } from '../../report/format';
import { amountOf, type Metric } from '../../report/tree';
import type { Breakdown, LineCost } from '../../report/wire.generated';
import { trans } from '../../views/translate';

/** One mark in the gutter of a cell. */
export interface HeatLine {
  /** 1-based. */
  line: number;
  /** What the line read when it was measured. */
  text: string;
  /** Of the step's time, or of all that its lines allocate. */
  share: number;
  label: string;
  /** Its share of the step in words, and everything else that is known of it: names and values. */
  summary: string;
  facts: readonly (readonly [name: string, value: string])[];
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
      summary: summaryOf(line, amountOf(breakdown, [0], 'time'), breakdown.batch_size),
      facts: factsOf(line),
      node: line.node,
    }));
}

function summaryOf(line: LineCost, step: number, batchSize: number): string {
  const seconds = line.forward_seconds + line.backward_seconds;
  const share = formatPercent(step > 0 ? seconds / step : 0);
  return trans.__('%1 of the step at batch size %2', share, batchSize);
}

function factsOf(line: LineCost): HeatLine['facts'] {
  return [
    [trans.__('forward'), formatMilliseconds(line.forward_seconds)],
    [trans.__('backward'), formatMilliseconds(line.backward_seconds)],
    [trans.__('allocates'), formatBytes(line.size_bytes)],
    [trans.__('operators run'), formatCount(line.calls)],
  ];
}
