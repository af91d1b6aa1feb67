/**
 * Repeated siblings in one row, `layers.0–11 ×12`: what `skyline_jupyter/report/stacking.py` does.
 * `tests/fixtures/stacks.json` holds the vectors that both languages must meet.
 */

import { kindOf, nameOf } from './nodes';
import type { Tree } from './tree';
import type { Breakdown } from './wire.generated';

/** One row for one node, or for a stack of nodes that are alike. */
export interface Row {
  label: string;
  /** In counting order. */
  nodes: readonly number[];
}

/** The children of a row, those that repeat in one row, at the place of the first. */
export function rowsOf(tree: Tree, row: Row): Row[] {
  const [first, ...others] = row.nodes.map(node => stacked(tree, tree.children[node] ?? []));
  // Nodes of one stack are alike, so that their children's rows stand in the same order.
  return (first ?? []).map((below, place) => ({
    label: below.label,
    nodes: [...below.nodes, ...others.flatMap(rows => rows[place]?.nodes ?? [])],
  }));
}

/** The nodes of a stack, each in a row of its own. */
export function unfolded(tree: Tree, row: Row): Row[] {
  return row.nodes.map(node => ({ label: nameOf(tree.breakdown, node), nodes: [node] }));
}

function stacked({ breakdown, shapes }: Tree, children: readonly number[]): Row[] {
  const stacks: number[][] = [];
  const waiting = new Map<string, number[]>();
  for (const child of children) {
    const parts = partsOf(nameOf(breakdown, child));
    if (parts === null) {
      stacks.push([child]);
      continue;
    }
    const key = (count: number): string =>
      JSON.stringify([parts.before, count, parts.after, shapes[child]]);
    const stack = waiting.get(key(parts.count)) ?? [];
    waiting.delete(key(parts.count));
    if (stack.length === 0) {
      stacks.push(stack);
    }
    stack.push(child);
    waiting.set(key(parts.count + 1), stack);
  }
  return stacks.map(nodes => ({ label: labelOf(breakdown, nodes), nodes }));
}

function labelOf(breakdown: Breakdown, stack: readonly number[]): string {
  const name = nameOf(breakdown, stack[0] ?? -1);
  const parts = partsOf(name);
  if (stack.length === 1 || parts === null) {
    return name;
  }
  const { before, count, after } = parts;
  return `${before}${count}–${count + stack.length - 1}${after} ×${stack.length}`;
}

/** A part of a dotted path that is a number. */
const NUMBER = /(?<![^.])(?:0|[1-9][0-9]*)(?![^.])/g;

/** The text before the last number of a path, the number, and the text behind it. */
function partsOf(name: string): { before: string; count: number; after: string } | null {
  const last = [...name.matchAll(NUMBER)].at(-1);
  return last === undefined
    ? null
    : {
        before: name.slice(0, last.index),
        count: Number(last[0]),
        after: name.slice(last.index + last[0].length),
      };
}

/** For each node a number, the same for nodes that are alike: kind, class, and children with their names. */
export function shapesOf(breakdown: Breakdown): number[] {
  const { nodes } = breakdown;
  const known = new Map<string, number>();
  const below: string[][] = nodes.parent.map(() => []);
  const shapes: number[] = nodes.parent.map(() => 0);
  for (let index = nodes.parent.length - 1; index >= 0; index -= 1) {
    const name = nodes.name[index] ?? -1;
    const own = kindOf(breakdown, index) === 'operator' ? name : -1;
    const kind = [nodes.kind[index], own, nodes.class_name[index]];
    const key = [...kind, ...(below[index] ?? []).reverse()].join(' ');
    const shape = known.get(key) ?? known.size;
    known.set(key, shape);
    shapes[index] = shape;
    below[nodes.parent[index] ?? -1]?.push(`${name}:${shape}`);
  }
  return shapes;
}
