/** One step as a strip of its phases: what the time goes to before anything is looked into. */

import type { JSX } from 'preact';
import { formatMilliseconds, formatPercent } from '../../report/format';
import type { Breakdown, Phases as PhaseSeconds } from '../../report/wire.generated';
import { trans } from '../translate';
import { phaseWord } from '../vocabulary';

/** In the order in which a step goes through them. */
const PHASES: readonly (keyof PhaseSeconds)[] = [
  'data',
  'copy',
  'forward',
  'loss',
  'backward',
  'optimizer',
  'idle',
];

export function Phases({ breakdown }: { breakdown: Breakdown }): JSX.Element {
  const shown = PHASES.map(key => ({ key, seconds: breakdown.phases[key] })).filter(
    ({ seconds }) => seconds > 0,
  );
  const step = shown.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <section role="group" class="skyline-phases" aria-label={trans.__('Phases of one step')}>
      <h3>
        <span>{trans.__('One step, %1', formatMilliseconds(step))}</span>
        <span class="skyline-quiet">{trans.__('at batch size %1', breakdown.batch_size)}</span>
      </h3>
      <div class="skyline-phase-strip" aria-hidden="true">
        {shown.map(({ key, seconds }) => (
          <i
            key={key}
            class={`skyline-phase-${key}`}
            style={{ flexGrow: seconds / step }}
            title={`${phaseWord(key)} ${formatMilliseconds(seconds)}, ${formatPercent(seconds / step)}`}
          />
        ))}
      </div>
      <ul class="skyline-legend">
        {shown.map(({ key, seconds }) => (
          <li key={key} title={formatPercent(seconds / step)}>
            <i class={`skyline-phase-${key}`} aria-hidden="true" />
            {phaseWord(key)} {formatMilliseconds(seconds)}
          </li>
        ))}
      </ul>
    </section>
  );
}
