/** Where the time and the memory of a step go: boxes, table, lines and the memory over the step, linked. */

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatMilliseconds, formatMultiple } from '../../report/format';
import { nameOf, pathOf } from '../../report/nodes';
import type { Row } from '../../report/stacking';
import { treeOf, type Metric } from '../../report/tree';
import type { Breakdown as BreakdownFacts, NodesBefore } from '../../report/wire.generated';
import { Button } from '../EditStrip';
import { dispatchSkylineEvent, POINT_EVENT } from '../events';
import { Sentence } from '../Sentence';
import { trans } from '../translate';
import { useWidth } from '../useWidth';
import type { LabelOf } from '../words';
import { arithmetic } from './about';
import { Icicle } from './Icicle';
import { Lines } from './Lines';
import { MemoryTimeline } from './MemoryTimeline';
import { Scopes } from './Scopes';
import { TreeTable } from './TreeTable';
import { usePointing } from './usePointing';

interface BreakdownProps {
  breakdown: BreakdownFacts;
  /** What the nodes took in the pinned profile. */
  before: NodesBefore | null;
  kernelId: string;
  label: LabelOf;
}

const STEP: Row = { label: 'step', nodes: [0] };
const UNSEEN_WIDTH = 560;

export function Breakdown({ breakdown, before, kernelId, label }: BreakdownProps): JSX.Element {
  const tree = useMemo(() => treeOf(breakdown), [breakdown]);
  const [metric, setMetric] = useState<Metric>('time');
  const [root, setRoot] = useState<Row>(STEP);
  const [hovered, setHovered] = useState(-1);
  const [byKey, setByKey] = useState(false);
  const show = (row: Row, key: boolean): void => {
    setByKey(key);
    setRoot(row.nodes[0] === root.nodes[0] ? rowAbove(breakdown, root) : row);
  };
  usePointing(kernelId, (node, keep) => {
    setHovered(node);
    if (keep && node > 0) {
      setRoot(rowAbove(breakdown, { label: '', nodes: [node] }));
    }
  });
  const [room, measured] = useWidth();
  const width = measured || UNSEEN_WIDTH;
  const pointing = { hovered, onHover: (node: number) => point(kernelId, node) };
  return (
    <div class="skyline-breakdown" ref={room}>
      <h3>
        <span>{trans.__('Breakdown')}</span>
        <MetricSwitch metric={metric} onChange={setMetric} />
      </h3>
      <Crumbs {...{ breakdown, root }} onBack={() => show(root, false)} />
      <Icicle {...{ tree, root, metric, width }} {...pointing} onZoom={row => show(row, false)} />
      <TreeTable
        key={root.nodes[0]}
        {...{ tree, before, root, metric }}
        {...pointing}
        takesFocus={byKey}
        onZoom={row => show(row, true)}
      />
      {breakdown.timeline && (
        <MemoryTimeline
          {...{ breakdown, width, label }}
          timeline={breakdown.timeline}
          {...pointing}
        />
      )}
      <Scopes {...{ breakdown }} {...pointing} />
      <Lines {...{ breakdown, label }} {...pointing} />
      <Remarks breakdown={breakdown} />
    </div>
  );
}

interface CrumbsProps {
  breakdown: BreakdownFacts;
  root: Row;
  onBack: () => void;
}

/** The way to what is looked into; nothing while that is the step. */
function Crumbs({ breakdown, root, onBack }: CrumbsProps): JSX.Element | null {
  return root.nodes[0] === 0 ? null : (
    <p class="skyline-crumbs">
      <Button onClick={onBack}>{trans.__('Back')}</Button> {pathOf(breakdown, root.nodes[0] ?? 0)}
    </p>
  );
}

/** Every dashboard of the kernel hears it, this one too, and so do the cells. */
function point(kernelId: string, node: number): void {
  dispatchSkylineEvent(document, POINT_EVENT, { kernelId, node, keep: false });
}

function rowAbove(breakdown: BreakdownFacts, { nodes }: Row): Row {
  const parent = breakdown.nodes.parent[nodes[0] ?? 0] ?? -1;
  return parent <= 0 ? STEP : { label: nameOf(breakdown, parent), nodes: [parent] };
}

interface MetricSwitchProps {
  metric: Metric;
  onChange: (metric: Metric) => void;
}

function MetricSwitch({ metric, onChange }: MetricSwitchProps): JSX.Element {
  return (
    <span class="skyline-switch" role="group" aria-label={trans.__('Show')}>
      {(['time', 'memory'] as const).map(name => (
        <button
          key={name}
          type="button"
          data-lm-suppress-shortcuts="true"
          aria-pressed={name === metric}
          onClick={() => onChange(name)}
        >
          {name === 'time' ? trans.__('time') : trans.__('memory')}
        </button>
      ))}
    </span>
  );
}

/** What could not be seen, and what seeing took. */
function Remarks({ breakdown }: { breakdown: BreakdownFacts }): JSX.Element {
  const { cost, notes, unattributed_reason: reason } = breakdown;
  const slower = cost.step_seconds > 0 ? cost.traced_seconds / cost.step_seconds : 1;
  const work = arithmetic(breakdown, breakdown.model_flops, cost.step_seconds);
  const left = formatMilliseconds(breakdown.unattributed_seconds);
  const said = [
    work && trans.__('Arithmetic of one step: %1.', work),
    reason && trans.__('Not attributed: %1. %2', left, reason),
    ...notes,
  ];
  return (
    <div class="skyline-remarks">
      {said.filter(Boolean).map(note => (
        <p key={note}>
          <Sentence text={note} />
        </p>
      ))}
      <p>
        {trans._n(
          'Traced in %1 step that took %2 a plain one; what the trace took is taken out.',
          'Traced in %1 steps that took %2 a plain one; what the trace took is taken out.',
          cost.steps,
          formatMultiple(slower),
        )}
      </p>
    </div>
  );
}
