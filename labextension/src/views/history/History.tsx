/** The notebook's profiles, one of which the others are compared with: figures in the rows, code below. */

import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatBytes, formatCount, formatThroughput } from '../../report/format';
import type { HistoryEntry, View } from '../../report/wire.generated';
import { trans } from '../translate';
import type { LabelOf } from '../words';
import { CodeDiff } from './CodeDiff';
import { commonWords, nameOf, peakChange, throughputChange, timeOf } from './words';

interface HistoryProps {
  view: View;
  label: LabelOf;
  /** Compare with this entry, or with none; absent where no kernel listens. */
  onPin: ((entryId: string | null) => void) | undefined;
  open: boolean;
}

/** Skipped while only the handle moves. */
export function History(props: HistoryProps): JSX.Element | null {
  const { view, label, onPin, open } = props;
  return useMemo(
    () => ((view.history?.length ?? 0) > 0 ? <Section {...props} /> : null),
    [view, label, onPin === undefined, open],
  );
}

function Section({ view, label, onPin, open }: HistoryProps): JSX.Element {
  const [shown, setShown] = useState(open);
  const pinned = view.pinned?.entry ?? null;
  const entries = view.history ?? [];
  return (
    <details
      class="skyline-inside skyline-history"
      open={shown}
      onToggle={event => setShown(event.currentTarget.open)}
    >
      <summary data-lm-suppress-shortcuts="true">
        {trans.__('History')}{' '}
        <span class="skyline-quiet">
          {pinned === null
            ? trans._n('%1 profile', '%1 profiles', entries.length)
            : trans.__('compared with %1', nameOf(pinned))}
        </span>
      </summary>
      <Table {...{ view, entries, pinned, onPin }} />
      <Compared view={view} label={label} />
    </details>
  );
}

interface TableProps {
  view: View;
  entries: readonly HistoryEntry[];
  pinned: HistoryEntry | null;
  onPin: HistoryProps['onPin'];
}

function Table({ view, entries, pinned, onPin }: TableProps): JSX.Element {
  const shown = view.report && `${view.report.id}-${view.report.batch_size}`;
  const severalModels = new Set(entries.map(entry => entry.model)).size > 1;
  const [asked, ask] = useAsked(pinned?.id ?? null, onPin);
  return (
    <table
      class="skyline-history-table"
      aria-label={trans.__('Profiles of this notebook, newest first')}
    >
      <thead>
        <tr>
          <th scope="col">{trans.__('time')}</th>
          <th scope="col">{trans.__('batch size')}</th>
          <th scope="col">{trans.__('throughput')}</th>
          <th scope="col">{trans.__('peak memory')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {entries.map(entry => (
          <Row
            key={entry.id}
            {...{ entry, pinned, severalModels }}
            isShown={entry.id === shown}
            isPinned={entry.id === asked}
            onPin={ask && view.status !== 'measuring' ? ask : undefined}
          />
        ))}
      </tbody>
    </table>
  );
}

/** What was asked for shows at once, and the kernel's answer when it comes; a busy kernel answers later. */
function useAsked(
  pinned: string | null,
  onPin: HistoryProps['onPin'],
): [string | null, HistoryProps['onPin']] {
  const [asked, setAsked] = useState(pinned);
  useEffect(() => setAsked(pinned), [pinned]);
  const ask = (entryId: string | null): void => {
    setAsked(entryId);
    onPin?.(entryId);
  };
  return [asked, onPin && ask];
}

interface RowProps {
  entry: HistoryEntry;
  pinned: HistoryEntry | null;
  severalModels: boolean;
  /** The rest of the dashboard shows this one. */
  isShown: boolean;
  isPinned: boolean;
  onPin: HistoryProps['onPin'];
}

function Row({ entry, pinned, severalModels, isShown, isPinned, onPin }: RowProps): JSX.Element {
  const other = pinned === null || pinned.id === entry.id ? null : pinned;
  return (
    <tr {...(isShown ? { 'aria-current': 'true' } : {})}>
      <th scope="row" title={`${entry.model}, ${entry.device}`}>
        {timeOf(entry)}
        {severalModels && <small>{entry.model}</small>}
      </th>
      <td>{formatCount(entry.batch_size)}</td>
      <td>
        {formatThroughput(entry.throughput.value)}
        {other && <small>{throughputChange(other, entry)}</small>}
      </td>
      <td>
        {entry.peak_bytes === null ? trans.__('unknown') : formatBytes(entry.peak_bytes)}
        {other && <small>{peakChange(other, entry)}</small>}
      </td>
      <td>
        <button
          type="button"
          class="skyline-button"
          data-lm-suppress-shortcuts="true"
          aria-pressed={isPinned}
          aria-label={
            isPinned
              ? trans.__('Pinned: the profile of %1', nameOf(entry))
              : trans.__('Pin the profile of %1, to compare with it', nameOf(entry))
          }
          disabled={onPin === undefined}
          onClick={() => onPin?.(isPinned ? null : entry.id)}
        >
          {isPinned ? trans.__('Pinned') : trans.__('Pin')}
        </button>
      </td>
    </tr>
  );
}

/** What the table cannot say: both at one size, and what changed in the code. */
function Compared({ view, label }: { view: View; label: LabelOf }): JSX.Element {
  const { pinned, report, history } = view;
  if (!pinned || !report) {
    return (
      <p class="skyline-quiet">
        {history?.length === 1
          ? trans.__('Profile again after a change, and pin this one to compare the two.')
          : trans.__('Pin a profile to compare this one with it: curves, nodes and code.')}
      </p>
    );
  }
  if (pinned.entry.id === `${report.id}-${report.batch_size}`) {
    return <p class="skyline-quiet">{trans.__('What is shown is the pinned profile itself.')}</p>;
  }
  return (
    <div class="skyline-compared">
      {pinned.common && <p>{commonWords(pinned.common)}</p>}
      <CodeDiff cells={pinned.cells} known={(report.cells?.length ?? 0) > 0} label={label} />
    </div>
  );
}
