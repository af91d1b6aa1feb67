/** Readings for tests: a host with two processors, and a GPU that says everything. */

import type {
  DeviceReading,
  HostReading,
  ProcessMemory,
  Reading,
} from '../../labextension/src/report/wire.generated';

export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;

export const host: HostReading = {
  cpus: 2,
  cpu: 0.5,
  kernel_cpus: 1.25,
  kernel_bytes: GIB,
  children: 0,
  loader_workers: 0,
  children_bytes: 0,
  total_bytes: 16 * GIB,
  available_bytes: 12 * GIB,
  is_container: false,
};

export const gpu: DeviceReading = {
  uuid: 'GPU-a',
  name: 'NVIDIA A10G',
  index: 0,
  card: null,
  utilisation: 0.97,
  used_bytes: 9 * GIB,
  total_bytes: 24 * GIB,
  processes: [],
  power_watts: 148.4,
  power_limit_watts: 150,
  temperature_celsius: 61,
  clock_mhz: 1710,
  memory_clock_mhz: 6251,
  throttling: [],
  unavailable: [],
};

export function process(pid: number, held_bytes: number, is_own = false): ProcessMemory {
  return { pid, name: 'python', held_bytes, is_own };
}

export function reading(at: number, devices: DeviceReading[] = [], hostNow = host): Reading {
  return { at, host: hostNow, devices, no_devices: devices.length === 0 ? 'driver' : null };
}
