// The JupyterLab extension: tokens in, plugin out.

/* eslint-disable jupyter/prefer-lazy-imports -- 20 kB that must hear the first kernel: later is too late. */

import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin,
} from '@jupyterlab/application';
import {
  ICommandPalette,
  ISessionContextDialogs,
  SessionContextDialogs,
} from '@jupyterlab/apputils';
import { IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import { INotebookCellExecutor, INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { DisposableSet } from '@lumino/disposable';

import { speak } from '../views';
import { Applier } from './apply';
import { KernelChannels } from './channel';
import { EditLog } from './edits';
import { SiteFollower } from './follow';
import { addGauges } from './gauges';
import { addHeat } from './heat';
import { serveOutputs, sidePanelHost } from './host';
import { StaleMarks } from './marks';
import { tellDashboards } from './news';
import { OpenNotebooks } from './open';
import { SkylinePanel } from './panel';
import { Preferences } from './preferences';
import { Rerunner } from './rerun';
import { Rewriter } from './rewrite';
import { CellRunner } from './run';
import { ViewStore } from './store';

const OPEN_PANEL = 'skyline:open-panel';

let parts = new DisposableSet();

const PLUGIN_ID = 'skyline-jupyter:plugin';

const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN_ID,
  description: 'Shows the profile of a training step and changes the batch size in its notebook.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [
    INotebookCellExecutor,
    ISessionContextDialogs,
    ITranslator,
    ICommandPalette,
    ILayoutRestorer,
    IEditorExtensionRegistry,
    ISettingRegistry,
  ],
  activate: (
    app: JupyterFrontEnd,
    tracker: INotebookTracker,
    executor: INotebookCellExecutor | null,
    dialogs: ISessionContextDialogs | null,
    translator: ITranslator | null,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    editors: IEditorExtensionRegistry | null,
    settings: ISettingRegistry | null,
  ) => {
    const trans = (translator ?? nullTranslator).load('skyline_jupyter');
    speak(trans);
    const notebooks = new OpenNotebooks(tracker);
    const store = new ViewStore();
    const channels = new KernelChannels(notebooks, store);
    const edits = new EditLog();
    const rewriter = new Rewriter(edits);
    const preferences = new Preferences(settings, PLUGIN_ID);
    const runner = new CellRunner(executor, dialogs ?? new SessionContextDialogs());
    const rerunner = new Rerunner(tracker, runner, preferences);
    const applier = new Applier(tracker, store, edits, rewriter, rerunner, preferences);
    const follower = new SiteFollower(notebooks, store, rewriter, applier, rerunner, channels);
    const news = tellDashboards(edits, rerunner.turns, preferences);
    const host = sidePanelHost(tracker, applier, channels);
    const panel = new SkylinePanel(host, notebooks, store, channels, trans);
    const marks = new StaleMarks(notebooks, store);
    const outputs = serveOutputs(tracker, applier, follower, channels);
    const command = app.commands.addCommand(OPEN_PANEL, {
      label: trans.__('Skyline Panel'),
      caption: trans.__('Show the profile of the active notebook'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(panel.id),
    });
    [notebooks, channels, follower, marks, outputs, news, panel, command].forEach(part =>
      parts.add(part),
    );
    parts.add(addGauges(panel, notebooks, channels, settings, PLUGIN_ID));
    if (editors !== null) {
      parts.add(addHeat({ app, notebooks, store, editors, settings, palette, trans }, PLUGIN_ID));
    }
    app.shell.add(panel, 'right', { rank: 900, type: 'Skyline' });
    restorer?.add(panel, panel.id);
    palette?.addItem({ command: OPEN_PANEL, category: trans.__('Notebook Operations') });
  },
  deactivate: () => {
    parts.dispose();
    parts = new DisposableSet();
  },
};

export default plugin;
