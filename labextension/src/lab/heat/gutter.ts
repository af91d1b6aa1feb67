// The gutter of a cell's editor: a bar beside each line that takes something, kept right through edits.

import {
  RangeSet,
  StateEffect,
  StateField,
  type Extension,
  type Range,
  type Text,
  type Transaction,
} from '@codemirror/state';
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from '@codemirror/view';

import type { HeatLine } from './lines';

/** Replace all marks of an editor. */
export const setHeat = StateEffect.define<readonly HeatLine[]>();

/** The lines (1-based) of which the breakdown speaks just now. */
export const pointAt = StateEffect.define<readonly number[]>();

export interface GutterEvents {
  /** The pointer rests on the mark of a node, or on none (-1). */
  hovered(node: number): void;
  clicked(node: number): void;
}

export function heatGutter(events: GutterEvents): Extension {
  const markAt = (view: EditorView, from: number): HeatMarker | null => {
    let found: HeatMarker | null = null;
    view.state.field(heatField).between(from, from, (_from, _to, marker) => {
      found = marker;
    });
    return found;
  };
  return [
    heatField,
    pointField,
    gutter({
      class: 'skyline-heat',
      markers: view => view.state.field(heatField),
      domEventHandlers: {
        pointerover(view, block) {
          events.hovered(markAt(view, block.from)?.heat.node ?? -1);
          return false;
        },
        pointerout() {
          events.hovered(-1);
          return false;
        },
        pointerdown(view, block) {
          const mark = markAt(view, block.from);
          if (mark !== null) {
            events.clicked(mark.heat.node);
          }
          return mark !== null;
        },
      },
    }),
  ];
}

class HeatMarker extends GutterMarker {
  constructor(
    readonly heat: HeatLine,
    /** The line has been edited since it was measured. */
    readonly isOld: boolean,
  ) {
    super();
  }

  override eq(other: HeatMarker): boolean {
    return other.heat === this.heat && other.isOld === this.isOld;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('div');
    mark.className = this.isOld ? 'skyline-heat-mark skyline-heat-old' : 'skyline-heat-mark';
    mark.style.setProperty('--share', String(Math.min(this.heat.share, 1)));
    mark.textContent = this.heat.label;
    const then = this.isOld ? 'Before this line was edited:\n' : '';
    mark.title = then + this.heat.details;
    return mark;
  }
}

const heatField = StateField.define<RangeSet<HeatMarker>>({
  create: () => RangeSet.empty,
  update(marks, transaction) {
    const moved = transaction.docChanged ? afterEdit(marks, transaction) : marks;
    return transaction.effects.reduce(
      (now, effect) => (effect.is(setHeat) ? marksOf(effect.value, transaction.newDoc) : now),
      moved,
    );
  },
});

function marksOf(lines: readonly HeatLine[], text: Text): RangeSet<HeatMarker> {
  const ranges: Range<HeatMarker>[] = lines
    .filter(({ line }) => line <= text.lines)
    .map(heat => {
      const line = text.line(heat.line);
      return new HeatMarker(heat, line.text.trim() !== heat.text.trim()).range(line.from);
    });
  return RangeSet.of(ranges, true);
}

/** Marks move with their lines; that of a line which now reads otherwise is old. */
function afterEdit(marks: RangeSet<HeatMarker>, transaction: Transaction): RangeSet<HeatMarker> {
  const ranges: Range<HeatMarker>[] = [];
  const taken = new Set<number>();
  marks.map(transaction.changes).between(0, transaction.newDoc.length, (from, _to, { heat }) => {
    const line = transaction.newDoc.lineAt(from);
    if (!taken.has(line.from)) {
      taken.add(line.from);
      ranges.push(new HeatMarker(heat, line.text.trim() !== heat.text.trim()).range(line.from));
    }
  });
  return RangeSet.of(ranges, true);
}

const POINTED = Decoration.line({ class: 'skyline-heat-pointed' });

const pointField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    const moved = decorations.map(transaction.changes);
    return transaction.effects.reduce((now, effect) => {
      if (!effect.is(pointAt)) {
        return now;
      }
      const text = transaction.newDoc;
      const lines = effect.value.filter(line => line <= text.lines);
      return Decoration.set(
        lines.map(line => POINTED.range(text.line(line).from)),
        true,
      );
    }, moved);
  },
  provide: field => EditorView.decorations.from(field),
});
