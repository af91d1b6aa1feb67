/** Throughput and peak memory against batch size, and the handle. */

import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { formatBytes, formatThroughput } from '../../report/format';
import type { SnapRange } from '../../report/snap';
import type { Report } from '../../report/wire.generated';
import { peakAt, throughputAt } from '../Figures';
import { rangeWords } from '../words';
import { Curves } from './Curves';
import { Handle } from './Handle';
import type { ChartLayout } from './layout';

export interface ChartProps {
  report: Report;
  layout: ChartLayout;
  size: number;
  rest: number;
  /** There is a choice of sizes: draw the handle. */
  handle: boolean;
  enabled: boolean;
  dragging: boolean;
  onPreview: (size: number, dragging: boolean) => void;
  onCancel: () => void;
  onApply: (size: number) => void;
}

export function Chart(props: ChartProps): JSX.Element {
  const { report, layout, size } = props;
  const id = useId();
  // The same element again lets the drawing be skipped while only the handle moves.
  const curves = useMemo(
    () => <Curves report={report} layout={layout} id={id} />,
    [report, layout, id],
  );
  const range = useMemo(() => snapRange(report), [report]);
  return (
    <figure class="skyline-chart">
      <div class="skyline-plot" style={{ height: layout.frame.height }}>
        {curves}
        {props.handle && (
          <Handle
            {...props}
            range={range}
            valueText={valueText(report, size)}
            marks={marksAt(report, layout, size)}
          />
        )}
      </div>
      <figcaption>{rangeWords(report)}</figcaption>
    </figure>
  );
}

/** Today's size, those that were measured and the one that is advised count, however odd. */
function snapRange(report: Report): SnapRange {
  const { smallest, largest } = report.range;
  const advised = report.findings.flatMap(finding => finding.batch_size ?? []);
  const measured = report.samples.map(sample => sample.batch_size);
  return { smallest, largest, also: [report.batch_size, ...measured, ...advised] };
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
