/** The sentences around the numbers. */

import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMilliseconds,
  formatMultiple,
  formatPercent,
  formatThroughput,
} from '../report/format';
import { previewOf, type Bound } from '../report/preview';
import { peakAt } from '../report/values';
import type { Check, Limit, Plan, Report, Sample, Site } from '../report/wire.generated';
import type { Release } from './host';
import { trans } from './translate';

export interface CellReference {
  cell_id: string | null;
  execution_count: number;
}

/** The prompt under which people know a cell, such as `[7]`. */
export type LabelOf = (cell: CellReference) => string;

export function labelsFrom(labels: Readonly<Record<string, string>>): LabelOf {
  return cell =>
    (cell.cell_id === null ? undefined : labels[cell.cell_id]) ?? `[${cell.execution_count}]`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : trans.__('%1 and %2', words.slice(0, -1).join(', '), last);
}

/** What is taken off a device's memory before a step may use the rest, each part that there is. */
export function lessWords(limit: Limit): string {
  const margin = trans.__('a margin of %1', formatBytes(limit.margin_bytes));
  const process = limit.process_bytes ?? 0;
  return listed([
    trans.__('%1 that others hold', formatBytes(limit.others_bytes)),
    ...(process > 0
      ? [trans.__('%1 that this process holds beside the step', formatBytes(process))]
      : []),
    ...(limit.fragmentation_bytes > 0
      ? [trans.__('%1 in pieces too small to use', formatBytes(limit.fragmentation_bytes))]
      : []),
    margin,
  ]);
}

/** What was profiled, where, and how well. */
export function facts(report: Report, label: LabelOf): string[] {
  const { device, step } = report;
  const capacity = formatBytes(device.capacity_bytes);
  const memory = trans.__('%1 free of %2', formatBytes(freeBytes(report)), capacity);
  const sizes = new Set(report.samples.map(sample => sample.batch_size)).size;
  const spread = medianSpread(report.samples);
  const measured = trans._n('%1 size measured', '%1 sizes measured', sizes);
  return [
    step.model,
    `${device.name}, ${memory}`,
    trans.__('step captured from cell %1, line %2', label(step), step.line),
    spread === null ? measured : trans.__('%1, spread %2', measured, formatPercent(spread)),
  ];
}

/** What nobody else holds on the device. */
function freeBytes({ device, limit }: Report): number {
  return Math.max(device.capacity_bytes - limit.others_bytes - (limit.process_bytes ?? 0), 0);
}

/** The middle of the samples' interquartile ranges, each as a share of its step time. */
function medianSpread(samples: readonly Sample[]): number | null {
  const spreads = samples.flatMap(sample => spreadOf(sample) ?? []).sort((a, b) => a - b);
  const middle = spreads.length / 2;
  const upper = spreads[Math.floor(middle)];
  const lower = spreads[Math.ceil(middle) - 1];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}

export function spreadOf(sample: Sample): number | null {
  return sample.step_seconds_spread === null
    ? null
    : sample.step_seconds_spread / sample.step_seconds;
}

/** Where the literal stands. */
export function placeWords(site: Site, label: LabelOf): string {
  return trans.__('cell %1, line %2', label(site), site.line);
}

/** Which cells an edit runs, and which it leaves, in parts for one line. */
export function planWords(
  site: Site,
  plan: Plan | null,
  label: LabelOf,
  now: number,
  release: Release = 'light',
): string[] {
  const place = placeWords(site, label);
  if (release === 'edit') {
    return [
      place,
      trans.__('changes the text alone: the kernel keeps %1 until you run the cell', now),
    ];
  }
  if (plan === null) {
    return [place];
  }
  const isOwn = (cell: CellReference): boolean =>
    cell.cell_id !== null && cell.cell_id === site.cell_id;
  const runs = [...plan.light, ...(release === 'all' ? plan.heavy : [])].map(label);
  const keep = release === 'all' ? [] : plan.heavy.filter(cell => !isOwn(cell)).map(label);
  return [place, runsWords(site, plan, label, runs), ...keepWords(keep, now)];
}

function runsWords(site: Site, plan: Plan, label: LabelOf, others: string[]): string {
  if (plan.site_heavy === '') {
    return trans.__('then runs %1', listed([label(site), ...others]));
  }
  const runs =
    site.statement === ''
      ? trans.__('runs nothing of this cell, because %1', plan.site_heavy)
      : trans.__('runs only this statement, because %1', plan.site_heavy);
  return others.length === 0 ? runs : trans.__('%1, then %2', runs, listed(others));
}

function keepWords(cells: string[], now: number): string[] {
  if (cells.length === 0) {
    return [];
  }
  const several = trans.__('%1 keep %2 until you run them', listed(cells), now);
  return [
    cells.length > 1 ? several : trans.__('%1 keeps %2 until you run it', listed(cells), now),
  ];
}

export interface StaleGroup {
  sentence: string;
  button: string;
  cellIds: string[];
}

/** The cells that still use another size, one group a size. */
export function staleGroups(plan: Plan | null, label: LabelOf): StaleGroup[] {
  const stale = plan?.stale ?? [];
  const sizes = [...new Set(stale.map(cell => cell.batch_size))];
  return sizes.map(size => {
    const cells = stale.filter(cell => cell.batch_size === size);
    const names = cells.map(label);
    const several = cells.length > 1;
    return {
      sentence: several
        ? trans.__('Cells %1 still use %2.', listed(names), size)
        : trans.__('Cell %1 still uses %2.', listed(names), size),
      button: trans.__('Run %1', names.join(', ')),
      cellIds: cells.flatMap(cell => cell.cell_id ?? []),
    };
  });
}

