/** One step as a strip of its phases: what the time goes to before anything is looked into. */

import type { JSX } from 'preact';
import { formatMilliseconds, formatPercent } from '../../report/format';
import type { Breakdown, Phases as PhaseSeconds } from '../../report/wire.generated';

const PHASES: readonly { key: keyof PhaseSeconds; name: string }[] = [
  { key: 'data', name: 'data' },
  { key: 'copy', name: 'copy to device' },
  { key: 'forward', name: 'forward' },
  { key: 'loss', name: 'loss' },
  { key: 'backward', name: 'backward' },
  { key: 'optimizer', name: 'optimizer' },
  { key: 'idle', name: 'Python and waiting' },
];

export function Phases({ breakdown }: { breakdown: Breakdown }): JSX.Element {
  const shown = PHASES.map(phase => ({ ...phase, seconds: breakdown.phases[phase.key] })).filter(
    ({ seconds }) => seconds > 0,
  );
  const step = shown.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <section role="group" class="skyline-phases" aria-label="Phases of one step">
      <h3>
        <span>One step, {formatMilliseconds(step)}</span>
        <span class="skyline-quiet">at batch size {breakdown.batch_size}</span>
      </h3>
      <div class="skyline-phase-strip" aria-hidden="true">
        {shown.map(({ key, name, seconds }) => (
          <i
            key={key}
            class={`skyline-phase-${key}`}
            style={{ flexGrow: seconds / step }}
            title={`${name} ${formatMilliseconds(seconds)}, ${formatPercent(seconds / step)}`}
          />
        ))}
      </div>
      <ul class="skyline-legend">
        {shown.map(({ key, name, seconds }) => (
          <li key={key} title={formatPercent(seconds / step)}>
            <i class={`skyline-phase-${key}`} aria-hidden="true" />
            {name} {formatMilliseconds(seconds)}
          </li>
        ))}
      </ul>
    </section>
  );
}
