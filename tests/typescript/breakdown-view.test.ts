// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import breakdown from '../fixtures/breakdown.json';
import type { Breakdown } from '../../labextension/src/report/wire.generated';
import { mountDashboard, type MountedDashboard } from '../../labextension/src/views';
import { onSkylineEvent, POINT_EVENT } from '../../labextension/src/views/events';
import { hostStandIn, report, view } from './profile-view';

const real: Breakdown = breakdown;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Drawing may take its time. */
const seen = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000 });

let element: HTMLElement;
let dashboard: MountedDashboard;

beforeEach(async () => {
  element = document.body.appendChild(document.createElement('div'));
  dashboard = mountDashboard(element, hostStandIn());
  dashboard.show(view({ report: report({ breakdown: real }) }));
  await seen(() => expect(element.querySelector('.skyline-inside')).not.toBe(null));
  const inside = element.querySelector<HTMLDetailsElement>('.skyline-inside');
  if (!inside) throw new Error('nothing to open');
  inside.open = true;
  inside.dispatchEvent(new Event('toggle'));
  await seen(() => expect(rows().length).toBeGreaterThan(0));
});

afterEach(() => {
  dashboard.dispose();
  element.remove();
});

function rows(): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('.skyline-tree tbody tr')];
}

function row(name: string): HTMLElement {
  const found = rows().find(each => each.querySelector('th')?.textContent.includes(name));
  if (!found) throw new Error(`no row ${name}`);
  return found;
}

describe('the table of the breakdown', () => {
  it('is looked into by Enter, and the keys go on where that leads', async () => {
    row('net').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    await seen(() =>
      expect(element.querySelector('.skyline-crumbs')?.textContent).toBe('Back net'),
    );
    await seen(() => expect(document.activeElement).toBe(rows()[0]));
  });

  it('points at the row that has the focus, and at none when it has lost it', () => {
    const pointed: number[] = [];
    const listening = new AbortController();
    onSkylineEvent(
      document,
      POINT_EVENT,
      ({ detail }) => pointed.push(detail.node),
      listening.signal,
    );
    row('net').focus();
    row('net').blur();
    listening.abort();
    expect(pointed).toEqual([real.nodes.parent.indexOf(0, 2), -1]);
  });

  it('says of the rest of a backward pass that it is not attributed', () => {
    expect(row('backward').textContent).toContain('not attributed');
  });
});

describe('the lines', () => {
  it('stand in a table with what they take forward and backward', () => {
    const cells = [...element.querySelectorAll('.skyline-lines tbody tr')].map(line =>
      [...line.children].map(cell => cell.textContent),
    );
    const step = cells.find(([, code]) => code === 'logits = net(tokens)');
    expect(step?.[0]).toBe('[3]:4');
    expect(step?.[4]).toMatch(/ ms$/);
  });

  it('have a column for the device only where kernels were seen', async () => {
    const heads = (): (string | null)[] =>
      [...element.querySelectorAll('.skyline-lines thead th')].map(head => head.textContent);
    expect(heads()).not.toContain('device');
    const lines = real.lines.map(line => ({ ...line, device_seconds: 0.001 }));
    dashboard.show(view({ report: report({ breakdown: { ...real, lines } }) }));
    await seen(() => expect(heads()).toContain('device'));
  });
});
