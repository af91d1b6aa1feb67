// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { View } from '../../labextension/src/report/wire.generated';
import {
  APPLY_EVENT,
  INTERRUPT_EVENT,
  LABELS_EVENT,
  LANGUAGE_EVENT,
  onSkylineEvent,
  RUN_EVENT,
  speak,
  type ApplyDetail,
  type LanguageDetail,
} from '../../labextension/src/views';
import widget from '../../labextension/src/widget';
import type { WidgetModel } from '../../labextension/src/widget/model';
import { drawn } from './drawn';
import { report, view } from './profile-view';

/** As anywidget's, in one page with the test. */
class ModelStandIn implements WidgetModel {
  sent: unknown[] = [];
  readonly listeners = new Map<string, Set<(...values: unknown[]) => void>>();

  constructor(private json: string) {}

  get(name: string): unknown {
    return name === 'view_json' ? this.json : undefined;
  }

  on(name: string, listener: (...values: unknown[]) => void): void {
    this.listeners.set(name, (this.listeners.get(name) ?? new Set()).add(listener));
  }

  off(name: string, listener: (...values: unknown[]) => void): void {
    this.listeners.get(name)?.delete(listener);
  }

  send(content: unknown): void {
    this.sent.push(content);
  }

  replace(shown: View): void {
    this.json = JSON.stringify(shown);
    this.emit('change:view_json');
  }

  emit(name: string, ...values: unknown[]): void {
    this.listeners.get(name)?.forEach(listener => listener(...values));
  }

