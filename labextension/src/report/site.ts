/** Finds the batch size's literal in a cell's present text, or finds that the cell was edited. */

import type { Site } from './wire.generated';

export interface Literal {
  value: number;
  /** UTF-16 offsets in the present text. */
  start: number;
  end: number;
}

const INTEGER = /^(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[1-9](?:_?\d)*|0)$/;

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
  const digits = text.slice(site.start, end);
  if (!INTEGER.test(digits)) {
    return null;
  }
  return { value: Number(digits.replaceAll('_', '')), start: site.start, end };
}

/** The statement with another size in it: what runs where the whole cell is too heavy to run. */
export function statementWith(site: Site, batchSize: number): string {
  const start = site.start - site.statement_start;
  const end = site.end - site.statement_start;
  return site.statement.slice(0, start) + String(batchSize) + site.statement.slice(end);
}
