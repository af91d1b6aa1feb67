// Heat in the cells: what each line takes, beside it, linked with the breakdown in the dashboards.

import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { EditorExtensionRegistry, type IEditorExtensionFactory } from '@jupyterlab/codemirror';
import type { EditorView } from '@codemirror/view';
import { ViewPlugin } from '@codemirror/view';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import type { ISharedBaseCell } from '@jupyter/ydoc';

import type { Metric } from '../../report/tree';
import type { View } from '../../report/wire.generated';
import { dispatchSkylineEvent, onSkylineEvent, POINT_EVENT, type PointDetail } from '../../views';
import { kernelIdOf } from '../notebooks';
import type { OpenNotebooks } from '../open';
import type { ViewStore } from '../store';
import { HeatCard } from './card';
import { heatGutter, marksIn, pointAt, setHeat, type MarkAt } from './gutter';
import { heatOf } from './lines';
import { HeatReader } from './reader';

/** What the gutters show, or that there are none. */
export type Heat = Metric | 'off';

type SharedModel = CodeEditor.IModel['sharedModel'];

/** Keeps the gutters of all cells equal to the newest breakdown of their kernel. */
export class CellHeat implements IDisposable {
  constructor(
    private readonly notebooks: OpenNotebooks,
    private readonly store: ViewStore,
  ) {
    store.changed.connect(this.#paintAll, this);
    notebooks.changed.connect(this.#paintAll, this);
    onSkylineEvent(document, POINT_EVENT, event => this.#point(event.detail), this.#served.signal);
  }

  get shown(): Heat {
    return this.#shown;
  }

  show(heat: Heat): void {
    this.#shown = heat;
    this.#paintAll();
  }

  /** Whether the active cell has a mark to read. */
  get isReadable(): boolean {
    const editor = this.#activeEditor();
    return editor !== null && marksIn(editor.state).length > 0;
  }

  /** Show the card of the cursor's line, for the keyboard. */
  read(): void {
    const editor = this.#activeEditor();
    if (editor !== null) {
      this.#reader.read(editor);
    }
  }

  /** What JupyterLab makes each cell's editor of. */
  readonly extension: IEditorExtensionFactory = {
    name: 'skyline-jupyter:heat',
    factory: ({ inline, model }) =>
      inline
        ? EditorExtensionRegistry.createImmutableExtension(this.#editorExtension(model.sharedModel))
        : null,
  };

  get isDisposed(): boolean {
    return this.#served.signal.aborted;
  }

  dispose(): void {
    this.show('off');
    this.#served.abort();
    this.#card.dispose();
    Signal.clearData(this);
  }

  #editorExtension(shared: SharedModel): ReturnType<typeof heatGutter> {
    const adopt = ViewPlugin.define(view => {
      this.#editors.set(view, shared);
      // An editor that is being made takes no changes yet.
      queueMicrotask(() => this.#paint(view));
      return { destroy: () => this.#editors.delete(view) };
    });
    return [
      adopt,
      heatGutter({
        hovered: node => this.#tell(shared, node, false),
        rested: mark => this.#showCard(mark),
        clicked: node => this.#tell(shared, node, true),
      }),
    ];
  }

  #activeEditor(): EditorView | null {
    const cell = this.notebooks.tracker.activeCell;
    return [...this.#editors.keys()].find(({ dom }) => cell?.node.contains(dom)) ?? null;
  }

  #paintAll(): void {
    for (const view of this.#editors.keys()) {
      this.#paint(view);
    }
  }

  #paint(editor: EditorView): void {
    const shared = this.#editors.get(editor);
    if (shared === undefined) {
      return;
    }
    const breakdown = this.#viewFor(shared)?.report?.breakdown;
    const shown = this.#shown;
    const lines = breakdown && shown !== 'off' ? heatOf(breakdown, cellIdOf(shared), shown) : [];
    const key = breakdown && lines.length > 0 ? `${shown} ${JSON.stringify(lines)}` : '';
    if (key !== (this.#painted.get(editor) ?? '')) {
      this.#painted.set(editor, key);
      editor.dispatch({ effects: setHeat.of(lines) });
    }
  }

  /** What the kernel of the notebook in which this cell stands reported last. */
  #viewFor(shared: SharedModel): View | null {
    const panel = this.notebooks.tracker.find(each => holds(each, shared));
    return this.store.get((panel && kernelIdOf(panel)) ?? '');
  }

  #showCard(mark: MarkAt | null): void {
    if (mark === null) {
      this.#card.hide();
    } else {
      this.#card.show(mark.element, mark);
    }
  }

  /** A mark is pointed at: the dashboards show its node. */
  #tell(shared: SharedModel, node: number, keep: boolean): void {
    const view = this.#viewFor(shared);
    if (view !== null) {
      dispatchSkylineEvent(document, POINT_EVENT, { kernelId: view.kernel_id, node, keep });
    }
  }

  /** A node is pointed at: the cells show the lines that run it. */
  #point({ kernelId, node }: PointDetail): void {
    const breakdown = this.store.get(kernelId)?.report?.breakdown;
    const own = breakdown?.nodes.line[node] ?? -1;
    const lines = (breakdown?.lines ?? []).filter(
      (line, index) => node >= 0 && (line.node === node || index === own),
    );
    for (const [editor, shared] of this.#editors) {
      const numbers = lines
        .filter(line => line.cell_id === cellIdOf(shared))
        .map(line => line.line);
      const wasEmpty = (this.#pointed.get(editor) ?? 0) === 0;
      if (numbers.length > 0 || !wasEmpty) {
        this.#pointed.set(editor, numbers.length);
        editor.dispatch({ effects: pointAt.of(numbers) });
      }
    }
  }

  readonly #editors = new Map<EditorView, SharedModel>();
  readonly #painted = new WeakMap<EditorView, string>();
  readonly #pointed = new WeakMap<EditorView, number>();
  readonly #served = new AbortController();
  readonly #card = new HeatCard();
  readonly #reader = new HeatReader(this.#card, (editor, node) => {
    const shared = this.#editors.get(editor);
    if (shared !== undefined) this.#tell(shared, node, true);
  });
  #shown: Heat = 'time';
}

function holds(panel: NotebookPanel, shared: SharedModel): boolean {
  return [...(panel.content.model?.cells ?? [])].some(cell => cell.sharedModel === shared);
}

function cellIdOf(shared: SharedModel): string {
  return 'getId' in shared ? (shared as unknown as ISharedBaseCell).getId() : '';
}