/** A prediction that is off by more than this share is not called good. */
const CLOSE = 0.1;

/** `predicted 2,931/s, measured 2,890/s (1.4 % off)`. */
export function checkWords(check: Check): string {
  const predicted = check.batch_size / check.predicted_step_seconds;
  const measured = check.batch_size / check.measured_step_seconds;
  const off = formatPercent(shareOff(check));
  return trans.__(
    'predicted %1, measured %2 (%3 off)',
    formatThroughput(predicted),
    formatThroughput(measured),
    off,
  );
}

export function isClose(check: Check): boolean {
  return shareOff(check) <= CLOSE;
}

function shareOff(check: Check): number {
  return Math.abs(check.measured_step_seconds / check.predicted_step_seconds - 1);
}

const BOUNDS: Readonly<Record<Exclude<Bound, null>, () => string>> = {
  data: () => trans.__('data-bound'),
  compute: () => trans.__('compute-bound'),
  'partly overhead': () => trans.__('partly overhead-bound'),
  overhead: () => trans.__('overhead-bound'),
};

/** The verdict on a size that is only looked at, or nothing where the notebook has it already. */
export function previewWords(report: Report, size: number): string {
  const preview = size === report.batch_size ? null : previewOf(report, size);
  if (preview === null) {
    return '';
  }
  const { bound, gain, fits } = preview;
  const at = trans.__('At %1:', formatCount(size));
  if (fits === false) {
    const limit = formatBytes(report.limit.limit_bytes);
    return trans.__('%1 over the memory limit of %2.', at, limit);
  }
  const throughput = trans.__(
    '%1 the throughput of %2',
    formatMultiple(gain),
    formatCount(report.batch_size),
  );
  const parts = [...(bound === null ? [] : [BOUNDS[bound]()]), throughput];
  return `${at} ${parts.join(', ')}${fits === true ? trans.__(', and it fits') : ''}.`;
}

/** What the size means for an epoch, in parts; nothing where the data set's size is unknown. */
export function stepWords(report: Report, size: number, stepSeconds: number): string[] {
  const step = trans.__('%1 a step', formatMilliseconds(stepSeconds));
  const samples = report.step.dataset_size;
  if (samples === null) {
    return [step];
  }
  const steps = Math.ceil(samples / size);
  const [count, whole] = [formatCount(steps), samples % size === 0];
  const epoch = whole
    ? trans._n('%2 whole step', '%2 whole steps', steps, count)
    : trans._n('%2 step', '%2 steps', steps, count);
  return [step, trans.__('%1, %2 an epoch', epoch, formatDuration(steps * stepSeconds))];
}

/** Why no step was timed. */
export function notRunWords(report: Report): string {
  const needs = formatBytes(peakAt(report, report.batch_size) ?? 0);
  const usable = formatBytes(report.limit.limit_bytes);
  const free = formatBytes(freeBytes(report));
  return report.limit.budget
    ? trans.__('not run: needs %1, the budget is %2 and %3 is free', needs, usable, free)
    : trans.__('not run: needs %1, %2 is free', needs, free);
}

/** What sets the sizes' upper end, and whether memory does. */
export function rangeWords(report: Report): string {
  const { range, limit, max_batch_size: largestThatFits } = report;
  const upTo = trans.__('Sizes up to %1: %2.', formatCount(range.largest), range.reason);
  if (report.curves.peak_bytes_knots.length === 0) {
    return `${upTo} ${trans.__('Memory could not be measured here.')}`;
  }
  const bytes = formatBytes(limit.limit_bytes);
  const usable = limit.budget ? trans.__('your budget of %1', bytes) : bytes;
  if (largestThatFits === 0) {
    return `${upTo} ${trans.__('No size fits in %1.', usable)}`;
  }
  if (largestThatFits === range.largest) {
    const largest = formatCount(range.largest);
    return trans.__('Sizes up to %1, the largest that fits in %2.', largest, usable);
  }
  return largestThatFits === null || largestThatFits > range.largest
    ? `${upTo} ${trans.__('Every size here fits in %1.', usable)}`
    : `${upTo} ${trans.__('%1 is the largest that fits in %2.', formatCount(largestThatFits), usable)}`;
}

export interface LiteralLine {
  before: string;
  after: string;
}

/** What stands before a comment; a `#` in a string begins none. */
const CODE = /^(?:[^#'"]|'[^']*'|"[^"]*"|['"])*/;
const LONGEST_BEFORE = 28;
const LONGEST_AFTER = 14;

/** The line that holds the literal, without its indent and comment, shortened around the literal. */
export function literalLine(site: Site): LiteralLine {
  const source = site.cell_source;
  const lineEnd = source.indexOf('\n', site.end);
  const before = source.slice(source.lastIndexOf('\n', site.start - 1) + 1, site.start).trimStart();
  const rest = source.slice(site.end, lineEnd === -1 ? undefined : lineEnd);
  const after = (CODE.exec(rest)?.[0] ?? rest).trimEnd();
  return {
    before: before.length > LONGEST_BEFORE ? `…${before.slice(-LONGEST_BEFORE)}` : before,
    after: after.length > LONGEST_AFTER ? `${after.slice(0, LONGEST_AFTER)}…` : after,
  };
}
