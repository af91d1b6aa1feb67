// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import breakdown from '../fixtures/breakdown.json';
import {
  signedBytes,
  signedMilliseconds,
  signedRatio,
} from '../../labextension/src/report/changes';
import { costOf, treeOf } from '../../labextension/src/report/tree';
import type {
  Breakdown,
  HistoryEntry,
  NodesBefore,
  Pinned,
  View,
} from '../../labextension/src/report/wire.generated';
import { mountDashboard, type MountedDashboard } from '../../labextension/src/views';
import { changeWords, differenceOf } from '../../labextension/src/views/breakdown/changes';
import { linesOf } from '../../labextension/src/views/breakdown/table';
import { chartLayout } from '../../labextension/src/views/chart/layout';
import {
  commonWords,
  peakChange,
  throughputChange,
  timeOf,
} from '../../labextension/src/views/history/words';
import { drawn } from './drawn';
import { hostStandIn, report, view, type HostStandIn } from './profile-view';

const MIB = 1024 ** 2;
const real: Breakdown = breakdown;

/** A throughput that is known to a hundredth. */
function about(value: number): { value: number; low: number; high: number } {
  return { value, low: 0.99 * value, high: 1.01 * value };
}

function entry(changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id: 'r1-64',
    created: '2026-01-01T14:02:00Z',
    model: 'net (Net)',
    device: 'a CPU',
    batch_size: 64,
    throughput: about(4000),
    peak_bytes: 740 * MIB,
    ...changes,
  };
}

const OLD = entry({ id: 'r0-32', batch_size: 32, throughput: about(2000), peak_bytes: 370 * MIB });

function pinned(changes: Partial<Pinned> = {}): Pinned {
  return {
    entry: OLD,
    curves: report().curves,
    common: {
      before_batch_size: 64,
      after_batch_size: 64,
      throughput: { before: about(2000), after: about(2300) },
      peak_bytes: { before: about(370 * MIB), after: about(370 * MIB) },
    },
    nodes: null,
    cells: [
      {
        cell_id: 'model',
        before_count: 3,
        after_count: 8,
        lines: ['-width = 8', '+width = 16', ' net'],
      },
      {
        cell_id: 'gone',
        before_count: 4,
        after_count: null,
        lines: ['-old = 1', '@', '-older = 2'],
      },
    ],
    ...changes,
  };
}

/** Every node took `seconds` and nothing was held, but for those that are `fresh`. */
function nodesBefore(seconds: number, fresh: readonly number[] = []): NodesBefore {
  const column = real.nodes.parent.map((_, index) => (fresh.includes(index) ? null : seconds));
  return {
    batch_size: real.batch_size,
    seconds: column,
    size_bytes: column.map(value => (value === null ? null : 0)),
    gone: [{ path: 'net.head', seconds: 0.002, size_bytes: 3 * MIB }],
  };
}

describe('a difference', () => {
  it('has a mark, a sign and a unit', () => {
    expect([signedRatio(1.152), signedRatio(0.5), signedRatio(21.4), signedRatio(1.0001)]).toEqual([
      '▲\u00a0+15\u00a0%',
      '▼\u00a0−50\u00a0%',
      '▲\u00a021×',
      '',
    ]);
    expect(signedMilliseconds(-0.0012)).toBe('▼\u00a0−1.20\u00a0ms');
    expect(signedBytes(3 * MIB)).toBe('▲\u00a0+3\u00a0MiB');
  });

  it('of throughputs whose bands overlap is none', () => {
    expect(throughputChange(OLD, entry({ throughput: about(2039) }))).toBe('≈ same');
    expect(throughputChange(OLD, entry({ throughput: about(2060) }))).toBe('▲\u00a0+3\u00a0%');
  });

  it('of peaks needs both', () => {
    expect(peakChange(OLD, entry())).toBe('▲\u00a0+100\u00a0%');
    expect(peakChange(OLD, OLD)).toBe('= same');
    expect(peakChange(OLD, entry({ peak_bytes: null }))).toBe('');
  });

  it('at one size is told in a sentence', () => {
    const common = pinned().common;
    if (common === null) throw new Error('there is one');
    expect(commonWords(common)).toBe(
      'At batch size 64: throughput 2,000/s → 2,300/s (▲\u00a0+15\u00a0%); peak memory 370 MiB, as before.',
    );
    const alike = { before: about(2000), after: about(2010) };
    expect(commonWords({ ...common, throughput: alike, peak_bytes: null })).toBe(
      'At batch size 64: throughput 2,000/s → 2,010/s (no difference within the noise).',
    );
  });
});

