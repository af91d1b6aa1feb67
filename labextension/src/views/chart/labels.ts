/** Puts names next to their curves, and flags above the plot, where they cover nothing. */

import type { Frame } from './layout';
import type { Point } from './paths';

export interface Label extends Point {
  anchor: 'start' | 'middle' | 'end';
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Surroundings {
  frame: Frame;
  /** Every drawn curve, the label's own included. */
  curves: readonly (readonly Point[])[];
  /** Upright lines that a label should rather not stand on, and how much rather. */
  uprights: readonly { x: number; cost: number }[];
}

/** Of the widest font that front ends use, at the label’s size. */
const CHARACTER = 7.4;
const LINE = 12;
const GAP = 8;
const CLEARANCE = 3;
const FLAG_GAP = 10;
/** A flag whose text ends farther than this from where it points would point at nothing. */
const REACH = 24;

export function textWidth(text: string): number {
  return text.length * CHARACTER;
}

/**
 * A place beside `curve` that is clear of every curve, as near as possible to `share` of the plot's
 * width; `null` where there is none.
 */
export function placeLabel(
  text: string,
  curve: readonly Point[],
  share: number,
  surroundings: Surroundings,
): Label | null {
  const { frame } = surroundings;
  const wanted = frame.left + share * (frame.right - frame.left);
  let best: { label: Label; cost: number } | null = null;
  for (const point of curve) {
    for (const [rank, label] of around(point).entries()) {
      const box = boxOf(label, text);
      if (!isClear(box, surroundings)) {
        continue;
      }
      const crossed = surroundings.uprights.filter(
        ({ x }) => x > box.left - CLEARANCE && x < box.right + CLEARANCE,
      );
      const crossing = crossed.reduce((sum, upright) => sum + upright.cost, 0);
      const cost = Math.abs(point.x - wanted) + rank * 20 + crossing;
      if (best === null || cost < best.cost) {
        best = { label, cost };
      }
    }
  }
  return best?.label ?? null;
}

/** Above and to the left, below and to the right: where a rising curve leaves room. */
function around(point: Point): Label[] {
  const above = point.y - GAP;
  const below = point.y + GAP + LINE - 6;
  return [
    { x: point.x - GAP / 2, y: above, anchor: 'end' },
    { x: point.x + GAP, y: below, anchor: 'start' },
    { x: point.x, y: above - GAP, anchor: 'middle' },
    { x: point.x, y: below + GAP, anchor: 'middle' },
  ];
}

function boxOf(label: Label, text: string): Box {
  const width = textWidth(text);
  const shift = { start: 0, middle: width / 2, end: width }[label.anchor];
  const left = label.x - shift;
  return { left, right: left + width, top: label.y - LINE + 3, bottom: label.y + 3 };
}

function isClear(box: Box, { frame, curves }: Surroundings): boolean {
  const inside =
    box.left > frame.left + CLEARANCE &&
    box.right < frame.right - CLEARANCE &&
    box.top > frame.top &&
    box.bottom < frame.bottom - GAP;
  const covers = (point: Point): boolean =>
    point.x > box.left - CLEARANCE &&
    point.x < box.right + CLEARANCE &&
    point.y > box.top - CLEARANCE &&
    point.y < box.bottom + CLEARANCE;
  return inside && !curves.some(curve => curve.some(covers));
}

export interface Flag {
  text: string;
  /** Where it points. */
  x: number;
  tone: 'now' | 'limit' | 'advice';
}

export interface PlacedFlag extends Flag {
  /** Where its text is centred. */
  centre: number;
}

/** Flags in one row above the plot, the important first: each near its place, or left out. */
export function placeFlags(flags: readonly Flag[], frame: Frame): PlacedFlag[] {
  const placed: (PlacedFlag & Box)[] = [];
  for (const flag of flags) {
    const half = textWidth(flag.text) / 2;
    const centre = Math.min(Math.max(flag.x, frame.left + half), frame.right - half);
    const options = [centre, ...placed.flatMap(other => besides(other, half))]
      .filter(x => x - half >= frame.left && x + half <= frame.right)
      .filter(x =>
        placed.every(
          other => x + half + FLAG_GAP <= other.left || x - half - FLAG_GAP >= other.right,
        ),
      )
      .sort((a, b) => Math.abs(a - flag.x) - Math.abs(b - flag.x));
    const [nearest] = options;
    if (nearest !== undefined && Math.abs(nearest - flag.x) <= half + REACH) {
      placed.push({
        ...flag,
        centre: nearest,
        left: nearest - half,
        right: nearest + half,
        top: 0,
        bottom: 0,
      });
    }
  }
  return placed.map(({ text, x, tone, centre }) => ({ text, x, tone, centre }));
}

function besides(other: Box, half: number): number[] {
  return [other.left - FLAG_GAP - half, other.right + FLAG_GAP + half];
}
