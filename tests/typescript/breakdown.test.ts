import { describe, expect, it } from 'vitest';
import breakdown from '../fixtures/breakdown.json';
import stacks from '../fixtures/stacks.json';
import { classOf, pathOf } from '../../labextension/src/report/nodes';
import { rowsOf } from '../../labextension/src/report/stacking';
import { amountOf, costOf, treeOf, type Tree } from '../../labextension/src/report/tree';
import type { Breakdown } from '../../labextension/src/report/wire.generated';
import {
  arithmetic,
  remarkOf,
  tooltip,
  wordOf,
} from '../../labextension/src/views/breakdown/about';
import { icicle } from '../../labextension/src/views/breakdown/boxes';
import {
  csvOf,
  linesOf,
  openAtFirst,
  type TableState,
} from '../../labextension/src/views/breakdown/table';
import { partsOf } from '../../labextension/src/views/breakdown/Scopes';
import { areas, totals } from '../../labextension/src/views/breakdown/timeline';

const real: Breakdown = breakdown;
const STEP = { label: '', nodes: [0] };
const CLOSED: TableState = { open: new Set(), unfolded: new Set(), order: 'tree', search: '' };

interface Small {
  parent: number[];
  name: string[];
  kind: string[];
  /** Of modules; empty for what is none. */
  class_name?: string[];
  seconds?: number[];
}

/** A tree in which nothing but the structure, and perhaps the time, is of interest. */
function small({ parent, name, kind, class_name, seconds = parent.map(() => 1) }: Small): Tree {
  const names = [...name, ...(class_name ?? [])];
  const zeros = parent.map(() => 0);
  return treeOf({
    ...real,
    names,
    kinds: kind,
    ticks_per_second: 1,
    nodes: {
      parent,
      name: parent.map((_, index) => name.indexOf(name[index] ?? '')),
      kind: parent.map((_, index) => kind.indexOf(kind[index] ?? '')),
      class_name: parent.map((_, index) =>
        class_name?.[index] ? names.indexOf(class_name[index]) : -1,
      ),
      calls: zeros,
      forward_ticks: seconds,
      backward_ticks: zeros,
      weights_bytes: zeros,
      gradients_bytes: zeros,
      optimizer_state_bytes: zeros,
      activations_bytes: zeros,
      temporaries_bytes: zeros,
      flops: parent.map(() => null),
      line: parent.map(() => -1),
    },
  });
}

const layers = small({
  parent: [-1, 0, 1, 1, 1, 0],
  name: ['step', 'net', 'layers.0', 'layers.1', 'layers.2', 'loss'],
  kind: ['step', 'module', 'module', 'module', 'module', 'phase'],
  seconds: [10, 9, 1, 3, 5, 1],
});

describe('repeated blocks', () => {
  it.each(stacks.cases)('meet the vector: $why', ({ of, rows, ...tree }) => {
    const found = rowsOf(small(tree), { label: '', nodes: [of] });
    expect(found.map(row => [row.label, row.nodes])).toEqual(rows);
  });

  it('look into all of a stack at once', () => {
    const tree = treeOf(real);
    const [blocks] = rowsOf(tree, { label: '', nodes: [2] }).filter(row => row.nodes.length === 4);
    if (!blocks) throw new Error('the fixture has four blocks');
    const inside = rowsOf(tree, blocks);
    const mlp = inside.find(row => row.label === 'mlp');
    expect(mlp?.nodes.length).toBe(4);
    const below = inside.reduce((sum, row) => sum + amountOf(real, row.nodes, 'time'), 0);
    expect(below).toBeCloseTo(amountOf(real, blocks.nodes, 'time'), 7);
  });
});

describe('a node', () => {
  it('has a path from the step down', () => {
    expect(pathOf(layers.breakdown, 3)).toBe('net › layers.1');
    expect(pathOf(layers.breakdown, 0)).toBe('');
  });

  it('is told with its class, unless it is called by it', () => {
    const { breakdown } = small({
      parent: [-1, 0, 0],
      name: ['step', '0', 'Tanh'],
      kind: ['step', 'module', 'module'],
      class_name: ['', 'Linear', 'Tanh'],
    });
    expect([0, 1, 2].map(index => classOf(breakdown, index))).toEqual(['', 'Linear', '']);
  });

  it('costs what its passes take', () => {
    const cost = costOf(layers.breakdown, [2, 4]);
    expect([cost.forwardSeconds, cost.backwardSeconds, cost.flops]).toEqual([6, 0, null]);
  });
});

