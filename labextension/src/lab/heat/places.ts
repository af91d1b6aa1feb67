// Where each mark stands while its cell is edited: at its line wherever that goes, and again where it comes back.

import type { ChangeDesc, Text } from '@codemirror/state';

import type { HeatLine } from './lines';

export interface Place {
  readonly heat: HeatLine;
  /** Where its line begins; `null` while it is gone. */
  readonly from: number | null;
}

/** By their numbers; a line that stands elsewhere by now is found by its text. */
export function placesOf(lines: readonly HeatLine[], text: Text): Place[] {
  const numbered = lines.map(heat => ({
    heat,
    from: heat.line <= text.lines ? text.line(heat.line).from : null,
  }));
  const moved = numbered.map(place => (isOld(place, text) ? { ...place, from: null } : place));
  const found = withFound(moved, text);
  return distinct(
    found.map((place, index) => (place.from === null ? (numbered[index] ?? place) : place)),
    text,
  );
}

export function placesAfter(
  places: readonly Place[],
  changes: ChangeDesc,
  before: Text,
  text: Text,
): Place[] {
  const moved = places.map(({ heat, from }) => ({
    heat,
    from: from === null ? null : afterEdit(from, heat.text.trim(), changes, before, text),
  }));
  return withFound(distinct(moved, text), text);
}

/** The line does not read what it read when it was measured. */
export function isOld({ heat, from }: Place, text: Text): boolean {
  return from === null || text.lineAt(from).text.trim() !== heat.text.trim();
}

/** Of what became of a line, the part that reads `wanted`, or else where it begins; nothing left of it: it is gone. */
function afterEdit(
  from: number,
  wanted: string,
  changes: ChangeDesc,
  before: Text,
  text: Text,
): number | null {
  const line = before.lineAt(from);
  const first = text.lineAt(changes.mapPos(line.from, -1)).number;
  const last = text.lineAt(changes.mapPos(line.to, 1)).number;
  const begin = changes.mapPos(line.from, 1);
  const isGone = line.length > 0 && changes.mapPos(line.to, -1) <= begin;
  return onlyLine(text, wanted, first, last) ?? (isGone ? null : text.lineAt(begin).from);
}

/** One mark a line: that of the line which reads what it read, or else the first. */
function distinct(places: readonly Place[], text: Text): Place[] {
  const fresh = new Set(places.filter(place => !isOld(place, text)).map(({ from }) => from));
  const taken = new Set<number | null>();
  return places.map(place => {
    const { from } = place;
    if (taken.has(from) || (isOld(place, text) && fresh.has(from))) {
      return { ...place, from: null };
    }
    taken.add(from);
    return place;
  });
}

/** Lost lines that stand somewhere after all, where no other mark stands and no second line reads the same. */
function withFound(places: readonly Place[], text: Text): Place[] {
  const taken = new Set(places.map(({ from }) => from));
  return places.map(place => {
    const from = place.from ?? onlyLine(text, place.heat.text.trim(), 1, text.lines);
    if (place.from !== null || from === null || taken.has(from)) {
      return place;
    }
    taken.add(from);
    return { ...place, from };
  });
}

/** The beginning of the one line between these two that reads `wanted`; `null` for none or several. */
function onlyLine(text: Text, wanted: string, first: number, last: number): number | null {
  let found: number | null = null;
  for (let number = first; number <= last; number += 1) {
    const line = text.line(number);
    if (line.text.trim() === wanted) {
      if (found !== null) {
        return null;
      }
      found = line.from;
    }
  }
  return found;
}
