/** What changed in the code since the pinned profile, cell by cell, each line behind its sign. */

import type { JSX } from 'preact';
import type { CellChange } from '../../report/wire.generated';
import { trans } from '../translate';
import type { LabelOf } from '../words';

interface CodeDiffProps {
  cells: readonly CellChange[];
  /** The profile knows the cells behind it. */
  known: boolean;
  label: LabelOf;
}

export function CodeDiff({ cells, known, label }: CodeDiffProps): JSX.Element | null {
  if (cells.length === 0) {
    return known ? (
      <p class="skyline-quiet">{trans.__('The code behind both profiles is the same.')}</p>
    ) : null;
  }
  return (
    <section class="skyline-diff" aria-label={trans.__('What changed in the code')}>
      {cells.map((cell, index) => (
        <div key={index}>
          <h4>{titleOf(cell, label)}</h4>
          <pre tabIndex={0}>
            {cell.lines.map((line, number) => (
              <Line key={number} line={line} />
            ))}
          </pre>
        </div>
      ))}
    </section>
  );
}

function titleOf(cell: CellChange, label: LabelOf): string {
  const { cell_id, before_count: before, after_count: after } = cell;
  if (after === null) {
    return trans.__('Cell [%1], no longer used', before ?? 0);
  }
  const name = label({ cell_id, execution_count: after });
  if (before === null) {
    return trans.__('Cell %1, new', name);
  }
  return name === `[${before}]`
    ? trans.__('Cell %1', name)
    : trans.__('Cell %1, then [%2]', name, before);
}

function Line({ line }: { line: string }): JSX.Element {
  const sign = line.slice(0, 1);
  const text = `${line}\n`;
  if (sign === '+') {
    return <ins>{text}</ins>;
  }
  if (sign === '-') {
    return <del>{text}</del>;
  }
  return sign === '@' ? <span class="skyline-quiet">{'⋯\n'}</span> : <span>{text}</span>;
}
