import { describe, expect, it } from 'vitest';
import { clampSize, snapSize, stepSize } from '../../labextension/src/report/snap';

const range = { smallest: 1, largest: 1437, also: [100] };

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
    expect(snapSize({ smallest: 12, largest: 90, also: [] }, 2)).toBe(12);
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
