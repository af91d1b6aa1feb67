/** Throughput and peak memory against batch size, and the handle. */

import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { formatBytes, formatThroughput } from '../../report/format';
import { peakAt, throughputAt } from '../../report/values';
import type { Pinned, Report } from '../../report/wire.generated';
import { nameOf } from '../history/words';
import type { SizeControl } from '../slider';
import { trans } from '../translate';
import { rangeWords } from '../words';
import { Curves } from './Curves';
import { Handle } from './Handle';
import type { ChartLayout } from './layout';

export interface ChartProps {
  report: Report;
  layout: ChartLayout;
  control: SizeControl;
  /** The profile that this one is compared with. */
  pinned: Pinned | null;
}

export function Chart({ report, layout, control, pinned }: ChartProps): JSX.Element {
  const { size } = control;
  const id = useId();
  // The same element again lets the drawing be skipped while only the handle moves.
  const curves = useMemo(
    () => <Curves {...{ report, layout, id }} pinned={pinned?.curves ?? null} />,
    [report, layout, id, pinned],
  );
  return (
    <figure class="skyline-chart">
      <div class="skyline-plot" style={{ height: layout.frame.height }}>
        {curves}
        {control.offered && (
          <Handle
            layout={layout}
            control={control}
            valueText={valueText(report, size)}
            marks={marksAt(report, layout, size)}
          />
        )}
      </div>
      <figcaption>
        {rangeWords(report)}
        {pinned?.curves && <PinnedKey pinned={pinned} />}
      </figcaption>
    </figure>
  );
}

function PinnedKey({ pinned }: { pinned: Pinned }): JSX.Element {
  return (
    <span class="skyline-pinned-key">
      <i aria-hidden="true" />
      {trans.__('pinned: %1', nameOf(pinned.entry))}
    </span>
  );
}

function marksAt(report: Report, layout: ChartLayout, size: number): { tone: string; y: number }[] {
  const speed = throughputAt(report, size);
  const peak = peakAt(report, size);
  const { throughput, memory, frame } = layout;
  const marks = [];
  if (speed !== null) {
    marks.push({ tone: 'throughput', y: throughput.scale(speed) });
  }
  if (peak !== null && memory !== null) {
    marks.push({ tone: 'memory', y: Math.max(memory.scale(peak), frame.top) });
  }
  return marks;
}

function valueText(report: Report, size: number): string {
  const speed = throughputAt(report, size);
  const peak = peakAt(report, size);
  const parts = [
    String(size),
    speed === null ? null : formatThroughput(speed),
    peak === null ? null : formatBytes(peak),
  ];
  return parts.filter(part => part !== null).join(', ');
}
