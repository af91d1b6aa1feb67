// What the user has chosen in the settings, kept at hand.

import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Signal, type ISignal } from '@lumino/signaling';

import type { Release } from '../views';
import type { Preference } from './rerun';

const RELEASE = 'release';

/** The settings of the plugin that decide what an edit does; the defaults until they are loaded. */
export class Preferences implements Preference {
  constructor(settings: ISettingRegistry | null, pluginId: string) {
    void settings?.load(pluginId).then(loaded => {
      const follow = (): void => {
        const release = loaded.get(RELEASE).composite;
        if (isRelease(release) && release !== this.#release) {
          this.#release = release;
          this.#changed.emit();
        }
      };
      loaded.changed.connect(follow);
      follow();
    });
  }

  /** Emits when any of them has changed. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get release(): Release {
    return this.#release;
  }

  #release: Release = 'light';
  readonly #changed = new Signal<this, void>(this);
}

function isRelease(value: unknown): value is Release {
  return value === 'edit' || value === 'light' || value === 'all';
}
