// The side panel: the report of the active notebook, or what to do to get one.

import type { TranslationBundle } from '@jupyterlab/translation';
import { LabIcon } from '@jupyterlab/ui-components';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';

import { mountDashboard, type Host, type MountedDashboard } from '../views';
import type { KernelChannels } from './channel';
import { kernelIdOf } from './notebooks';
import type { OpenNotebooks } from './open';
import type { ViewStore } from './store';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">
  <path class="jp-icon3" fill="#616161" d="M3 21V12h4v9zM8.5 21V6h4v15zM14 21V9.500h3V21zM18.500 21V3H21v18z"/>
</svg>`;

const skylineIcon = new LabIcon({ name: 'skyline-jupyter:skyline', svgstr: ICON });

/** Shows what the store holds for the kernel of the notebook that is active. */
export class SkylinePanel extends Widget {
  constructor(
    host: Host,
    private readonly notebooks: OpenNotebooks,
    private readonly store: ViewStore,
    private readonly channels: KernelChannels,
    private readonly trans: TranslationBundle,
  ) {
    super();
    this.id = 'skyline-panel';
    this.addClass('skyline-panel');
    this.title.icon = skylineIcon;
    this.title.caption = trans.__('Skyline');
    this.#name.className = 'skyline-panel-notebook';
    this.#empty.className = 'skyline-panel-empty';
    this.node.append(this.#header(), this.#empty, this.#body);
    this.#dashboard = mountDashboard(this.#body, host, { compact: true });
    store.changed.connect(this.#update, this);
    channels.changed.connect(this.#update, this);
    notebooks.changed.connect(this.#update, this);
    notebooks.tracker.currentChanged.connect(this.#update, this);
    this.#update();
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.#dashboard.dispose();
      Signal.clearData(this);
      super.dispose();
    }
  }

  #update(): void {
    const notebook = this.notebooks.tracker.currentWidget;
    const kernelId = notebook && kernelIdOf(notebook);
    const view = kernelId ? this.store.get(kernelId) : null;
    this.#name.textContent = notebook?.title.label ?? '';
    this.#name.hidden = notebook === null;
    this.#body.hidden = view === null;
    this.#empty.hidden = view !== null;
    if (view === null) {
      this.#empty.replaceChildren(...this.#invitation(notebook !== null, kernelId));
    }
    this.#dashboard.show(view);
  }

  #header(): HTMLElement {
    const header = document.createElement('div');
    header.className = 'skyline-panel-header';
    const title = document.createElement('h2');
    title.textContent = this.trans.__('Skyline');
    header.append(title, this.#name);
    return header;
  }

  /** What to do next: load the extension first, where the kernel was not heard yet. */
  #invitation(isOpen: boolean, kernelId: string | null): HTMLElement[] {
    const { trans } = this;
    if (!isOpen) {
      return [paragraph(trans.__('Open a notebook that trains a PyTorch model.'))];
    }
    const profile = paragraph(
      trans.__(
        'Put %1 on top of the cell that defines your model or trains it, and run it.',
        '%%skyline',
      ),
    );
    return kernelId !== null && this.channels.isOpen(kernelId)
      ? [profile]
      : [
          paragraph(trans.__('Load Skyline in this notebook, then profile a cell.')),
          line('%load_ext skyline_jupyter'),
          profile,
        ];
  }

  readonly #name = document.createElement('span');
  readonly #empty = document.createElement('div');
  readonly #body = document.createElement('div');
  readonly #dashboard: MountedDashboard;
}

function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

/** A line to type, easily selected as a whole. */
function line(code: string): HTMLElement {
  const element = document.createElement('pre');
  element.textContent = code;
  return element;
}
