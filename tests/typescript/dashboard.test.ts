// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { View } from '../../labextension/src/report/wire.generated';
import { mountDashboard, type MountedDashboard } from '../../labextension/src/views';
import { hostStandIn, report, SITE, view, type HostStandIn } from './profile-view';

let element: HTMLElement;
let host: HostStandIn;
let dashboard: MountedDashboard;

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

/** Drawing is put off to the next turn. */
async function drawn(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 20));
}

async function show(shown: View): Promise<void> {
  dashboard.show(shown);
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

async function pointer(type: string, x: number, alt = false): Promise<void> {
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

async function press(key: string, modifiers: KeyboardEventInit = {}): Promise<KeyboardEvent> {
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

/** Pixels of a doubling: happy-dom has no layout, so the chart is drawn at its stand-in width of 560. */
const OCTAVE = (560 - 52 - 52) / Math.log2((604 * 2 ** 0.35) / (8 / 2 ** 0.2));

describe('dragging the handle', () => {
  beforeEach(() => show(view()));

  it('says what the verdict would be there, and moves nothing below it', async () => {
    const title = element.querySelector('h2')?.textContent ?? '';
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE);
    const [kept, shown] = element.querySelectorAll('h2 .skyline-instead > span');
    expect([kept?.textContent, kept?.getAttribute('aria-hidden')]).toEqual([title, 'true']);
    // The step takes 10 ms and 0.1 ms a sample: 35.6 / 16.4 ms from 64 to 256 is a slope of 0.56.
    expect(shown?.textContent).toBe(
      'At 128: partly overhead-bound, 1.44× the throughput of 64, and it fits.',
    );
  });

  it('previews and sends nothing', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE / 2);
    await pointer('pointermove', 300 + OCTAVE);
    expect(size()).toBe('128');
    expect(text()).toContain('now 3,902/s');
    expect(text()).toContain('then runs [3] and [4]');
    expect(host.applied).toEqual([]);
  });

  it('applies once when it is let go', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE);
    await pointer('pointerup', 300 + OCTAVE);
    await pointer('pointerup', 300 + OCTAVE);
    expect(host.applied).toEqual([128]);
    expect(text()).toContain('Rewriting cell [3]');
  });

  it('rests on sizes worth having, and on any with Alt', async () => {
    const slightly = 300 + OCTAVE * Math.log2(67 / 64);
    await pointer('pointerdown', 300);
    await pointer('pointermove', slightly);
    expect(size()).toBe('64');
    await pointer('pointermove', slightly, true);
    expect(size()).toBe('67');
  });

  it('stays within the range', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointermove', 5000);
    expect(size()).toBe('512');
  });

  it('is given up by Escape', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE);
    await press('Escape');
    await pointer('pointerup', 300 + OCTAVE);
    expect(size()).toBe('64');
    expect(host.applied).toEqual([]);
  });

  it('is given up when the pointer is taken away', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE);
    await pointer('pointercancel', 300 + OCTAVE);
    expect(size()).toBe('64');
    expect(host.applied).toEqual([]);
  });

  it('is nothing if the pointer was only pressed', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointerup', 301);
    expect(host.applied).toEqual([]);
  });

  it('back to where it was applies nothing', async () => {
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE);
    await pointer('pointermove', 300);
    await pointer('pointerup', 300);
    expect(host.applied).toEqual([]);
    expect(size()).toBe('64');
  });

  it('redraws neither the curves nor the evidence', async () => {
    const before = element.querySelector('.skyline-curve path');
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver(records => changes.push(...records));
    for (const part of element.querySelectorAll('.skyline-curves, .skyline-details')) {
      observer.observe(part, { attributes: true, childList: true, subtree: true });
    }
    await pointer('pointerdown', 300);
    await pointer('pointermove', 300 + OCTAVE);
    expect(changes).toEqual([]);
    expect(element.querySelector('.skyline-curve path')).toBe(before);
  });
});

describe('the keyboard', () => {
  beforeEach(() => show(view()));

  it.each([
    ['ArrowRight', {}, '72'],
    ['ArrowLeft', {}, '56'],
    ['ArrowUp', { shiftKey: true }, '65'],
    ['ArrowDown', { shiftKey: true }, '63'],
    ['PageUp', {}, '128'],
    ['PageDown', {}, '32'],
    ['Home', {}, '8'],
    ['End', {}, '512'],
  ])('%s %o previews %s', async (key, modifiers, expected) => {
    const event = await press(key, modifiers);
    expect(size()).toBe(expected);
    expect(event.defaultPrevented).toBe(true);
    expect(host.applied).toEqual([]);
  });

  it('applies with Enter', async () => {
    await press('PageUp');
    await press('Enter');
    expect(host.applied).toEqual([128]);
  });

  it('goes back with Escape', async () => {
    await press('PageUp');
    await press('Escape');
    expect(size()).toBe('64');
  });

  it('keeps its keys from the notebook, and no others', async () => {
    const seen: string[] = [];
    const listening = new AbortController();
    const note = (event: KeyboardEvent): void => void seen.push(event.key);
    document.addEventListener('keydown', note, { capture: true, signal: listening.signal });
    await press('ArrowDown');
    await press('Enter');
    await press('s', { ctrlKey: true });
    await press('a');
    listening.abort();
    expect(seen).toEqual(['s', 'a']);
  });

  it('can leave the decision to a button', async () => {
    await press('PageUp');
    button('Apply')?.click();
    await drawn();
    expect(host.applied).toEqual([128]);
  });

  it('tells screen readers what the size brings', async () => {
    await press('PageUp');
    // 128 / 22.8 ms = 5,614/s, and 100 + 1,280 MiB.
    expect(handle().getAttribute('aria-valuetext')).toBe('128, 5,614/s, 1.3 GiB');
  });
});

