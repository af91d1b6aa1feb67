/** The tree of a breakdown, ready to be walked: children, names, and what each node takes. */

import { shapesOf } from './stacking';
import type { Breakdown } from './wire.generated';

export interface Tree {
  breakdown: Breakdown;
  /** For each node its children, in order. */
  children: readonly (readonly number[])[];
  /** For each node a number, the same for nodes that are alike. */
  shapes: readonly number[];
}

/** What a breakdown is shown by. */
export type Metric = 'time' | 'memory';

export function treeOf(breakdown: Breakdown): Tree {
  const { parent } = breakdown.nodes;
  const children: number[][] = parent.map(() => []);
  parent.forEach((above, index) => children[above]?.push(index));
  return { breakdown, children, shapes: shapesOf(breakdown) };
}

/** What modules keep, and last what operators allocated for a while. */
const HOLDINGS = ['weights', 'gradients', 'optimizer_state', 'activations', 'temporaries'] as const;
const HELD = HOLDINGS.slice(0, -1);

/** What some nodes take together, all below them included. */
export interface Cost {
  calls: number;
  forwardSeconds: number;
  backwardSeconds: number;
  /** Of kernels; `null` where there are none to tell. */
  deviceSeconds: number | null;
  /** Held for the step: all but temporaries. */
  heldBytes: number;
  /** By what they are for, in the order in which they are written. */
  bytes: Readonly<Record<string, number>>;
  /** `null` where nothing is known. */
  flops: number | null;
}

export function costOf(breakdown: Breakdown, indices: readonly number[]): Cost {
  const { nodes, ticks_per_second: ticks } = breakdown;
  const flops = indices.flatMap(index => nodes.flops[index] ?? []);
  return {
    calls: sum(nodes.calls, indices),
    forwardSeconds: sum(nodes.forward_ticks, indices) / ticks,
    backwardSeconds: sum(nodes.backward_ticks, indices) / ticks,
    deviceSeconds: hasDevice(nodes) ? sum(nodes.device_ticks ?? [], indices) / ticks : null,
    heldBytes: amountOf(breakdown, indices, 'memory'),
    bytes: Object.fromEntries(HOLDINGS.map(key => [key, sum(nodes[`${key}_bytes`], indices)])),
    flops: flops.length === 0 ? null : flops.reduce((total, value) => total + value, 0),
  };
}

/** Whether kernels on a device were seen. */
export function hasDevice(nodes: Breakdown['nodes']): boolean {
  return (nodes.device_ticks?.length ?? 0) > 0;
}

/** Seconds, or bytes that are held. */
export function amountOf(breakdown: Breakdown, indices: readonly number[], by: Metric): number {
  const { nodes } = breakdown;
  return by === 'time'
    ? (sum(nodes.forward_ticks, indices) + sum(nodes.backward_ticks, indices)) /
        breakdown.ticks_per_second
    : HELD.reduce((total, key) => total + sum(nodes[`${key}_bytes`], indices), 0);
}

function sum(column: readonly number[], indices: readonly number[]): number {
  let total = 0;
  for (const index of indices) {
    total += column[index] ?? 0;
  }
  return total;
}
