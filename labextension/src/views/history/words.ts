/** The sentences of the history. */

import { withinNoise, signedRatio } from '../../report/changes';
import { formatBytes, formatCount, formatThroughput } from '../../report/format';
import type { FigureChange, HistoryEntry, SizeChange } from '../../report/wire.generated';
import { trans } from '../translate';

/** `14:02`; with the day where that is another one. */
export function timeOf({ created }: HistoryEntry, now = new Date()): string {
  const when = new Date(created);
  const time = when.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
  const isToday = when.toDateString() === now.toDateString();
  return isToday
    ? time
    : `${when.toLocaleDateString([], { month: 'short', day: 'numeric' })} ${time}`;
}

/** `14:02 · 64`, as the pinned profile is called where it is drawn. */
export function nameOf(entry: HistoryEntry): string {
  return trans.__('%1, batch size %2', timeOf(entry), formatCount(entry.batch_size));
}

/** What became of the pinned profile's throughput in this entry. */
export function throughputChange(pinned: HistoryEntry, entry: HistoryEntry): string {
  return withinNoise(pinned.throughput, entry.throughput)
    ? trans.__('≈ same')
    : signedRatio(entry.throughput.value / pinned.throughput.value) || trans.__('≈ same');
}

/** The same of its peak; an empty text where one of them is unknown. */
export function peakChange(pinned: HistoryEntry, entry: HistoryEntry): string {
  return pinned.peak_bytes === null || entry.peak_bytes === null
    ? ''
    : signedRatio(entry.peak_bytes / pinned.peak_bytes) || trans.__('= same');
}

/** Both profiles at one size, where they are best compared. */
export function commonWords({
  after_batch_size: size,
  throughput,
  peak_bytes: peak,
}: SizeChange): string {
  const speed = trans.__('throughput %1', figureWords(throughput, formatThroughput));
  const both =
    peak === null
      ? speed
      : `${speed}; ${trans.__('peak memory %1', figureWords(peak, formatBytes))}`;
  return trans.__('At batch size %1: %2.', formatCount(size), both);
}

function figureWords({ before, after }: FigureChange, format: (value: number) => string): string {
  if (before.value === after.value) {
    return trans.__('%1, as before', format(after.value));
  }
  const change = withinNoise(before, after)
    ? trans.__('no difference within the noise')
    : signedRatio(after.value / before.value) || trans.__('hardly a difference');
  return `${format(before.value)} → ${format(after.value)} (${change})`;
}
