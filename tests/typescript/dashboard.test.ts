// @vitest-environment happy-dom

import { beforeEach, describe, expect, it } from 'vitest';
import { drawn } from './drawn';
import {
  button,
  dashboard,
  element,
  handle,
  host,
  mountAnew,
  mountForEachTest,
  pointer,
  press,
  show,
  size,
  text,
} from './mounted-dashboard';
import { hostStandIn, report, SITE, view } from './profile-view';

mountForEachTest();

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
    mountAnew(page);
    await show(view());
    await press('PageUp');
    await press('Enter');
    expect(page.applied).toEqual([]);
    expect(size()).toBe('128');
    expect(element.querySelector('button')).toBeNull();
  });
});
