/** Who holds the memory: a strip with its legend. Told apart by words and by pattern, not by colour alone. */

import type { JSX } from 'preact';
import { formatBytes } from '../../report/format';

export interface NamedShare {
  kind: 'own' | 'child' | 'other' | 'rest';
  name: string;
  bytes: number;
  title?: string;
}

export function Shares({ shares, total }: { shares: NamedShare[]; total: number }): JSX.Element {
  const shown = shares.filter(share => share.bytes > 0);
  return (
    <div class="skyline-gauge-shares">
      <div class="skyline-gauge-strip" aria-hidden="true">
        {shown.map(({ kind, name, bytes }) => (
          <i
            key={name}
            class={`skyline-share-${kind}`}
            style={{ width: `${(100 * bytes) / Math.max(total, 1)}%` }}
          />
        ))}
      </div>
      <ul class="skyline-legend">
        {shown.map(({ kind, name, bytes, title }) => (
          <li key={name} title={title}>
            <i class={`skyline-share-${kind}`} aria-hidden="true" />
            {name} {formatBytes(bytes)}
          </li>
        ))}
      </ul>
    </div>
  );
}
