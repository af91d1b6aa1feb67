// The gutter of a cell's editor: a bar beside each line that takes something, kept right through edits.

import {
  RangeSet,
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Text,
} from '@codemirror/state';
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from '@codemirror/view';

import type { HeatLine } from './lines';
import { isOld, placesAfter, placesOf, type Place } from './places';

/** Replace all marks of an editor. */
export const setHeat = StateEffect.define<readonly HeatLine[]>();

/** The lines (1-based) of which the breakdown speaks just now. */
export const pointAt = StateEffect.define<readonly number[]>();

/** A mark, where it stands on the page. */
export interface MarkAt {
  element: HTMLElement;
  heat: HeatLine;
  isOld: boolean;
}

/** A mark, where its line begins in the text. */
export interface MarkIn {
  from: number;
  heat: HeatLine;
  isOld: boolean;
}

/** The marks of an editor from top to bottom. */
export function marksIn(state: EditorState): MarkIn[] {
  const found: MarkIn[] = [];
  state.field(heatField, false)?.set.between(0, state.doc.length, (from, _to, { heat, isOld }) => {
    found.push({ from, heat, isOld });
  });
  return found;
}

export interface GutterEvents {
  /** The pointer rests on the mark of a node, or on none (-1). */
  hovered(node: number): void;
  /** The pointer is at this mark, or at none. */
  rested(mark: MarkAt | null): void;
  clicked(node: number): void;
}

export function heatGutter(events: GutterEvents): Extension {
  const markAt = (view: EditorView, from: number): HeatMarker | null => {
    let found: HeatMarker | null = null;
    view.state.field(heatField).set.between(from, from, (_from, _to, marker) => {
      found = marker;
    });
    return found;
  };
  return [
    heatField,
    pointField,
    gutter({
      class: 'skyline-heat',
      markers: view => view.state.field(heatField).set,
      domEventHandlers: {
        pointerover(view, block, event) {
          const mark = markAt(view, block.from);
          events.hovered(mark?.heat.node ?? -1);
          const element = elementAt(event);
          events.rested(mark && element && { element, heat: mark.heat, isOld: mark.isOld });
          return false;
        },
        pointerout() {
          events.hovered(-1);
          events.rested(null);
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

function elementAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.skyline-heat-mark') : null;
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
    return mark;
  }
}

interface Marks {
  readonly places: readonly Place[];
  readonly set: RangeSet<HeatMarker>;
}

const heatField = StateField.define<Marks>({
  create: () => ({ places: [], set: RangeSet.of<HeatMarker>([]) }),
  update(marks, transaction) {
    const { changes, docChanged, startState, newDoc } = transaction;
    const moved = docChanged
      ? marksOf(placesAfter(marks.places, changes, startState.doc, newDoc), newDoc)
      : marks;
    return transaction.effects.reduce(
      (now, effect) => (effect.is(setHeat) ? marksOf(placesOf(effect.value, newDoc), newDoc) : now),
      moved,
    );
  },
});

function marksOf(places: readonly Place[], text: Text): Marks {
  const ranges = places.flatMap(place =>
    place.from === null ? [] : [new HeatMarker(place.heat, isOld(place, text)).range(place.from)],
  );
  return { places, set: RangeSet.of<HeatMarker>(ranges, true) };
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
