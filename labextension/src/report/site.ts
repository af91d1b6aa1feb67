/** Finds the batch size's literal, or expression of numbers, in a cell's present text, or finds that the cell was edited. */

import { constantValue } from './constants';
import type { Site } from './wire.generated';

export interface Literal {
  value: number;
  /** UTF-16 offsets in the present text. */
  start: number;
  end: number;
}

const PLAIN_NUMBER = /^[1-9][0-9]*$/;

/**
 * The literal that stands at the site in `text`, or `null` where `text` differs from what the kernel
 * ran in anything but that literal.
 */
export function currentLiteral(site: Site, text: string): Literal | null {
  const before = site.cell_source.slice(0, site.start);
  const after = site.cell_source.slice(site.end);
  const end = text.length - after.length;
  if (end <= site.start || !text.startsWith(before) || !text.endsWith(after)) {
    return null;
  }
  const written = text.slice(site.start, end);
  // A number in a string, which ends right behind it, is read by other rules than Python's.
  const isQuoted = /^["']/.test(after);
  const value = isQuoted && !PLAIN_NUMBER.test(written) ? null : constantValue(written);
  return value === null ? null : { value, start: site.start, end };
}

/** The statement with another size in it: what runs where the whole cell is too heavy to run. */
export function statementWith(site: Site, batchSize: number): string {
  const start = site.start - site.statement_start;
  const end = site.end - site.statement_start;
  return site.statement.slice(0, start) + String(batchSize) + site.statement.slice(end);
}

/** More lines than this are too many to paste in place of one. */
const LONGEST_PASTE = 6;

/** What a person pastes where the cell cannot be edited: the statement with another size in it, or else its line. */
export function lineToPaste(site: Site, batchSize: number): string {
  if (site.statement !== '' && site.statement.split('\n').length <= LONGEST_PASTE) {
    return statementWith(site, batchSize);
  }
  const { cell_source: source, start, end } = site;
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end);
  const after = source.slice(end, lineEnd === -1 ? undefined : lineEnd);
  return `${source.slice(lineStart, start)}${batchSize}${after}`.trim();
}
