/** The rows of the breakdown's table: which are shown, in which order, and as text for a spreadsheet. */

import { classOf, kindOf } from '../../report/nodes';
import { rowsOf, unfolded, type Row } from '../../report/stacking';
import { amountOf, costOf, hasDevice, type Metric, type Tree } from '../../report/tree';
import type { NodesBefore } from '../../report/wire.generated';
import { differenceOf } from './changes';

export interface Line {
  key: string;
  row: Row;
  kind: string;
  /** Of a module; empty where there is none to tell. */
  className: string;
  depth: number;
  /** There is something below it. */
  opens: boolean;
  isOpen: boolean;
  /** It stands for several nodes. */
  stacked: boolean;
}

export type Order = 'tree' | 'amount' | 'change';

export interface TableState {
  open: ReadonlySet<string>;
  /** Stacks whose nodes stand in rows of their own. */
  unfolded: ReadonlySet<string>;
  order: Order;
  /** Lower case; only rows whose label has it, and the way to them. */
  search: string;
}

/** As many rows at most: more of them nobody reads, and the search finds the rest. */
export const MOST_LINES = 400;

export function keyOf(row: Row): string {
  return row.nodes.length === 1 ? String(row.nodes[0]) : `${row.nodes[0]}+${row.nodes.length}`;
}

/** The lines below the step. */
export function linesOf(
  tree: Tree,
  root: Row,
  by: Metric,
  state: TableState,
  before: NodesBefore | null = null,
): Line[] {
  const found = state.search === '' ? null : matches(tree, state.search);
  const lines: Line[] = [];
  const visit = (row: Row, depth: number): void => {
    if (
      lines.length >= MOST_LINES ||
      (found !== null && !row.nodes.some(node => found.has(node)))
    ) {
      return;
    }
    const key = keyOf(row);
    const stacked = row.nodes.length > 1;
    if (stacked && state.unfolded.has(key)) {
      unfolded(tree, row).forEach(each => visit(each, depth));
      return;
    }
    const opens = (tree.children[row.nodes[0] ?? -1]?.length ?? 0) > 0;
    const isOpen = opens && (state.open.has(key) || found !== null);
    const kind = kindOf(tree.breakdown, row.nodes[0] ?? -1);
    const className = classOf(tree.breakdown, row.nodes[0] ?? -1);
    lines.push({ key, row, kind, className, depth, opens, isOpen, stacked });
    if (isOpen) {
      below(row).forEach(each => visit(each, depth + 1));
    }
  };
  const below = (row: Row): Row[] => {
    const rows = rowsOf(tree, row);
    const amount = (each: Row): number => amountOf(tree.breakdown, each.nodes, by);
    const change = (each: Row): number =>
      before === null
        ? 0
        : Math.abs(differenceOf(tree.breakdown, before, each.nodes, by) ?? amount(each));
    const key = { tree: null, amount, change }[state.order];
    return key === null ? rows : rows.sort((a, b) => key(b) - key(a));
  };
  const nothing = (row: Row): boolean =>
    (['time', 'memory'] as const).every(each => amountOf(tree.breakdown, row.nodes, each) === 0);
  below(root).forEach(row => nothing(row) || visit(row, 0));
  return lines;
}

/** The nodes whose names or classes have the text, and all above them. */
function matches({ breakdown }: Tree, search: string): Set<number> {
  const { nodes, names } = breakdown;
  const named = new Set(
    names.flatMap((name, index) => (name.toLowerCase().includes(search) ? [index] : [])),
  );
  const found = new Set<number>();
  nodes.name.forEach((name, index) => {
    const has = named.has(name) || named.has(nodes.class_name[index] ?? -1);
    for (let node = has ? index : -1; node >= 0 && !found.has(node);) {
      found.add(node);
      node = nodes.parent[node] ?? -1;
    }
  });
  return found;
}

/** What is open at first: the way to where most of the time goes, as far as it is one way. */
export function openAtFirst(tree: Tree, root: Row, by: Metric): ReadonlySet<string> {
  const open = new Set<string>();
  const whole = amountOf(tree.breakdown, root.nodes, by);
  let row: Row | undefined = root;
  while (row !== undefined && open.size < 3) {
    const widest: Row | undefined = rowsOf(tree, row).find(
      below => amountOf(tree.breakdown, below.nodes, by) > whole / 2,
    );
    if (widest !== undefined) {
      open.add(keyOf(widest));
    }
    row = widest;
  }
  return open;
}

const COLUMNS = [
  'name',
  'kind',
  'class',
  'calls',
  'forward_seconds',
  'backward_seconds',
  'weights_bytes',
  'gradients_bytes',
  'optimizer_state_bytes',
  'activations_bytes',
  'temporaries_bytes',
  'flops',
];

/** The lines as comma-separated values, depth shown by leading spaces. */
export function csvOf(tree: Tree, lines: readonly Line[]): string {
  const rows = lines.map(({ row, kind, className, depth }) => {
    const cost = costOf(tree.breakdown, row.nodes);
    return [
      quoted('  '.repeat(depth) + row.label),
      kind,
      className,
      cost.calls,
      cost.forwardSeconds,
      cost.backwardSeconds,
      ...Object.values(cost.bytes),
      cost.flops ?? '',
      ...(cost.deviceSeconds === null ? [] : [cost.deviceSeconds]),
    ].join(',');
  });
  const columns = hasDevice(tree.breakdown.nodes) ? [...COLUMNS, 'device_seconds'] : COLUMNS;
  return [columns.join(','), ...rows].join('\n') + '\n';
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
