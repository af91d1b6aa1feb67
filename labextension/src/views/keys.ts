/** What each key makes of a batch size. */

import { clampSize, stepSize, type SnapRange } from '../report/snap';

/** The size that the key leads to, or `null` for a key that does not move the handle. */
export function sizeForKey(
  event: { key: string; shiftKey: boolean },
  size: number,
  range: SnapRange,
): number | null {
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return event.shiftKey ? clampSize(range, size + 1) : stepSize(range, size, 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return event.shiftKey ? clampSize(range, size - 1) : stepSize(range, size, -1);
    case 'PageUp':
      return clampSize(range, size * 2);
    case 'PageDown':
      return clampSize(range, size / 2);
    case 'Home':
      return range.smallest;
    case 'End':
      return range.largest;
    default:
      return null;
  }
}
