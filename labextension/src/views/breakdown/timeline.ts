/** Live bytes over the step as stacked areas: pure arithmetic from columns to paths. */

import type { Timeline } from '../../report/wire.generated';

export interface Area {
  category: string;
  path: string;
}

type BytesColumn = Exclude<keyof Timeline, 'seconds' | 'peak' | 'largest'>;

/** From the bottom up: what stays longest lies lowest. */
export const CATEGORIES: readonly { name: string; column: BytesColumn }[] = [
  { name: 'weights', column: 'weights_bytes' },
  { name: 'optimizer state', column: 'optimizer_state_bytes' },
  { name: 'gradients', column: 'gradients_bytes' },
  { name: 'inputs', column: 'inputs_bytes' },
  { name: 'activations', column: 'activations_bytes' },
  { name: 'temporaries', column: 'temporaries_bytes' },
];

/** All categories together, at each moment. */
export function totals(timeline: Timeline): number[] {
  return timeline.seconds.map((_, moment) =>
    CATEGORIES.reduce((sum, { column }) => sum + (timeline[column][moment] ?? 0), 0),
  );
}

export interface Scales {
  x: (seconds: number) => number;
  y: (bytes: number) => number;
}

/** One closed path a category, in steps: memory is taken and given back at a moment. */
export function areas(timeline: Timeline, { x, y }: Scales): Area[] {
  let below: number[] = timeline.seconds.map(() => 0);
  return CATEGORIES.map(({ name, column }) => {
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