describe('the time of a profile', () => {
  it('has the day only where it is another one', () => {
    const sameDay = new Date(entry().created);
    expect(timeOf(entry(), sameDay)).toMatch(/^\d\d:\d\d$/);
    expect(timeOf(entry(), new Date('2026-01-03T12:00:00Z'))).toMatch(/^\D+ \d+ \d\d:\d\d$/);
  });
});

describe('the nodes of the breakdown', () => {
  it('of a row differ in sum, new ones included', () => {
    const before = nodesBefore(0, [1]);
    const now = costOf(real, [1]);
    expect(differenceOf(real, before, [1], 'time')).toBeNull();
    expect(differenceOf(real, nodesBefore(0), [1], 'time')).toBeCloseTo(
      now.forwardSeconds + now.backwardSeconds,
      12,
    );
  });

  it('are new, or say by how much they changed, or nothing where that is slight', () => {
    expect(changeWords(null, 'time', 1)).toBe('new');
    expect(changeWords(0.001, 'time', 1)).toBe('');
    expect(changeWords(0.006, 'time', 1)).toBe('▲\u00a0+6.00\u00a0ms');
    expect(changeWords(0, 'memory', 1)).toBe('');
    expect(changeWords(-2 * MIB, 'memory', 1)).toBe('▼\u00a0−2\u00a0MiB');
  });

  it('are put in the order of their change', () => {
    const tree = treeOf(real);
    const state = { open: new Set<string>(), unfolded: new Set<string>(), search: '' };
    const step = { label: '', nodes: [0] };
    const change = linesOf(tree, step, 'time', { ...state, order: 'change' }, nodesBefore(0));
    const amount = linesOf(tree, step, 'time', { ...state, order: 'amount' });
    expect(change.map(({ key }) => key)).toEqual(amount.map(({ key }) => key));
    const unpinned = linesOf(tree, step, 'time', { ...state, order: 'change' });
    expect(unpinned.map(({ key }) => key)).toEqual(
      linesOf(tree, step, 'time', { ...state, order: 'tree' }).map(({ key }) => key),
    );
  });
});

it('the chart has room for a pinned curve that is higher', () => {
  const { curves } = report();
  const faster = {
    ...curves,
    step_seconds_knots: curves.step_seconds_knots.map(knot => ({
      batch_size: knot.batch_size,
      value: knot.value / 3,
      low: knot.low / 3,
      high: knot.high / 3,
    })),
  };
  const top = (pin: typeof curves | null): number =>
    chartLayout(report(), 600, 300, pin).throughput.ticks.at(-1) ?? 0;
  expect(top(faster)).toBeGreaterThan(2 * top(null));
});

