// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { merged, momentsOf, sharesOf, spanOf } from '../../labextension/src/report/gauges';
import type { DeviceReading, Reading } from '../../labextension/src/report/wire.generated';
import {
  mountGauges,
  type GaugesState,
  type MountedGauges,
} from '../../labextension/src/views/gauges';
import { runsOf } from '../../labextension/src/views/gauges/Gauge';
import { GIB, gpu, host, MIB, process, reading } from './gauge-readings';

describe('history', () => {
  it('holds each moment once, in order, whatever is sent again', () => {
    const kept = merged([reading(1), reading(3)], [reading(2), reading(3), reading(4)]);
    expect(kept.map(({ at }) => at)).toEqual([1, 2, 3, 4]);
  });

  it('does not grow without end', () => {
    const many = Array.from({ length: 700 }, (_, at) => reading(at));
    const kept = merged(many.slice(0, 500), many.slice(500));
    expect([kept.length, kept[0]?.at]).toEqual([600, 100]);
  });

  it('is drawn up to the newest reading, for 120 readings at the rate', () => {
    expect(spanOf([reading(1000)], 0.5)).toEqual({ from: 940, to: 1000, gap: 1.5 });
  });

  it('leaves out what is unknown and what is too long ago', () => {
    const unknown = reading(9, [], { ...host, cpu: null });
    const span = { from: 5, to: 10, gap: 3 };
    const moments = momentsOf(
      [reading(4), reading(8), unknown, reading(10)],
      span,
      r => r.host.cpu,
    );
    expect(moments).toEqual([
      { at: 8, value: 0.5 },
      { at: 10, value: 0.5 },
    ]);
  });

  it('breaks the line where nothing was read for longer than some readings take', () => {
    const moments = [1, 2, 5, 9, 10].map(at => ({ at, value: 0 }));
    expect(runsOf(moments, 3).map(run => run.map(({ at }) => at))).toEqual([
      [1, 2, 5],
      [9, 10],
    ]);
  });
});

describe('memory by process', () => {
  it('names ours, the largest others, and puts the rest together', () => {
    const processes = [process(9, 4 * GIB), process(1, 2 * GIB, true)].concat(
      [2, 3, 4, 5, 6].map(pid => process(pid, 100 * MIB)),
    );
    const shares = sharesOf({ ...gpu, processes });
    expect(shares.map(({ kind, pid, count, bytes }) => [kind, pid, count, bytes / MIB])).toEqual([
      ['own', 1, 1, 2048],
      ['other', 9, 1, 4096],
      ['other', 2, 1, 100],
      ['other', 3, 1, 100],
      ['other', 4, 1, 100],
      ['other', null, 2, 200],
      ['rest', null, 0, 2572],
    ]);
  });
});

