/** The marks of the heat gutter through edits of their cell. */

import { EditorState, type ChangeSpec, type Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { isOld, placesAfter, placesOf, type Place } from '../../labextension/src/lab/heat/places';

const SOURCE = 'a = f()\nb = g(a)\nc = h(b)';

function heat(line: number, text: string): Place['heat'] {
  return { line, text, share: 0.5, label: '50 %', summary: '', facts: [], node: 1 };
}

const LINES = [heat(1, 'a = f()'), heat(3, 'c = h(b)')];

/** For each mark the number of its line, with a star where that is old; 0 where it is gone. */
function shown(places: readonly Place[], text: Text): string[] {
  return places.map(place =>
    place.from === null ? '0' : `${text.lineAt(place.from).number}${isOld(place, text) ? '*' : ''}`,
  );
}

function edited(source: string, ...edits: ChangeSpec[]): string[] {
  let state = EditorState.create({ doc: source });
  let places = placesOf(LINES, state.doc);
  for (const changes of edits) {
    const transaction = state.update({ changes });
    places = placesAfter(places, transaction.changes, state.doc, transaction.newDoc);
    state = transaction.state;
  }
  return shown(places, state.doc);
}

describe('marks through edits', () => {
  it.each<[string, ChangeSpec[], string[]]>([
    ['stand at their lines', [], ['1', '3']],
    ['are old where the line changed', [{ from: 4, to: 5, insert: 'k' }], ['1*', '3']],
    ['are old where its first letter changed', [{ from: 0, to: 1, insert: 'q' }], ['1*', '3']],
    [
      'are right again once the change is taken back',
      [
        { from: 4, to: 5, insert: 'k' },
        { from: 4, to: 5, insert: 'f' },
      ],
      ['1', '3'],
    ],
    ['are not old for an indent', [{ from: 17, insert: '    ' }], ['1', '3']],
    ['go down with a line typed above', [{ from: 0, insert: 'x = 1\n' }], ['2', '4']],
    [
      'go down with a line typed above letter by letter',
      [
        { from: 0, insert: 'x' },
        { from: 1, insert: '\n' },
      ],
      ['2', '4'],
    ],
    ['stay with the first half of a split line', [{ from: 3, insert: '\n' }], ['1*', '4']],
    ['are gone with their line', [{ from: 0, to: 8 }], ['0', '2']],
    [
      'come back with their line',
      [
        { from: 0, to: 8 },
        { from: 0, insert: 'a = f()\n' },
      ],
      ['1', '3'],
    ],
    [
      'follow a line that is moved to the end',
      [
        [
          { from: 0, to: 8 },
          { from: 25, insert: '\na = f()' },
        ],
      ],
      ['3', '2'],
    ],
    [
      'are found again in a text that was written anew',
      [{ from: 0, to: 25, insert: '# tidy\nc = h(b)\n\na = f()\n' }],
      ['4', '2'],
    ],
    ['are gone where the text is another', [{ from: 0, to: 25, insert: 'pass' }], ['0', '0']],
    [
      'do not guess between two lines that read the same',
      [{ from: 0, to: 25, insert: 'a = f()\na = f()' }],
      ['0', '0'],
    ],
  ])('%s', (_, edits, expected) => {
    expect(edited(SOURCE, ...edits)).toEqual(expected);
  });
});

describe('marks of a profile that comes after edits', () => {
  it.each<[string, string, string[]]>([
    ['are found by their text', `x = 1\n${SOURCE}`, ['2', '4']],
    ['are old at their number where the text is nowhere', 'a = k()\nb = 1\nc = h(b)', ['1*', '3']],
    ['are gone where there is no such line', 'b = 1', ['1*', '0']],
  ])('%s', (_, source, expected) => {
    expect(edited(source)).toEqual(expected);
  });
});
