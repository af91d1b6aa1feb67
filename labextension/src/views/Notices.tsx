/** What just happened or still has to: progress, refusals, checks, stale cells, warnings. */

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './EditStrip';
import type { Host } from './host';
import { Sentence } from './Sentence';
import { sizeNow, type DashboardState, type Notice as NoticeState } from './state';
import type { DashboardActions } from './useDashboard';
import { checkWords, isClose, staleGroups, type LabelOf } from './words';

interface NoticesProps {
  state: DashboardState;
  actions: DashboardActions;
  label: LabelOf;
  host: Host;
}

export function Notices({ state, actions, label, host }: NoticesProps): JSX.Element {
  return (
    <div class="skyline-notices" role="status" aria-live="polite">
      <Told state={state} {...(host.available ? { onInterrupt: actions.interrupt } : {})} />
      <PendingNotice state={state} label={label} />
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
    return <Progress {...{ message, progress, onInterrupt }} />;
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
}

function Progress({ message, progress, onInterrupt }: ProgressProps): JSX.Element {
  const [answer, setAnswer] = useState('Interrupt');
  const interrupt = (): void => {
    setAnswer(onInterrupt?.() === true ? 'Interrupting' : "Use the notebook's own interrupt");
  };
  return (
    <div class="skyline-progress">
      <span>
        <Sentence text={message} />
      </span>
      <progress
        max={1}
        {...(progress === null ? {} : { value: progress })}
        aria-label="Measuring"
      />
      {onInterrupt && <Button onClick={interrupt}>{answer}</Button>}
    </div>
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
        Measuring {pending.size}…
      </Notice>
    );
  }
  return (
    <Notice tone="busy" mark="">
      {pending.slow
        ? `Cell ${label(site)} waits for its turn: the kernel is busy. It runs with ${pending.size} next.`
        : `Rewriting cell ${label(site)} and running what follows with ${pending.size}…`}
    </Notice>
  );
}

function Answer({ notice }: { notice: NoticeState }): JSX.Element {
  const refused = notice.kind === 'refused';
  return (
    <Notice tone={refused ? 'bad' : 'plain'} mark={refused ? '✕' : 'i'}>
      {notice.message !== '' && <Sentence text={notice.message} />}
      {notice.line !== null && (
        <span>
          The kernel uses it now. To keep it, paste this line: <code>{notice.line}</code>
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
