/** What just happened or still has to: progress, refusals, checks, stale cells, warnings. */

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './EditStrip';
import type { Editing, Host } from './host';
import { Sentence } from './Sentence';
import { sizeNow, type DashboardState, type Notice as NoticeState } from './state';
import { trans } from './translate';
import type { DashboardActions } from './useDashboard';
import { checkWords, isClose, staleGroups, type LabelOf } from './words';

interface NoticesProps {
  state: DashboardState;
  actions: DashboardActions;
  label: LabelOf;
  host: Host;
  editing: Editing | null;
}

export function Notices({ state, actions, label, host, editing }: NoticesProps): JSX.Element {
  return (
    <div class="skyline-notices" role="status" aria-live="polite">
      <Told state={state} {...(host.available ? { onInterrupt: actions.interrupt } : {})} />
      <Waiting {...{ state, actions, label, editing }} />
      {editing?.waiting == null && <PendingNotice state={state} label={label} />}
      {state.notice && <Answer notice={state.notice} />}
      {state.pending === null && <Checked state={state} />}
      {staleGroups(state.view.plan, label).map(group => (
        <Notice key={group.sentence} tone="stale" mark="●">
          <span>{group.sentence}</span>
          {host.available && group.cellIds.length > 0 && (
            <Button onClick={() => actions.run(group.cellIds)}>{group.button}</Button>
          )}
        </Notice>
      ))}
      {state.view.report?.warnings.map(warning => (
        <Notice key={warning} tone="warning" mark="!">
          <Sentence text={warning} />
        </Notice>
      ))}
    </div>
  );
}

interface NoticeProps {
  tone: 'plain' | 'busy' | 'good' | 'bad' | 'stale' | 'warning';
  mark: string;
  children: ComponentChildren;
}

function Notice({ tone, mark, children }: NoticeProps): JSX.Element {
  return (
    <div class={`skyline-notice skyline-notice-${tone}`}>
      <span class="skyline-notice-mark" aria-hidden="true">
        {mark}
      </span>
      <div class="skyline-notice-text">{children}</div>
    </div>
  );
}

interface ToldProps {
  state: DashboardState;
  onInterrupt?: () => boolean;
}

/** The view's own message. */
function Told({ state, onInterrupt }: ToldProps): JSX.Element | null {
  const { status, message, progress, report } = state.view;
  if (status === 'measuring') {
    // While the cell is profiled that runs, there is no plan yet.
    return <Progress {...{ message, progress, onInterrupt }} inCell={state.view.plan === null} />;
  }
  // Without a report the message is what the header says.
  if (message === '' || report === null) {
    return null;
  }
  return (
    <Notice tone={status === 'failed' ? 'bad' : 'plain'} mark={status === 'failed' ? '✕' : 'i'}>
      <Sentence text={message} />
    </Notice>
  );
}

interface ProgressProps {
  message: string;
  progress: number | null;
  onInterrupt: (() => boolean) | undefined;
  /** A cell runs meanwhile, which an interrupt ends too. */
  inCell: boolean;
}

function Progress({ message, progress, onInterrupt, inCell }: ProgressProps): JSX.Element {
  const [taken, setTaken] = useState<boolean | null>(null);
  const title = inCell
    ? trans.__(
        'Ends the cell that runs, as Ctrl+C does, with the training in it. What was measured is kept.',
      )
    : trans.__('Ends the measurement, as Ctrl+C does. What was measured before is kept.');
  return (
    <div class="skyline-progress">
      <span>
        <Sentence text={message} />
      </span>
      <progress
        max={1}
        {...(progress === null ? {} : { value: progress })}
        aria-label={trans.__('Measuring')}
      />
      {onInterrupt && (
        <Button title={title} onClick={() => setTaken(onInterrupt())}>
          {interruptWords(taken, inCell)}
        </Button>
      )}
    </div>
  );
}

/** What the button does, or has done: only the notebook's own button can where it was not taken. */
function interruptWords(taken: boolean | null, inCell: boolean): string {
  if (taken === null) {
    return inCell ? trans.__('Interrupt the cell') : trans.__('Interrupt');
  }
  return taken ? trans.__('Interrupting') : trans.__("Use the notebook's own interrupt");
}

/** A request that the kernel has no time for yet, wherever it was made. */
function Waiting({
  state,
  actions,
  label,
  editing,
}: Omit<NoticesProps, 'host'>): JSX.Element | null {
  const { site } = state.view.report ?? {};
  if (editing?.waiting == null || site == null) {
    return null;
  }
  return (
    <Notice tone="busy" mark="">
      <span>
        {trans.__(
          'Waiting for the kernel, which is busy: cell %1 runs with %2 next.',
          label(site),
          editing.waiting,
        )}
      </span>
      <Button onClick={() => actions.giveUp()}>{trans.__('Cancel')}</Button>
    </Notice>
  );
}

function PendingNotice({
  state,
  label,
}: {
  state: DashboardState;
  label: LabelOf;
}): JSX.Element | null {
  const { pending, view } = state;
  const site = view.report?.site;
  if (pending === null || site == null) {
    return null;
  }
  if (pending.phase === 'measuring') {
    // The kernel's own account of it, once there is one, stands above.
    return view.status === 'measuring' ? null : (
      <Notice tone="busy" mark="">
        {trans.__('Measuring %1…', pending.size)}
      </Notice>
    );
  }
  return (
    <Notice tone="busy" mark="">
      {trans.__('Rewriting cell %1 and running what follows with %2…', label(site), pending.size)}
    </Notice>
  );
}

function Answer({ notice }: { notice: NoticeState }): JSX.Element {
  const refused = notice.kind === 'refused';
  return (
    <Notice tone={refused ? 'bad' : 'plain'} mark={refused ? '✕' : 'i'}>
      {notice.message !== '' && <Sentence text={notice.message} />}
      {notice.line !== null && (
        <span class="skyline-paste">
          {refused
            ? trans.__('To use it all the same, put this into a cell and run it:')
            : trans.__('The kernel uses it now. To keep it, paste this line:')}{' '}
          <code>{notice.line}</code>
        </span>
      )}
    </Notice>
  );
}

/** How good the prediction for today's size was. */
function Checked({ state }: { state: DashboardState }): JSX.Element | null {
  const now = sizeNow(state);
  const check = state.view.report?.checks.findLast(other => other.batch_size === now);
  if (check === undefined) {
    return null;
  }
  const close = isClose(check);
  return (
    <Notice tone={close ? 'good' : 'plain'} mark={close ? '✓' : 'i'}>
      {check.batch_size}: {checkWords(check)}
    </Notice>
  );
}
