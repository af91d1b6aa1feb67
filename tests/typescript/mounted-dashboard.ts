/** A dashboard on a page, and what its user does with it and reads. */

import { afterEach, beforeEach, vi } from 'vitest';
import type { View } from '../../labextension/src/report/wire.generated';
import { mountDashboard, type MountedDashboard } from '../../labextension/src/views';
import { drawn } from './drawn';
import { hostStandIn, type HostStandIn } from './profile-view';

export let element: HTMLElement;
export let host: HostStandIn;
export let dashboard: MountedDashboard;

/** A dashboard of its own for each test of the file that calls this. */
export function mountForEachTest(): void {
  beforeEach(() => {
    element = document.body.appendChild(document.createElement('div'));
    host = hostStandIn();
    dashboard = mountDashboard(element, host);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    dashboard.dispose();
    element.remove();
  });
}

/** The same with another host. */
export function mountAnew(other: HostStandIn): void {
  dashboard = mountDashboard(element, other);
}

export async function show(shown: View): Promise<void> {
  dashboard.show(shown);
  await drawn();
}

export function handle(): HTMLElement {
  const found = element.querySelector<HTMLElement>('.skyline-handle');
  if (!found) throw new Error('no handle');
  return found;
}

export function size(): string | null {
  return handle().getAttribute('aria-valuenow');
}

export function text(): string {
  return element.textContent;
}

export function button(name: string): HTMLButtonElement | undefined {
  return [...element.querySelectorAll('button')].find(each => each.textContent.startsWith(name));
}

export async function pointer(type: string, x: number, alt = false): Promise<void> {
  const options = {
    bubbles: true,
    button: 0,
    clientX: x,
    isPrimary: true,
    pointerId: 1,
    altKey: alt,
  };
  handle().dispatchEvent(new PointerEvent(type, options));
  await drawn();
}

export async function press(
  key: string,
  modifiers: KeyboardEventInit = {},
): Promise<KeyboardEvent> {
  handle().focus();
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    cancelable: true,
    ...modifiers,
  });
  handle().dispatchEvent(event);
  await drawn();
  return event;
}
