// The heat's command and setting.

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { TranslationBundle } from '@jupyterlab/translation';
import { DisposableSet, type IDisposable } from '@lumino/disposable';

import type { OpenNotebooks } from '../open';
import type { ViewStore } from '../store';
import { CellHeat, type Heat } from './cells';

const NEXT_HEAT = 'skyline:next-heat';
const READ_HEAT = 'skyline:read-heat';
const SETTING = 'heat';
const NEXT: Record<Heat, Heat> = { time: 'memory', memory: 'off', off: 'time' };

export interface HeatHost {
  app: JupyterFrontEnd;
  notebooks: OpenNotebooks;
  store: ViewStore;
  editors: IEditorExtensionRegistry;
  settings: ISettingRegistry | null;
  palette: ICommandPalette | null;
  trans: TranslationBundle;
}

/** Puts a gutter into every cell, and a command that changes what it shows. */
export function addHeat(host: HeatHost, pluginId: string): IDisposable {
  const { app, notebooks, store, editors, settings, palette, trans } = host;
  const parts = new DisposableSet();
  const heat = new CellHeat(notebooks, store);
  parts.add(heat);
  editors.addExtension(heat.extension);
  const names: Record<Heat, string> = {
    time: trans.__('Time'),
    memory: trans.__('Memory'),
    off: trans.__('Off'),
  };
  const show = (shown: Heat): void => {
    heat.show(shown);
    app.commands.notifyCommandChanged(NEXT_HEAT);
  };
  parts.add(
    app.commands.addCommand(NEXT_HEAT, {
      label: () => trans.__('Skyline Heat in Cells: %1', names[NEXT[heat.shown]]),
      caption: trans.__('Show beside each line what it takes of the step: time, memory or nothing'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: async () => {
        show(NEXT[heat.shown]);
        await settings?.set(pluginId, SETTING, heat.shown);
      },
    }),
  );
  parts.add(
    app.commands.addCommand(READ_HEAT, {
      label: trans.__('Skyline Heat of This Line'),
      caption: trans.__("Read what the cursor's line takes of the step; arrows go to other lines"),
      describedBy: { args: { type: 'object', properties: {} } },
      isEnabled: () => heat.isReadable,
      execute: () => heat.read(),
    }),
  );
  for (const command of [NEXT_HEAT, READ_HEAT]) {
    palette?.addItem({ command, category: trans.__('Notebook Operations') });
  }
  void settings?.load(pluginId).then(loaded => {
    const follow = (): void => {
      const wanted = loaded.get(SETTING).composite;
      if (isHeat(wanted) && wanted !== heat.shown) {
        show(wanted);
      }
    };
    loaded.changed.connect(follow);
    follow();
  });
  return parts;
}

function isHeat(value: unknown): value is Heat {
  return value === 'time' || value === 'memory' || value === 'off';
}
