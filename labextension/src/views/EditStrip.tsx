/** The line that sets the batch size, what an edit of it leads to, and the buttons for it. */

import type { ComponentChildren, JSX } from 'preact';
import { formatMultiple } from '../report/format';
import type { Report, Site } from '../report/wire.generated';
import { Candidates } from './Candidates';
import { Sentence } from './Sentence';
import { canMove, sizeAtRest, sizeNow, sizeShown, type DashboardState } from './state';
import type { DashboardActions } from './useDashboard';
import { literalLine, planWords, type LabelOf } from './words';

interface EditStripProps {
  state: DashboardState;
  actions: DashboardActions;
  label: LabelOf;
  /** There is a notebook to edit. */
  available: boolean;
}

export function EditStrip({
  state,
  actions,
  label,
  available,
}: EditStripProps): JSX.Element | null {
  const { report } = state.view;
  if (report === null) {
    return null;
  }
  const { site } = report;
  if (site === null) {
    return <NoSite {...{ state, actions, label, available, report }} />;
  }
  const from = sizeNow(state) ?? site.value;
  const to = sizeShown(state) ?? from;
  const buttons = available && canMove(state) ? <Buttons {...{ state, actions, report }} /> : null;
  return (
    <Strip code={<Change site={site} from={from} to={to} />} tone="" buttons={buttons}>
      {stripWords(state, site, label).map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </Strip>
  );
}

/** Why there is no line to edit, and those that the user may pick instead. */
function NoSite({
  state,
  actions,
  label,
  available,
  report,
}: EditStripProps & { report: Report }): JSX.Element {
  const candidates = report.site_candidates;
  return (
    <div class="skyline-no-site">
      <Strip code={null} tone={state.preview === null ? '' : 'asked'}>
        <Sentence text={report.site_reason ?? 'There is no number to edit.'} />
      </Strip>
      {available && candidates.length > 0 && (
        // A new report begins with nothing chosen.
        <Candidates key={report.id} {...{ candidates, label }} onChoose={actions.choose} />
      )}
    </div>
  );
}

/** Where the literal stands and, while another size is previewed, what an edit of it leads to. */
function stripWords(state: DashboardState, site: Site, label: LabelOf): string[] {
  const now = sizeNow(state) ?? site.value;
  const place = `cell ${label(site)}, line ${site.line}`;
  if (state.pending !== null) {
    return [place];
  }
  if (state.preview !== null) {
    return planWords(site, state.view.plan, label, now);
  }
  return state.literal === null ? [place] : [place, `the kernel still uses ${now}`];
}

interface StripProps {
  code: JSX.Element | null;
  tone: string;
  buttons?: JSX.Element | null;
  children: ComponentChildren;
}

function Strip({ code, tone, buttons, children }: StripProps): JSX.Element {
  return (
    <div class={`skyline-strip ${tone && `skyline-strip-${tone}`}`}>
      {code}
      <p class="skyline-strip-words">{children}</p>
      {buttons}
    </div>
  );
}

function Change({ site, from, to }: { site: Site; from: number; to: number }): JSX.Element {
  const { before, after } = literalLine(site);
  return (
    <code class="skyline-change">
      {before}
      {from === to ? (
        from
      ) : (
        <>
          <del aria-label={`from ${from}`}>{from}</del> <ins aria-label={`to ${to}`}>{to}</ins>
        </>
      )}
      {after}
    </code>
  );
}

interface ButtonsProps {
  state: DashboardState;
  actions: DashboardActions;
  report: Report;
}

function Buttons({ state, actions, report }: ButtonsProps): JSX.Element | null {
  if (state.dragging) {
    return <span class="skyline-hint">Release to apply · Esc to cancel</span>;
  }
  const { preview } = state;
  if (preview !== null && preview !== sizeAtRest(state)) {
    return (
      <span class="skyline-buttons">
        <Button onClick={() => actions.cancel()}>Cancel</Button>
        <Button main onClick={() => actions.apply(preview)}>
          Apply <span aria-hidden="true">⏎</span>
        </Button>
      </span>
    );
  }
  return state.pending === null ? <Advice {...{ state, actions, report }} /> : null;
}

/** The size that the verdict proposes, one click away. */
function Advice({ state, actions, report }: ButtonsProps): JSX.Element {
  const advice = report.findings[0];
  if (advice?.batch_size != null && advice.batch_size !== sizeAtRest(state)) {
    const { batch_size: advised, gain } = advice;
    return (
      <Button main onClick={() => actions.apply(advised)}>
        Use {advised}
        {gain !== null && ` (${formatMultiple(gain)})`}
      </Button>
    );
  }
  return <span class="skyline-hint skyline-hint-idle">Drag the handle to try another size</span>;
}

interface ButtonProps {
  main?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

/** JupyterLab would take Enter and Space for its own while the notebook is in command mode. */
export function Button({ main = false, onClick, children }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={main ? 'skyline-button skyline-button-main' : 'skyline-button'}
      data-lm-suppress-shortcuts="true"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
