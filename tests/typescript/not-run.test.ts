// @vitest-environment happy-dom

import { describe, expect, it } from 'vitest';
import { chartLayout } from '../../labextension/src/views/chart/layout';
import { memoryPaths, throughputPaths } from '../../labextension/src/views/chart/paths';
import { hasNumbers, offersSizes } from '../../labextension/src/report/values';
import { mountDashboard } from '../../labextension/src/views';
import { canMove, initialState } from '../../labextension/src/views/state';
import { notRunWords, rangeWords } from '../../labextension/src/views/words';
import { hostStandIn, peak, report, view } from './profile-view';

const MIB = 1024 ** 2;
const CURVES = { ...report().curves, step_seconds_knots: [] };
/** No size fits: one sample needs 110 MiB. */
const NOTHING = report({
  samples: [],
  curves: CURVES,
  max_batch_size: 0,
  limit: { ...report().limit, limit_bytes: 50 * MIB },
  range: { smallest: 1, largest: 64, reason: 'today’s size' },
});
/** The budget is for another machine: today's size fits in it, and no size could be run here. */
const ELSEWHERE = report({
  samples: [],
  curves: CURVES,
  limit: { ...report().limit, limit_bytes: 6144 * MIB, others_bytes: 8190 * MIB, budget: true },
});

describe('a profile for which no step could be run', () => {
  it('has the memory at every size to show and to choose from', () => {
    expect([hasNumbers(NOTHING), offersSizes(NOTHING)]).toEqual([true, true]);
    expect(canMove(initialState(view({ report: NOTHING })))).toBe(true);
  });

  it('says what today’s size needs, and what is free', () => {
    expect(notRunWords(NOTHING)).toBe('not run: needs 740 MiB, 7 GiB is free');
    expect(notRunWords(ELSEWHERE)).toBe(
      'not run: needs 740 MiB, the budget is 6 GiB and 2 MiB is free',
    );
  });

  it('says that no size fits', () => {
    expect(rangeWords(NOTHING)).toBe('Sizes up to 64: today’s size. No size fits in 50 MiB.');
  });

  it('draws all of the memory, and no throughput', () => {
    const layout = chartLayout(NOTHING, 600, 288);
    expect(layout.timed).toBe(false);
    expect(layout.memory?.scale(peak(64))).toBeGreaterThanOrEqual(layout.frame.top);
    expect(memoryPaths(NOTHING, layout)?.solid).toMatch(/^M/);
    expect(throughputPaths(NOTHING, layout)).toEqual({
      points: [],
      band: '',
      solid: '',
      dashed: '',
    });
  });

  it('is shown without a number that is none', () => {
    const root = document.createElement('div');
    const dashboard = mountDashboard(root, hostStandIn());
    dashboard.show(view({ report: NOTHING }));
    expect(root.textContent).toContain('not run: needs 740 MiB');
    expect(root.innerHTML).not.toMatch(/NaN|Infinity/);
    dashboard.dispose();
  });
});
