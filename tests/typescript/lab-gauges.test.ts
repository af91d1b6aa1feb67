// @vitest-environment happy-dom

import { MessageLoop } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { GaugesFrom, KernelChannels } from '../../labextension/src/lab/channel';
import { DeviceGauges } from '../../labextension/src/lab/gauges';
import { OpenNotebooks } from '../../labextension/src/lab/open';
import { reading } from './gauge-readings';
import { OpenPanel, trackerOf } from './lab-notebook';

const remember = vi.fn<(seconds: number) => void>();
let open: Set<string>;
let asked: [string, number | null][];
let channels: KernelChannels;
let changed: Signal<unknown, string>;
let heard: Signal<unknown, GaugesFrom>;
let activated: Signal<unknown, OpenPanel['panel']>;
let first: OpenPanel;
let second: OpenPanel;
let tracker: ReturnType<typeof trackerOf> & { currentWidget: OpenPanel['panel'] | null };
let side: Widget;
let gauges: DeviceGauges;

beforeEach(() => {
  vi.useFakeTimers();
  remember.mockReset();
  [open, asked] = [new Set(['k1', 'k2']), []];
  [first, second] = [new OpenPanel('k1', []), new OpenPanel('k2', [])];
  tracker = Object.assign(trackerOf(first, second), { currentWidget: first.panel });
  activated = new Signal({});
  Object.assign(tracker, { currentChanged: activated });
  [changed, heard] = [new Signal({}), new Signal({})];
  channels = {
    changed,
    gauges: heard,
    isOpen: (kernelId: string) => open.has(kernelId),
    watchGauges: (kernelId: string, _: string, seconds: number | null) =>
      asked.push([kernelId, seconds]),
  } as unknown as KernelChannels;
  side = new Widget();
  Widget.attach(side, document.body);
  gauges = new DeviceGauges(side, new OpenNotebooks(tracker), channels, remember);
});

afterEach(() => {
  gauges.dispose();
  side.dispose();
  vi.useRealTimers();
});

function toggle(): void {
  side.node.querySelector('details')?.toggleAttribute('open');
}

function activate(panel: OpenPanel): void {
  tracker.currentWidget = panel.panel;
  activated.emit(panel.panel);
}

function hear(kernelId: string, at: number): void {
  const message = { readings: [reading(at)], is_paused: false, problem: '' };
  heard.emit({ kernelId, gauges: message });
}

function change(kernelId: string): void {
  changed.emit(kernelId);
}

function status(): string | undefined {
  return side.node.querySelector('[role=status]')?.textContent;
}

describe('the gauges of the active notebook', () => {
  it('ask nothing until they are opened, and say so when they are closed', () => {
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([]);
    toggle();
    expect(asked).toEqual([['k1', 1]]);
    toggle();
    expect(asked).toEqual([
      ['k1', 1],
      ['k1', null],
    ]);
  });

  it('say again and again that they are open', () => {
    toggle();
    vi.advanceTimersByTime(30_000);
    expect(asked).toEqual([
      ['k1', 1],
      ['k1', 1],
      ['k1', 1],
    ]);
  });

  it('follow the active notebook', () => {
    toggle();
    activate(second);
    expect(asked.slice(1)).toEqual([
      ['k1', null],
      ['k2', 1],
    ]);
  });

  it('pause with the side panel', () => {
    toggle();
    side.hide();
    side.show();
    expect(asked.slice(1)).toEqual([
      ['k1', null],
      ['k1', 1],
    ]);
  });

  it('are not shown for a kernel that has not loaded Skyline', () => {
    open.delete('k1');
    change('k1');
    expect(side.node.querySelector('div')?.hidden).toBe(true);
  });

  it('are asked for again from a kernel that was restarted, and begin anew', () => {
    toggle();
    hear('k1', 1);
    open.delete('k1');
    change('k1');
    open.add('k1');
    change('k1');
    expect(asked).toEqual([
      ['k1', 1],
      ['k1', 1],
    ]);
    expect(status()).toBe('Waiting for the kernel…');
  });

  it('say that they wait for a kernel that computes, until it has answered', () => {
    first.setStatus('busy');
    toggle();
    expect(status()).toBe('Starts when the kernel is free.');
    hear('k2', 1);
    expect(status()).toBe('Starts when the kernel is free.');
    hear('k1', 1);
    expect(status()).toBe('');
  });

  it('take a new rate to the kernel and to the settings', () => {
    toggle();
    hear('k1', 1);
    const select = side.node.querySelector('select');
    if (select) {
      select.value = '0.5';
      select.dispatchEvent(new Event('change'));
    }
    expect(asked.at(-1)).toEqual(['k1', 0.5]);
    expect(remember).toHaveBeenCalledExactlyOnceWith(0.5);
  });

  it('leave when the extension is taken away, and leave nothing behind', () => {
    toggle();
    gauges.dispose();
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([
      ['k1', 1],
      ['k1', null],
    ]);
    expect(side.node.childElementCount).toBe(0);
    MessageLoop.sendMessage(side, Widget.Msg.AfterShow);
    expect(asked.length).toBe(2);
  });
});
