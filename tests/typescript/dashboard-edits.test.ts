// @vitest-environment happy-dom
/** Edits as the dashboard shows them: what a release runs, what waits, what can be taken back, what is typed. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  EDITS_EVENT,
  mountDashboard,
  SOURCE_EVENT,
  type Editing,
  type MountedDashboard,
} from '../../labextension/src/views';
import { drawn } from './drawn';
import { hostStandIn, view, type HostStandIn } from './profile-view';

let element: HTMLElement;
let host: HostStandIn;
let dashboard: MountedDashboard;

beforeEach(() => {
  // The host is asked once the dashboard has a width: before, it is not on the page.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  element = document.body.appendChild(document.createElement('div'));
  host = hostStandIn();
  dashboard = mountDashboard(element, host);
});

afterEach(() => {
  dashboard.dispose();
  element.remove();
  vi.restoreAllMocks();
});

async function showWith(edits: Partial<Editing> = {}): Promise<void> {
  host.edits = { ...host.edits, ...edits };
  dashboard.show(view());
  await drawn();
}

function handle(): HTMLElement {
  const found = element.querySelector<HTMLElement>('.skyline-handle');
  if (!found) throw new Error('no handle');
  return found;
}

function size(): string | null {
  return handle().getAttribute('aria-valuenow');
}

function text(): string {
  return element.textContent;
}

function button(name: string): HTMLButtonElement | undefined {
  return [...element.querySelectorAll('button')].find(each => each.textContent.startsWith(name));
}

async function press(key: string): Promise<void> {
  handle().focus();
  handle().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await drawn();
}

describe('a request that waits for the kernel', () => {
  it('is shown with the cell that will run, and can be given up', async () => {
    await showWith({ waiting: 128 });
    expect(text()).toContain('Waiting for the kernel, which is busy: cell [3] runs with 128 next.');
    button('Cancel')?.click();
    expect(host.cancelled).toBe(1);
  });

  it('leaves the handle free, and the newer size takes its place', async () => {
    await showWith();
    await press('PageUp');
    await press('Enter');
    expect(handle().getAttribute('aria-disabled')).toBe('false');
    await press('PageUp');
    await press('Enter');
    expect(host.applied).toEqual([128, 256]);
    await host.settle({ kind: 'cancelled' });
    await drawn();
    expect(size()).toBe('256');
  });
});

describe('undo and redo', () => {
  function step(name: string): HTMLButtonElement | null {
    return element.querySelector(`button[aria-label^="${name}"]`);
  }

  it('say what they bring, and ask for it once', async () => {
    await showWith({ undo: 32, redo: 128 });
    expect(step('Redo: 128 again')?.disabled).toBe(false);
    step('Undo: back to 32')?.click();
    await drawn();
    expect(host.takenBack).toEqual(['undo']);
    expect(size()).toBe('32');
  });

  it('are disabled where there is nothing of ours to take back', async () => {
    await showWith({});
    expect(step('No change of the batch size to undo')?.disabled).toBe(true);
    expect(step('No change of the batch size to redo')?.disabled).toBe(true);
  });

  it('are asked for again when the host says that edits have changed', async () => {
    await showWith({});
    host.edits = { ...host.edits, undo: 64 };
    document.dispatchEvent(new CustomEvent(EDITS_EVENT, { detail: { kernelId: 'other' } }));
    await drawn();
    expect(step('Undo')).toBeNull();
    document.dispatchEvent(new CustomEvent(EDITS_EVENT, { detail: { kernelId: 'k1' } }));
    await drawn();
    expect(step('Undo: back to 64')?.disabled).toBe(false);
  });

  it('are not there where edits cannot be taken back', async () => {
    host.editing = () => null;
    await showWith({});
    expect(element.querySelector('.skyline-take-back')).toBeNull();
  });
});

describe('a number that is typed', () => {
  beforeEach(() => showWith());

  function field(): HTMLInputElement {
    const found = element.querySelector<HTMLInputElement>('.skyline-size');
    if (!found) throw new Error('no field');
    return found;
  }

  async function type(text: string): Promise<void> {
    field().value = text;
    field().dispatchEvent(new Event('input', { bubbles: true }));
    await drawn();
  }

  async function key(name: string): Promise<void> {
    field().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    await drawn();
  }

  it('previews at once, however odd', async () => {
    await type('77');
    expect(size()).toBe('77');
    expect(host.applied).toEqual([]);
  });

  it('is applied by Enter and given up by Escape', async () => {
    await type('77');
    await key('Escape');
    expect([size(), field().value]).toEqual(['64', '64']);
    await type('80');
    await key('Enter');
    expect(host.applied).toEqual([80]);
  });

  it('outside the range says what is possible and applies nothing', async () => {
    await type('9000');
    await key('Enter');
    expect(element.querySelector('[role="alert"]')?.textContent).toBe('8 to 512');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect([size(), host.applied]).toEqual(['64', []]);
  });

  it('may be begun on the handle', async () => {
    await press('9');
    expect(document.activeElement).toBe(field());
    expect([field().value, size()]).toEqual(['9', '9']);
  });
});

describe('what a release runs', () => {
  it.each([
    ['edit', 'changes the text alone: the kernel keeps 64 until you run the cell'],
    ['light', 'then runs [3] and [4]'],
    ['all', 'then runs [3], [4] and [7]'],
  ] as const)('is said for the setting %s', async (release, words) => {
    await showWith({ release });
    await press('PageUp');
    expect(text()).toContain(words);
  });
});

describe('the literal in the notebook', () => {
  function sourceChanged(kernelId: string, cellId: string): Promise<void> {
    const detail = { kernelId, cellId, batchSize: 32 };
    document.dispatchEvent(new CustomEvent(SOURCE_EVENT, { detail }));
    return drawn();
  }

  beforeEach(() => showWith());

  it('moves the handle when it changes', async () => {
    await sourceChanged('k1', 'settings');
    expect(size()).toBe('32');
    expect(text()).toContain('the kernel still uses 64');
  });

  it('of another kernel or in another cell does not', async () => {
    await sourceChanged('k2', 'settings');
    await sourceChanged('k1', 'elsewhere');
    expect(size()).toBe('64');
  });
});
