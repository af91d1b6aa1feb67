import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Signal } from '@lumino/signaling';
import { expect, it } from 'vitest';

import { Preferences } from '../../labextension/src/lab/preferences';

class SettingsStandIn {
  readonly changed = new Signal<this, void>(this);
  release: unknown = 'light';

  get(): { composite: unknown } {
    return { composite: this.release };
  }

  set(release: unknown): void {
    this.release = release;
    this.changed.emit();
  }
}

it('a release does what the setting says, from the moment on that it is changed', async () => {
  const settings = new SettingsStandIn();
  const registry = { load: () => Promise.resolve(settings) } as unknown as ISettingRegistry;
  const preferences = new Preferences(registry, 'plugin');
  let changes = 0;
  preferences.changed.connect(() => (changes += 1));
  await Promise.resolve();
  expect([preferences.release, changes]).toEqual(['light', 0]);

  settings.set('all');
  expect([preferences.release, changes]).toEqual(['all', 1]);

  settings.set('nonsense');
  expect([preferences.release, changes]).toEqual(['all', 1]);
});

it('without settings the light cells are run', () => {
  expect(new Preferences(null, 'plugin').release).toBe('light');
});
