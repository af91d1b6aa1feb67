/** Everything on the chart that does not move with the handle; drawn once per report and width. */

import type { JSX } from 'preact';
import {
  formatBytes,
  formatCount,
  formatMultiple,
  formatPercent,
  formatThroughput,
} from '../../report/format';
import { peakBytes, throughput } from '../../report/curves';
import type { Curves as WireCurves, Report, Sample } from '../../report/wire.generated';
import { spreadOf } from '../words';
import { trans } from '../translate';
import { placeFlags, placeLabel, type Flag, type Label } from './labels';
import type { Axis, ChartLayout } from './layout';
import {
  memoryPaths,
  pinnedPath,
  throughputPaths,
  type CurvePaths,
  type PinnedPath,
} from './paths';

/** From here on an axis counts in thousands. */
const MANY = 10_000;
/** A plot with no room for long names, in pixels. */
const NARROW = 260;

interface CurvesProps {
  report: Report;
  layout: ChartLayout;
  /** Of the profile that this one is compared with. */
  pinned: WireCurves | null;
  /** For what is referred to inside the drawing; unique on the page. */
  id: string;
}

export function Curves({ report, layout, pinned, id }: CurvesProps): JSX.Element {
  const { frame } = layout;
  const speed = throughputPaths(report, layout);
  const memory = memoryPaths(report, layout);
  const others = pinned === null ? [] : pinnedCurves(pinned, layout);
  return (
    <svg class="skyline-curves" width={frame.width} height={frame.height} aria-hidden="true">
      <Definitions layout={layout} id={id} />
      <Axes layout={layout} />
      {layout.limitSize !== null && <Limit layout={layout} at={layout.limitSize} id={id} />}
      <Now report={report} layout={layout} />
      <g clip-path={`url(#${id}-plot)`}>
        {memory && <Curve paths={memory} tone="memory" />}
        <Curve paths={speed} tone="throughput" />
        {others.map(({ tone, path }) => (
          <path key={tone} class={`skyline-pinned-curve skyline-tone-${tone}`} d={path} />
        ))}
      </g>
      <Samples report={report} layout={layout} />
      <Names {...{ report, layout, speed, memory, others }} />
      <Flags report={report} layout={layout} />
    </svg>
  );
}

