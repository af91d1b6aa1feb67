/** What memory is held for, from what stays longest to what goes first: the order in which it is stacked. */

import { evaluate } from './curves';
import { sampleAt } from './values';
import type { Report } from './wire.generated';

export const CATEGORIES = [
  { key: 'weights', name: 'weights' },
  { key: 'optimizer_state', name: 'optimizer state' },
  { key: 'gradients', name: 'gradients' },
  { key: 'inputs', name: 'inputs' },
  { key: 'activations', name: 'activations' },
  { key: 'temporaries', name: 'temporaries' },
] as const;

export interface CategoryAmount {
  name: string;
  bytes: number;
}

/** What the peak at a size is made of, measured or predicted; empty where that is unknown. */
export function peakParts(report: Report, size: number): CategoryAmount[] {
  const measured = sampleAt(report, size)?.peak_by_category ?? [];
  const bytesOf = (key: string): number =>
    measured.length > 0
      ? (measured.find(part => part.category === key)?.size_bytes ?? 0)
      : (evaluate(
          report.curves.peak_by_category.find(part => part.category === key)?.knots ?? [],
          size,
        )?.value ?? 0);
  const known = measured.length > 0 || report.curves.peak_by_category.length > 0;
  return known ? CATEGORIES.map(({ key, name }) => ({ name, bytes: bytesOf(key) })) : [];
}
