/** The breakdown as a table that opens row by row, with a search, an order and a way to a spreadsheet. */

import type { JSX, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatBytes, formatCount, formatMilliseconds } from '../../report/format';
import type { Row } from '../../report/stacking';
import { amountOf, hasDevice, type Metric, type Tree } from '../../report/tree';
import type { NodesBefore } from '../../report/wire.generated';
import { Button } from '../EditStrip';
import { trans } from '../translate';
import { csvOf, linesOf, MOST_LINES, openAtFirst, type Order, type TableState } from './table';
import { TreeRow } from './TreeRow';

interface TreeTableProps {
  tree: Tree;
  /** What the nodes took in the pinned profile. */
  before: NodesBefore | null;
  root: Row;
  metric: Metric;
  hovered: number;
  onHover: (node: number) => void;
  onZoom: (row: Row) => void;
  /** Its first row is where the keys go, because they led here. */
  takesFocus: boolean;
}

export function TreeTable(props: TreeTableProps): JSX.Element {
  const { tree, before, root, metric, hovered, onHover, onZoom } = props;
  const [state, setState] = useState(() => stateAtFirst(openAtFirst(tree, root, metric)));
  const change = (changes: Partial<TableState>): void => setState({ ...state, ...changes });
  const lines = useMemo(
    () => linesOf(tree, root, metric, state, before),
    [tree, root, metric, state, before],
  );
  const whole = amountOf(tree.breakdown, [0], metric);
  const [body, focus] = useFocus(props.takesFocus);
  return (
    <div class={`skyline-tree ${before ? `skyline-tree-compared-${metric}` : ''}`}>
      <Tools state={state} change={change} csv={() => csvOf(tree, lines)} />
      <table role="treegrid" aria-label={trans.__('Breakdown of one step')}>
        <Head
          device={hasDevice(tree.breakdown.nodes)}
          order={state.order}
          {...(before && {
            onChangeOrder: () => change({ order: state.order === 'change' ? 'tree' : 'change' }),
          })}
        />
        <tbody ref={body} onPointerLeave={() => onHover(-1)}>
          {lines.map((line, index) => (
            <TreeRow
              key={line.key}
              {...{ tree, before, line, metric, whole, onHover, onZoom }}
              reachable={index === 0}
              marked={line.row.nodes.includes(hovered)}
              onToggle={() => change({ open: toggled(state.open, line.key) })}
              onUnfold={() => change({ unfolded: toggled(state.unfolded, line.key) })}
              onMove={by => focus(index + by)}
            />
          ))}
        </tbody>
      </table>
      {before && <Before before={before} batchSize={tree.breakdown.batch_size} />}
      {lines.length === 0 && <p class="skyline-quiet">{trans.__('Nothing has that name.')}</p>}
      {lines.length >= MOST_LINES && (
        <p class="skyline-quiet">
          {trans.__('The first %1 rows; search for others.', formatCount(MOST_LINES))}
        </p>
      )}
    </div>
  );
}

/** The rows, and a way to give one the focus; the first has it at once where `atOnce` says so. */
function useFocus(atOnce: boolean): [RefObject<HTMLTableSectionElement>, (index: number) => void] {
  const body = useRef<HTMLTableSectionElement>(null);
  const focus = (index: number): void =>
    body.current?.querySelectorAll<HTMLElement>('tr')[index]?.focus();
  useEffect(() => {
    if (atOnce) {
      focus(0);
    }
  }, []);
  return [body, focus];
}

function stateAtFirst(open: ReadonlySet<string>): TableState {
  return { open, unfolded: new Set(), order: 'tree', search: '' };
}

interface HeadProps {
  /** There are kernel times. */
  device: boolean;
  order: Order;
  /** Absent where there is nothing to compare with. */
  onChangeOrder?: () => void;
}

function Head({ device, order, onChangeOrder }: HeadProps): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">{trans.__('name')}</th>
        <th scope="col">{trans.__('time')}</th>
        <th scope="col" class="skyline-wide">
          {trans.__('forward')}
        </th>
        <th scope="col" class="skyline-wide">
          {trans.__('backward')}
        </th>
        <th scope="col">{trans.__('share')}</th>
        <th scope="col">{trans.__('memory')}</th>
        {device && <th scope="col">{trans.__('device')}</th>}
        {onChangeOrder && (
          <th scope="col" aria-sort={order === 'change' ? 'descending' : 'none'}>
            <button
              type="button"
              class="skyline-sort"
              data-lm-suppress-shortcuts="true"
              title={trans.__('Put the largest change first')}
              onClick={onChangeOrder}
            >
              {trans.__('change')} <span aria-hidden="true">{order === 'change' ? '▾' : '↕'}</span>
            </button>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** What the column of changes cannot say. */
function Before({ before, batchSize }: { before: NodesBefore; batchSize: number }): JSX.Element {
  const gone = before.gone.map(({ path, seconds, size_bytes: bytes }) => {
    const held = bytes > 0 ? `, ${formatBytes(bytes)}` : '';
    return `${path} (${formatMilliseconds(seconds)}${held})`;
  });
  return (
    <>
      {before.batch_size !== batchSize && (
        <p class="skyline-quiet">
          {trans.__(
            'The pinned profile was traced at batch size %1, this one at %2.',
            formatCount(before.batch_size),
            formatCount(batchSize),
          )}
        </p>
      )}
      {gone.length > 0 && (
        <p class="skyline-quiet">{trans.__('No longer there: %1.', gone.join(', '))}</p>
      )}
    </>
  );
}

interface ToolsProps {
  state: TableState;
  change: (changes: Partial<TableState>) => void;
  csv: () => string;
}

function Tools({ state, change, csv }: ToolsProps): JSX.Element {
  const other: Order = state.order === 'amount' ? 'tree' : 'amount';
  return (
    <div class="skyline-tree-tools">
      <input
        type="search"
        placeholder={trans.__('Find a module or operator')}
        aria-label={trans.__('Find a module or operator')}
        data-lm-suppress-shortcuts="true"
        value={state.search}
        onInput={event => change({ search: event.currentTarget.value.trim().toLowerCase() })}
      />
      <Button onClick={() => change({ order: other })}>
        {other === 'amount' ? trans.__('Largest first') : trans.__('As it runs')}
      </Button>
      <CopyButton csv={csv} />
    </div>
  );
}

/** Says so once the rows are in the clipboard, or why they are not. */
function CopyButton({ csv }: { csv: () => string }): JSX.Element {
  const [said, say] = useState(trans.__('Copy as CSV'));
  const copy = (): void => {
    navigator.clipboard.writeText(csv()).then(
      () => say(trans.__('Copied')),
      () => say(trans.__('The browser does not let it')),
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
