/** The whole dashboard of one profile: the same in the widget, the side panel and an exported page. */

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { snapRange, type SnapRange } from '../report/snap';
import { hasNumbers, offersSizes } from '../report/values';
import type { NodesBefore, Report, View } from '../report/wire.generated';
import { Breakdown } from './breakdown/Breakdown';
import { nodesBefore } from './breakdown/changes';
import { Phases } from './breakdown/Phases';
import { usePointing } from './breakdown/usePointing';
import { Chart } from './chart/Chart';
import { chartLayout } from './chart/layout';
import { Details } from './Details';
import { EditStrip } from './EditStrip';
import { dispatchSkylineEvent, POINT_EVENT } from './events';
import { Figures } from './Figures';
import { Header } from './Header';
import { History } from './history/History';
import type { Host } from './host';
import { MemoryStrip } from './MemoryStrip';
import { Notices } from './Notices';
import { canMove, sizeAtRest, sizeNow, sizeShown, type DashboardState } from './state';
import type { SizeControl } from './slider';
import { useDashboard, type DashboardActions } from './useDashboard';
import type { Entry } from './SizeField';
import { trans } from './translate';
import { useEditing } from './useEditing';
import { useWidth } from './useWidth';
import { WhatToDo } from './WhatToDo';
import { labelsFrom, previewWords, type LabelOf } from './words';

export interface DashboardProps {
  view: View;
  host: Host;
  /** Narrow layout whatever the width. */
  compact?: boolean;
}

export function Dashboard({ view, host, compact = false }: DashboardProps): JSX.Element {
  const [state, actions] = useDashboard(view, host);
  const [root, width] = useWidth();
  const label = useLabels(state, host, width > 0);
  const editing = useEditing(state.view, host, width > 0);
  const entry = useRef<Entry>(null);
  const { report } = state.view;
  return (
    <div
      ref={root}
      class={`skyline-root skyline-${state.view.status} ${compact ? 'skyline-compact' : ''}`}
      role="group"
      aria-label={trans.__('Skyline profile')}
    >
      <Header view={state.view} label={label} preview={previewed(state)} />
      {report && hasNumbers(report) && (
        <Picture
          {...{ report, state, actions, entry }}
          narrow={compact || (width > 0 && width < BROAD)}
        />
      )}
      <EditStrip {...{ state, actions, label, editing, entry }} available={host.available} />
      <Notices {...{ state, actions, label, host, editing }} />
      {report && hasNumbers(report) && (
        <MemoryStrip report={report} size={sizeShown(state) ?? report.batch_size} />
      )}
      {report && (
        <Inside
          report={report}
          before={nodesBefore(state.view)}
          kernelId={state.view.kernel_id}
          label={label}
          open={compact}
        />
      )}
      {report && (
        <History
          view={state.view}
          label={label}
          onPin={host.available ? actions.pin : undefined}
          open={compact}
        />
      )}
      {report && hasNumbers(report) && <Evidence report={report} />}
    </div>
  );
}

/** What is said in place of the verdict while another size is looked at. */
function previewed(state: DashboardState): string {
  const { preview, view } = state;
  return preview === null || view.report === null ? '' : previewWords(view.report, preview);
}

interface InsideProps {
  report: Report;
  before: NodesBefore | null;
  kernelId: string;
  label: LabelOf;
  open: boolean;
}