  get listening(): number {
    return [...this.listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
}

const OUTPUTS = `<div class="jp-OutputArea">
  <div class="jp-OutputArea-child"><div id="el"></div></div>
  <div class="jp-OutputArea-child" id="other"><img src="other.png"></div>
</div>`;
const PICTURE = `<div class="jp-OutputArea-child" id="picture"><img src="data:,#skyline-static-v1"></div>`;

let model: ModelStandIn;
let element: HTMLElement;
let page: AbortController;
let cleanUp: () => void;

async function start(shown: View = view()): Promise<void> {
  model = new ModelStandIn(JSON.stringify(shown));
  cleanUp = widget.render({ model, el: element });
  await drawn();
}

beforeEach(() => {
  document.body.innerHTML = OUTPUTS;
  const found = document.getElementById('el');
  if (!found) throw new Error('no element');
  element = found;
  page = new AbortController();
});

afterEach(() => {
  cleanUp();
  page.abort();
});

async function doubleTheSize(): Promise<void> {
  const handle = element.querySelector('[role="slider"]');
  for (const key of ['PageUp', 'Enter']) {
    handle?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await drawn();
  }
}

/** The extension: takes each edit. */
function takeEdits(): ApplyDetail[] {
  const taken: ApplyDetail[] = [];
  const take = (event: CustomEvent<ApplyDetail>): void => {
    event.preventDefault();
    taken.push(event.detail);
  };
  onSkylineEvent(document, APPLY_EVENT, take, page.signal);
  return taken;
}

it('asks the kernel itself to compare with a profile of the history', async () => {
  const throughput = { value: 4000, low: 3900, high: 4100 };
  const entry = {
    id: 'r0-64',
    created: '2026-01-01T14:02:00Z',
    model: 'net (Net)',
    device: 'a CPU',
    batch_size: 64,
    throughput,
    peak_bytes: null,
  };
  await start(view({ history: [entry] }));
  element.querySelector<HTMLDetailsElement>('.skyline-history')?.setAttribute('open', '');
  element.querySelector<HTMLButtonElement>('.skyline-history-table button')?.click();
  expect(model.sent).toEqual([{ type: 'pin', entry: 'r0-64' }]);
});

describe('with the JupyterLab extension', () => {
  it('an edit goes to it without a trip to the kernel, which then measures', async () => {
    const taken = takeEdits();
    await start();
    await doubleTheSize();
    expect(taken.map(({ view: { id }, batchSize }) => [id, batchSize])).toEqual([['v1', 128]]);
    expect(model.sent).toEqual([]);
    taken[0]?.settle({ kind: 'applied' });
    await drawn();
    expect(model.sent).toEqual([{ type: 'measure', batch_size: 128 }]);
  });

  it('a refused edit is shown and not measured', async () => {
    const taken = takeEdits();
    await start();
    await doubleTheSize();
    taken[0]?.settle({ kind: 'refused', message: 'Cell [3] was edited since it ran.' });
    await drawn();
    expect(element.textContent).toContain('Cell [3] was edited since it ran.');
    expect(model.sent).toEqual([]);
  });

  it('an edit that settles after clean-up is not measured', async () => {
    const taken = takeEdits();
    await start();
    await doubleTheSize();
    cleanUp();
    taken[0]?.settle({ kind: 'applied' });
    await drawn();
    expect(model.sent).toEqual([]);
  });

  it('stale cells are run by it', async () => {
    const cells: string[][] = [];
    onSkylineEvent(
      document,
      RUN_EVENT,
      event => {
        event.preventDefault();
        cells.push(event.detail.cells);
      },
      page.signal,
    );
    const stale = [{ cell_id: 'train', execution_count: 7, batch_size: 64 }];
    await start(view({ plan: { site_heavy: '', light: [], heavy: [], stale } }));
    [...element.querySelectorAll('button')].find(each => each.textContent === 'Run [7]')?.click();
    expect(cells).toEqual([['train']]);
  });

  it('cells have the prompts that it tells', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(560);
    const tell = (event: CustomEvent<{ answer: (labels: Record<string, string>) => void }>): void =>
      event.detail.answer({ settings: '[21]' });
    onSkylineEvent(document, LABELS_EVENT, tell, page.signal);
    await start();
    expect(element.textContent).toContain('cell [21], line 2');
  });
});

describe('without the extension', () => {
  it('the kernel sets the size, tells the line to paste, and measures', async () => {
    await start();
    await doubleTheSize();
    expect(model.sent).toEqual([{ type: 'apply', batch_size: 128 }]);
    model.emit('msg:custom', { type: 'applied', batch_size: 128, line: 'batch_size = 128' });
    await drawn();
    expect(element.textContent).toContain('batch_size = 128');
    expect(model.sent.at(-1)).toEqual({ type: 'measure', batch_size: 128 });
  });

  it('the kernel may refuse', async () => {
    await start();
    await doubleTheSize();
    model.emit('msg:custom', { type: 'refused', message: 'It is read from a file.' });
    await drawn();
    expect(element.textContent).toContain('It is read from a file.');
    expect(model.sent).toHaveLength(1);
  });

  it('other messages of the kernel are not answers', async () => {
    await start();
    await doubleTheSize();
    model.emit('msg:custom', 'applied');
    model.emit('msg:custom', { type: 'applied', batch_size: 32, line: 'batch_size = 32' });
    await drawn();
    expect(model.sent).toHaveLength(1);
  });

  it('nobody runs cells, and the user is told so', async () => {
    const stale = [{ cell_id: 'train', execution_count: 7, batch_size: 64 }];
    await start(view({ plan: { site_heavy: '', light: [], heavy: [], stale } }));
    [...element.querySelectorAll('button')].find(each => each.textContent === 'Run [7]')?.click();
    await drawn();
    expect(element.textContent).toContain('Skyline cannot run cells here.');
  });
});

it('speaks the language that the extension has, and English without it', async () => {
  const shout = (event: CustomEvent<LanguageDetail>): void =>
    event.detail.answer({
      __: text => text.toUpperCase(),
      _n: (_one, many) => many.toUpperCase(),
    });
  const listening = new AbortController();
  onSkylineEvent(document, LANGUAGE_EVENT, shout, listening.signal);
  await start();
  expect(element.textContent).toContain('PEAK MEMORY');
  cleanUp();
  listening.abort();
  speak();
  await start();
  expect(element.textContent).toContain('Peak memory');
});

it('the kernel replaces the view', async () => {
  await start(view({ status: 'noted', message: 'Model `net` noted.', report: null, plan: null }));
  expect(element.querySelector('[role="slider"]')).toBeNull();
  model.replace(view({ report: report({ batch_size: 32 }) }));
  await drawn();
  expect(element.querySelector('[role="slider"]')?.getAttribute('aria-valuenow')).toBe('32');
});

it('an empty trait shows nothing', async () => {
  model = new ModelStandIn('');
  cleanUp = widget.render({ model, el: element });
  await drawn();
  expect(element.textContent).toBe('');
});

describe('the static picture beside the widget', () => {
  const isHidden = (id: string): boolean | undefined =>
    document.getElementById(id)?.classList.contains('skyline-static-hidden');

  function addPicture(): void {
    document.querySelector('.jp-OutputArea')?.insertAdjacentHTML('beforeend', PICTURE);
  }

  it('is hidden, and nothing else is', async () => {
    addPicture();
    await start();
    expect(isHidden('picture')).toBe(true);
    expect(isHidden('other')).toBe(false);
  });

  it('is hidden when it arrives later', async () => {
    await start();
    addPicture();
    await drawn();
    expect(isHidden('picture')).toBe(true);
  });

  it('of another profile stays', async () => {
    addPicture();
    await start(view({ id: 'v2' }));
    expect(isHidden('picture')).toBe(false);
  });

  it('comes back when the widget goes', async () => {
    addPicture();
    await start();
    cleanUp();
    expect(isHidden('picture')).toBe(false);
  });

  it('is found when the widget was filled before it was put on the page', async () => {
    const observers: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => void) {
          observers.push(callback);
        }
        observe(): void {
          // The test says when.
        }
        disconnect(): void {
          // Nothing is held.
        }
      },
    );
    const parent = element.parentElement;
    element.remove();
    addPicture();
    await start();
    expect(isHidden('picture')).toBe(false);
    parent?.append(element);
    observers.forEach(callback => callback());
    expect(isHidden('picture')).toBe(true);
    vi.unstubAllGlobals();
  });
});

describe('clean-up', () => {
  it('leaves no listener on the model and nothing in the element', async () => {
    await start();
    await doubleTheSize();
    expect(model.listening).toBe(2);
    cleanUp();
    expect(model.listening).toBe(0);
    expect(element.childElementCount).toBe(0);
  });

  it('also comes with the signal of newer anywidgets', async () => {
    const gone = new AbortController();
    model = new ModelStandIn(JSON.stringify(view()));
    cleanUp = widget.render({ model, el: element, signal: gone.signal });
    await drawn();
    gone.abort();
    expect(model.listening).toBe(0);
    expect(element.childElementCount).toBe(0);
  });
});

it.each([
  [true, 'Interrupting'],
  [false, "Use the notebook's own interrupt"],
])('an interrupt that the extension takes (%s) is answered by %s', async (taken, words) => {
  const take = (event: Event): void => {
    if (taken) event.preventDefault();
  };
  onSkylineEvent(document, INTERRUPT_EVENT, take, page.signal);
  await start(view({ status: 'measuring', message: '2 sizes', progress: 0.25 }));
  element.querySelector<HTMLButtonElement>('.skyline-progress button')?.click();
  await drawn();
  expect(element.textContent).toContain(words);
  expect(model.sent).toEqual([]);
});
