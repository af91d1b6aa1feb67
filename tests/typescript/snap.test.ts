import { describe, expect, it } from 'vitest';
import { clampSize, snapRange, snapSize, stepSize } from '../../labextension/src/report/snap';
import { report } from './profile-view';

const range = { smallest: 1, largest: 1437, also: [100], even: [] };

describe('the handle rests', () => {
  it.each([
    [1.2, 1],
    [2.9, 4],
    [9, 8],
    [13, 16],
    [20.4, 24],
    [62, 64],
    [66, 64],
    [70, 72],
    [188, 192],
    [700, 704],
    [1020, 1024],
    [1100, 1088],
  ])(
    '%d → %d: powers of two below 8, then multiples of 8, wider apart from 256 on',
    (raw, size) => {
      expect(snapSize(range, raw)).toBe(size);
    },
  );

  it('on a size that was named', () => {
    expect(snapSize(range, 99)).toBe(100);
  });

  it('on the ends of the range, and never beyond', () => {
    expect(snapSize(range, 1420)).toBe(1437);
    expect(snapSize(range, 9000)).toBe(1437);
    expect(snapSize({ smallest: 12, largest: 90, also: [], even: [] }, 2)).toBe(12);
  });
});

describe('sizes that go evenly into the data set', () => {
  // 1,000 = 2³ · 5³.
  const even = snapRange(report()).even.toSorted((a, b) => a - b);

  it('are those in the range that leave no smaller last batch', () => {
    expect(even).toEqual([8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500]);
  });

  it.each([
    [252, 250],
    [499, 500],
    [124, 125],
    [127, 128],
    [131, 128],
    [9.6, 10],
  ])('%d → %d: they count as much as powers of two and multiples of 8', (raw, size) => {
    expect(snapSize({ smallest: 8, largest: 512, also: [], even }, raw)).toBe(size);
  });

  it('are found by the arrow keys', () => {
    expect(stepSize({ smallest: 8, largest: 512, also: [], even }, 120, 1)).toBe(125);
  });
});

describe('an arrow key', () => {
  it.each([
    [64, 1, 72],
    [64, -1, 56],
    [8, -1, 4],
    [2, 1, 4],
    [1, -1, 1],
    [96, 1, 100],
    [100, 1, 104],
    [104, -1, 100],
    [256, 1, 272],
    [256, -1, 248],
    [1408, 1, 1437],
    [1437, 1, 1437],
  ] as const)('steps from %d by %d to %d', (from, direction, to) => {
    expect(stepSize(range, from, direction)).toBe(to);
  });
});

it('a free size is whole and within the range', () => {
  expect(clampSize(range, 66.4)).toBe(66);
  expect(clampSize(range, 0)).toBe(1);
  expect(clampSize(range, 1e6)).toBe(1437);
});
