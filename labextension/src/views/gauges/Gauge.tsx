/** One figure: its name, the line of the last minutes, what it is now and between what it was. */

import { area, line } from 'd3-shape';
import type { ComponentChildren, JSX } from 'preact';
import { extentOf, type Moment, type Span } from '../../report/gauges';
import { trans } from '../translate';

export interface GaugeProps {
  name: string;
  /** More about the name, for the pointer. */
  title?: string;
  moments: readonly Moment[];
  span: Span;
  /** The top of the scale; the highest value where there is none. */
  top?: number | null;
  /** What it is now; not available where it is `null`. */
  now: string | null;
  /** Instead of the range. */
  note?: string;
  format: (value: number) => string;
  children?: ComponentChildren;
}

const WIDTH = 120;
const HEIGHT = 26;

export function Gauge(props: GaugeProps): JSX.Element {
  const { name, title, moments, span, top = null, now, note, format } = props;
  return (
    <div class={`skyline-gauge ${now === null ? 'skyline-gauge-absent' : ''}`}>
      <dt title={title}>{name}</dt>
      <dd class="skyline-gauge-line">
        <Line moments={now === null ? [] : moments} span={span} top={top} />
      </dd>
      <dd class="skyline-gauge-now">
        {now === null ? trans.__('not available') : <b>{now}</b>}
        {now !== null && (
          <span class={note === undefined ? '' : 'skyline-gauge-warning'}>
            {note ?? rangeOf(moments, format)}
          </span>
        )}
      </dd>
    </div>
  );
}

function rangeOf(moments: readonly Moment[], format: (value: number) => string): string {
  const extent = extentOf(moments);
  if (extent === null || moments.length < 2) {
    return '';
  }
  const [low, high] = [format(extent.low), format(extent.high)];
  return low === high ? trans.__('steady') : trans.__('%1 to %2', withoutUnitOf(high, low), high);
}

/** `210 MHz` before `to 1,710 MHz` needs no unit. */
function withoutUnitOf(other: string, text: string): string {
  const [number, unit] = text.split(' ');
  return unit !== undefined && unit === other.split(' ')[1] ? (number ?? text) : text;
}

interface LineProps {
  moments: readonly Moment[];
  span: Span;
  top: number | null;
}

/** A drawing of what stands beside it in words. */
function Line({ moments, span, top }: LineProps): JSX.Element {
  const high = extentOf(moments)?.high ?? 0;
  const scale = Math.max(top ?? high * 1.15, high, Number.MIN_VALUE);
  const x = ({ at }: Moment): number => (WIDTH * (at - span.from)) / (span.to - span.from || 1);
  const y = ({ value }: Moment): number => HEIGHT - 1 - (value / scale) * (HEIGHT - 3);
  const draw = line<Moment>(x, y);
  const fill = area<Moment>(x, HEIGHT - 1, y);
  const runs = runsOf(moments, span.gap);
  const last = moments.at(-1);
  const base = last === undefined ? HEIGHT / 2 : HEIGHT - 1;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {top !== null && moments.length > 0 && (
        <line class="skyline-gauge-top" x2={WIDTH} y1="2" y2="2" />
      )}
      <line class="skyline-gauge-base" x2={WIDTH} y1={base} y2={base} />
      {runs.map((run, index) => (
        <g key={index}>
          <path class="skyline-gauge-fill" d={fill(run) ?? ''} />
          <path class="skyline-gauge-path" d={draw(run) ?? ''} />
        </g>
      ))}
      {last && (
        <line class="skyline-gauge-last" x1={x(last)} x2={x(last)} y1={y(last)} y2={y(last)} />
      )}
    </svg>
  );
}

/** The stretches without a gap. */
export function runsOf(moments: readonly Moment[], gap: number): Moment[][] {
  const runs: Moment[][] = [];
  moments.forEach((moment, index) => {
    const before = moments[index - 1];
    if (before === undefined || moment.at - before.at > gap) {
      runs.push([]);
    }
    runs.at(-1)?.push(moment);
  });
  return runs;
}
