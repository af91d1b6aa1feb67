/** Live readings in the order of time, and what is drawn of them. */

import type { DeviceReading, ProcessMemory, Reading } from './wire.generated';

/** Readings that are kept for a kernel. */
const KEPT = 600;
/** How many readings a line shows at the rate that is chosen. */
const SHOWN = 120;
/** After a longer silence than this many readings take, the line is broken. */
const GAP = 3;

export interface Moment {
  /** Seconds since 1970. */
  at: number;
  value: number;
}

/** A line's stretch of time. */
export interface Span {
  from: number;
  to: number;
  /** Seconds between two readings that are no gap. */
  gap: number;
}

export interface Extent {
  low: number;
  high: number;
}

/** All readings, each moment once; a kernel sends again what it keeps when its gauges are opened. */
export function merged(known: readonly Reading[], more: readonly Reading[]): Reading[] {
  const byMoment = new Map([...known, ...more].map(reading => [reading.at, reading]));
  return [...byMoment.values()].sort((a, b) => a.at - b.at).slice(-KEPT);
}

/** The stretch of time that is drawn: it ends with the newest reading. */
export function spanOf(readings: readonly Reading[], seconds: number): Span {
  const to = readings.at(-1)?.at ?? 0;
  return { from: to - SHOWN * seconds, to, gap: GAP * seconds };
}

/** What was read of one figure in a stretch of time; moments at which it is unknown are left out. */
export function momentsOf(
  readings: readonly Reading[],
  span: Span,
  pick: (reading: Reading) => number | null | undefined,
): Moment[] {
  return readings.flatMap(reading => {
    const value = reading.at < span.from ? null : pick(reading);
    return value === null || value === undefined ? [] : [{ at: reading.at, value }];
  });
}

export function extentOf(moments: readonly Moment[]): Extent | null {
  const values = moments.map(({ value }) => value);
  return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
}

/** The same device in another reading. */
export function deviceIn(reading: Reading, uuid: string): DeviceReading | undefined {
  return reading.devices.find(device => device.uuid === uuid);
}

export interface Share {
  kind: 'own' | 'other' | 'rest';
  /** `null` for a process without a name, and for the rest. */
  name: string | null;
  /** `null` for several at once. */
  pid: number | null;
  /** How many processes it is. */
  count: number;
  bytes: number;
}

const NAMED = 4;

/** A device's memory by process: ours, the largest others, all that is smaller, and what belongs to no process. */
export function sharesOf({ used_bytes, processes }: DeviceReading): Share[] {
  const all = processes ?? [];
  const own = all.filter(process => process.is_own).map(process => shareOf(process, 'own'));
  const others = all.filter(process => !process.is_own).map(process => shareOf(process, 'other'));
  const [named, small] = [others.slice(0, NAMED), others.slice(NAMED)];
  const rest = (used_bytes ?? 0) - sum(all.map(process => process.held_bytes));
  return [
    ...own,
    ...named,
    ...(small.length > 0 ? [together(small)] : []),
    { kind: 'rest' as const, name: null, pid: null, count: 0, bytes: Math.max(0, rest) },
  ].filter(share => share.bytes > 0);
}

function shareOf({ name, pid, held_bytes }: ProcessMemory, kind: 'own' | 'other'): Share {
  return { kind, name, pid, count: 1, bytes: held_bytes };
}

function together(shares: readonly Share[]): Share {
  const bytes = sum(shares.map(share => share.bytes));
  return { kind: 'other', name: null, pid: null, count: shares.length, bytes };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
