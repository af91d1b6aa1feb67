/** The icicle: a box is as wide as what it takes; a click looks into it, a click on the top leads back. */

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatPercent } from '../../report/format';
import type { Row } from '../../report/stacking';
import type { Metric, Tree } from '../../report/tree';
import { trans } from '../translate';
import { tooltip, wordOf } from './about';
import { icicle, type Box } from './boxes';

const LEVEL = 26;
const DEPTHS = 7;
/** A narrower box has no room for its name. */
const NAMED = 28;
const LETTER = 6.4;
/** Letters of a share, with the room before it. */
const SHARE = 8;

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
    <>
      <svg
        class="skyline-icicle"
        width={width}
        height={depth * LEVEL}
        role="img"
        aria-label={trans.__(
          'Where the step goes, as boxes; the table below has the same in words',
        )}
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
      <Legend kinds={new Set(boxes.map(({ kind }) => kind))} />
    </>
  );
}

/** What the colours of the boxes say. */
function Legend({ kinds }: { kinds: ReadonlySet<string> }): JSX.Element {
  const words = {
    module: trans.__('module'),
    operator: trans.__('operator'),
    phase: trans.__('in no module'),
    scope: trans.__('scope'),
    optimizer: trans.__('optimizer'),
    graph: trans.__('compiled'),
    rest: trans.__('Python and framework'),
  };
  return (
    <ul class="skyline-legend" aria-hidden="true">
      {Object.entries(words).map(([kind, word]) =>
        kinds.has(kind) ? (
          <li key={kind}>
            <i class={`skyline-box-${kind}`} />
            {word}
          </li>
        ) : null,
      )}
    </ul>
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
  const { row, kind, className, x, width, depth, share } = box;
  const letters = Math.floor((width - 12) / LETTER);
  const word = wordOf(tree.breakdown, row);
  const classed = className !== '' && word.length + className.length < letters;
  const taken = word.length + (classed ? className.length : 0) + SHARE;
  return (
    <g
      class={`skyline-box skyline-box-${kind} ${marked ? 'skyline-box-marked' : ''}`}
      onPointerEnter={() => onHover(row.nodes[0] ?? -1)}
      onClick={() => onZoom(row)}
    >
      <title>{tooltip(tree, row, metric)}</title>
      <rect
        x={x + 0.5}
        y={depth * LEVEL + 0.5}
        width={Math.max(width - 1, 0.5)}
        height={LEVEL - 2}
        rx={2}
      />
      {width >= NAMED && (
        <text x={x + 6} y={depth * LEVEL + LEVEL / 2 + 3.5}>
          {word.length <= letters ? word : `${word.slice(0, letters - 1)}…`}
          {classed && (
            <tspan class="skyline-class" dx={6}>
              {className}
            </tspan>
          )}
        </text>
      )}
      {taken < letters && (
        <text
          class="skyline-class"
          x={x + width - 6}
          y={depth * LEVEL + LEVEL / 2 + 3.5}
          text-anchor="end"
        >
          {formatPercent(share)}
        </text>
      )}
    </g>
  );
}
