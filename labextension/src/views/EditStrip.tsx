/** The line that sets the batch size, what an edit of it leads to, and the buttons for it. */

import type { ComponentChildren, JSX } from 'preact';
import { formatMultiple } from '../report/format';
import type { Report, Site } from '../report/wire.generated';
import { Candidates } from './Candidates';
import type { Editing, Release } from './host';
import { Sentence } from './Sentence';
import { SizeField, type Entry } from './SizeField';
import { canMove, sizeAtRest, sizeNow, sizeShown, type DashboardState } from './state';
import { TakeBack } from './TakeBack';
import { trans } from './translate';
import type { DashboardActions } from './useDashboard';
import { literalLine, placeWords, planWords, type LabelOf } from './words';

interface EditStripProps {
  state: DashboardState;
  actions: DashboardActions;
  label: LabelOf;
  /** There is a notebook to edit. */
  available: boolean;
  /** `null` where edits cannot be taken back. */
  editing: Editing | null;
  entry: { current: Entry | null };
}

export function EditStrip(props: EditStripProps): JSX.Element | null {
  const { state, actions, label, available, editing, entry } = props;
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
  const movable = available && canMove(state);
  const field = movable ? <Field {...{ report, actions, entry }} size={to} /> : null;
  return (
    <Strip code={<Change {...{ site, from, to, field }} />} tone="">
      <p class="skyline-strip-words">
        {stripWords(state, site, label, editing?.release).map((part, index) => (
          <span key={index}>{part}</span>
        ))}
      </p>
      {movable && <Buttons {...{ state, actions, report }} />}
      {movable && editing && !state.dragging && <TakeBack {...{ editing, actions }} />}
    </Strip>
  );
}

interface FieldProps {
  report: Report;
  actions: DashboardActions;
  entry: { current: Entry | null };
  size: number;
}

function Field({ report, actions, entry, size }: FieldProps): JSX.Element {
  return (
    <SizeField
      {...{ size, entry }}
      range={report.range}
      onPreview={wanted => actions.preview(wanted, false)}
      onApply={actions.apply}
      onCancel={actions.cancel}
    />
  );
}

interface NoSiteProps {
  state: DashboardState;
  actions: DashboardActions;
  label: LabelOf;
  available: boolean;
  report: Report;
}

/** Why there is no line to edit, and those that the user may pick instead. */
function NoSite({ state, actions, label, available, report }: NoSiteProps): JSX.Element {
  const candidates = report.site_candidates;
  return (
    <div class="skyline-no-site">
      <Strip code={null} tone={state.preview === null ? '' : 'asked'}>
        <p class="skyline-strip-words">
          <Sentence text={report.site_reason ?? trans.__('There is no number to edit.')} />
        </p>
      </Strip>
      {available && candidates.length > 0 && (
        // A new report begins with nothing chosen.
        <Candidates key={report.id} {...{ candidates, label }} onChoose={actions.choose} />
      )}
    </div>
  );
}

/** Where the literal stands and, while another size is previewed, what an edit of it leads to. */
function stripWords(
  state: DashboardState,
  site: Site,
  label: LabelOf,
  release: Release | undefined,
): string[] {
  const now = sizeNow(state) ?? site.value;
  const place = placeWords(site, label);
  if (state.pending !== null) {
    return [place];
  }
  if (state.preview !== null) {
    return planWords(site, state.view.plan, label, now, release);
  }
  return state.literal === null ? [place] : [place, trans.__('the kernel still uses %1', now)];
}

interface StripProps {
  code: JSX.Element | null;
  tone: string;
  children: ComponentChildren;
}

function Strip({ code, tone, children }: StripProps): JSX.Element {
  return (
    <div class={`skyline-strip ${tone && `skyline-strip-${tone}`}`}>
      {code}
      {children}
    </div>
  );
}

interface ChangeProps {
  site: Site;
  from: number;
  to: number;
  /** Where the number can be typed. */
  field: JSX.Element | null;
}

function Change({ site, from, to, field }: ChangeProps): JSX.Element {
  const { before, after } = literalLine(site);
  const changed = from !== to;
  return (
    <code class="skyline-change">
      {before}
      {changed && (
        <>
          <del>{from}</del>{' '}
        </>
      )}
      {/* One element either way: the field in it keeps the focus and what is typed. */}
      <span key="to" class={changed ? 'skyline-change-to' : ''}>
        {field ?? to}
      </span>
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
    return <span class="skyline-hint">{trans.__('Release to apply · Esc to cancel')}</span>;
  }
  const { preview } = state;
  if (preview !== null && preview !== sizeAtRest(state)) {
    return (
      <span class="skyline-buttons">
        <Button onClick={() => actions.cancel()}>{trans.__('Cancel')}</Button>
        <Button main onClick={() => actions.apply(preview)}>
          {trans.__('Apply')} <span aria-hidden="true">⏎</span>
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
        {gain === null
          ? trans.__('Use %1', advised)
          : trans.__('Use %1 (%2)', advised, formatMultiple(gain))}
      </Button>
    );
  }
  return (
    <span class="skyline-hint skyline-hint-idle">
      {trans.__('Drag the handle to try another size')}
    </span>
  );
}

interface ButtonProps {
  main?: boolean;
  /** What it does, where its name does not say enough. */
  title?: string;
  onClick: () => void;
  children: ComponentChildren;
}

/** JupyterLab would take Enter and Space for its own while the notebook is in command mode. */
export function Button({ main = false, title, onClick, children }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={main ? 'skyline-button skyline-button-main' : 'skyline-button'}
      data-lm-suppress-shortcuts="true"
      {...(title === undefined ? {} : { title })}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
