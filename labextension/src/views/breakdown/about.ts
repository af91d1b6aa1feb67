/** What there is to say of a node beside its name: in a remark, and at length where it is pointed at. */

import { CATEGORIES } from '../../report/categories';
import { formatBytes, formatMilliseconds, formatPercent } from '../../report/format';
import { classOf, kindOf, nameOf, pathOf } from '../../report/nodes';
import type { Row } from '../../report/stacking';
import { amountOf, costOf, type Metric, type Tree } from '../../report/tree';
import type { Breakdown } from '../../report/wire.generated';
import { trans } from '../translate';
import { categoryWord, phaseWord } from '../vocabulary';

/** What a row is called. */
export function wordOf(breakdown: Breakdown, { label, nodes }: Row): string {
  return kindOf(breakdown, nodes[0] ?? -1) === 'phase' ? phaseWord(label) : label;
}

/** Of a module its class, of some others what they are; empty where the name says it. */
export function remarkOf(breakdown: Breakdown, node: number): string {
  const is = `${kindOf(breakdown, node)} ${nameOf(breakdown, node)}`;
  return (
    {
      'phase forward': trans.__('in no module'),
      'phase backward': trans.__('not attributed'),
      'operator views': trans.__('reshape, transpose, …'),
    }[is] ?? classOf(breakdown, node)
  );
}

/** A node, or those that are alike, in a few lines. */
export function tooltip({ breakdown }: Tree, row: Row, metric: Metric): string {
  const { nodes } = row;
  const path = pathOf(breakdown, nodes[0] ?? 0);
  const remark = remarkOf(breakdown, nodes[0] ?? -1);
  const name = `${path === '' ? row.label : path}${remark === '' ? '' : ` (${remark})`}`;
  const share = formatPercent(
    amountOf(breakdown, nodes, metric) / (amountOf(breakdown, [0], metric) || 1),
  );
  return [
    nodes.length > 1 ? trans.__('%1 and %2 like it', name, nodes.length - 1) : name,
    metric === 'time'
      ? trans.__('%1 of the step', share)
      : trans.__('%1 of what the step holds', share),
    ...costWords(breakdown, nodes),
  ].join('\n');
}

function costWords(breakdown: Breakdown, nodes: readonly number[]): string[] {
  const cost = costOf(breakdown, nodes);
  const seconds = cost.forwardSeconds + cost.backwardSeconds;
  const bytes = CATEGORIES.flatMap(({ key, name }) =>
    (cost.bytes[key] ?? 0) > 0 ? `${categoryWord(name)} ${formatBytes(cost.bytes[key] ?? 0)}` : [],
  );
  const time = trans.__(
    'forward %1, backward %2',
    formatMilliseconds(cost.forwardSeconds),
    formatMilliseconds(cost.backwardSeconds),
  );
  return [time, bytes.join(', '), arithmetic(breakdown, cost.flops, seconds)].filter(Boolean);
}

/** How much there is to compute, and how near the device comes to its best at it; empty where nothing is known. */
export function arithmetic(breakdown: Breakdown, flops: number | null, seconds: number): string {
  if (flops === null) {
    return '';
  }
  const work = `${Number((flops / 1e9).toPrecision(3))} GFLOP`;
  return breakdown.peak_flops && seconds > 0
    ? trans.__(
        '%1, %2 of what products of matrices reach here',
        work,
        formatPercent(flops / seconds / breakdown.peak_flops),
      )
    : work;
}
