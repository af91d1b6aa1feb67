import { describe, expect, it } from 'vitest';
import { currentLiteral, statementWith } from '../../labextension/src/report/site';
import type { Site } from '../../labextension/src/report/wire.generated';

const SOURCE = '# 🚀 data\nbatch_size = 64  # samples\nlr = 0.1\n';

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

const site = siteIn(SOURCE, '64', 'batch_size = 64');

describe('the literal at the site is found in a cell', () => {
  it.each([
    ['that is as the kernel ran it', SOURCE, 64, '64'],
    ['in which it grew a digit', SOURCE.replace('64', '192'), 192, '192'],
    ['in which it lost one', SOURCE.replace('64', '8'), 8, '8'],
    ['that groups its digits', SOURCE.replace('64', '1_024'), 1024, '1_024'],
    ['that writes it in hexadecimal', SOURCE.replace('64', '0x40'), 64, '0x40'],
  ])('%s', (_, text, value, digits) => {
    const literal = currentLiteral(site, text);
    expect(literal).toEqual({ value, start: site.start, end: site.start + digits.length });
    expect(text.slice(literal?.start, literal?.end)).toBe(digits);
  });
});

describe('no literal is found in a cell', () => {
  it.each([
    ['with another line', `import torch\n${SOURCE}`],
    ['with a changed comment', SOURCE.replace('samples', 'images')],
    ['with an expression in its place', SOURCE.replace('64', '64 * 2')],
    ['with a name in its place', SOURCE.replace('64', 'size')],
    ['with a float in its place', SOURCE.replace('64', '64.0')],
    ['with a leading zero', SOURCE.replace('64', '064')],
    ['with a trailing underscore', SOURCE.replace('64', '64_')],
    ['with nothing in its place', SOURCE.replace('64', '')],
    ['that is empty', ''],
  ])('%s', (_, text) => {
    expect(currentLiteral(site, text)).toBeNull();
  });

  it('when what stands before and after it overlaps', () => {
    const doubled = siteIn('x = 11', '1', 'x = 11');
    expect(currentLiteral(doubled, 'x = 1')).toBeNull();
  });
});

it('the statement takes another size, wherever in the cell it stands', () => {
  const source = 'x = 64\nloader = DataLoader(data, batch_size=64, shuffle=True)';
  const call = siteIn(source, '64', 'loader = DataLoader(data, batch_size=64, shuffle=True)');
  expect(statementWith(call, 192)).toBe('loader = DataLoader(data, batch_size=192, shuffle=True)');
});