describe('the history', () => {
  let element: HTMLElement;
  let host: HostStandIn;
  let dashboard: MountedDashboard;

  beforeEach(() => {
    element = document.body.appendChild(document.createElement('div'));
    host = hostStandIn({ model: '[8]' });
    dashboard = mountDashboard(element, host, { compact: true });
  });

  afterEach(() => {
    dashboard.dispose();
    element.remove();
  });

  async function show(changes: Partial<View>): Promise<void> {
    dashboard.show(view(changes));
    await drawn();
  }

  function pins(): HTMLButtonElement[] {
    return [...element.querySelectorAll<HTMLButtonElement>('.skyline-history-table button')];
  }

  function texts(selector: string): string[] {
    return [...element.querySelectorAll(selector)].map(each => each.textContent);
  }

  it('is not there before there is a profile', async () => {
    await show({});
    expect(element.querySelector('.skyline-history')).toBeNull();
  });

  it('lists the profiles and marks the one that is shown', async () => {
    await show({ history: [entry(), OLD] });
    expect(texts('.skyline-history-table tbody td:nth-child(3)')).toEqual(['4,000/s', '2,000/s']);
    expect(element.querySelectorAll('[aria-current]').length).toBe(1);
    expect(texts('[aria-current] td:nth-child(2)')).toEqual(['64']);
    expect(texts('.skyline-history-table small')).toEqual([]);
  });

  it('names the models where there are several', async () => {
    await show({ history: [entry({ model: 'deep (Net)' }), OLD] });
    expect(texts('.skyline-history-table small')).toEqual(['deep (Net)', 'net (Net)']);
  });

  it('pins an entry, shows that at once, and takes it back', async () => {
    await show({ history: [entry(), OLD] });
    pins()[1]?.click();
    await drawn();
    expect(host.pinned).toEqual(['r0-32']);
    expect(pins().map(pin => [pin.textContent, pin.getAttribute('aria-pressed')])).toEqual([
      ['Pin', 'false'],
      ['Pinned', 'true'],
    ]);
    await show({ history: [entry(), OLD], pinned: pinned() });
    pins()[1]?.click();
    expect(host.pinned).toEqual(['r0-32', null]);
  });

  it('pins nothing while something is measured', async () => {
    await show({ history: [entry(), OLD], status: 'measuring', progress: 0.5 });
    expect(pins().map(pin => pin.disabled)).toEqual([true, true]);
  });

  it('says in each row what became of the pinned one', async () => {
    await show({ history: [entry(), OLD], pinned: pinned() });
    expect(texts('.skyline-history-table small')).toEqual([
      '▲\u00a0+100\u00a0%',
      '▲\u00a0+100\u00a0%',
    ]);
  });

  it('shows what changed in the code, each line behind its sign', async () => {
    await show({ history: [entry(), OLD], pinned: pinned() });
    expect(texts('.skyline-diff h4')).toEqual(['Cell [8], then [3]', 'Cell [4], no longer used']);
    expect(texts('.skyline-diff del')).toEqual(['-width = 8\n', '-old = 1\n', '-older = 2\n']);
    expect(texts('.skyline-diff ins')).toEqual(['+width = 16\n']);
  });

  it('says so where the code is the same, and nothing where it is not known', async () => {
    const cells = [{ cell_id: 'model', execution_count: 8, source: 'net' }];
    const same = { history: [entry(), OLD], pinned: pinned({ cells: [] }) };
    await show({ ...same, report: report({ cells }) });
    expect(element.textContent).toContain('The code behind both profiles is the same.');
    await show({ ...same, report: report() });
    expect(element.textContent).not.toContain('The code behind both profiles is the same.');
  });

  it('draws the pinned curves with a legend, and none for another size of one profile', async () => {
    await show({ history: [entry(), OLD], pinned: pinned() });
    expect(element.querySelectorAll('path.skyline-pinned-curve').length).toBe(2);
    expect(texts('.skyline-pinned-key')[0]).toContain('batch size 32');
    await show({ history: [entry(), OLD], pinned: pinned({ curves: null }) });
    expect(element.querySelectorAll('path.skyline-pinned-curve').length).toBe(0);
  });

  it('adds a column to the breakdown, which may set the order', async () => {
    const nodes = nodesBefore(0);
    await show({
      history: [entry(), OLD],
      report: report({ breakdown: real }),
      pinned: pinned({ nodes: { ...nodes, batch_size: 32 } }),
    });
    expect(element.querySelectorAll('.skyline-change-cell').length).toBeGreaterThan(0);
    expect(texts('.skyline-tree > .skyline-quiet')).toEqual([
      `The pinned profile was traced at batch size 32, this one at ${real.batch_size}.`,
      'No longer there: net.head (2.00 ms, 3 MiB).',
    ]);
    element.querySelector<HTMLButtonElement>('.skyline-sort')?.click();
    await drawn();
    expect(element.querySelector('[aria-sort]')?.getAttribute('aria-sort')).toBe('descending');
  });

  it('leaves the column out while the comparison is one with another breakdown', async () => {
    const nodes = { ...nodesBefore(0), seconds: [1], size_bytes: [1] };
    await show({
      history: [entry(), OLD],
      report: report({ breakdown: real }),
      pinned: pinned({ nodes }),
    });
    expect(element.querySelectorAll('.skyline-change-cell').length).toBe(0);
  });
});
