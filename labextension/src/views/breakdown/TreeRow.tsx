/** One row of the breakdown's table, with the keys of a tree: arrows open, close and move. */

import type { JSX } from 'preact';
import { formatBytes } from '../../report/format';
import type { Row } from '../../report/stacking';
import { amountOf, costOf, type Metric, type Tree } from '../../report/tree';
import type { NodesBefore } from '../../report/wire.generated';
import { trans } from '../translate';
import { remarkOf, tooltip, wordOf } from './about';
import { changeWords, differenceOf } from './changes';
import { milliseconds } from './Lines';
import { Share } from './Share';
import type { Line } from './table';

interface TreeRowProps {
  tree: Tree;
  /** What the nodes took in the pinned profile. */
  before: NodesBefore | null;
  line: Line;
  metric: Metric;
  /** Of the whole step. */
  whole: number;
  /** The tab key reaches this row; the arrows reach the others. */
  reachable: boolean;
  marked: boolean;
  onHover: (node: number) => void;
  onToggle: () => void;
  onUnfold: () => void;
  /** Look into it, in the boxes too. */
  onZoom: (row: Row) => void;
  onMove: (by: number) => void;
}

export function TreeRow(props: TreeRowProps): JSX.Element {
  const { tree, before, line, metric, whole, marked, onHover } = props;
  const { row } = line;
  const cost = costOf(tree.breakdown, row.nodes);
  const share = whole > 0 ? amountOf(tree.breakdown, row.nodes, metric) / whole : 0;
  return (
    <tr
      class={marked ? 'skyline-row-marked' : ''}
      tabIndex={props.reachable ? 0 : -1}
      data-lm-suppress-shortcuts="true"
      aria-level={line.depth + 1}
      {...(line.opens ? { 'aria-expanded': line.isOpen } : {})}
      onKeyDown={event => onKey(event, props)}
      onPointerEnter={() => onHover(row.nodes[0] ?? -1)}
      onFocusIn={() => onHover(row.nodes[0] ?? -1)}
      onFocusOut={() => onHover(-1)}
    >
      <th
        scope="row"
        title={tooltip(tree, row, metric)}
        style={{ paddingLeft: `${line.depth * 14 + 4}px` }}
      >
        <Name {...props} calls={cost.calls} />
      </th>
      <td>{milliseconds(cost.forwardSeconds + cost.backwardSeconds)}</td>
      <td class="skyline-wide">{milliseconds(cost.forwardSeconds)}</td>
      <td class="skyline-wide">{milliseconds(cost.backwardSeconds)}</td>
      <td>
        <Share of={share} />
      </td>
      <td>{cost.heldBytes > 0 ? formatBytes(cost.heldBytes) : ''}</td>
      {cost.deviceSeconds !== null && <td>{milliseconds(cost.deviceSeconds)}</td>}
      {before && (
        <td class="skyline-change-cell">
          {changeWords(differenceOf(tree.breakdown, before, row.nodes, metric), metric, whole)}
        </td>
      )}
    </tr>
  );
}

function Name({
  tree: { breakdown },
  line,
  onToggle,
  onUnfold,
  calls,
}: TreeRowProps & { calls: number }): JSX.Element {
  const remark = remarkOf(breakdown, line.row.nodes[0] ?? -1);
  const called = calls > line.row.nodes.length ? trans.__(' · %1 calls', calls) : '';
  return (
    <span class={`skyline-tree-name skyline-kind-${line.kind}`}>
      {line.opens ? (
        <button type="button" tabIndex={-1} aria-hidden="true" onClick={onToggle}>
          {line.isOpen ? '▾' : '▸'}
        </button>
      ) : (
        <i aria-hidden="true" />
      )}
      {wordOf(breakdown, line.row)}
      {remark !== '' && <span class="skyline-class">{remark}</span>}
      <span class="skyline-quiet">{called}</span>
      {line.stacked && (
        <button type="button" tabIndex={-1} class="skyline-unfold" onClick={onUnfold}>
          {trans.__('each')}
        </button>
      )}
    </span>
  );
}

function onKey(event: KeyboardEvent, props: TreeRowProps): void {
  const { line, onToggle, onUnfold, onZoom, onMove } = props;
  const opens = line.opens && !line.isOpen;
  if (event.key === 'ArrowDown') {
    onMove(1);
  } else if (event.key === 'ArrowUp') {
    onMove(-1);
  } else if ((event.key === 'ArrowRight' && opens) || (event.key === 'ArrowLeft' && line.isOpen)) {
    onToggle();
  } else if (event.key === 'Enter' && line.stacked) {
    onUnfold();
  } else if (event.key === 'Enter' && line.opens) {
    onZoom(line.row);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
