// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mountDashboard, type MountedDashboard } from '../../labextension/src/views';
import { hostStandIn, peak, report, view, type HostStandIn } from './profile-view';

let element: HTMLElement;
let host: HostStandIn;
let dashboard: MountedDashboard;

/** Drawing is put off to the next turn. */
async function drawn(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 20));
}

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
