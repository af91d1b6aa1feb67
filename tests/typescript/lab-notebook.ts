/** Notebooks for tests of the extension: real shared models, and of JupyterLab only what is asked of it. */

import { YNotebook, type YCodeCell } from '@jupyter/ydoc';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';

import type { PlannedCell, Site, View } from '../../labextension/src/report/wire.generated';

export interface CellText {
  id: string;
  source: string;
  editable?: boolean;
}

/** A notebook that is open and has a kernel. */
export class OpenPanel {
  readonly node = document.createElement('div');
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  readonly kernelChanged = new Signal<this, null>(this);
  readonly disposed = new Signal<this, undefined>(this);
  readonly cellsChanged = new Signal<this, null>(this);
  readOnly = false;
  status: Kernel.Status = 'idle';
  /** As JupyterLab's own class; the extension asks for no more of it than is here. */
  readonly panel: NotebookPanel;

  constructor(
    readonly kernelId: string,
    cells: readonly CellText[],
    /** Another view of a notebook that is open already. */
    readonly notebook = YNotebook.create(),
  ) {
    for (const { id, source, editable } of cells) {
      const metadata = editable === undefined ? {} : { editable };
      this.notebook.addCell({ cell_type: 'code', id, source, metadata });
    }
    this.panel = this.#asPanel();
  }

  cell(id: string): YCodeCell {
    const cell = this.notebook.cells.find(each => each.getId() === id);
    if (cell?.cell_type !== 'code') {
      throw new Error(`no cell ${id}`);
    }
    return cell;
  }

  source(id: string): string {
    return this.cell(id).getSource();
  }

  remove(id: string): void {
    this.notebook.deleteCell(this.notebook.cells.findIndex(cell => cell.getId() === id));
  }

  setStatus(status: Kernel.Status): void {
    this.status = status;
    this.statusChanged.emit(status);
  }

  #asPanel(): NotebookPanel {
    const widgets = (): unknown[] => this.notebook.cells.map(shared => asCell(shared as YCodeCell));
    const isReadOnly = (): boolean => this.readOnly;
    const status = (): Kernel.Status => this.status;
    const kernel = {
      id: this.kernelId,
      get status() {
        return status();
      },
    };
    const model = {
      cells: { changed: this.cellsChanged },
      get readOnly() {
        return isReadOnly();
      },
    };
    const content = {
      model,
      get widgets() {
        return widgets();
      },
    };
    const sessionContext = {
      isDisposed: false,
      statusChanged: this.statusChanged,
      kernelChanged: this.kernelChanged,
      disposed: this.disposed,
      session: { kernel },
    };
    const context = { ready: Promise.resolve() };
    const { node, disposed } = this;
    return { node, disposed, content, context, sessionContext } as unknown as NotebookPanel;
  }
}

function asCell(shared: YCodeCell): unknown {
  return {
    isDisposed: false,
    promptNode: null,
    model: {
      id: shared.getId(),
      type: 'code',
      sharedModel: shared,
      executionCount: shared.execution_count,
      getMetadata: (key: string) => shared.getMetadata(key),
    },
  };
}

/** JupyterLab's list of open notebooks. */
export function trackerOf(...panels: OpenPanel[]): INotebookTracker {
  const all = panels.map(({ panel }) => panel);
  return {
    filter: (keep: (panel: NotebookPanel) => boolean) => all.filter(keep),
    find: (wanted: (panel: NotebookPanel) => boolean) => all.find(wanted),
    forEach: (each: (panel: NotebookPanel) => void) => all.forEach(each),
    widgetAdded: new Signal({}),
  } as unknown as INotebookTracker;
}

export function siteIn(cellId: string | null, source: string, text: string): Site {
  const start = source.indexOf(text);
  return {
    cell_id: cellId,
    execution_count: 3,
    line: 1,
    start,
    end: start + text.length,
    text,
    value: Number(text),
    statement: source,
    statement_start: 0,
    cell_source: source,
  };
}

export function planned(cellId: string, source: string): PlannedCell {
  return { cell_id: cellId, execution_count: 4, source, reason: '' };
}

export interface ViewParts {
  kernelId: string;
  site: Site | null;
  siteHeavy?: string;
  light?: PlannedCell[];
  heavy?: PlannedCell[];
}

/** A view of which only the site and the plan matter. */
export function viewOf({
  kernelId,
  site,
  siteHeavy = '',
  light = [],
  heavy = [],
}: ViewParts): View {
  return {
    version: 1,
    id: 'view',
    kernel_id: kernelId,
    cell_id: 'board',
    status: 'ready',
    message: '',
    progress: null,
    report: {
      batch_size: site?.value ?? 64,
      site,
      site_reason: 'It is computed.',
    } as View['report'],
    plan: { site_heavy: siteHeavy, light, heavy, stale: [] },
  };
}
