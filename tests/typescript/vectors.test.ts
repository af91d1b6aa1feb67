/** The browser computes the same numbers and texts as the kernel does. */

import { describe, expect, it } from 'vitest';
import curveVectors from '../fixtures/curves.json';
import formatVectors from '../fixtures/formats.json';
import { peakBytes, stepSeconds, throughput } from '../../labextension/src/report/curves';
import * as format from '../../labextension/src/report/format';
import type { Curves } from '../../labextension/src/report/wire.generated';

describe('a curve', () => {
  const curves: Readonly<Record<string, Curves>> = curveVectors.curves;

  it.each(curveVectors.cases)('meets the vector: $why', vector => {
    const curve = curves[vector.curve];
    if (!curve) throw new Error(`no curve ${vector.curve}`);
    expect({
      step_seconds: stepSeconds(curve, vector.batch_size),
      throughput: throughput(curve, vector.batch_size),
      peak_bytes: peakBytes(curve, vector.batch_size),
    }).toEqual({
      step_seconds: vector.step_seconds,
      throughput: vector.throughput,
      peak_bytes: vector.peak_bytes,
    });
  });

  it('is unknown without knots', () => {
    const nothing = {
      step_seconds_knots: [],
      peak_bytes_knots: [],
      peak_bytes_source: 'unknown',
      peak_bytes_reason: null,
      peak_by_category: [],
    };
    expect(throughput(nothing, 64)).toBeNull();
  });
});

describe('a number', () => {
  const formats: Record<keyof typeof formatVectors, (value: number) => string> = {
    bytes: format.formatBytes,
    count: format.formatCount,
    duration: format.formatDuration,
    milliseconds: format.formatMilliseconds,
    multiple: format.formatMultiple,
    percent: format.formatPercent,
    throughput: format.formatThroughput,
  };
  const vectors = Object.entries(formatVectors).flatMap(([kind, pairs]) =>
    pairs.map(([value, text]) => ({ kind, value, text })),
  );

  it.each(vectors)('reads as in the kernel: $kind $value → $text', ({ kind, value, text }) => {
    expect(formats[kind as keyof typeof formats](Number(value))).toBe(text);
  });
});
