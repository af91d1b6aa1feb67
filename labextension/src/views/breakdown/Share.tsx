/** A share of the step, as a number on a bar. */

import type { JSX } from 'preact';
import { formatPercent } from '../../report/format';

export function Share({ of: share }: { of: number }): JSX.Element {
  return (
    <span class="skyline-share" style={{ '--share': share }}>
      {formatPercent(share)}
    </span>
  );
}
