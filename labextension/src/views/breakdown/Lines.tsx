/** What each line of the user's own code takes, the dearest first. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatBytes, formatMilliseconds, formatPercent } from '../../report/format';
import { amountOf } from '../../report/tree';
import type { Breakdown, LineCost } from '../../report/wire.generated';
import { Button } from '../EditStrip';
import { trans } from '../translate';
import type { LabelOf } from '../words';

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
  const time = (line: LineCost): number => line.forward_seconds + line.backward_seconds;
  const dearest = [...breakdown.lines].sort((a, b) => time(b) - time(a));
  const shown = all ? dearest : dearest.slice(0, FIRST);
  if (dearest.length === 0) {
    return null;
  }
  return (
    <section role="group" class="skyline-lines" aria-label={trans.__('By line of your code')}>
      <h3>
        <span>{trans.__('By line')}</span>
      </h3>
      <ol onPointerLeave={() => onHover(-1)}>
        {shown.map((line, index) => (
          <li
            key={index}
            class={line.node >= 0 && line.node === hovered ? 'skyline-row-marked' : ''}
            onPointerEnter={() => onHover(line.node)}
          >
            <span class="skyline-line-place">{placeOf(line, label)}</span>
            <code>{line.text.trim()}</code>
            <span class="skyline-line-cost">
              <b>{formatPercent(step > 0 ? time(line) / step : 0)}</b>{' '}
              {formatMilliseconds(time(line))}
              {line.size_bytes > 0 && ` · ${formatBytes(line.size_bytes)}`}
            </span>
          </li>
        ))}
      </ol>
      {dearest.length > shown.length && (
        <Button onClick={() => setAll(true)}>{trans.__('All %1 lines', dearest.length)}</Button>
      )}
    </section>
  );
}

function placeOf(line: LineCost, label: LabelOf): string {
  if (line.file !== null) {
    return `${line.file.split('/').at(-1) ?? line.file}:${line.line}`;
  }
  const cell = { cell_id: line.cell_id, execution_count: line.execution_count ?? 0 };
  return `${label(cell)}:${line.line}`;
}
