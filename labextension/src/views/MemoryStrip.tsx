/** What the peak at the handle's size is made of. */

import type { JSX } from 'preact';
import { peakParts } from '../report/categories';
import { formatBytes, formatPercent } from '../report/format';
import { sampleAt } from '../report/values';
import type { Report } from '../report/wire.generated';
import { trans } from './translate';
import { categoryWord } from './vocabulary';

export function MemoryStrip({
  report,
  size,
}: {
  report: Report;
  size: number;
}): JSX.Element | null {
  const parts = peakParts(report, size).map((part, index) => ({ ...part, index }));
  const shown = parts.filter(part => part.bytes > 0);
  const peak = shown.reduce((sum, part) => sum + part.bytes, 0);
  if (peak === 0) {
    return null;
  }
  const measured = (sampleAt(report, size)?.peak_by_category ?? []).length > 0;
  return (
    <section
      role="group"
      class="skyline-phases"
      aria-label={trans.__('What the peak memory is made of')}
    >
      <h3>
        <span>{trans.__('Peak memory, %1', formatBytes(peak))}</span>
        <span class="skyline-quiet">
          {measured
            ? trans.__('at batch size %1', size)
            : trans.__('predicted at batch size %1', size)}
        </span>
      </h3>
      <div class="skyline-phase-strip" aria-hidden="true">
        {shown.map(({ name, bytes, index }) => (
          <i
            key={name}
            class={`skyline-part-${index}`}
            style={{ flexGrow: bytes / peak }}
            title={`${categoryWord(name)} ${formatBytes(bytes)}, ${formatPercent(bytes / peak)}`}
          />
        ))}
      </div>
      <ul class="skyline-legend">
        {shown.map(({ name, bytes, index }) => (
          <li key={name} title={formatPercent(bytes / peak)}>
            <i class={`skyline-part-${index}`} aria-hidden="true" />
            {categoryWord(name)} {formatBytes(bytes)}
          </li>
        ))}
      </ul>
    </section>
  );
}
