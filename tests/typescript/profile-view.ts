/** A profile whose numbers can be followed by hand: a step takes 10 ms and 0.1 ms a sample. */

import type { Direction, Editing, Host, Outcome } from '../../labextension/src/views';
import type {
  Knot,
  Report,
  Sample,
  Site,
  View,
} from '../../labextension/src/report/wire.generated';

const MIB = 1024 ** 2;
const SIZES = [16, 32, 64, 128, 256];
const SOURCE = '# settings\nbatch_size = 64\n';

export function stepSeconds(size: number): number {
  return 0.01 + 0.0001 * size;
}

/** 100 MiB and 10 MiB a sample. */
export function peak(size: number): number {
  return (100 + 10 * size) * MIB;
}

function sample(size: number): Sample {
  return {
    batch_size: size,
    step_seconds: stepSeconds(size),
    step_seconds_spread: 0.02 * stepSeconds(size),
    repeats: 7,
    compute_seconds: stepSeconds(size),
    data_seconds: null,
    peak_bytes: peak(size),
    peak_by_category: [],
    first_step_peak_bytes: null,
    workspace_bytes: null,
    warnings: [],
  };
}

function knot(size: number, value: number, band: number): Knot {
  return { batch_size: size, value, low: value * (1 - band), high: value * (1 + band) };
}

/** Where the batch size is written. */
export const SITE: Site = {
  cell_id: 'settings',
  execution_count: 3,
  line: 2,
  start: SOURCE.indexOf('64'),
  end: SOURCE.indexOf('64') + 2,
  text: '64',
  value: 64,
  statement: 'batch_size = 64',
  statement_start: SOURCE.indexOf('batch_size'),
  cell_source: SOURCE,
};

export function report(changes: Partial<Report> = {}): Report {
  return {
    version: 1,
    id: 'r1',
    created: '2026-01-01T00:00:00Z',
    device: { kind: 'cpu', name: 'a CPU', capacity_bytes: 8192 * MIB },
    limit: {
      limit_bytes: 6144 * MIB,
      others_bytes: 1024 * MIB,
      process_bytes: 0,
      fragmentation_bytes: 0,
      margin_bytes: 1024 * MIB,
      budget: false,
    },
    step: {
      model: 'net (Net)',
      cell_id: 'train',
      execution_count: 7,
      line: 4,
      dataset_size: 1000,
      steps_observed: 12,
      parameters: 10,
    },
    batch_size: 64,
    samples: SIZES.map(sample),
    curves: {
      step_seconds_knots: SIZES.map(size => knot(size, stepSeconds(size), 0.02)),
      peak_bytes_knots: [knot(1, peak(1), 0), knot(1024, peak(1024), 0)],
      peak_bytes_source: 'events',
      peak_bytes_reason: null,
      peak_by_category: [],
    },
    shape: null,
    max_batch_size: 604,
    range: { smallest: 8, largest: 512, reason: 'eight times today’s size' },
    checks: [],
    site: SITE,
    site_reason: null,
    site_candidates: [],
    findings: [],
    breakdown: null,
    state_proof: {
      identical: true,
      tensors: 3,
      objects: 2,
      digest_before: '5ca1ab1e',
      digest_after: '5ca1ab1e',
      differences: [],
    },
    cost: { seconds: 2.1, steps: 40, first_seconds: 0.3, copied_bytes: 0 },
    warnings: [],
    ...changes,
  };
}

export function view(changes: Partial<View> = {}): View {
  return {
    version: 1,
    id: 'v1',
    kernel_id: 'k1',
    cell_id: 'train',
    status: 'ready',
    message: '',
    progress: null,
    report: report(),
    plan: {
      site_heavy: '',
      light: [{ cell_id: 'loader', execution_count: 4, source: '', reason: '' }],
      heavy: [{ cell_id: 'train', execution_count: 7, source: '', reason: 'it trains' }],
      stale: [],
    },
    ...changes,
  };
}

export interface HostStandIn extends Host {
  applied: number[];
  ran: string[][];
  chosen: number[];
  interrupted: string[];
  takenBack: Direction[];
  cancelled: number;
  /** What it knows of edits. */
  edits: Editing;
  pinned: (string | null)[];
  /** Answer the oldest request that waits. */
  settle(outcome: Outcome): Promise<void>;
}

export function hostStandIn(labels: Record<string, string> = {}): HostStandIn {
  const waiting: ((outcome: Outcome) => void)[] = [];
  const wait = (): Promise<Outcome> => new Promise(resolve => waiting.push(resolve));
  const host: HostStandIn = {
    available: true,
    applied: [],
    ran: [],
    chosen: [],
    interrupted: [],
    takenBack: [],
    cancelled: 0,
    edits: { release: 'light', undo: null, redo: null, waiting: null },
    takeBack(_view, direction) {
      host.takenBack.push(direction);
      return wait();
    },
    cancel() {
      host.cancelled += 1;
      return wait();
    },
    editing: () => host.edits,
    pinned: [],
    apply(_view, batchSize) {
      host.applied.push(batchSize);
      return wait();
    },
    run(_view, cells) {
      host.ran.push([...cells]);
      return wait();
    },
    interrupt(view) {
      host.interrupted.push(view.id);
      return true;
    },
    pin(_view, entryId) {
      host.pinned.push(entryId);
    },
    choose(_view, candidate) {
      host.chosen.push(candidate.start);
    },
    labels: () => labels,
    async settle(outcome) {
      waiting.shift()?.(outcome);
      await new Promise(resolve => setTimeout(resolve));
    },
  };
  return host;
}
