import { describe, expect, it } from 'vitest';
import { alignedAxes } from '../../labextension/src/views/chart/axes';
import { placeFlags, placeLabel, textWidth } from '../../labextension/src/views/chart/labels';
import { chartLayout } from '../../labextension/src/views/chart/layout';
import { memoryPaths, throughputPaths } from '../../labextension/src/views/chart/paths';
import { report } from './profile-view';

const NO_MEMORY = {
  ...report().curves,
  peak_bytes_knots: [],
  peak_bytes_source: 'unknown',
};

describe('two axes that share grid lines', () => {
  it('get the number of intervals that leaves the least empty', () => {
    // 4 intervals: 800 × 4 = 3200 of 3100, 6 × 4 = 24 of 23; 3 and 5 leave more.
    expect(alignedAxes(3100, 23)).toEqual({ intervals: 4, leftStep: 800, rightStep: 6 });
    // 3 intervals: 3 × 100 = 300 and 3 × 2 = 6, with nothing left empty.
    expect(alignedAxes(300, 6)).toEqual({ intervals: 3, leftStep: 100, rightStep: 2 });
  });

  it('have round steps below one, too', () => {
    expect(alignedAxes(0.37, null)).toEqual({ intervals: 4, leftStep: 0.1, rightStep: null });
  });
});

describe('the layout of the chart', () => {
  const layout = chartLayout(report(), 600, 288);

  it('shows every size on offer, with room for a handle at both ends', () => {
    expect(layout.domain[0]).toBeLessThan(8);
    expect(layout.domain[1]).toBeGreaterThan(512);
    expect(layout.x(8) - layout.frame.left).toBeGreaterThan(8);
    expect(layout.frame.right - layout.x(512)).toBeGreaterThan(8);
  });

  it('puts a doubling at the same distance everywhere, and reads it back', () => {
    expect(layout.x(32) - layout.x(16)).toBeCloseTo(layout.x(512) - layout.x(256), 6);
    expect(layout.x.invert(layout.x(192))).toBeCloseTo(192, 6);
  });

  it('labels powers of two, and fewer of them where it is narrow', () => {
    expect(layout.sizeTicks).toEqual([8, 16, 32, 64, 128, 256, 512]);
    expect(chartLayout(report(), 240, 236).sizeTicks).toEqual([8, 32, 128, 512]);
  });

  it('counts memory in the unit that people say', () => {
    // At the chart's right end, 604 × 2^0.35 = 770 samples, the peak would be over the limit of 6 GiB.
    expect(layout.memory).toMatchObject({ unit: 'GiB', unitSize: 1024 ** 3 });
    expect(layout.memory?.ticks).toHaveLength(layout.throughput.ticks.length);
  });

  it('shows where the limit begins if that is near, and not if it is far off', () => {
    expect(layout.limitSize).toBe(604);
    expect(layout.domain[1]).toBeGreaterThan(604);
    expect(chartLayout(report({ max_batch_size: 5000 }), 600, 288).limitSize).toBeNull();
    expect(chartLayout(report({ max_batch_size: null }), 600, 288).limitSize).toBeNull();
  });

  it('has one vertical axis where memory is unknown', () => {
    const bare = chartLayout(report({ curves: NO_MEMORY, max_batch_size: null }), 600, 288);
    expect(bare.memory).toBeNull();
    expect(bare.frame.right).toBeGreaterThan(layout.frame.right);
  });

  it('survives a single sample', () => {
    const [only] = report().samples;
    if (!only) throw new Error('no sample');
    const single = chartLayout(report({ samples: [only] }), 600, 288);
    expect(single.sizeTicks).not.toHaveLength(0);
  });
});

describe('a curve', () => {
  const layout = chartLayout(report(), 600, 288);

  it('is solid where it was measured and dashed beyond', () => {
    const { solid, dashed } = throughputPaths(report(), layout);
    const [, start] = /^M([\d.]+),/.exec(solid) ?? [];
    expect(Number(start)).toBeCloseTo(layout.x(16), 1);
    expect(dashed.match(/M/g)).toHaveLength(2);
  });

  it('of peak memory is solid everywhere when two traced steps gave it', () => {
    expect(memoryPaths(report(), layout)?.dashed).toBe('');
  });

  it('of peak memory is absent where memory is unknown', () => {
    const unknown = report({ curves: NO_MEMORY });
    expect(memoryPaths(unknown, chartLayout(unknown, 600, 288))).toBeNull();
  });
});

describe('the name of a curve', () => {
  const frame = { width: 400, height: 300, left: 0, right: 400, top: 0, bottom: 300 };
  const rising = Array.from({ length: 101 }, (_, index) => ({ x: index * 4, y: 280 - index * 2 }));

  it('stands above and to the left of a rising curve, near the share that was asked for', () => {
    const label = placeLabel('name', rising, 0.5, { frame, curves: [rising], uprights: [] });
    expect(label).toEqual({ x: 196, y: 172, anchor: 'end' });
  });

  it('keeps off an upright line if it can', () => {
    const uprights = [{ x: 190, cost: 400 }];
    const label = placeLabel('name', rising, 0.5, { frame, curves: [rising], uprights });
    const width = textWidth('name');
    const left = label ? label.x - { start: 0, middle: width / 2, end: width }[label.anchor] : 190;
    expect(left > 190 || left + width < 190).toBe(true);
  });

  it('is left out where every place is taken', () => {
    const full = Array.from({ length: 10_000 }, (_, index) => ({
      x: (index % 100) * 4,
      y: Math.floor(index / 100) * 3,
    }));
    expect(placeLabel('name', rising, 0.5, { frame, curves: [full], uprights: [] })).toBeNull();
  });
});

describe('flags above the plot', () => {
  const frame = { width: 400, height: 300, left: 40, right: 360, top: 20, bottom: 260 };

  it('stand over what they mean, inside the frame', () => {
    const placed = placeFlags([{ text: 'now 8', x: 40, tone: 'now' }], frame);
    expect(placed[0]?.centre).toBe(40 + textWidth('now 8') / 2);
  });

  it('make room for each other', () => {
    const [first, second] = placeFlags(
      [
        { text: 'now 64', x: 200, tone: 'now' },
        { text: 'up to 70 fits', x: 210, tone: 'limit' },
      ],
      frame,
    );
    if (!first || !second) throw new Error('a flag is missing');
    const apart = (textWidth(first.text) + textWidth(second.text)) / 2;
    expect(Math.abs(second.centre - first.centre)).toBeGreaterThanOrEqual(apart);
  });

  it('leave out the least important where there is no room', () => {
    const placed = placeFlags(
      [
        { text: 'now 64', x: 70, tone: 'now' },
        { text: 'up to 70 fits', x: 80, tone: 'limit' },
        { text: '1.5× at 68', x: 75, tone: 'advice' },
      ],
      { ...frame, right: 240 },
    );
    expect(placed.map(flag => flag.tone)).toEqual(['now', 'limit']);
  });
});
