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

/** What some nodes take together, all below them included. */
export interface Cost {
  calls: number;
  forwardSeconds: number;
  backwardSeconds: number;
  /** Of kernels; `null` where there are none to tell. */
  deviceSeconds: number | null;
  /** Held for the step: weights, gradients, optimizer state and activations. */
  heldBytes: number;
  weightsBytes: number;
  gradientsBytes: number;
  optimizerBytes: number;
  activationsBytes: number;
  temporariesBytes: number;
  /** `null` where nothing is known. */
  flops: number | null;
}

export function costOf(
  { nodes, ticks_per_second: ticks }: Breakdown,
  indices: readonly number[],
): Cost {
  const sum = (column: readonly number[]): number =>
    indices.reduce((total, index) => total + (column[index] ?? 0), 0);
  const weightsBytes = sum(nodes.weights_bytes);
  const gradientsBytes = sum(nodes.gradients_bytes);
  const optimizerBytes = sum(nodes.optimizer_state_bytes);
  const activationsBytes = sum(nodes.activations_bytes);
  const flops = indices.flatMap(index => nodes.flops[index] ?? []);
  return {
    calls: sum(nodes.calls),
    forwardSeconds: sum(nodes.forward_ticks) / ticks,
    backwardSeconds: sum(nodes.backward_ticks) / ticks,
    deviceSeconds: hasDevice(nodes) ? sum(nodes.device_ticks ?? []) / ticks : null,
    heldBytes: weightsBytes + gradientsBytes + optimizerBytes + activationsBytes,
    weightsBytes,
    gradientsBytes,
    optimizerBytes,
    activationsBytes,
    temporariesBytes: sum(nodes.temporaries_bytes),
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
  const columns =
    by === 'time'
      ? [nodes.forward_ticks, nodes.backward_ticks]
      : [
          nodes.weights_bytes,
          nodes.gradients_bytes,
          nodes.optimizer_state_bytes,
          nodes.activations_bytes,
        ];
  let total = 0;
  for (const column of columns) {
    for (const index of indices) {
      total += column[index] ?? 0;
    }
  }
  return by === 'time' ? total / breakdown.ticks_per_second : total;
}
