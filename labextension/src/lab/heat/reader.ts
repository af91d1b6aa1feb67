// The heat of a cell for those who use no pointer: the card opens at the cursor's line and has the focus meanwhile.

import { EditorView } from '@codemirror/view';

import type { HeatCard } from './card';
import { marksIn } from './gutter';

/** Reads the marks of a cell one by one. */
export class HeatReader {
  constructor(
    private readonly card: HeatCard,
    /** A mark is chosen, as by a click. */
    private readonly choose: (editor: EditorView, node: number) => void,
  ) {}

  /** Open the card at the first mark from the cursor's line on, or at the last one. */
  read(editor: EditorView): void {
    const { doc, selection } = editor.state;
    const line = doc.lineAt(selection.main.head);
    const marks = marksIn(editor.state);
    const next = marks.findIndex(({ from }) => from >= line.from);
    this.#readAt(editor, next === -1 ? marks.length - 1 : next, document.activeElement);
  }

  #readAt(editor: EditorView, index: number, before: Element | null): void {
    const mark = marksIn(editor.state)[index];
    if (mark === undefined) {
      return;
    }
    const turn = (key: string): boolean => {
      const move = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (move !== undefined) {
        this.#readAt(editor, index + move, before);
      } else if (key === 'Escape' || key === 'Enter') {
        this.card.hide();
        if (before instanceof HTMLElement) before.focus();
        if (key === 'Enter') this.choose(editor, mark.heat.node);
      }
      return move !== undefined || key === 'Escape' || key === 'Enter';
    };
    editor.dispatch({ effects: EditorView.scrollIntoView(mark.from) });
    editor.requestMeasure({
      read: () => editor.coordsAtPos(mark.from),
      write: line => {
        if (line !== null) {
          const { left } = editor.dom.getBoundingClientRect();
          this.card.read({ left, top: line.top, bottom: line.bottom }, mark, turn);
        }
      },
    });
  }
}