describe('after an edit', () => {
  beforeEach(async () => {
    await show(view());
    await press('PageUp');
    await press('Enter');
  });

  it('a refusal is a sentence, and the handle goes back', async () => {
    await host.settle({ kind: 'refused', message: 'Cell [3] was edited since it ran.' });
    await drawn();
    expect(text()).toContain('Cell [3] was edited since it ran.');
    expect(size()).toBe('64');
  });

  it('what the notebook has to say is said', async () => {
    await host.settle({ kind: 'applied', message: 'Cell [4] was edited, so it was not run.' });
    await drawn();
    expect(text()).toContain('Cell [4] was edited, so it was not run.');
  });

  it('the line to paste is shown where the cell could not be changed', async () => {
    await host.settle({ kind: 'applied', line: 'batch_size = 128' });
    await drawn();
    expect(text()).toContain('paste this line: batch_size = 128');
  });

  it('a refusal offers the line to paste', async () => {
    const message = 'Cell [3] is read-only.';
    await host.settle({ kind: 'refused', message, line: 'batch_size = 128' });
    await drawn();
    expect(text()).toContain(
      'To use it all the same, put this into a cell and run it: batch_size = 128',
    );
  });

  it('predicted stands against measured', async () => {
    await host.settle({ kind: 'applied' });
    const check = { batch_size: 128, predicted_step_seconds: 0.064, measured_step_seconds: 0.08 };
    await show(view({ report: report({ batch_size: 128, checks: [check] }) }));
    expect(text()).toContain('128: predicted 2,000/s, measured 1,600/s (25 % off)');
  });

  it('stale cells are named, and run by a click only', async () => {
    const plan = { site_heavy: '', light: [], heavy: [], stale: [] };
    const stale = [{ cell_id: 'train', execution_count: 7, batch_size: 64 }];
    await show(view({ plan: { ...plan, stale } }));
    expect(text()).toContain('Cell [7] still uses 64.');
    expect(host.ran).toEqual([]);
    button('Run [7]')?.click();
    expect(host.ran).toEqual([['train']]);
  });

  it('the outcome of a request that outlives the dashboard changes nothing', async () => {
    dashboard.dispose();
    await host.settle({ kind: 'refused', message: 'Too late.' });
    expect(text()).toBe('');
  });
});

it('the advised size is one click away', async () => {
  const verdict = {
    kind: 'verdict',
    statement: 'Compute-bound. 1.4× the throughput at batch size 128.',
    evidence: 'Twice the batch takes 1.4× the time.',
    next_step: 'Drag the handle to 128.',
    confidence: 'measured',
    gain: 1.44,
    batch_size: 128,
  };
  await show(view({ report: report({ findings: [verdict] }) }));
  expect(element.querySelector('h2')?.textContent).toBe(verdict.statement);
  button('Use 128 (1.44×)')?.click();
  expect(host.applied).toEqual([128]);
});

describe('without a site', () => {
  beforeEach(() => show(view({ report: report({ site: null, site_reason: 'It is computed.' }) })));

  it('letting go changes nothing but shows the reason and the numbers', async () => {
    await press('PageUp');
    await press('Enter');
    expect(host.applied).toEqual([]);
    expect(size()).toBe('128');
    expect(text()).toContain('It is computed.');
  });
});

describe('with several lines that may set the size', () => {
  const line = {
    ...SITE,
    line: 2,
    cell_source: 'x = 1\nN = 64',
    start: 10,
    end: 12,
  };
  const other = { ...line, cell_source: 'B = 64', line: 1, start: 4, end: 6, execution_count: 9 };
  const unsure = report({ site: null, site_reason: 'Choose one.', site_candidates: [line, other] });

  it('each is a button that says where it stands', async () => {
    await show(view({ report: unsure }));
    expect(button('N = 64')?.textContent).toContain('line 2');
    expect(button('B = 64')?.textContent).toContain('cell [9], line 1');
  });

  it('a click tells the kernel, once', async () => {
    await show(view({ report: unsure }));
    button('B = 64')?.click();
    await drawn();
    button('N = 64')?.click();
    expect(host.chosen).toEqual([4]);
    expect(text()).toContain('waiting for the kernel');
  });
});

