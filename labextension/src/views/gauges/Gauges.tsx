/** Devices, live: off until it is opened. */

import type { JSX } from 'preact';
import { spanOf } from '../../report/gauges';
import type { Reading } from '../../report/wire.generated';
import { trans } from '../translate';
import { DeviceGauges } from './DeviceGauges';
import { HostGauges } from './HostGauges';
import { absence } from './words';

export const RATES = [0.5, 1, 2, 5] as const;

export interface GaugesState {
  readings: readonly Reading[];
  /** Seconds between readings. */
  seconds: number;
  /** `asked`: the kernel has not answered yet; `waiting`: because it computes. */
  status: 'asked' | 'waiting' | 'live' | 'paused';
  /** Why the last reading failed; empty while all is well. */
  problem: string;
}

export interface GaugesProps {
  state: GaugesState;
  open: boolean;
  onToggle: (open: boolean) => void;
  onRate: (seconds: number) => void;
}

export function Gauges({ state, open, onToggle, onRate }: GaugesProps): JSX.Element {
  return (
    <section role="group" class="skyline-root skyline-compact" aria-label={trans.__('Devices')}>
      <details
        class="skyline-gauges"
        open={open}
        onToggle={event => onToggle(event.currentTarget.open)}
      >
        <summary data-lm-suppress-shortcuts="true">{trans.__('Devices')}</summary>
        {open && <Opened state={state} onRate={onRate} />}
      </details>
    </section>
  );
}

function Opened({ state, onRate }: Pick<GaugesProps, 'state' | 'onRate'>): JSX.Element {
  const { readings, seconds } = state;
  const newest = readings.at(-1);
  const span = spanOf(readings, seconds);
  return (
    <>
      <div class="skyline-gauge-head">
        <span>
          {newest && trans._n('the last minute', 'the last %1 minutes', (span.to - span.from) / 60)}
        </span>
        <Rate seconds={seconds} onRate={onRate} />
      </div>
      {/* Only this speaks to those who do not see: figures that change each second would never be silent. */}
      <p class="skyline-gauge-note" role="status">
        {statusWords(state)}
      </p>
      {newest && (
        <>
          {newest.devices.map(device => (
            <DeviceGauges key={device.uuid} {...{ device, readings, span }} />
          ))}
          <HostGauges host={newest.host} {...{ readings, span }} />
          {newest.no_devices !== null && (
            <p class="skyline-gauge-note">{absence(newest.no_devices)}</p>
          )}
        </>
      )}
    </>
  );
}

function Rate({
  seconds,
  onRate,
}: {
  seconds: number;
  onRate: (seconds: number) => void;
}): JSX.Element {
  return (
    <label>
      {trans.__('a reading every')}{' '}
      <select
        data-lm-suppress-shortcuts="true"
        value={String(seconds)}
        onChange={event => onRate(Number(event.currentTarget.value))}
      >
        {RATES.map(rate => (
          <option key={rate} value={String(rate)}>
            {trans.__('%1 s', rate)}
          </option>
        ))}
      </select>
    </label>
  );
}

function statusWords({ status, readings, problem }: GaugesState): string {
  switch (status) {
    case 'waiting':
      return trans.__('Starts when the kernel is free.');
    case 'paused':
      return trans.__('Paused while a profile measures: readings would disturb it.');
    case 'asked':
      return trans.__('Waiting for the kernel…');
    case 'live':
      if (problem !== '') {
        return trans.__('The last reading failed (%1); the next one is on its way.', problem);
      }
      return readings.length === 0 ? trans.__('Waiting for the first reading…') : '';
  }
}