describe('what is said of a node', () => {
  const tree = small({
    parent: [-1, 0, 0, 1, 0, 0],
    name: ['step', 'forward', 'idle', 'views', 'net', 'backward'],
    kind: ['step', 'phase', 'phase', 'operator', 'module', 'phase'],
    class_name: ['', '', '', '', 'Net', ''],
    seconds: [4, 1, 1, 0, 1, 1],
  });
  const { breakdown } = tree;

  it('is a remark where its name alone would mislead, and its class where it is a module', () => {
    expect([1, 2, 3, 4, 5].map(node => remarkOf(breakdown, node))).toEqual([
      'in no module',
      '',
      'reshape, transpose, …',
      'Net',
      'not attributed',
    ]);
  });

  it('calls a phase as the strip of the phases does', () => {
    expect(wordOf(breakdown, { label: 'idle', nodes: [2] })).toBe('Python and waiting');
    expect(wordOf(breakdown, { label: 'net', nodes: [4] })).toBe('net');
  });

  it('has its arithmetic beside what the device can do', () => {
    expect(arithmetic({ ...breakdown, peak_flops: 100e9 }, 50e9, 2)).toBe(
      '50 GFLOP, 25 % of what products of matrices reach here',
    );
    expect(arithmetic({ ...breakdown, peak_flops: null }, 123456789, 2)).toBe('0.123 GFLOP');
    expect(arithmetic(breakdown, null, 2)).toBe('');
  });

  it('is told at length where it is pointed at', () => {
    const nodes = {
      ...breakdown.nodes,
      weights_bytes: breakdown.nodes.parent.map(() => 2048),
      temporaries_bytes: breakdown.nodes.parent.map(() => 10),
      flops: breakdown.nodes.parent.map(() => 2e9),
    };
    const full = { ...tree, breakdown: { ...breakdown, nodes, peak_flops: 4e9 } };
    expect(tooltip(full, { label: 'net', nodes: [4] }, 'time').split('\n')).toEqual([
      'net (Net)',
      '25 % of the step',
      'forward 1,000 ms, backward 0.000 ms',
      'weights 2 KiB, temporaries 10 B',
      '2 GFLOP, 50 % of what products of matrices reach here',
    ]);
  });
});

describe('the boxes', () => {
  it('are as wide as what they take, next to one another', () => {
    const boxes = icicle(layers, STEP, 'time', 100, 3);
    expect(boxes.map(({ row, depth, x, width }) => [row.label, depth, x, width])).toEqual([
      ['', 0, 0, 100],
      ['net', 1, 0, 90],
      ['layers.0–2 ×3', 2, 0, 90],
      ['loss', 1, 90, 10],
    ]);
  });

  it('too narrow to be seen are left out', () => {
    expect(icicle(layers, STEP, 'time', 10, 3).map(box => box.row.label)).not.toContain('loss');
  });
});

