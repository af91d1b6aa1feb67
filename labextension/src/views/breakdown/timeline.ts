/** Live bytes over the step as stacked areas: pure arithmetic from columns to paths. */

import { CATEGORIES } from '../../report/categories';
import type { Timeline } from '../../report/wire.generated';

export interface Area {
  category: string;
  path: string;
}

/** From the bottom up. */
export const COLUMNS = CATEGORIES.map(({ key, name }) => ({
  name,
  column: `${key}_bytes` as const,
}));

/** All categories together, at each moment. */
export function totals(timeline: Timeline): number[] {
  return timeline.seconds.map((_, moment) =>
    COLUMNS.reduce((sum, { column }) => sum + (timeline[column][moment] ?? 0), 0),
  );
}

export interface Scales {
  x: (seconds: number) => number;
  y: (bytes: number) => number;
}

/** One closed path a category, in steps: memory is taken and given back at a moment. */
export function areas(timeline: Timeline, { x, y }: Scales): Area[] {
  let below: number[] = timeline.seconds.map(() => 0);
  return COLUMNS.map(({ name, column }) => {
    const base = below;
    const top = base.map((bytes, moment) => bytes + (timeline[column][moment] ?? 0));
    below = top;
    return { category: name, path: closed(timeline.seconds, base, top, { x, y }) };
  });
}

function closed(
  seconds: readonly number[],
  base: readonly number[],
  top: readonly number[],
  { x, y }: Scales,
): string {
  const moments = seconds.map((_, moment) => moment);
  const place = (value: number): string => value.toFixed(1);
  const there = moments.map((moment, index) => {
    const at = place(x(seconds[moment] ?? 0));
    const height = place(y(top[moment] ?? 0));
    return index === 0 ? `M${at},${height}` : `H${at}V${height}`;
  });
  const back = [...moments].reverse().map((moment, index) => {
    const at = place(x(seconds[moment] ?? 0));
    const height = place(y(base[moment] ?? 0));
    return index === 0 ? `V${height}` : `V${height}H${at}`;
  });
  return `${there.join('')}${back.join('')}Z`;
}
