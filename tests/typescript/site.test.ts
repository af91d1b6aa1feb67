import { describe, expect, it } from 'vitest';
import vectors from '../fixtures/sites.json';
import { constantValue } from '../../labextension/src/report/constants';
import { currentLiteral, lineToPaste, statementWith } from '../../labextension/src/report/site';
import type { Site } from '../../labextension/src/report/wire.generated';

function siteIn(source: string, text: string, statement: string): Site {
  const start = source.indexOf(text, source.indexOf(statement));
  return {
    cell_id: 'a1',
    execution_count: 3,
    line: 2,
    start,
    end: start + text.length,
    text,
    value: Number(text),
    statement,
    statement_start: source.indexOf(statement),
    cell_source: source,
  };
}

const NUMBERS = vectors.numbers as [text: string, value: number | null][];

it.each(NUMBERS)('a number or an expression of numbers has the value: %j → %s', (text, value) => {
  expect(constantValue(text)).toBe(value);
});

describe('a site meets the vector:', () => {
  it.each(vectors.cells)('$why', ({ ran, start, end, now, value, edited }) => {
    const text = /«(.*)»/.exec(ran)?.[1] ?? '';
    const marked = { ...siteIn(ran.replace(/[«»]/g, ''), text, text), start, end };
    expect(marked.cell_source.slice(start, end)).toBe(text);
    const literal = currentLiteral(marked, now);
    expect(literal?.value ?? null).toBe(value);
    const rewritten = literal && now.slice(0, literal.start) + '96' + now.slice(literal.end);
    expect(rewritten).toBe(edited);
  });
});

it('no literal is found when what stands before and after it overlaps', () => {
  const doubled = siteIn('x = 11', '1', 'x = 11');
  expect(currentLiteral(doubled, 'x = 1')).toBeNull();
});

it('the statement takes another size, wherever in the cell it stands', () => {
  const source = 'x = 64\nloader = DataLoader(data, batch_size=64, shuffle=True)';
  const call = siteIn(source, '64', 'loader = DataLoader(data, batch_size=64, shuffle=True)');
  expect(statementWith(call, 192)).toBe('loader = DataLoader(data, batch_size=192, shuffle=True)');
});

describe('the line to paste', () => {
  it('is the whole statement where that is short', () => {
    const statement = 'loader = DataLoader(\n    data,\n    batch_size=64,\n)';
    const site = siteIn(`# data\n${statement}\nmore()`, '64', statement);
    expect(lineToPaste(site, 96)).toBe(statement.replace('64', '96'));
  });

  it('is the one line of a long statement, or where no statement can be run', () => {
    const long = `def make():\n${'    pass\n'.repeat(9)}    return Loader(64)`;
    expect(lineToPaste(siteIn(long, '64', long), 96)).toBe('return Loader(96)');
    expect(lineToPaste(siteIn('for x in Loader(64):\n    train(x)', '64', ''), 96)).toBe(
      'for x in Loader(96):',
    );
  });
});
