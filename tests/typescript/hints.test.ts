// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Finding } from '../../labextension/src/report/wire.generated';
import {
  mountDashboard,
  onSkylineEvent,
  POINT_EVENT,
  type MountedDashboard,
  type PointDetail,
} from '../../labextension/src/views';
import breakdown from '../fixtures/breakdown.json';
import { drawn } from './drawn';
import { hostStandIn, report, view } from './profile-view';

const VERDICT: Finding = {
  kind: 'verdict',
  statement: 'Compute-bound.',
  evidence: 'Twice the batch takes twice the time.',
  next_step: 'Keep the batch size.',
  confidence: 'measured',
  gain: null,
  batch_size: null,
  node: null,
};
const WAITING: Finding = {
  ...VERDICT,
  kind: 'waiting',
  statement: 'Waiting for the batch takes 35 % of the step.',
  next_step: 'Give the loader `num_workers=2`.',
  gain: 1.54,
};
const LOOP: Finding = { ...VERDICT, kind: 'loop', statement: 'It loops.', node: 3 };

let element: HTMLElement;
let dashboard: MountedDashboard;
let pointed: PointDetail[];
let listening: AbortController;

beforeEach(() => {
  element = document.body.appendChild(document.createElement('div'));
  dashboard = mountDashboard(element, hostStandIn());
  pointed = [];
  listening = new AbortController();
  onSkylineEvent(document, POINT_EVENT, ({ detail }) => pointed.push(detail), listening.signal);
});

afterEach(() => {
  listening.abort();
  dashboard.dispose();
  element.remove();
});

async function shown(...findings: Finding[]): Promise<Element | null> {
  dashboard.show(view({ report: report({ findings, breakdown }) }));
  await drawn();
  return element.querySelector('.skyline-todo');
}

it('a verdict alone calls for nothing else', async () => {
  expect(await shown(VERDICT)).toBe(null);
});

it('a hint says what to do, why, and what it can bring', async () => {
  const list = await shown(VERDICT, WAITING);
  expect([...(list?.querySelectorAll('li p, li b') ?? [])].map(each => each.textContent)).toEqual([
    'Waiting for the batch takes 35 % of the step.',
    'Give the loader num_workers=2.',
    'Twice the batch takes twice the time.',
  ]);
  expect(list?.querySelector('li code')?.textContent).toBe('num_workers=2');
  expect(list?.textContent).toContain('up to 1.54×');
  expect(list?.querySelector('button')).toBe(null);
});

it('where a hint is seen opens in the breakdown', async () => {
  const list = await shown(VERDICT, LOOP);
  expect(element.querySelector('.skyline-breakdown')).toBe(null);
  list?.querySelector('button')?.click();
  const there = { kernelId: view().kernel_id, node: 3, keep: true };
  await vi.waitFor(() => expect(pointed).toEqual([there]), 60_000);
  const crumbs = (): unknown => element.querySelector('.skyline-crumbs')?.textContent;
  await vi.waitFor(() => expect(crumbs()).toBe('Back net'), 60_000);
});
