import { describe, expect, it } from 'vitest';
import { sizeForValue, sizesWorthTaking } from '../../labextension/src/report/inverse';

const range = { smallest: 4, largest: 100, also: [], even: [] };
const bytes = (size: number): number => 1000 + 10 * size;

describe('the sizes worth taking', () => {
  it('go from one end of the range to the other', () => {
    expect(sizesWorthTaking({ smallest: 3, largest: 20, also: [5], even: [] })).toEqual([
      3, 4, 5, 8, 16, 20,
    ]);
  });

  it('are one where there is no choice', () => {
    expect(sizesWorthTaking({ smallest: 32, largest: 32, also: [], even: [] })).toEqual([32]);
  });
});

describe('the size for a value', () => {
  it('is the worthwhile one that comes nearest', () => {
    expect(sizeForValue(range, bytes, 1000 + 10 * 33, false)).toBe(32);
  });

  it('is any whole number where it is free', () => {
    expect(sizeForValue(range, bytes, 1000 + 10 * 33, true)).toBe(33);
  });

  it('stays within the range', () => {
    expect(sizeForValue(range, bytes, 0, true)).toBe(4);
    expect(sizeForValue(range, bytes, 1e9, true)).toBe(100);
  });

  it('is the smallest of those that give the same', () => {
    expect(sizeForValue(range, size => Math.min(size, 64), 500, false)).toBe(64);
  });
});