describe('the section', () => {
  let element: HTMLElement;
  let gauges: MountedGauges;
  let toggled: boolean[];
  let rates: number[];

  beforeEach(() => {
    element = document.body.appendChild(document.createElement('div'));
    gauges = mountGauges(element);
    [toggled, rates] = [[], []];
  });

  afterEach(() => {
    gauges.dispose();
    element.remove();
  });

  function show(readings: Reading[], changes: Partial<GaugesState> = {}, open = true): void {
    gauges.show({
      state: { readings, seconds: 1, status: 'live', problem: '', ...changes },
      open,
      onToggle: now => toggled.push(now),
      onRate: seconds => rates.push(seconds),
    });
  }

  function shown(device: DeviceReading): void {
    show([reading(1, [device]), reading(2, [device])]);
  }

  /** The figure, and what stands under it. */
  function row(name: string, group = 0): string[] {
    const groups = [...element.querySelectorAll('[role=group]')];
    const rows = [...(groups[group]?.querySelectorAll('.skyline-gauge') ?? [])];
    const found = rows.find(each => each.querySelector('dt')?.textContent === name);
    return [...(found?.querySelector('.skyline-gauge-now')?.childNodes ?? [])].map(
      node => node.textContent ?? '',
    );
  }

  function notes(): string[] {
    return [...element.querySelectorAll('.skyline-gauge-note')].map(note => note.textContent);
  }

  it('draws nothing while it is closed, and says when it is opened', () => {
    show([reading(1, [gpu])], {}, false);
    expect(element.textContent).toBe('Devices');
    element.querySelector('details')?.setAttribute('open', '');
    expect(toggled).toEqual([true]);
  });

  it('shows every figure of a device with the range of the last minutes', () => {
    const before = { ...gpu, utilisation: 0.02, used_bytes: GIB, clock_mhz: 210, power_watts: 31 };
    show([reading(1, [before]), reading(2, [gpu])]);
    expect(element.querySelector('h3')?.textContent).toBe('GPU 0 · NVIDIA A10G');
    expect(row('Utilisation')).toEqual(['97 %', '2 to 97 %']);
    expect(row('Memory')).toEqual(['9 of 24 GiB', '1 to 9 GiB']);
    expect(row('Power')).toEqual(['148 of 150 W', '31 to 148 W']);
    expect(row('Temperature')).toEqual(['61 °C', 'steady']);
    expect(row('Clock')).toEqual(['1,710 MHz', '210 to 1,710 MHz']);
    expect(notes()).toEqual(['']);
  });

  it('says in words what holds the clock back', () => {
    shown({ ...gpu, throttling: ['power', 'heat'] });
    expect(row('Clock')).toEqual(['1,710 MHz', 'held back by the power limit, heat']);
  });

  it('names the processes that hold memory', () => {
    shown({ ...gpu, processes: [process(7, 6 * GIB, true), process(8, 2 * GIB)] });
    const legend = [...element.querySelectorAll('.skyline-legend')].map(list => list.textContent);
    expect(legend[0]).toBe('this kernel (7) 6 GiBpython (8) 2 GiBnot listed 1 GiB');
  });

  it('says what is not available, and each reason once', () => {
    const unavailable = [
      { what: 'utilisation', why: 'unsupported' },
      { what: 'power', why: 'unsupported' },
      { what: 'processes', why: 'forbidden' },
    ];
    shown({ ...gpu, utilisation: null, power_watts: null, processes: null, unavailable });
    expect(row('Utilisation')).toEqual(['not available']);
    expect(row('Power')).toEqual(['not available']);
    expect(row('Memory')).toEqual(['9 of 24 GiB', 'steady']);
    expect(notes()).toEqual([
      '',
      'Not available on this device: utilisation, power.',
      'Not available: memory by process. The driver shows this to administrators only.',
    ]);
  });

  it('shows of a lost device that it is lost, and nothing else', () => {
    const unavailable = [{ what: 'utilisation', why: 'lost' }];
    shown({ ...gpu, utilisation: null, used_bytes: null, unavailable });
    expect(row('Utilisation')).toEqual([]);
    expect(notes()[1]).toContain('does not answer any more');
  });

  it('says which figures of an instance are those of its card', () => {
    shown({ ...gpu, index: null, name: 'NVIDIA H200 MIG 3g.71gb', card: 'NVIDIA H200' });
    expect(element.querySelector('h3')?.textContent).toBe('NVIDIA H200 MIG 3g.71gb');
    expect(notes()[1]).toBe(
      'An instance of NVIDIA H200: power, temperature and clock are the whole card’s.',
    );
  });

  it('shows the host, with workers once there are some', () => {
    show([reading(1)]);
    expect(row('CPU')).toEqual(['50 %', '']);
    expect(row('Kernel CPU')).toEqual(['1.3 of 2', '']);
    expect(row('Memory')).toEqual(['4 of 16 GiB', '']);
    expect(row('2 workers')).toEqual([]);

    show([reading(2, [], { ...host, children: 2, loader_workers: 2, children_bytes: GIB })]);
    expect(row('2 workers')).toEqual(['1 GiB', '']);
  });

  it('calls children that are no workers by their name', () => {
    show([reading(1, [], { ...host, children: 3, loader_workers: 2, children_bytes: GIB })]);
    expect(row('3 child processes')).toEqual(['1 GiB', '']);
  });

  it.each([
    ['driver', 'No NVIDIA GPU: no driver is loaded on this machine.'],
    ['hidden', 'No NVIDIA GPU: CUDA_VISIBLE_DEVICES hides all of them.'],
    ['none', 'No NVIDIA GPU: the driver knows none.'],
    ['unknown', 'The NVIDIA driver does not answer.'],
  ])('says why there is no GPU (%s)', (no_devices, sentence) => {
    show([{ ...reading(1), no_devices }]);
    expect(notes()).toEqual(['', sentence]);
  });

  it.each([
    [{ status: 'waiting' }, 'Starts when the kernel is free.'],
    [{ status: 'asked' }, 'Waiting for the kernel…'],
    [{ status: 'live' }, 'Waiting for the first reading…'],
    [{ status: 'paused' }, 'Paused while a profile measures: readings would disturb it.'],
    [
      { status: 'live', problem: 'OSError: no' },
      'The last reading failed (OSError: no); the next one is on its way.',
    ],
  ] as const)('says where things stand (%o)', (changes, sentence) => {
    show([], changes);
    expect(element.querySelector('[role=status]')?.textContent).toBe(sentence);
  });

  it('speaks only of changes of that kind', () => {
    shown(gpu);
    expect(element.querySelectorAll('[aria-live], [role=status]').length).toBe(1);
    expect(element.querySelector('[role=status]')?.textContent).toBe('');
  });

  it('offers rates', () => {
    show([reading(1)], { seconds: 2 });
    const select = element.querySelector('select');
    expect(select?.value).toBe('2');
    expect([...(select?.options ?? [])].map(({ text }) => text)).toEqual([
      '0.5 s',
      '1 s',
      '2 s',
      '5 s',
    ]);
    if (select) {
      select.value = '5';
      select.dispatchEvent(new Event('change'));
    }
    expect(rates).toEqual([5]);
    expect(element.querySelector('.skyline-gauge-head')?.textContent).toContain(
      'the last 4 minutes',
    );
  });
});
