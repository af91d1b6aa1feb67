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
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** What is taken off a device's memory before a step may use the rest, each part that there is. */
export function lessWords(limit: Limit): string {
  const margin = `a margin of ${formatBytes(limit.margin_bytes)}`;
  const process = limit.process_bytes ?? 0;
  return listed([
    `${formatBytes(limit.others_bytes)} that others hold`,
    ...(process > 0 ? [`${formatBytes(process)} that this process holds beside the step`] : []),
    ...(limit.fragmentation_bytes > 0
      ? [`${formatBytes(limit.fragmentation_bytes)} in pieces too small to use`]
      : []),
    margin,
  ]);
}

/** What was profiled, where, and how well. */
export function facts(report: Report, label: LabelOf): string[] {
  const { device, limit, step } = report;
  const free = Math.max(device.capacity_bytes - limit.others_bytes - (limit.process_bytes ?? 0), 0);
  const memory = `${formatBytes(free)} free of ${formatBytes(device.capacity_bytes)}`;
  const sizes = new Set(report.samples.map(sample => sample.batch_size)).size;
  const spread = medianSpread(report.samples);
  const measured = `${formatCount(sizes)} ${sizes === 1 ? 'size' : 'sizes'} measured`;
  return [
    step.model,
    `${device.name}, ${memory}`,
    `step captured from cell ${label(step)}, line ${step.line}`,
    spread === null ? measured : `${measured}, spread ${formatPercent(spread)}`,
  ];
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

/** Which cells an edit runs, and which it leaves, in parts for one line. */
export function planWords(
  site: Site,
  plan: Plan | null,
  label: LabelOf,
  now: number,
  release: Release = 'light',
): string[] {
  const place = `cell ${label(site)}, line ${site.line}`;
  if (release === 'edit') {
    return [place, `changes the text alone: the kernel keeps ${now} until you run the cell`];
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
    return `then runs ${listed([label(site), ...others])}`;
  }
  const then = others.length === 0 ? '' : `, then ${listed(others)}`;
  const what = site.statement === '' ? 'nothing of this cell' : 'only this statement';
  return `runs ${what}, because ${plan.site_heavy}${then}`;
}

function keepWords(cells: string[], now: number): string[] {
  const [keeps, until] = cells.length === 1 ? ['keeps', 'it'] : ['keep', 'them'];
  return cells.length === 0 ? [] : [`${listed(cells)} ${keeps} ${now} until you run ${until}`];
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
      sentence: `${several ? 'Cells' : 'Cell'} ${listed(names)} still ${several ? 'use' : 'uses'} ${size}.`,
      button: `Run ${names.join(', ')}`,
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
  return `predicted ${formatThroughput(predicted)}, measured ${formatThroughput(measured)} (${off} off)`;
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
  const step = `${formatMilliseconds(stepSeconds)} a step`;
  const samples = report.step.dataset_size;
  if (samples === null) {
    return [step];
  }
  const steps = Math.ceil(samples / size);
  const whole = samples % size === 0 ? 'whole ' : '';
  const epoch = `${formatCount(steps)} ${whole}${steps === 1 ? 'step' : 'steps'}`;
  return [step, `${epoch}, ${formatDuration(steps * stepSeconds)} an epoch`];
}

/** What sets the sizes' upper end, and whether memory does. */
export function rangeWords(report: Report): string {
  const { range, limit, max_batch_size: largestThatFits } = report;
  const upTo = `Sizes up to ${formatCount(range.largest)}: ${range.reason}.`;
  if (report.curves.peak_bytes_knots.length === 0) {
    return `${upTo} Memory could not be measured here.`;
  }
  const usable = `${limit.budget ? 'your budget of ' : ''}${formatBytes(limit.limit_bytes)}`;
  if (largestThatFits === range.largest) {
    return `Sizes up to ${formatCount(range.largest)}, the largest that fits in ${usable}.`;
  }
  return largestThatFits === null || largestThatFits > range.largest
    ? `${upTo} Every size here fits in ${usable}.`
    : `${upTo} ${formatCount(largestThatFits)} is the largest that fits in ${usable}.`;
}

export interface LiteralLine {
  before: string;
  after: string;
}

const COMMENT = /\s*#[^'"]*$/;
const LONGEST_BEFORE = 28;
const LONGEST_AFTER = 14;

/** The line that holds the literal, without its indent and comment, shortened around the literal. */
export function literalLine(site: Site): LiteralLine {
  const source = site.cell_source;
  const lineEnd = source.indexOf('\n', site.end);
  const before = source.slice(source.lastIndexOf('\n', site.start - 1) + 1, site.start).trimStart();
  const rest = source.slice(site.end, lineEnd === -1 ? undefined : lineEnd);
  const after = rest.replace(COMMENT, '').trimEnd();
  return {
    before: before.length > LONGEST_BEFORE ? `…${before.slice(-LONGEST_BEFORE)}` : before,
    after: after.length > LONGEST_AFTER ? `${after.slice(0, LONGEST_AFTER)}…` : after,
  };
}