/** What one step is made of, and what that calls for; skipped while only the handle moves. */
function Inside({ report, before, kernelId, label, open }: InsideProps): JSX.Element {
  const [shown, setShown] = useState(open);
  const [asked, setAsked] = useState<{ node: number } | null>(null);
  useEffect(() => {
    if (asked) {
      dispatchSkylineEvent(document, POINT_EVENT, { kernelId, node: asked.node, keep: true });
    }
  }, [asked]);
  const show = (node: number): void => {
    setShown(true);
    setAsked({ node });
  };
  // A mark in a cell was chosen while this is folded.
  usePointing(kernelId, (node, keep) => {
    if (keep && node > 0 && !shown) show(node);
  });
  const { breakdown, findings } = report;
  return useMemo(
    () => (
      <>
        {breakdown && <Phases breakdown={breakdown} />}
        <WhatToDo hints={findings.slice(1)} onShow={show} />
        {breakdown && (
          <details
            class="skyline-inside"
            open={shown}
            onToggle={event => setShown(event.currentTarget.open)}
          >
            <summary data-lm-suppress-shortcuts="true">
              {trans.__('Where time and memory go')}
            </summary>
            {shown && <Breakdown {...{ breakdown, before, kernelId, label }} />}
          </details>
        )}
      </>
    ),
    [breakdown, findings, before, kernelId, label, shown],
  );
}

/** Skipped while only the handle moves. */
function Evidence({ report }: { report: Report }): JSX.Element {
  return useMemo(() => <Details report={report} />, [report]);
}

interface PictureProps {
  report: Report;
  state: DashboardState;
  actions: DashboardActions;
  /** The bars stand above the chart, not beside it. */
  narrow: boolean;
  entry: { current: Entry | null };
}

/** Pixels inside the frame. */
const BROAD = 580;
const HEIGHT = 288;
const COMPACT_HEIGHT = 236;
const NARROW = 420;
const UNSEEN_WIDTH = 560;

function Picture({ report, state, actions, narrow, entry }: PictureProps): JSX.Element | null {
  const [room, measured] = useWidth();
  const width = measured || UNSEEN_WIDTH;
  const height = narrow || width < NARROW ? COMPACT_HEIGHT : HEIGHT;
  const pinned = state.view.pinned ?? null;
  const layout = useMemo(
    () => chartLayout(report, width, height, pinned?.curves),
    [report, width, height, pinned],
  );
  const range = useMemo(() => snapRange(report), [report]);
  const control = { ...sizeControl(report, range, state, actions), onDigit: typeInto(entry) };
  const several = offersSizes(report);
  return (
    <div
      class={`skyline-picture ${narrow ? 'skyline-picture-narrow' : ''} ${several ? '' : 'skyline-picture-bare'}`}
    >
      <Figures
        report={report}
        control={control}
        now={sizeNow(state) ?? control.size}
        axis={narrow || !several ? 'sideways' : 'upright'}
      />
      <div ref={room}>{several && <Chart {...{ report, layout, control, pinned }} />}</div>
    </div>
  );
}

/** A digit that is typed on a slider begins a number in the strip. */
function typeInto(entry: { current: Entry | null }): (digit: string) => void {
  return digit => entry.current?.begin(digit);
}

function sizeControl(
  report: Report,
  range: SnapRange,
  state: DashboardState,
  actions: DashboardActions,
): Omit<SizeControl, 'onDigit'> {
  const size = sizeShown(state) ?? report.batch_size;
  return {
    range,
    size,
    offered: offersSizes(report) && range.smallest < range.largest,
    rest: sizeAtRest(state) ?? size,
    enabled: canMove(state),
    dragging: state.dragging,
    onPreview: actions.preview,
    onCancel: actions.cancel,
    onApply: actions.apply,
  };
}

/** The cells' present prompts: asked for again whenever one may have changed and is about to be read. */
function useLabels(state: DashboardState, host: Host, seen: boolean): LabelOf {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const { view, pending, preview } = state;
  const previewing = preview !== null;
  useLayoutEffect(() => {
    setLabels(seen ? host.labels(view, namedCells(view)) : {});
  }, [view, host, seen, pending, previewing]);
  return useMemo(() => labelsFrom(labels), [labels]);
}

/** Every cell that the view names. */
function namedCells({ report, plan, pinned }: View): string[] {
  const references = [
    report?.site,
    report?.step,
    ...(report?.site_candidates ?? []),
    ...(plan?.light ?? []),
    ...(plan?.heavy ?? []),
    ...(plan?.stale ?? []),
    ...(pinned?.cells ?? []),
  ];
  return [...new Set(references.flatMap(reference => reference?.cell_id ?? []))];
}
