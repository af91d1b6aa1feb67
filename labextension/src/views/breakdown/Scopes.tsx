/** What each `skyline_jupyter.scope` takes, in Python and in operators, and how often it went from one to the other. */

import type { JSX } from 'preact';
import { formatMilliseconds, formatPercent } from '../../report/format';
import { pathOf } from '../../report/nodes';
import { amountOf } from '../../report/tree';
import type { Breakdown, ScopeCost } from '../../report/wire.generated';
import { trans } from '../translate';

interface ScopesProps {
  breakdown: Breakdown;
  hovered: number;
  onHover: (node: number) => void;
}

export function Scopes({ breakdown, hovered, onHover }: ScopesProps): JSX.Element | null {
  const step = amountOf(breakdown, [0], 'time');
  const dearest = [...breakdown.scopes].sort((a, b) => b.seconds - a.seconds);
  if (dearest.length === 0) {
    return null;
  }
  return (
    <section role="group" class="skyline-scopes" aria-label={trans.__('By scope')}>
      <h3>
        <span>{trans.__('By scope')}</span>
      </h3>
      <ol onPointerLeave={() => onHover(-1)}>
        {dearest.map(scope => (
          <li
            key={scope.node}
            class={scope.node === hovered ? 'skyline-row-marked' : ''}
            onPointerEnter={() => onHover(scope.node)}
          >
            <span>
              {pathOf(breakdown, scope.node)}
              <span class="skyline-quiet">{partsOf(scope)}</span>
            </span>
            <span class="skyline-line-cost">
              <b>{formatPercent(step > 0 ? scope.seconds / step : 0)}</b>{' '}
              {formatMilliseconds(scope.seconds)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Where its time is, as a phrase. */
export function partsOf({
  calls,
  python_seconds: python,
  operator_seconds: operators,
  transitions,
  cpu_only_seconds: cpuOnly = null,
  device_only_seconds: deviceOnly = null,
  overlapped_seconds: overlapped = null,
  launches = null,
}: ScopeCost): string {
  return [
    ...(calls > 1 ? [trans.__('%1 times', calls)] : []),
    trans.__('Python %1', formatMilliseconds(python)),
    trans.__('operators %1', formatMilliseconds(operators)),
    trans._n('%1 switch between them', '%1 switches between them', transitions),
    ...(cpuOnly === null || deviceOnly === null || overlapped === null
      ? []
      : [
          trans.__('CPU only %1', formatMilliseconds(cpuOnly)),
          trans.__('device only %1', formatMilliseconds(deviceOnly)),
          trans.__('both %1', formatMilliseconds(overlapped)),
        ]),
    ...(launches === null ? [] : [trans._n('%1 kernel launched', '%1 kernels launched', launches)]),
  ].join(' · ');
}
