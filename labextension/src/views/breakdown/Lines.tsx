/** What each line of the user's own code takes, the dearest first. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatBytes, formatMilliseconds } from '../../report/format';
import { amountOf } from '../../report/tree';
import type { Breakdown, LineCost } from '../../report/wire.generated';
import { Button } from '../EditStrip';
import { trans } from '../translate';
import type { LabelOf } from '../words';
import { Share } from './Share';

const FIRST = 8;

interface LinesProps {
  breakdown: Breakdown;
  label: LabelOf;
  hovered: number;
  onHover: (node: number) => void;
}

export function Lines({ breakdown, label, hovered, onHover }: LinesProps): JSX.Element | null {
  const [all, setAll] = useState(false);
  const step = amountOf(breakdown, [0], 'time');
  const dearest = [...breakdown.lines].sort((a, b) => timeOf(b) - timeOf(a));
  const shown = all ? dearest : dearest.slice(0, FIRST);
  if (dearest.length === 0) {
    return null;
  }
  return (
    <section role="group" class="skyline-lines" aria-label={trans.__('By line of your code')}>
      <h3>
        <span>{trans.__('By line')}</span>
        <span class="skyline-quiet">{trans.__('with all that a line calls')}</span>
      </h3>
      <table>
        <Head device={dearest.some(hasDevice)} />
        <tbody onPointerLeave={() => onHover(-1)}>
          {shown.map((line, index) => (
            <tr
              key={index}
              class={line.node >= 0 && line.node === hovered ? 'skyline-row-marked' : ''}
              onPointerEnter={() => onHover(line.node)}
            >
              <LineCells {...{ line, label, step }} />
            </tr>
          ))}
        </tbody>
      </table>
      {dearest.length > shown.length && (
        <Button onClick={() => setAll(true)}>{trans.__('All %1 lines', dearest.length)}</Button>
      )}
    </section>
  );
}

function hasDevice({ device_seconds: device = null }: LineCost): boolean {
  return device !== null;
}

function Head({ device }: { device: boolean }): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">{trans.__('line')}</th>
        <th scope="col">{trans.__('code')}</th>
        <th scope="col">{trans.__('time')}</th>
        <th scope="col" class="skyline-wide">
          {trans.__('forward')}
        </th>
        <th scope="col" class="skyline-wide">
          {trans.__('backward')}
        </th>
        <th scope="col">{trans.__('share')}</th>
        <th scope="col" class="skyline-wide">
          {trans.__('allocates')}
        </th>
        {device && <th scope="col">{trans.__('device')}</th>}
      </tr>
    </thead>
  );
}

interface LineCellsProps {
  line: LineCost;
  label: LabelOf;
  step: number;
}

function LineCells({ line, label, step }: LineCellsProps): JSX.Element {
  return (
    <>
      <td title={line.file ?? ''}>{placeOf(line, label)}</td>
      <th
        scope="row"
        title={`${line.text.trim()}\n${trans._n('%1 operator', '%1 operators', line.calls)}`}
      >
        <code>{line.text.trim()}</code>
      </th>
      <td>{milliseconds(timeOf(line))}</td>
      <td class="skyline-wide">{milliseconds(line.forward_seconds)}</td>
      <td class="skyline-wide">{milliseconds(line.backward_seconds)}</td>
      <td>
        <Share of={step > 0 ? timeOf(line) / step : 0} />
      </td>
      <td class="skyline-wide">{line.size_bytes > 0 ? formatBytes(line.size_bytes) : ''}</td>
      {hasDevice(line) && <td>{milliseconds(line.device_seconds ?? 0)}</td>}
    </>
  );
}

function timeOf(line: LineCost): number {
  return line.forward_seconds + line.backward_seconds;
}

/** Nothing where nothing passed. */
export function milliseconds(seconds: number): string {
  return seconds > 0 ? formatMilliseconds(seconds) : '';
}

/** Where a line stands: `[3]:12`, `model.py:12`. */
export function placeOf(line: LineCost, label: LabelOf): string {
  if (line.file !== null) {
    return `${line.file.split('/').at(-1) ?? line.file}:${line.line}`;
  }
  const cell = { cell_id: line.cell_id, execution_count: line.execution_count ?? 0 };
  return `${label(cell)}:${line.line}`;
}
