/** The two numbers that a batch size is chosen by, at the handle and now, and what follows from them. */

import type { JSX } from 'preact';
import { peakBytes, stepSeconds, throughput, type Estimate } from '../report/curves';
import {
  bytesQuantity,
  formatBytes,
  formatMultiple,
  formatPercent,
  formatThroughput,
  throughputNumber,
  type Quantity,
} from '../report/format';
import type { Report, Sample } from '../report/wire.generated';
import { spreadOf, stepWords } from './words';

interface FiguresProps {
  report: Report;
  /** The size at the handle. */
  size: number;
  /** The size that the notebook trains with. */
  now: number;
}

export function Figures({ report, size, now }: FiguresProps): JSX.Element {
  const step = stepSecondsAt(report, size);
  return (
    <div class="skyline-figures">
      <ThroughputFigure report={report} size={size} now={now} />
      <MemoryFigure report={report} size={size} now={now} />
      {step && (
        <p class="skyline-step">
          {stepWords(report, size, step).map((part, index) => (
            <span key={index}>{part}</span>
          ))}
        </p>
      )}
    </div>
  );
}

function ThroughputFigure({ report, size, now }: FiguresProps): JSX.Element | null {
  const value = throughputAt(report, size);
  const today = throughputAt(report, now);
  if (value === null || today === null) {
    return null;
  }
  const highest = highestThroughput(report);
  return (
    <Figure
      name="Throughput"
      tone="throughput"
      quantity={{ number: throughputNumber(value), unit: '/s' }}
      how={howKnown(report, size, throughput(report.curves, size))}
      ghost={
        size === now
          ? atMost(report, value, highest)
          : `now ${formatThroughput(today)} · ${formatMultiple(value / today)}`
      }
      share={value / highest}
      shareNow={today / highest}
      meter={`${formatPercent(value / highest)} of the most that these sizes give`}
    />
  );
}

function MemoryFigure({ report, size, now }: FiguresProps): JSX.Element | null {
  const value = peakAt(report, size);
  const today = peakAt(report, now);
  if (value === null || today === null) {
    return (
      <div class="skyline-figure">
        <div class="skyline-figure-name">Peak memory</div>
        <div class="skyline-figure-how">not measured on this device</div>
      </div>
    );
  }
  const limit = report.limit.limit_bytes;
  const over = report.max_batch_size !== null && size > report.max_batch_size;
  return (
    <Figure
      name="Peak memory"
      tone={over ? 'over' : 'memory'}
      quantity={bytesQuantity(value)}
      how={over ? `over the limit of ${formatBytes(limit)}` : howPeakIsKnown(report, size)}
      ghost={
        size === now
          ? `of ${formatBytes(limit)} usable`
          : `now ${formatBytes(today)} · ${formatMultiple(value / today)}`
      }
      share={value / limit}
      shareNow={today / limit}
      meter={`${formatPercent(value / limit)} of the ${formatBytes(limit)} that may be used`}
    />
  );
}

interface FigureProps {
  name: string;
  tone: 'throughput' | 'memory' | 'over';
  quantity: Quantity;
  how: string;
  ghost: string;
  share: number;
  shareNow: number;
  meter: string;
}

function Figure(props: FigureProps): JSX.Element {
  const percent = (share: number): string => `${Math.min(Math.max(share, 0), 1) * 100}%`;
  return (
    <div class={`skyline-figure skyline-tone-${props.tone}`}>
      <div class="skyline-figure-name">{props.name}</div>
      <div class="skyline-figure-value">
        <b>{props.quantity.number}</b> <span>{props.quantity.unit}</span>
      </div>
      <div class="skyline-meter" title={props.meter}>
        <i style={{ width: percent(props.share) }} />
        <u style={{ left: percent(props.shareNow) }} />
      </div>
      <div class="skyline-figure-how">{props.how}</div>
      <div class="skyline-figure-now">{props.ghost}</div>
    </div>
  );
}

function sampleAt(report: Report, size: number): Sample | undefined {
  return report.samples.find(sample => sample.batch_size === size);
}

/** What was measured where there is a sample; the curve between. */
function stepSecondsAt(report: Report, size: number): number | null {
  return sampleAt(report, size)?.step_seconds ?? stepSeconds(report.curves, size)?.value ?? null;
}

export function throughputAt(report: Report, size: number): number | null {
  const step = stepSecondsAt(report, size);
  return step === null ? null : size / step;
}

export function peakAt(report: Report, size: number): number | null {
  return sampleAt(report, size)?.peak_bytes ?? peakBytes(report.curves, size)?.value ?? null;
}

/** How much there is to gain. */
function atMost(report: Report, value: number, highest: number): string {
  if (report.range.smallest === report.range.largest) {
    return '';
  }
  return value === highest ? 'the most in this range' : `at most ${formatThroughput(highest)} here`;
}

/** Over the sizes on offer: it need not be at the largest of them. */
function highestThroughput(report: Report): number {
  const { smallest, largest } = report.range;
  const knots = report.curves.step_seconds_knots.map(knot => knot.batch_size);
  const measured = report.samples.map(sample => sample.batch_size);
  const sizes = [...knots, ...measured].filter(size => size >= smallest && size <= largest);
  return Math.max(...[...sizes, largest].map(size => throughputAt(report, size) ?? 0));
}

function howKnown(report: Report, size: number, estimate: Estimate | null): string {
  const sample = sampleAt(report, size);
  if (sample) {
    const spread = spreadOf(sample);
    return spread === null ? 'measured' : `measured ± ${formatPercent(spread / 2)}`;
  }
  const sizes = report.samples.map(other => other.batch_size);
  const beyond = size > Math.max(...sizes) || size < Math.min(...sizes);
  const band = estimate ? (estimate.high - estimate.low) / 2 / estimate.value : 0;
  return `${beyond ? 'extrapolated' : 'predicted'} ± ${formatPercent(band)}`;
}

function howPeakIsKnown(report: Report, size: number): string {
  const measured = sampleAt(report, size)?.peak_bytes;
  return measured == null ? 'predicted' : 'measured';
}