describe('the table', () => {
  const labels = (state: Partial<TableState>): string[] =>
    linesOf(layers, STEP, 'time', { ...CLOSED, ...state }).map(
      line => `${line.depth} ${line.row.label}`,
    );

  it('begins with what the step is made of', () => {
    expect(labels({})).toEqual(['0 net', '0 loss']);
  });

  it('opens a row, and unfolds a stack', () => {
    expect(labels({ open: new Set(['1']) })).toEqual(['0 net', '1 layers.0–2 ×3', '0 loss']);
    const each = labels({ open: new Set(['1']), unfolded: new Set(['2+3']) });
    expect(each).toEqual(['0 net', '1 layers.0', '1 layers.1', '1 layers.2', '0 loss']);
  });

  it('has the dearest first where that is asked for', () => {
    const dear = small({
      parent: [-1, 0, 0],
      name: ['step', 'cheap', 'dear'],
      kind: ['step', 'module', 'module'],
      seconds: [3, 1, 2],
    });
    const lines = linesOf(dear, STEP, 'time', { ...CLOSED, order: 'amount' });
    expect(lines.map(line => line.row.label)).toEqual(['dear', 'cheap']);
  });

  it('shows what was searched for, and the way to it', () => {
    expect(labels({ search: 'layers' })).toEqual(['0 net', '1 layers.0–2 ×3']);
    expect(labels({ search: 'nothing' })).toEqual([]);
  });

  it('finds a module by its class', () => {
    const tree = treeOf(real);
    const lines = linesOf(tree, STEP, 'time', { ...CLOSED, search: 'gelu' });
    expect(lines.map(line => `${line.row.label} ${line.className}`)).toEqual([
      'net Gpt',
      'blocks.0–3 ×4 Attention',
      'mlp Sequential',
      '1 GELU',
      'gelu ',
    ]);
    const norms = linesOf(tree, STEP, 'time', { ...CLOSED, search: 'layernorm' });
    expect(norms.map(line => line.row.label)).toContain('before_attention');
  });

  it('leaves out what took nothing', () => {
    const idle = small({
      parent: [-1, 0, 0],
      name: ['step', 'data', 'net'],
      kind: ['step', 'phase', 'module'],
      seconds: [1, 0, 1],
    });
    expect(linesOf(idle, STEP, 'time', CLOSED).map(line => line.row.label)).toEqual(['net']);
  });

  it('opens the way to where most of the time goes', () => {
    expect([...openAtFirst(layers, STEP, 'time')]).toEqual(['1', '2+3']);
  });

  it('is copied with a line for each row', () => {
    const csv = csvOf(layers, linesOf(layers, STEP, 'time', CLOSED)).split('\n');
    expect(csv[0]).toContain('name,kind,class,calls,forward_seconds');
    expect(csv[1]).toBe('"net",module,,0,9,0,0,0,0,0,0,');
    expect(csv.length).toBe(4);
  });
});

describe('a scope', () => {
  const scope = {
    node: 1,
    calls: 2,
    seconds: 0.85,
    python_seconds: 0.75,
    operator_seconds: 0.1,
    device_seconds: null,
    transitions: 5,
  };

  it('says how much of it is Python, and how often it leaves that', () => {
    expect(partsOf(scope)).toBe(
      '2 times · Python 750 ms · operators 100 ms · 5 switches between them',
    );
    expect(partsOf({ ...scope, calls: 1, transitions: 1 })).toBe(
      'Python 750 ms · operators 100 ms · 1 switch between them',
    );
  });
});

describe('kernels on a device', () => {
  const { breakdown } = layers;
  const ticks = breakdown.nodes.parent.map((_, node) => node * breakdown.ticks_per_second);
  const watched = treeOf({ ...breakdown, nodes: { ...breakdown.nodes, device_ticks: ticks } });

  it('are a column of their own where there are any', () => {
    const csv = csvOf(watched, linesOf(watched, STEP, 'time', CLOSED)).split('\n');
    expect(csv[0]).toMatch(/,flops,device_seconds$/);
    expect(csv[1]).toBe('"net",module,,0,9,0,0,0,0,0,0,,1');
    expect(csvOf(layers, linesOf(layers, STEP, 'time', CLOSED))).not.toContain('device');
  });

  it('say of a scope when the host worked, the device, and both', () => {
    const scope = {
      node: 1,
      calls: 1,
      seconds: 0.85,
      python_seconds: 0.75,
      operator_seconds: 0.1,
      device_seconds: 0.5,
      transitions: 5,
      cpu_only_seconds: 0.6,
      device_only_seconds: 0.2,
      overlapped_seconds: 0.3,
      launches: 7,
    };
    expect(partsOf(scope)).toContain(
      'CPU only 600 ms · device only 200 ms · both 300 ms · 7 kernels launched',
    );
  });
});

describe('the memory over the step', () => {
  it('is stacked: the top of each area is the bottom of the next', () => {
    const { timeline } = real;
    if (!timeline) throw new Error('the fixture has one');
    const highest = totals(timeline)[timeline.peak];
    expect(highest).toBe(Math.max(...totals(timeline)));
    const [first, second] = areas(
      {
        ...timeline,
        seconds: [0, 1],
        weights_bytes: [2, 2],
        optimizer_state_bytes: [1, 3],
        gradients_bytes: [0, 0],
        inputs_bytes: [0, 0],
        activations_bytes: [0, 0],
        temporaries_bytes: [0, 0],
      },
      { x: seconds => seconds * 10, y: bytes => 10 - bytes },
    );
    expect(first?.path).toBe('M0.0,8.0H10.0V8.0V10.0V10.0H0.0Z');
    expect(second?.path).toBe('M0.0,7.0H10.0V5.0V8.0V8.0H0.0Z');
  });
});
