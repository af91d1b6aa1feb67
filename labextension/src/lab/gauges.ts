// Live gauges of the active notebook's kernel, in the side panel: asked for only while somebody can see them.

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { UUID } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { MessageLoop, type Message } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import type { Widget } from '@lumino/widgets';

import { merged } from '../report/gauges';
import type { Gauges, Reading } from '../report/wire.generated';
import { mountGauges, RATES, type GaugesState } from '../views/gauges';
import type { GaugesFrom, KernelChannels } from './channel';
import { kernelIdOf } from './notebooks';
import type { OpenNotebooks } from './open';

const SETTING = 'gaugesSeconds';
const FIRST_SECONDS = 1;
/** The kernel forgets who is silent for some times as long. */
const HEARTBEAT_MS = 15_000;

/** What is known of one kernel. */
interface Known {
  readings: Reading[];
  latest: Gauges;
}

/** The section "Devices" of the side panel. */
export class DeviceGauges implements IDisposable {
  constructor(
    private readonly panel: Widget,
    private readonly notebooks: OpenNotebooks,
    private readonly channels: KernelChannels,
    private readonly remember: (seconds: number) => void,
  ) {
    panel.node.append(this.#element);
    MessageLoop.installMessageHook(panel, this.#shownOrHidden);
    channels.gauges.connect(this.#received, this);
    channels.changed.connect(this.#channelChanged, this);
    notebooks.changed.connect(this.#update, this);
    notebooks.tracker.currentChanged.connect(this.#update, this);
    this.#heartbeat = window.setInterval(() => this.#ask(this.#watched), HEARTBEAT_MS);
    this.#update();
  }

  /** Read so often from now on. */
  setSeconds(seconds: number): void {
    if (seconds !== this.#seconds) {
      this.#seconds = seconds;
      this.#ask(this.#watched);
      this.#draw();
    }
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#open = false;
    this.#update();
    window.clearInterval(this.#heartbeat);
    MessageLoop.removeMessageHook(this.panel, this.#shownOrHidden);
    Signal.clearData(this);
    this.#mounted.dispose();
    this.#element.remove();
  }

  /** Watches the kernel that somebody can see, and no other. */
  #update(): void {
    const active = this.#active();
    const wanted = this.#open && this.panel.isVisible ? active : null;
    if (wanted !== this.#watched) {
      if (this.#watched !== null) {
        this.channels.watchGauges(this.#watched, this.#viewer, null);
      }
      this.#watched = wanted;
      this.#answered = false;
      this.#ask(wanted);
    }
    this.#draw();
  }

  /** The active notebook's kernel, if it was heard. */
  #active(): string | null {
    const notebook = this.notebooks.tracker.currentWidget;
    const kernelId = notebook && kernelIdOf(notebook);
    return kernelId && this.channels.isOpen(kernelId) ? kernelId : null;
  }

  #ask(kernelId: string | null): void {
    if (kernelId !== null) {
      this.channels.watchGauges(kernelId, this.#viewer, this.#seconds);
    }
  }

  #channelChanged(_: KernelChannels, kernelId: string): void {
    if (!this.channels.isOpen(kernelId)) {
      this.#known.delete(kernelId);
    }
    if (this.#watched === kernelId) {
      this.#watched = null; // whoever answers now has not been asked
    }
    this.#update();
  }

  #received(_: KernelChannels, { kernelId, gauges }: GaugesFrom): void {
    const known = this.#known.get(kernelId)?.readings ?? [];
    this.#known.set(kernelId, { readings: merged(known, gauges.readings), latest: gauges });
    if (kernelId === this.#watched) {
      this.#answered = true;
      this.#draw();
    }
  }

  #draw(): void {
    const kernelId = this.#active();
    this.#element.hidden = kernelId === null;
    this.#mounted.show({
      state: this.#state(kernelId),
      open: this.#open,
      onToggle: open => {
        this.#open = open;
        this.#update();
      },
      onRate: seconds => {
        this.setSeconds(seconds);
        this.remember(seconds);
      },
    });
  }

  #state(kernelId: string | null): GaugesState {
    const known = this.#known.get(kernelId ?? '');
    const isBusy = statusOf(this.notebooks.tracker.currentWidget) === 'busy';
    const unanswered = isBusy ? 'waiting' : 'asked';
    const answered = known?.latest.is_paused ? 'paused' : 'live';
    return {
      readings: known?.readings ?? [],
      seconds: this.#seconds,
      status: this.#answered ? answered : unanswered,
      problem: known?.latest.problem ?? '',
    };
  }

  readonly #shownOrHidden = (_: unknown, message: Message): boolean => {
    if (message.type === 'after-show' || message.type === 'after-hide') {
      this.#update();
    }
    return true;
  };

  readonly #element = document.createElement('div');
  readonly #mounted = mountGauges(this.#element);
  readonly #known = new Map<string, Known>();
  readonly #viewer = UUID.uuid4();
  readonly #heartbeat: number;
  #open = false;
  #seconds: number = FIRST_SECONDS;
  #watched: string | null = null;
  #answered = false;
  #isDisposed = false;
}

function statusOf(panel: NotebookPanel | null): string | undefined {
  return panel?.sessionContext.session?.kernel?.status;
}

/** The section, at the rate that the user's settings say. */
export function addGauges(
  panel: Widget,
  notebooks: OpenNotebooks,
  channels: KernelChannels,
  settings: ISettingRegistry | null,
  pluginId: string,
): IDisposable {
  const gauges = new DeviceGauges(panel, notebooks, channels, seconds => {
    void settings?.set(pluginId, SETTING, seconds);
  });
  void settings?.load(pluginId).then(loaded => {
    const follow = (): void => {
      const wanted = loaded.get(SETTING).composite;
      const rate = RATES.find(each => each === wanted);
      if (rate !== undefined && !gauges.isDisposed) {
        gauges.setSeconds(rate);
      }
    };
    loaded.changed.connect(follow);
    follow();
  });
  return gauges;
}
