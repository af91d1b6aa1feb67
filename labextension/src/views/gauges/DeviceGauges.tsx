/** One GPU, or one instance of a GPU. */

import type { JSX } from 'preact';
import { formatBytes, formatPercent } from '../../report/format';
import { deviceIn, momentsOf, sharesOf, type Moment, type Span } from '../../report/gauges';
import type { DeviceReading, Reading } from '../../report/wire.generated';
import { trans } from '../translate';
import { Gauge } from './Gauge';
import { Shares } from './Shares';
import {
  amountOf,
  celsius,
  heldBack,
  isLost,
  megahertz,
  shareName,
  silences,
  titleOf,
  watts,
} from './words';

export interface DeviceGaugesProps {
  device: DeviceReading;
  readings: readonly Reading[];
  span: Span;
}

type Figure = 'utilisation' | 'used_bytes' | 'power_watts' | 'temperature_celsius' | 'clock_mhz';

export function DeviceGauges({ device, readings, span }: DeviceGaugesProps): JSX.Element {
  const moments = (figure: Figure): Moment[] =>
    momentsOf(readings, span, reading => deviceIn(reading, device.uuid)?.[figure]);
  return (
    <section class="skyline-gauge-device" role="group" aria-label={titleOf(device)}>
      <h3 title={device.uuid}>{titleOf(device)}</h3>
      {!isLost(device) && (
        <>
          <dl>
            <Gauge
              name={trans.__('Utilisation')}
              title={trans.__('Share of the time in which something ran on it')}
              moments={moments('utilisation')}
              top={1}
              now={device.utilisation === null ? null : formatPercent(device.utilisation)}
              format={formatPercent}
              span={span}
            />
            <MemoryGauge device={device} moments={moments('used_bytes')} span={span} />
          </dl>
          <DeviceShares device={device} />
          <dl>
            <Physics device={device} moments={moments} span={span} />
          </dl>
        </>
      )}
      <Notes device={device} />
    </section>
  );
}

interface OneGaugeProps {
  device: DeviceReading;
  moments: Moment[];
  span: Span;
}

function MemoryGauge({ device, moments, span }: OneGaugeProps): JSX.Element {
  const { used_bytes, total_bytes } = device;
  return (
    <Gauge
      name={trans.__('Memory')}
      moments={moments}
      top={total_bytes}
      now={used_bytes === null ? null : amountOf(used_bytes, total_bytes)}
      format={formatBytes}
      span={span}
    />
  );
}

interface PhysicsProps {
  device: DeviceReading;
  moments: (figure: Figure) => Moment[];
  span: Span;
}

function Physics({ device, moments, span }: PhysicsProps): JSX.Element {
  const { power_watts, power_limit_watts, temperature_celsius, clock_mhz, throttling } = device;
  const power = power_watts === null ? null : watts(power_watts);
  return (
    <>
      <Gauge
        name={trans.__('Power')}
        moments={moments('power_watts')}
        top={power_limit_watts}
        now={
          power && power_limit_watts
            ? trans.__('%1 of %2', Math.round(power_watts ?? 0), watts(power_limit_watts))
            : power
        }
        format={watts}
        span={span}
      />
      <Gauge
        name={trans.__('Temperature')}
        moments={moments('temperature_celsius')}
        now={temperature_celsius === null ? null : celsius(temperature_celsius)}
        format={celsius}
        span={span}
      />
      <Gauge
        name={trans.__('Clock')}
        title={clockTitle(device)}
        moments={moments('clock_mhz')}
        now={clock_mhz === null ? null : megahertz(clock_mhz)}
        {...(throttling?.length ? { note: heldBack(throttling) } : {})}
        format={megahertz}
        span={span}
      />
    </>
  );
}

function clockTitle({ memory_clock_mhz }: DeviceReading): string {
  return memory_clock_mhz === null
    ? trans.__('Of the processors')
    : trans.__('Of the processors; its memory runs at %1', megahertz(memory_clock_mhz));
}

function DeviceShares({ device }: { device: DeviceReading }): JSX.Element | null {
  const { used_bytes, total_bytes } = device;
  if (used_bytes === null) {
    return null;
  }
  const shares = sharesOf(device).map(share => ({ ...share, name: shareName(share, device) }));
  return <Shares shares={shares} total={total_bytes ?? used_bytes} />;
}

function Notes({ device }: { device: DeviceReading }): JSX.Element {
  const notes = silences(device.unavailable);
  if (device.card !== null && !isLost(device)) {
    notes.unshift(
      trans.__(
        'An instance of %1: power, temperature and clock are the whole card’s.',
        device.card,
      ),
    );
  }
  return (
    <>
      {notes.map(note => (
        <p key={note} class="skyline-gauge-note">
          {note}
        </p>
      ))}
    </>
  );
}
