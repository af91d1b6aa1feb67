/** A node of a breakdown by its position. */

import type { Breakdown } from './wire.generated';

export function nameOf({ names, nodes }: Breakdown, index: number): string {
  return names[nodes.name[index] ?? -1] ?? '';
}

/** One of `step`, `phase`, `module`, `scope`, `optimizer`, `graph`, `operator` and `rest`. */
export function kindOf({ kinds, nodes }: Breakdown, index: number): string {
  return kinds[nodes.kind[index] ?? -1] ?? '';
}

/** Of a module, `Conv2d`; empty for what is no module, and for one that is called by its class already. */
export function classOf(breakdown: Breakdown, index: number): string {
  const { names, nodes } = breakdown;
  const found = names[nodes.class_name[index] ?? -1] ?? '';
  return found === nameOf(breakdown, index) ? '' : found;
}

/** The names from the step down to the node: `net › layers.3 › addmm`. */
export function pathOf(breakdown: Breakdown, index: number): string {
  const names: string[] = [];
  for (let node = index; node > 0; node = breakdown.nodes.parent[node] ?? -1) {
    names.unshift(nameOf(breakdown, node));
  }
  return names.join(' › ');
}
