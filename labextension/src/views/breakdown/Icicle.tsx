/** The icicle: a box is as wide as what it takes; a click looks into it, a click on the top leads back. */

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatBytes, formatMilliseconds, formatPercent } from '../../report/format';
import { pathOf } from '../../report/nodes';
import type { Row } from '../../report/stacking';
import { costOf, type Metric, type Tree } from '../../report/tree';
import { trans } from '../translate';
import { icicle, type Box } from './boxes';

const LEVEL = 26;
const DEPTHS = 7;
/** A narrower box has no room for its name. */
const NAMED = 28;
const LETTER = 6.4;

interface IcicleProps {
  tree: Tree;
  root: Row;
  metric: Metric;
  width: number;
  /** A node that is pointed at elsewhere, or -1. */
  hovered: number;
  onHover: (node: number) => void;
  onZoom: (row: Row) => void;
}

export function Icicle(props: IcicleProps): JSX.Element {
  const { tree, root, metric, width, hovered, onHover, onZoom } = props;
  const boxes = useMemo(
    () => icicle(tree, root, metric, width, DEPTHS),
    [tree, root, metric, width],
  );
  const depth = boxes.reduce((deepest, box) => Math.max(deepest, box.depth), 0) + 1;
  return (
    <svg
      class="skyline-icicle"
      width={width}
      height={depth * LEVEL}
      role="img"
      aria-label={trans.__('Where the step goes, as boxes; the table below has the same in words')}
      onPointerLeave={() => onHover(-1)}
    >
      {boxes.map(box => (
        <BoxView
          key={`${box.row.nodes[0]}+${box.row.nodes.length}`}
          {...{ tree, box, metric, onHover, onZoom }}
          marked={box.row.nodes.includes(hovered)}
        />
      ))}
    </svg>
  );
}

interface BoxProps {
  tree: Tree;
  box: Box;
  metric: Metric;
  marked: boolean;
  onHover: (node: number) => void;
  onZoom: (row: Row) => void;
}

function BoxView({ tree, box, metric, marked, onHover, onZoom }: BoxProps): JSX.Element {
  const { row, kind, className, x, width, depth } = box;
  const letters = Math.floor((width - 12) / LETTER);
  return (
    <g
      class={`skyline-box skyline-box-${kind} ${marked ? 'skyline-box-marked' : ''}`}
      onPointerEnter={() => onHover(row.nodes[0] ?? -1)}
      onClick={() => onZoom(row)}
    >
      <title>{tooltip(tree, box, metric)}</title>
      <rect
        x={x + 0.5}
        y={depth * LEVEL + 0.5}
        width={Math.max(width - 1, 0.5)}
        height={LEVEL - 2}
        rx={2}
      />
      {width >= NAMED && (
        <text x={x + 6} y={depth * LEVEL + LEVEL / 2 + 3.5}>
          {row.label.length <= letters ? row.label : `${row.label.slice(0, letters - 1)}…`}
          {className !== '' && row.label.length + className.length < letters && (
            <tspan class="skyline-class" dx={6}>
              {className}
            </tspan>
          )}
        </text>
      )}
    </g>
  );
}

function tooltip({ breakdown }: Tree, { row, share, className }: Box, metric: Metric): string {
  const cost = costOf(breakdown, row.nodes);
  const path = pathOf(breakdown, row.nodes[0] ?? 0);
  const ofClass = className === '' ? '' : ` (${className})`;
  const name = `${path === '' ? row.label : path}${ofClass}`;
  const others = row.nodes.length - 1;
  const named = others > 0 ? trans.__('%1 and %2 like it', name, others) : name;
  const time = trans.__(
    'forward %1, backward %2',
    formatMilliseconds(cost.forwardSeconds),
    formatMilliseconds(cost.backwardSeconds),
  );
  const memory = trans.__(
    'weights %1, activations %2',
    formatBytes(cost.weightsBytes),
    formatBytes(cost.activationsBytes),
  );
  const of =
    metric === 'time'
      ? trans.__('%1 of the step', formatPercent(share))
      : trans.__('%1 of what the step holds', formatPercent(share));
  return [named, of, time, memory].join('\n');
}