describe('where no notebook is behind it', () => {
  it('the handle only previews, and there are no buttons', async () => {
    const page = { ...hostStandIn(), available: false };
    dashboard = mountDashboard(element, page);
    await show(view());
    await press('PageUp');
    await press('Enter');
    expect(page.applied).toEqual([]);
    expect(size()).toBe('128');
    expect(element.querySelector('button')).toBeNull();
  });
});

describe('before the report', () => {
  it('a noted model says what to do', async () => {
    const message = 'Model `net` noted. Run your training cell and the profile appears here.';
    await show(view({ status: 'noted', message, report: null, plan: null }));
    expect(element.querySelector('h2')?.textContent).toBe('Model net noted.');
    expect(text()).toContain('Run your training cell');
    expect(element.querySelector('h2 code')?.textContent).toBe('net');
  });

  it('measuring shows its progress', async () => {
    await show(
      view({ status: 'measuring', message: '2 of 7 sizes', progress: 0.25, report: null }),
    );
    expect(element.querySelector('progress')?.value).toBe(0.25);
    expect(text()).toContain('2 of 7 sizes');
  });

  it('measuring can be interrupted with the cell that runs, and says so before and after', async () => {
    const measuring = { status: 'measuring', message: '2 sizes', progress: 0.25 };
    await show(view({ ...measuring, id: 'v7', plan: null }));
    expect(button('Interrupt the cell')?.title).toContain('with the training in it');
    button('Interrupt the cell')?.click();
    await drawn();
    expect(host.interrupted).toEqual(['v7']);
    expect(text()).toContain('Interrupting');
  });

  it('measuring another size runs no cell that an interrupt would end', async () => {
    await show(view({ status: 'measuring', message: 'Measuring 512' }));
    expect(button('Interrupt')?.textContent).toBe('Interrupt');
    expect(button('Interrupt')?.title).toContain('Ends the measurement');
  });

  it('the chart fills while the handle is locked', async () => {
    await show(view({ status: 'measuring', message: 'Measuring 512', progress: 0.5, plan: null }));
    expect(handle().getAttribute('aria-disabled')).toBe('true');
    await press('PageUp');
    expect(size()).toBe('64');
  });

  it('a failure says what failed', async () => {
    await show(view({ status: 'failed', message: 'No training step was seen.', report: null }));
    expect(text()).toContain('No training step was seen.');
  });

  it('a single sample gives numbers without a handle', async () => {
    const [only] = report().samples.filter(sample => sample.batch_size === 64);
    if (!only) throw new Error('no sample');
    await show(view({ report: report({ samples: [only] }) }));
    expect(element.querySelector('[role="slider"]')).toBeNull();
    expect(text()).toContain('3,902');
  });
});

it('state that could not be put back is told apart from state unchanged', async () => {
  await show(view());
  expect(text()).toContain('state unchanged');
  const differences = ['`scaler` has grown by one step.'];
  const proof = { ...report().state_proof, identical: false, differences };
  await show(view({ report: report({ state_proof: proof }) }));
  expect(text()).not.toContain('state unchanged');
  expect(text()).toContain('state changed: 1 difference');
  expect(text()).toContain('scaler has grown by one step.');
});

it('memory that was not measured is not zero', async () => {
  const curves = { ...report().curves, peak_bytes_knots: [], peak_bytes_source: 'unknown' };
  const samples = report().samples.map(sample => ({ ...sample, peak_bytes: null }));
  await show(view({ report: report({ curves, samples, max_batch_size: null }) }));
  expect(text()).toContain('Peak memorynot measured on this device');
});

it('cells are called by the prompts that they have now', async () => {
  dashboard = mountDashboard(element, hostStandIn({ settings: '[13]' }));
  // Labels are asked for once the dashboard has a width: before, it is not on the page.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(560);
  await show(view());
  expect(text()).toContain('cell [13], line 2');
});

it('a new profile does not inherit the handle of the last', async () => {
  await show(view());
  await press('PageUp');
  await show(view({ id: 'v2' }));
  expect(size()).toBe('64');
});

it('nothing listens any more once it is disposed', async () => {
  const added = [window, document, EventTarget.prototype].map(target =>
    vi.spyOn(target, 'addEventListener'),
  );
  await show(view());
  await pointer('pointerdown', 300);
  dashboard.dispose();
  // Preact's own listeners have no options; they hang on what it drew and go with it.
  const options = added.flatMap(spy => spy.mock.calls.map(([, , option]) => option));
  const signals = options.flatMap(option => (typeof option === 'object' ? option.signal : []));
  expect(signals.length).toBeGreaterThanOrEqual(3);
  expect(signals.filter(signal => !signal?.aborted)).toEqual([]);
  expect(element.childElementCount).toBe(0);
});
