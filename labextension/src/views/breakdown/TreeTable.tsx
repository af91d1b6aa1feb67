/** The breakdown as a table that opens row by row, with a search, an order and a way to a spreadsheet. */

import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../report/format';
import type { Row } from '../../report/stacking';
import { amountOf, type Metric, type Tree } from '../../report/tree';
import { Button } from '../EditStrip';
import { csvOf, linesOf, MOST_LINES, openAtFirst, type Order, type TableState } from './table';
import { TreeRow } from './TreeRow';

interface TreeTableProps {
  tree: Tree;
  root: Row;
  metric: Metric;
  hovered: number;
  onHover: (node: number) => void;
}

export function TreeTable({ tree, root, metric, hovered, onHover }: TreeTableProps): JSX.Element {
  const [state, setState] = useState<TableState>(() => ({
    open: openAtFirst(tree, root, metric),
    unfolded: new Set(),
    order: 'tree',
    search: '',
  }));
  const change = (changes: Partial<TableState>): void => setState({ ...state, ...changes });
  const lines = useMemo(() => linesOf(tree, root, metric, state), [tree, root, metric, state]);
  const whole = amountOf(tree.breakdown, [0], metric);
  const body = useRef<HTMLTableSectionElement>(null);
  const focus = (index: number): void =>
    body.current?.querySelectorAll<HTMLElement>('tr')[index]?.focus();
  return (
    <div class="skyline-tree">
      <Tools state={state} change={change} csv={() => csvOf(tree, lines)} />
      <table role="treegrid" aria-label="Breakdown of one step">
        <Head />
        <tbody ref={body} onPointerLeave={() => onHover(-1)}>
          {lines.map((line, index) => (
            <TreeRow
              key={line.key}
              {...{ tree, line, metric, whole, onHover }}
              reachable={index === 0}
              marked={line.row.nodes.includes(hovered)}
              onToggle={() => change({ open: toggled(state.open, line.key) })}
              onUnfold={() => change({ unfolded: toggled(state.unfolded, line.key) })}
              onMove={by => focus(index + by)}
            />
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p class="skyline-quiet">Nothing has that name.</p>}
      {lines.length >= MOST_LINES && (
        <p class="skyline-quiet">The first {formatCount(MOST_LINES)} rows; search for others.</p>
      )}
    </div>
  );
}

function Head(): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">name</th>
        <th scope="col">time</th>
        <th scope="col" class="skyline-wide">
          forward
        </th>
        <th scope="col" class="skyline-wide">
          backward
        </th>
        <th scope="col">share</th>
        <th scope="col">memory</th>
      </tr>
    </thead>
  );
}

interface ToolsProps {
  state: TableState;
  change: (changes: Partial<TableState>) => void;
  csv: () => string;
}

function Tools({ state, change, csv }: ToolsProps): JSX.Element {
  const other: Order = state.order === 'tree' ? 'amount' : 'tree';
  return (
    <div class="skyline-tree-tools">
      <input
        type="search"
        placeholder="Find a module or operator"
        aria-label="Find a module or operator"
        data-lm-suppress-shortcuts="true"
        value={state.search}
        onInput={event => change({ search: event.currentTarget.value.trim().toLowerCase() })}
      />
      <Button onClick={() => change({ order: other })}>
        {other === 'amount' ? 'Largest first' : 'As it runs'}
      </Button>
      <CopyButton csv={csv} />
    </div>
  );
}

/** Says so once the rows are in the clipboard, or why they are not. */
function CopyButton({ csv }: { csv: () => string }): JSX.Element {
  const [said, say] = useState('Copy as CSV');
  const copy = (): void => {
    navigator.clipboard.writeText(csv()).then(
      () => say('Copied'),
      () => say('The browser does not let it'),
    );
  };
  return <Button onClick={copy}>{said}</Button>;
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const others = new Set(keys);
  if (!others.delete(key)) {
    others.add(key);
  }
  return others;
}
