/** What differs between two figures: words with a sign and a mark, so that nothing is said by colour alone. */

import { formatBytes, formatMilliseconds, formatMultiple, formatPercent } from './format';
import type { Estimate } from './wire.generated';

/** Whether the bands overlap, so that the two cannot be told apart. */
export function withinNoise(before: Estimate, after: Estimate): boolean {
  return before.low <= after.high && after.low <= before.high;
}

/** From here on a multiple says more than a percentage. */
const MANY = 10;

/** A quotient: `1.152` → `▲ +15 %`, `21.4` → `▲ 21×`; an empty text for what rounds to nothing. */
export function signedRatio(ratio: number): string {
  if (ratio >= MANY) {
    return `▲\u00a0${formatMultiple(ratio)}`;
  }
  const percent = formatPercent(Math.abs(ratio - 1));
  return percent === '0 %' ? '' : signed(ratio - 1, percent);
}

/** `▲ +1.20 ms`. */
export function signedMilliseconds(seconds: number): string {
  return signed(seconds, formatMilliseconds(Math.abs(seconds)));
}

/** `▼ −3.0 MiB`. */
export function signedBytes(bytes: number): string {
  return signed(bytes, formatBytes(Math.abs(bytes)));
}

function signed(value: number, text: string): string {
  return (value < 0 ? `▼ −${text}` : `▲ +${text}`).replaceAll(' ', '\u00a0');
}
