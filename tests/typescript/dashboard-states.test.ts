// @vitest-environment happy-dom
/** What the dashboard shows before, while and after a profile is measured. */

import { describe, expect, it, vi } from 'vitest';
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
import { hostStandIn, report, view } from './profile-view';

mountForEachTest();

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
  mountAnew(hostStandIn({ settings: '[13]' }));
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