function Definitions({ layout, id }: { layout: ChartLayout; id: string }): JSX.Element {
  const { left, right, top, bottom } = layout.frame;
  return (
    <defs>
      <clipPath id={`${id}-plot`}>
        <rect x={left} y={top - 4} width={right - left} height={bottom - top + 5} />
      </clipPath>
      <pattern
        id={`${id}-hatch`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <line class="skyline-hatch" x1="0" x2="0" y1="0" y2="6" />
      </pattern>
    </defs>
  );
}

function Axes({ layout }: { layout: ChartLayout }): JSX.Element {
  const { frame, memory } = layout;
  return (
    <g>
      {layout.throughput.ticks.map(tick => {
        const y = layout.throughput.scale(tick);
        return (
          <line key={tick} class="skyline-grid" x1={frame.left} x2={frame.right} y1={y} y2={y} />
        );
      })}
      {layout.timed && (
        <Ticks axis={layout.throughput} x={frame.left - 8} anchor="end" tone="throughput" />
      )}
      {memory && <Ticks axis={memory} x={frame.right + 8} anchor="start" tone="memory" />}
      {layout.sizeTicks.map(size => (
        <text key={size} x={layout.x(size)} y={frame.bottom + 25} text-anchor="middle">
          {size}
        </text>
      ))}
      <text
        class="skyline-axis-name"
        x={(frame.left + frame.right) / 2}
        y={frame.bottom + 41}
        text-anchor="middle"
      >
        {trans.__('batch size')}
      </text>
    </g>
  );
}

interface TicksProps {
  axis: Axis;
  x: number;
  anchor: 'start' | 'end';
  tone: string;
}

/** The topmost tick names the unit. */
function Ticks({ axis, x, anchor, tone }: TicksProps): JSX.Element {
  const top = axis.ticks.length - 1;
  const thousands = (axis.ticks[top] ?? 0) >= MANY;
  const separator = axis.unit.startsWith('/') ? '' : ' ';
  return (
    <g class={`skyline-tone-${tone} skyline-ticks`}>
      {axis.ticks.map((tick, index) => (
        <text key={tick} x={x} y={axis.scale(tick * axis.unitSize) + 4} text-anchor={anchor}>
          {tickText(tick, thousands) + (index === top ? separator + axis.unit : '')}
        </text>
      ))}
    </g>
  );
}

/** Ticks are round, so that a few digits say them exactly. */
function tickText(tick: number, thousands: boolean): string {
  if (thousands) {
    return tick === 0 ? '0' : `${Number((tick / 1000).toPrecision(3))}k`;
  }
  const round = Number(tick.toPrecision(4));
  return round < 1000 ? String(round) : formatCount(round);
}

function Limit({ layout, at, id }: { layout: ChartLayout; at: number; id: string }): JSX.Element {
  const { right, top, bottom } = layout.frame;
  // 0 where nothing fits.
  const x = layout.x(Math.max(at, layout.domain[0]));
  return (
    <g class="skyline-limit">
      <rect x={x} y={top} width={right - x} height={bottom - top} fill={`url(#${id}-hatch)`} />
      <line x1={x} x2={x} y1={top} y2={bottom} />
    </g>
  );
}

function Now({ report, layout }: { report: Report; layout: ChartLayout }): JSX.Element {
  const x = layout.x(report.batch_size);
  return <line class="skyline-now" x1={x} x2={x} y1={layout.frame.top} y2={layout.frame.bottom} />;
}

function pinnedCurves(curves: WireCurves, layout: ChartLayout): (PinnedPath & { tone: string })[] {
  const { throughput: left, memory: right } = layout;
  const speed = { tone: 'throughput', ...pinnedPath(curves, layout, left, throughput) };
  return right === null
    ? [speed]
    : [speed, { tone: 'memory', ...pinnedPath(curves, layout, right, peakBytes) }];
}

function Curve({ paths, tone }: { paths: CurvePaths; tone: string }): JSX.Element {
  return (
    <g class={`skyline-curve skyline-tone-${tone}`}>
      <path class="skyline-band" d={paths.band} />
      <path class="skyline-beyond" d={paths.dashed} />
      <path d={paths.solid} />
    </g>
  );
}

/** Rings are throughput, squares memory, crosses what had been predicted before it was measured. */
function Samples({ report, layout }: { report: Report; layout: ChartLayout }): JSX.Element {
  const { throughput, memory, x } = layout;
  return (
    <g>
      {report.samples.map((sample, index) => (
        <g key={index}>
          <title>{sampleText(sample)}</title>
          {memory && sample.peak_bytes !== null && (
            <rect
              class="skyline-sample-memory"
              x={x(sample.batch_size) - 3}
              y={memory.scale(sample.peak_bytes) - 3}
              width="6"
              height="6"
            />
          )}
          <circle
            class="skyline-sample-throughput"
            cx={x(sample.batch_size)}
            cy={throughput.scale(sample.batch_size / sample.step_seconds)}
            r="3.5"
          />
        </g>
      ))}
      {report.checks.map((check, index) => {
        const y = throughput.scale(check.batch_size / check.predicted_step_seconds);
        return (
          <path
            key={index}
            class="skyline-predicted"
            d={`M${x(check.batch_size) - 4},${y - 4}l8,8m0,-8l-8,8`}
          >
            <title>{trans.__('predicted before it was measured')}</title>
          </path>
        );
      })}
    </g>
  );
}

function sampleText(sample: Sample): string {
  const spread = spreadOf(sample);
  const parts = [
    `${formatCount(sample.batch_size)}: ${formatThroughput(sample.batch_size / sample.step_seconds)}`,
    sample.peak_bytes === null ? null : formatBytes(sample.peak_bytes),
    trans._n('%1 repeat', '%1 repeats', sample.repeats),
    spread === null ? null : trans.__('spread %1', formatPercent(spread)),
    ...sample.warnings,
  ];
  return parts.filter(part => part !== null).join(' · ');
}

interface NamesProps {
  report: Report;
  layout: ChartLayout;
  speed: CurvePaths;
  memory: CurvePaths | null;
  others: readonly PinnedPath[];
}

function Names({ report, layout, speed, memory, others }: NamesProps): JSX.Element {
  const drawn = [...(memory ? [speed, memory] : [speed]), ...others];
  const curves = drawn.map(({ points }) => points);
  // The handle rests at today's size: a name there would be struck through.
  const uprights = [
    { x: layout.x(report.batch_size), cost: 400 },
    ...(layout.limitSize === null || layout.limitSize < 1
      ? []
      : [{ x: layout.x(layout.limitSize), cost: 60 }]),
  ];
  const surroundings = { frame: layout.frame, curves, uprights };
  const isNarrow = layout.frame.right - layout.frame.left < NARROW;
  const memoryText = isNarrow ? trans.__('memory') : trans.__('peak memory');
  const speedText = trans.__('throughput');
  const speedName = placeLabel(speedText, speed.points, 0.68, surroundings);
  const memoryName =
    memory && placeLabel(memoryText, memory.points, 0.74, withBox(surroundings, speedName));
  return (
    <g class="skyline-names">
      {speedName && <Name label={speedName} text={speedText} tone="throughput" />}
      {memoryName && <Name label={memoryName} text={memoryText} tone="memory" />}
    </g>
  );
}

/** The first name is something that the second keeps clear of, too. */
function withBox<T extends { curves: readonly (readonly { x: number; y: number }[])[] }>(
  surroundings: T,
  label: Label | null,
): T {
  if (label === null) {
    return surroundings;
  }
  const points = Array.from({ length: 24 }, (_, index) => ({
    x:
      label.x +
      (label.anchor === 'end' ? -1 : 1) * index * 3 -
      (label.anchor === 'middle' ? 36 : 0),
    // Its upper and its lower edge in turn.
    y: label.y + (index % 2 === 0 ? -9 : 3),
  }));
  return { ...surroundings, curves: [...surroundings.curves, points] };
}

function Name({ label, text, tone }: { label: Label; text: string; tone: string }): JSX.Element {
  return (
    <text class={`skyline-tone-${tone}`} x={label.x} y={label.y} text-anchor={label.anchor}>
      {text}
    </text>
  );
}

function Flags({ report, layout }: { report: Report; layout: ChartLayout }): JSX.Element {
  const { x, frame, limitSize } = layout;
  const flags: Flag[] = [
    { text: trans.__('now %1', report.batch_size), x: x(report.batch_size), tone: 'now' },
  ];
  if (limitSize !== null && limitSize > 0) {
    flags.push({ text: trans.__('%1 fits', limitSize), x: x(limitSize), tone: 'limit' });
  }
  const advice = report.findings[0];
  if (advice?.batch_size != null && advice.batch_size !== report.batch_size) {
    const text =
      advice.gain === null
        ? trans.__('advised: %1', advice.batch_size)
        : trans.__('%1 at %2', formatMultiple(advice.gain), advice.batch_size);
    flags.push({ text, x: x(advice.batch_size), tone: 'advice' });
  }
  return (
    <g class="skyline-flags">
      {placeFlags(flags, frame).map(flag => (
        <g key={flag.text} class={`skyline-flag-${flag.tone}`}>
          {flag.tone === 'advice' && <path d={`M${flag.x},${frame.top + 3}l-4,-6h8z`} />}
          <text x={flag.centre} y={frame.top - 8} text-anchor="middle">
            {flag.text}
          </text>
        </g>
      ))}
    </g>
  );
}
