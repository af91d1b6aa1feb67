/** What the memory holds over the step, the peak, and the largest tensors there. */

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatBytes, formatMilliseconds } from '../../report/format';
import { pathOf } from '../../report/nodes';
import type { Breakdown, LiveTensor, Timeline } from '../../report/wire.generated';
import { trans } from '../translate';
import { categoryWord } from '../vocabulary';
import type { LabelOf } from '../words';
import { placeOf } from './Lines';
import { areas, COLUMNS, totals } from './timeline';

const HEIGHT = 132;
const TOP = 16;

interface MemoryTimelineProps {
  breakdown: Breakdown;
  timeline: Timeline;
  width: number;
  label: LabelOf;
  hovered: number;
  onHover: (node: number) => void;
}

export function MemoryTimeline(props: MemoryTimelineProps): JSX.Element {
  const { breakdown, timeline } = props;
  const highest = totals(timeline)[timeline.peak] ?? 0;
  return (
    <section
      role="group"
      class="skyline-memory-timeline"
      aria-label={trans.__('Memory over the step')}
    >
      <h3>
        <span>{trans.__('Memory over the step')}</span>
        <span class="skyline-quiet">{trans.__('peak %1', formatBytes(highest))}</span>
      </h3>
      <Areas {...props} highest={highest} />
      <p class="skyline-ends" aria-hidden="true">
        <span>0 ms</span>
        <span>
          {formatMilliseconds((timeline.seconds.at(-1) ?? 0) - (timeline.seconds[0] ?? 0))}
        </span>
      </p>
      <Legend timeline={timeline} />
      <details>
        <summary data-lm-suppress-shortcuts="true">
          {trans.__('Largest tensors at the peak')}
        </summary>
        <ol class="skyline-largest" onPointerLeave={() => props.onHover(-1)}>
          {timeline.largest.map((tensor, index) => (
            <li
              key={index}
              class={tensor.node >= 0 && tensor.node === props.hovered ? 'skyline-row-marked' : ''}
              onPointerEnter={() => props.onHover(tensor.node)}
            >
              <TensorWords {...{ breakdown, tensor }} label={props.label} />
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

function Areas({
  timeline,
  width,
  highest,
}: MemoryTimelineProps & { highest: number }): JSX.Element {
  return useMemo(() => {
    const first = timeline.seconds[0] ?? 0;
    const span = (timeline.seconds.at(-1) ?? 0) - first || 1;
    const x = (seconds: number): number => ((seconds - first) / span) * width;
    const y = (bytes: number): number => HEIGHT - (bytes / Math.max(highest, 1)) * (HEIGHT - TOP);
    const peak = timeline.seconds[timeline.peak] ?? 0;
    const near = x(peak) > width - 130;
    return (
      <svg
        class="skyline-areas"
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={trans.__('Live memory')}
      >
        {areas(timeline, { x, y }).map(({ category, path }, index) => (
          <path key={category} class={`skyline-part-${index}`} d={path}>
            <title>{categoryWord(category)}</title>
          </path>
        ))}
        <line x1={x(peak)} x2={x(peak)} y1={0} y2={HEIGHT} />
        <text x={x(peak) + (near ? -5 : 5)} y={10} text-anchor={near ? 'end' : 'start'}>
          {trans.__('peak after %1', formatMilliseconds(peak - first))}
        </text>
      </svg>
    );
  }, [timeline, width, highest]);
}

/** What the memory is made of at the peak. */
function Legend({ timeline }: { timeline: Timeline }): JSX.Element {
  return (
    <ul class="skyline-legend">
      {COLUMNS.map(({ name, column }, index) => {
        const bytes = timeline[column][timeline.peak] ?? 0;
        return bytes > 0 ? (
          <li key={name}>
            <i class={`skyline-part-${index}`} aria-hidden="true" />
            {categoryWord(name)} {formatBytes(bytes)}
          </li>
        ) : null;
      })}
    </ul>
  );
}

function TensorWords({
  breakdown,
  tensor,
  label,
}: {
  breakdown: Breakdown;
  tensor: LiveTensor;
  label: LabelOf;
}): JSX.Element {
  const maker =
    tensor.name ||
    (tensor.node >= 0 ? pathOf(breakdown, tensor.node) : categoryWord(tensor.category));
  const line = breakdown.lines[tensor.line];
  return (
    <>
      <b>{formatBytes(tensor.size_bytes)}</b> {maker}{' '}
      <span class="skyline-quiet">
        · {categoryWord(tensor.category)} · {tensor.dtype} [{tensor.shape.join(', ')}]
        {line && ` · ${placeOf(line, label)}`}
      </span>
    </>
  );
}
