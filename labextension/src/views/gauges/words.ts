/** The gauges' figures and silences in words. */

import { bytesQuantity, formatCount } from '../../report/format';
import type { Share } from '../../report/gauges';
import type { DeviceReading, Unavailable } from '../../report/wire.generated';
import { trans } from '../translate';

/** `8.9 of 24 GiB`. */
export function amountOf(bytes: number, total: number | null): string {
  const part = bytesQuantity(bytes);
  if (total === null) {
    return `${part.number} ${part.unit}`;
  }
  const whole = bytesQuantity(total);
  const unit = part.unit === whole.unit ? '' : ` ${part.unit}`;
  return trans.__('%1 of %2', `${part.number}${unit}`, `${whole.number} ${whole.unit}`);
}

export function titleOf({ name, index }: DeviceReading): string {
  return index === null ? name : trans.__('GPU %1 · %2', index, name);
}

export function shareName(
  { kind, name, pid, count }: Share,
  { processes }: Pick<DeviceReading, 'processes'>,
): string {
  switch (kind) {
    case 'own':
      return count === 1 && pid !== null
        ? trans.__('this kernel (%1)', pid)
        : trans.__('this kernel');
    case 'rest':
      return processes === null ? trans.__('in use') : trans.__('not listed');
    case 'other':
      return pid === null
        ? trans._n('%1 other', '%1 others', count)
        : trans.__('%1 (%2)', name ?? trans.__('process'), pid);
  }
}

/** Why the clock is lower than it could be. */
export function heldBack(reasons: readonly string[]): string {
  const words: Record<string, string> = {
    power: trans.__('the power limit'),
    heat: trans.__('heat'),
    slowdown: trans.__('a slowdown of the hardware'),
    brake: trans.__('the power supply'),
    sync: trans.__('other cards in its group'),
    set: trans.__('a clock that was set by hand'),
    display: trans.__('the display'),
  };
  return trans.__('held back by %1', reasons.map(reason => words[reason] ?? reason).join(', '));
}

/** What a device does not tell, each reason once. */
export function silences(unavailable: readonly Unavailable[]): string[] {
  const reasons = [...new Set(unavailable.map(({ why }) => why))];
  return reasons.map(reason => {
    const names = unavailable.filter(({ why }) => why === reason).map(({ what }) => nameOf(what));
    return silence(reason, names.join(', '));
  });
}

function silence(reason: string, names: string): string {
  switch (reason) {
    case 'unsupported':
      return trans.__('Not available on this device: %1.', names);
    case 'forbidden':
      return trans.__('Not available: %1. The driver shows this to administrators only.', names);
    case 'old':
      return trans.__('Not available: %1. The driver is too old to tell.', names);
    case 'lost':
      return trans.__('This GPU does not answer any more. Restart the machine to use it again.');
    default:
      return trans.__('Not available at the moment: %1.', names);
  }
}

function nameOf(what: string): string {
  const names: Record<string, string> = {
    utilisation: trans.__('utilisation'),
    memory: trans.__('memory'),
    processes: trans.__('memory by process'),
    power: trans.__('power'),
    'power limit': trans.__('power limit'),
    temperature: trans.__('temperature'),
    clock: trans.__('clock'),
    'memory clock': trans.__('memory clock'),
    throttling: trans.__('throttling'),
  };
  return names[what] ?? what;
}

export function isLost(device: DeviceReading): boolean {
  return device.utilisation === null && device.unavailable.some(({ why }) => why === 'lost');
}

/** Why no GPU is shown. */
export function absence(reason: string): string {
  switch (reason) {
    case 'driver':
      return trans.__('No NVIDIA GPU: no driver is loaded on this machine.');
    case 'bindings':
      return trans.__(
        'GPUs are not read: install %1 in the kernel’s environment and restart the kernel.',
        'nvidia-ml-py',
      );
    case 'none':
      return trans.__('No NVIDIA GPU: the driver knows none.');
    case 'hidden':
      return trans.__('No NVIDIA GPU: %1 hides all of them.', 'CUDA_VISIBLE_DEVICES');
    default:
      return trans.__('The NVIDIA driver does not answer.');
  }
}

export function watts(value: number): string {
  return trans.__('%1 W', formatCount(value));
}

export function celsius(value: number): string {
  return trans.__('%1 °C', formatCount(value));
}

export function megahertz(value: number): string {
  return trans.__('%1 MHz', formatCount(value));
}

/** Processors that are busy: `1.9`. */
export function processors(value: number): string {
  return value.toFixed(1);
}
