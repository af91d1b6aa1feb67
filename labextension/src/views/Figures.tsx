/** The two numbers that a batch size is chosen by, at the handle and now, and what follows from them. */

import type { JSX } from 'preact';
import { throughput, type Estimate } from '../report/curves';
import { peakParts } from '../report/categories';
import {
  bytesQuantity,
  formatBytes,
  formatMultiple,
  formatPercent,
  formatThroughput,
  throughputNumber,
  type Quantity,
} from '../report/format';
import { highestThroughput, peakAt, sampleAt, stepSecondsAt, throughputAt } from '../report/values';
import type { Report } from '../report/wire.generated';
import { Bar, type BarPart } from './Bar';
import type { Axis } from './drag';
import type { SizeControl } from './slider';
import { trans } from './translate';
import { categoryWord } from './vocabulary';
import { notRunWords, spreadOf, stepWords } from './words';

interface FiguresProps {
  report: Report;
  control: SizeControl;
  /** The size that the notebook trains with. */
  now: number;
  axis: Axis;
}

export function Figures(props: FiguresProps): JSX.Element {
  const { report, control } = props;
  const step = stepSecondsAt(report, control.size);
  return (
    <div class={`skyline-figures skyline-figures-${props.axis}`}>
      <ThroughputFigure {...props} />
      <MemoryFigure {...props} />
      {step && (
        <p class="skyline-step">
          {stepWords(report, control.size, step).map((part, index) => (
            <span key={index}>{part}</span>
          ))}
        </p>
      )}
    </div>
  );
}

function ThroughputFigure({ report, control, now, axis }: FiguresProps): JSX.Element {
  const { size } = control;
  const value = throughputAt(report, size);
  const today = throughputAt(report, now);
  if (value === null || today === null) {
    return (
      <div class="skyline-figure">
        <div class="skyline-figure-name">{trans.__('Throughput')}</div>
        <div class="skyline-figure-why">{notRunWords(report)}</div>
      </div>
    );
  }
  const highest = highestThroughput(report);
  return (
    <Figure
      name={trans.__('Throughput')}
      tone="throughput"
      quantity={{ number: throughputNumber(value), unit: '/s' }}
      how={howKnown(report, size, throughput(report.curves, size))}
      ghost={
        size === now
          ? atMost(report, value, highest)
          : trans.__('now %1 · %2', formatThroughput(today), formatMultiple(value / today))
      }
      axis={axis}
      control={control}
      full={highest}
      fullName={trans.__('most')}
      now={today}
      valueAt={other => throughputAt(report, other)}
      valueText={trans.__(
        '%1, %2 of the most that these sizes give',
        formatThroughput(value),
        formatPercent(value / highest),
      )}
      parts={[]}
    />
  );
}

function MemoryFigure({ report, control, now, axis }: FiguresProps): JSX.Element {
  const { size } = control;
  const value = peakAt(report, size);
  const today = peakAt(report, now);
  if (value === null || today === null) {
    return (
      <div class="skyline-figure">
        <div class="skyline-figure-name">{trans.__('Peak memory')}</div>
        <div class="skyline-figure-how">{trans.__('not measured on this device')}</div>
      </div>
    );
  }
  const limit = report.limit.limit_bytes;
  const over = report.max_batch_size !== null && size > report.max_batch_size;
  return (
    <Figure
      name={trans.__('Peak memory')}
      tone={over ? 'over' : 'memory'}
      quantity={bytesQuantity(value)}
      how={over ? trans.__('over %1', formatBytes(limit)) : howPeakIsKnown(report, size)}
      ghost={
        size === now
          ? trans.__('of %1 usable', formatBytes(limit))
          : trans.__('now %1 · %2', formatBytes(today), formatMultiple(value / today))
      }
      axis={axis}
      control={control}
      full={limit}
      fullName={trans.__('limit')}
      now={today}
      valueAt={other => peakAt(report, other)}
      valueText={trans.__(
        '%1, %2 of the %3 that may be used',
        formatBytes(value),
        formatPercent(value / limit),
        formatBytes(limit),
      )}
      parts={peakParts(report, size).map(({ name, bytes }) => ({
        name: categoryWord(name),
        value: bytes,
        text: formatBytes(bytes),
      }))}
    />
  );
}

interface FigureProps {
  name: string;
  tone: 'throughput' | 'memory' | 'over';
  quantity: Quantity;
  how: string;
  ghost: string;
  axis: Axis;
  control: SizeControl;
  full: number;
  fullName: string;
  now: number;
  valueAt: (size: number) => number | null;
  valueText: string;
  parts: readonly BarPart[];
}

function Figure({ tone, quantity, how, ghost, ...bar }: FigureProps): JSX.Element {
  return (
    <div class={`skyline-figure skyline-tone-${tone}`}>
      <div class="skyline-figure-name">{bar.name}</div>
      <div class="skyline-figure-value">
        <b>{quantity.number}</b> <span>{quantity.unit}</span>
      </div>
      <div class="skyline-figure-how">{how}</div>
      <div class="skyline-figure-now">{ghost}</div>
      <Bar {...bar} />
    </div>
  );
}

/** How much there is to gain. */
function atMost(report: Report, value: number, highest: number): string {
  if (report.range.smallest === report.range.largest) {
    return '';
  }
  return value === highest
    ? trans.__('the most in this range')
    : trans.__('at most %1', formatThroughput(highest));
}

function howKnown(report: Report, size: number, estimate: Estimate | null): string {
  const sample = sampleAt(report, size);
  if (sample) {
    const spread = spreadOf(sample);
    return spread === null
      ? trans.__('measured')
      : trans.__('measured ± %1', formatPercent(spread / 2));
  }
  const sizes = report.samples.map(other => other.batch_size);
  const beyond = size > Math.max(...sizes) || size < Math.min(...sizes);
  const band = estimate ? (estimate.high - estimate.low) / 2 / estimate.value : 0;
  return beyond
    ? trans.__('extrapolated ± %1', formatPercent(band))
    : trans.__('predicted ± %1', formatPercent(band));
}

function howPeakIsKnown(report: Report, size: number): string {
  const measured = sampleAt(report, size)?.peak_bytes;
  return measured == null ? trans.__('predicted') : trans.__('measured');
}
