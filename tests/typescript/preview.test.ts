import { describe, expect, it } from 'vitest';
import { previewOf } from '../../labextension/src/report/preview';
import type { Report, Sample } from '../../labextension/src/report/wire.generated';
import { previewWords } from '../../labextension/src/views/words';
import { report } from './profile-view';

/** Samples whose steps take as many seconds as they are told. */
function measured(seconds: Record<number, number>, compute = 1): Report {
  const [first] = report().samples;
  const samples = Object.entries(seconds).map(([size, step]): Sample => {
    if (!first) throw new Error('no sample');
    const batch_size = Number(size);
    const data_seconds = (1 - compute) * step;
    return {
      ...first,
      batch_size,
      step_seconds: step,
      compute_seconds: compute * step,
      data_seconds,
    };
  });
  const knots = samples.map(({ batch_size, step_seconds: value }) => ({
    batch_size,
    value,
    low: value,
    high: value,
  }));
  return report({ samples, curves: { ...report().curves, step_seconds_knots: knots } });
}

describe('what bounds a step at another size', () => {
  it.each([
    // Twice the batch takes twice, 1.5 times (2^0.58) and as much time.
    [{ 64: 1, 128: 2, 256: 4 }, 'compute'],
    [{ 64: 1, 128: 1.5, 256: 2.25 }, 'partly overhead'],
    [{ 64: 1, 128: 1, 256: 1 }, 'overhead'],
  ])('is read off its measured neighbours: %o', (seconds, bound) => {
    expect(previewOf(measured(seconds), 128)?.bound).toBe(bound);
    expect(previewOf(measured(seconds), 180)?.bound).toBe(bound);
  });

  it('is the data where its neighbours wait for theirs', () => {
    expect(previewOf(measured({ 64: 1, 128: 2, 256: 4 }, 0.4), 180)?.bound).toBe('data');
  });

  it('is not known from one size', () => {
    expect(previewOf(measured({ 64: 1 }), 64)?.bound).toBeNull();
  });
});

describe('the verdict on a size that is looked at', () => {
  const doubling = measured({ 64: 1, 128: 1.5, 256: 2.25 });

  it('says what bounds it, what it brings, and that it fits', () => {
    // 128 / 1.5 against 64 / 1.
    expect(previewWords(doubling, 128)).toBe(
      'At 128: partly overhead-bound, 1.33× the throughput of 64, and it fits.',
    );
  });

  it('says only that it does not fit where it does not', () => {
    expect(previewWords({ ...doubling, max_batch_size: 100 }, 128)).toBe(
      'At 128: over the memory limit of 6 GiB.',
    );
  });

  it('does not speak of memory where that is unknown', () => {
    expect(previewWords({ ...doubling, max_batch_size: null }, 128)).toBe(
      'At 128: partly overhead-bound, 1.33× the throughput of 64.',
    );
  });

  it('leaves the size of now to the verdict itself', () => {
    expect(previewWords(doubling, 64)).toBe('');
  });
});
