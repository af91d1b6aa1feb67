// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { peakParts } from '../../labextension/src/report/categories';
import { mountDashboard, type MountedDashboard } from '../../labextension/src/views';
import { drawn } from './drawn';
import { hostStandIn, peak, report, view, type HostStandIn } from './profile-view';

let element: HTMLElement;
let host: HostStandIn;
let dashboard: MountedDashboard;

function size(): string | null {
  return element.querySelector('.skyline-handle')?.getAttribute('aria-valuenow') ?? null;
}

describe('dragging a bar', () => {
  const LENGTH = 200;

  beforeEach(async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(LENGTH);
    element = document.body.appendChild(document.createElement('div'));
    host = hostStandIn();
    dashboard = mountDashboard(element, host);
    dashboard.show(view());
    await drawn();
  });

  afterEach(() => {
    vi.restoreAllMocks();
    dashboard.dispose();
    element.remove();
  });

  function knob(name: string): HTMLElement {
    const found = element.querySelector<HTMLElement>(`.skyline-knob[aria-label="${name}"]`);
    if (!found) throw new Error(`no bar for ${name}`);
    return found;
  }

  async function drag(name: string, up: number, last = 'pointerup'): Promise<void> {
    for (const [type, y] of [
      ['pointerdown', 400],
      ['pointermove', 400 - up],
      [last, 400 - up],
    ] as const) {
      const options = { bubbles: true, button: 0, clientY: y, isPrimary: true, pointerId: 1 };
      knob(name).dispatchEvent(new PointerEvent(type, options));
      await drawn();
    }
  }

  it('to more throughput moves the handle and the other bar along', async () => {
    const before = knob('Peak memory').style.bottom;
    await drag('Throughput', 40, 'pointermove');
    expect(Number(size())).toBeGreaterThan(64);
    expect(knob('Throughput').getAttribute('aria-valuenow')).toBe(size());
    expect(parseFloat(knob('Peak memory').style.bottom)).toBeGreaterThan(parseFloat(before));
    expect(host.applied).toEqual([]);
  });

  it('of memory asks for the size that takes as much', async () => {
    const bytes = peak(256) - peak(64);
    await drag('Peak memory', (LENGTH * bytes) / report().limit.limit_bytes);
    expect(host.applied).toEqual([256]);
  });

  it('down to nothing rests on the smallest size', async () => {
    await drag('Throughput', -500);
    expect(host.applied).toEqual([8]);
  });
});

describe('what the peak is made of', () => {
  const parts = [
    { category: 'weights', size_bytes: 3 * 2 ** 20 },
    { category: 'activations', size_bytes: 5 * 2 ** 20 },
  ];
  const line = (category: string, bytes: number) => ({
    category,
    knots: [
      { batch_size: 8, value: bytes, low: bytes, high: bytes },
      { batch_size: 512, value: 64 * bytes, low: 64 * bytes, high: 64 * bytes },
    ],
  });

  it('is what was measured where there is a sample', () => {
    const samples = report().samples.map(sample => ({ ...sample, peak_by_category: parts }));
    const made = peakParts(report({ samples }), 64);
    expect(made.filter(part => part.bytes > 0)).toEqual([
      { name: 'weights', bytes: 3 * 2 ** 20 },
      { name: 'activations', bytes: 5 * 2 ** 20 },
    ]);
  });

  it('is predicted at other sizes, and unknown without curves', () => {
    const curves = { ...report().curves, peak_by_category: [line('activations', 1000)] };
    const made = peakParts(report({ curves }), 260);
    expect(made.find(part => part.name === 'activations')?.bytes).toBe(32_500);
    expect(peakParts(report(), 260)).toEqual([]);
  });
});
