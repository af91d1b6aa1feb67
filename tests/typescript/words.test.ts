import { describe, expect, it } from 'vitest';
import {
  checkWords,
  isClose,
  facts,
  labelsFrom,
  lessWords,
  literalLine,
  planWords,
  rangeWords,
  staleGroups,
  stepWords,
} from '../../labextension/src/views/words';
import type { Plan, Site } from '../../labextension/src/report/wire.generated';
import { report, view } from './profile-view';

const label = labelsFrom({ loader: '[12]' });
const NOTHING: Plan = { site_heavy: '', light: [], heavy: [], stale: [] };

function siteOf(): Site {
  const { site } = report();
  if (!site) throw new Error('no site');
  return site;
}

function stale(id: string | null, count: number, size: number): Plan['stale'][number] {
  return { cell_id: id, execution_count: count, batch_size: size };
}

describe('what an edit leads to', () => {
  it('names cells by their present prompt, or by the one that the kernel saw', () => {
    expect(planWords(siteOf(), view().plan, label, 64)).toEqual([
      'cell [3], line 2',
      'then runs [3] and [12]',
      '[7] keeps 64 until you run it',
    ]);
  });

  it('says that only the statement runs where the cell is heavy', () => {
    const plan = { ...NOTHING, site_heavy: 'it reads 2 GB from disk' };
    expect(planWords(siteOf(), plan, label, 64)).toEqual([
      'cell [3], line 2',
      'runs only this statement, because it reads 2 GB from disk',
    ]);
  });

  it('does not say of the cell itself that it keeps the old size', () => {
    const own = { cell_id: 'settings', execution_count: 3, source: '', reason: 'it trains' };
    const plan = { ...NOTHING, site_heavy: 'it trains', heavy: [own] };
    expect(planWords(siteOf(), plan, label, 64)).toHaveLength(2);
  });
});

it('stale cells are grouped by the size that they use', () => {
  const plan = { ...NOTHING, stale: [stale('a', 5, 64), stale('b', 9, 64), stale(null, 11, 32)] };
  expect(staleGroups(plan, label)).toEqual([
    { sentence: 'Cells [5] and [9] still use 64.', button: 'Run [5], [9]', cellIds: ['a', 'b'] },
    { sentence: 'Cell [11] still uses 32.', button: 'Run [11]', cellIds: [] },
  ]);
});

it('a check compares throughput', () => {
  // 128 / 0.064 = 2,000 and 128 / 0.08 = 1,600: off by 400 of 1,600.
  const check = { batch_size: 128, predicted_step_seconds: 0.064, measured_step_seconds: 0.08 };
  expect(checkWords(check)).toBe('predicted 2,000/s, measured 1,600/s (25 % off)');
  expect(isClose(check)).toBe(false);
  expect(isClose({ ...check, measured_step_seconds: 1.05 * check.predicted_step_seconds })).toBe(
    true,
  );
});

it('the facts say what was profiled, where, and how well', () => {
  expect(facts(report(), label)).toEqual([
    'net (Net)',
    'a CPU, 7 GiB free of 8 GiB',
    'step captured from cell [7], line 4',
    '5 sizes measured, spread 2 %',
  ]);
});

it('a limit names each part that is taken off it', () => {
  const { limit } = report();
  expect(lessWords(limit)).toBe('1 GiB that others hold and a margin of 1 GiB');
  const parts = { process_bytes: 3 * 1024 ** 2, fragmentation_bytes: 2 * 1024 ** 2 };
  expect(lessWords({ ...limit, ...parts })).toBe(
    '1 GiB that others hold, 3 MiB that this process holds beside the step,' +
      ' 2 MiB in pieces too small to use and a margin of 1 GiB',
  );
});

it('an epoch has whole steps', () => {
  // 1,000 / 64 = 15.6 → 16 steps of 16.4 ms.
  expect(stepWords(report(), 64, 0.0164)).toEqual(['16.4 ms a step', '16 steps, 262 ms an epoch']);
});

describe('the range says what ends it', () => {
  it('when every size fits', () => {
    expect(rangeWords(report())).toBe(
      'Sizes up to 512: eight times today’s size. Every size here fits in 6 GiB.',
    );
  });

  it('when memory ends it', () => {
    expect(rangeWords(report({ max_batch_size: 512 }))).toBe(
      'Sizes up to 512, the largest that fits in 6 GiB.',
    );
  });

  it('when some sizes on offer do not fit', () => {
    const limit = { ...report().limit, budget: true };
    expect(rangeWords(report({ max_batch_size: 300, limit }))).toBe(
      'Sizes up to 512: eight times today’s size. 300 is the largest that fits in your budget of 6 GiB.',
    );
  });
});

describe('the line with the literal', () => {
  function siteIn(source: string): Site {
    const start = source.indexOf('64');
    return { ...siteOf(), cell_source: source, start, end: start + 2 };
  }

  it('is cut out of its cell without indent and comment', () => {
    expect(literalLine(siteIn('if x:\n    size = 64  # ok\nmore()'))).toEqual({
      before: 'size = ',
      after: '',
    });
  });

  it('leaves a comment out that has quotes in it, but no string that has a hash in it', () => {
    const after = (source: string): string => literalLine(siteIn(source)).after;
    expect(after("size = 64  # a person's choice")).toBe('');
    expect(after("f(64, '#')  # so")).toBe(", '#')");
  });

  it('is shortened around the literal', () => {
    const source =
      'train_loader = DataLoader(train_set, batch_size=64, shuffle=True, num_workers=4)';
    expect(literalLine(siteIn(source))).toEqual({
      before: '…oader(train_set, batch_size=',
      after: ', shuffle=True…',
    });
  });
});
