// Generated from the report schema by `npm run types:generate`. Do not edit.

/**
 * What one dashboard shows: the message from the kernel to the widget and to the side panel.
 */
export interface View {
  version: number;
  id: string;
  kernel_id: string;
  cell_id: string | null;
  status: string;
  message: string;
  progress: number | null;
  report: Report | null;
  plan: Plan | null;
  history?: HistoryEntry[];
  pinned?: Pinned | null;
}
/**
 * Everything that one profile learned.
 */
export interface Report {
  version: number;
  id: string;
  created: string;
  device: DeviceFacts;
  limit: Limit;
  step: Step;
  batch_size: number;
  samples: Sample[];
  curves: Curves;
  shape: Shape | null;
  max_batch_size: number | null;
  range: BatchRange;
  checks: Check[];
  site: Site | null;
  site_reason: string | null;
  site_candidates: Site[];
  findings: Finding[];
  breakdown: Breakdown | null;
  state_proof: StateProof;
  cost: Cost;
  warnings: string[];
  cells?: CellText[];
}
/**
 * The device that ran the step.
 */
export interface DeviceFacts {
  kind: string;
  name: string;
  capacity_bytes: number;
}
/**
 * The memory that a step may use: the device's capacity less all that follows, or the user's budget.
 */
export interface Limit {
  limit_bytes: number;
  others_bytes: number;
  process_bytes: number | null;
  fragmentation_bytes: number;
  margin_bytes: number;
  budget: boolean;
}
/**
 * The training step that was captured.
 */
export interface Step {
  model: string;
  cell_id: string | null;
  execution_count: number;
  line: number;
  dataset_size: number | null;
  steps_observed: number;
  parameters: number;
}
/**
 * One measurement at one batch size.
 */
export interface Sample {
  batch_size: number;
  step_seconds: number;
  step_seconds_spread: number | null;
  repeats: number;
  compute_seconds: number;
  data_seconds: number | null;
  peak_bytes: number | null;
  peak_by_category: CategoryBytes[];
  first_step_peak_bytes: number | null;
  workspace_bytes: number | null;
  warnings: string[];
}
/**
 * A part of the memory of a step.
 */
export interface CategoryBytes {
  category: string;
  size_bytes: number;
}
/**
 * Step time and peak memory against batch size. Empty knots: unknown.
 */
export interface Curves {
  step_seconds_knots: Knot[];
  peak_bytes_knots: Knot[];
  peak_bytes_source: string;
  peak_bytes_reason: string | null;
  peak_by_category: CategoryCurve[];
}
/**
 * A point of a curve.
 */
export interface Knot {
  batch_size: number;
  value: number;
  low: number;
  high: number;
}
/**
 * One part of the peak against batch size. At whole sizes the parts add up to the peak.
 */
export interface CategoryCurve {
  category: string;
  knots: Knot[];
}
/**
 * What the curve of the step time amounts to, over the sizes on offer.
 */
export interface Shape {
  floor_seconds: number;
  seconds_per_sample: number | null;
  asymptote: number | null;
  most: number;
  most_batch_size: number;
  knee: number;
  error: number | null;
  within_band: number | null;
  quality: string;
}
/**
 * The sizes on offer, and what sets the upper end, in a few words ("1,437 samples in the data set").
 */
export interface BatchRange {
  smallest: number;
  largest: number;
  reason: string;
}
/**
 * A prediction that was then measured.
 */
export interface Check {
  batch_size: number;
  predicted_step_seconds: number;
  measured_step_seconds: number;
}
/**
 * The one literal that sets the batch size: `cell_source[start:end] == text`, in UTF-16 units.
 */
export interface Site {
  cell_id: string | null;
  execution_count: number;
  line: number;
  start: number;
  end: number;
  text: string;
  value: number;
  statement: string;
  statement_start: number;
  cell_source: string;
}
/**
 * A verdict or hint. The first finding of a report is its verdict.
 */
export interface Finding {
  kind: string;
  statement: string;
  evidence: string;
  next_step: string;
  confidence: string;
  gain: number | null;
  batch_size: number | null;
  node?: number | null;
}
/**
 * One step, taken apart.
 */
export interface Breakdown {
  batch_size: number;
  names: string[];
  kinds: string[];
  nodes: Nodes;
  ticks_per_second: number;
  phases: Phases;
  lines: LineCost[];
  timeline: Timeline | null;
  scopes: ScopeCost[];
  model_flops: number | null;
  hardware_flops: number | null;
  peak_flops: number | null;
  unattributed_seconds: number;
  unattributed_reason: string;
  cost: TraceCost;
  notes: string[];
}
/**
 * The tree, depth first: node 0 is the step, and each other node comes after its parent.
 */
export interface Nodes {
  parent: number[];
  name: number[];
  kind: number[];
  class_name: number[];
  calls: number[];
  forward_ticks: number[];
  backward_ticks: number[];
  weights_bytes: number[];
  gradients_bytes: number[];
  optimizer_state_bytes: number[];
  activations_bytes: number[];
  temporaries_bytes: number[];
  flops: (number | null)[];
  line: number[];
  device_ticks?: number[];
}
/**
 * Seconds of the step by phase; their sum is the step.
 */
export interface Phases {
  data: number;
  copy: number;
  forward: number;
  loss: number;
  backward: number;
  optimizer: number;
  idle: number;
}
/**
 * A line of the user's own code, with all that it calls.
 */
export interface LineCost {
  cell_id: string | null;
  execution_count: number | null;
  file: string | null;
  line: number;
  text: string;
  forward_seconds: number;
  backward_seconds: number;
  size_bytes: number;
  calls: number;
  node: number;
  device_seconds?: number | null;
}
/**
 * Live bytes over the step by category, at no more than some 400 moments, the peak among them.
 */
export interface Timeline {
  seconds: number[];
  weights_bytes: number[];
  gradients_bytes: number[];
  optimizer_state_bytes: number[];
  activations_bytes: number[];
  inputs_bytes: number[];
  temporaries_bytes: number[];
  peak: number;
  largest: LiveTensor[];
}
/**
 * One of the largest that were live at the peak.
 */
export interface LiveTensor {
  size_bytes: number;
  shape: number[];
  dtype: string;
  category: string;
  name: string;
  node: number;
  line: number;
}
/**
 * What was done inside of a `skyline_jupyter.scope`, all its calls together.
 */
export interface ScopeCost {
  node: number;
  calls: number;
  seconds: number;
  python_seconds: number;
  operator_seconds: number;
  device_seconds: number | null;
  transitions: number;
  cpu_only_seconds?: number | null;
  device_only_seconds?: number | null;
  overlapped_seconds?: number | null;
  launches?: number | null;
}
/**
 * What the trace itself took, and how it was taken out.
 */
export interface TraceCost {
  traced_seconds: number;
  step_seconds: number;
  own_seconds: number;
  residual_seconds: number;
  steps: number;
}
/**
 * What was compared before and after the profile, and whether it is bit-identical.
 */
export interface StateProof {
  identical: boolean;
  tensors: number;
  objects: number;
  digest_before: string;
  digest_after: string;
  differences: string[];
}
/**
 * What the profile took from the user.
 */
export interface Cost {
  seconds: number;
  steps: number;
  first_seconds: number | null;
  copied_bytes: number;
  first_look_seconds?: number | null;
}
/**
 * A cell as the kernel ran it.
 */
export interface CellText {
  cell_id: string | null;
  execution_count: number;
  source: string;
}
/**
 * What an edit of the site leads to: run the site's cell (or its statement), then `light`; never `heavy`.
 */
export interface Plan {
  site_heavy: string;
  light: PlannedCell[];
  heavy: PlannedCell[];
  stale: StaleCell[];
}
/**
 * A cell that depends on the batch size.
 */
export interface PlannedCell {
  cell_id: string | null;
  execution_count: number;
  source: string;
  reason: string;
}
/**
 * A heavy cell whose last run used another batch size than the site now holds.
 */
export interface StaleCell {
  cell_id: string | null;
  execution_count: number;
  batch_size: number;
}
/**
 * One profile of a notebook, in a line.
 */
export interface HistoryEntry {
  id: string;
  created: string;
  model: string;
  device: string;
  batch_size: number;
  throughput: Estimate;
  peak_bytes: number | null;
}
/**
 * A value with its band.
 */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}
/**
 * The profile that a notebook's others are compared with, and the comparison with the one that is shown.
 */
export interface Pinned {
  entry: HistoryEntry;
  curves: Curves | null;
  common: SizeChange | null;
  nodes: NodesBefore | null;
  cells: CellChange[];
}
/**
 * Throughput and peak memory in both profiles, each at a batch size.
 */
export interface SizeChange {
  before_batch_size: number;
  after_batch_size: number;
  throughput: FigureChange;
  peak_bytes: FigureChange | null;
}
/**
 * One figure in both profiles.
 */
export interface FigureChange {
  before: Estimate;
  after: Estimate;
}
/**
 * What the nodes of a breakdown took in another profile, in columns as those of the breakdown itself.
 */
export interface NodesBefore {
  batch_size: number;
  seconds: (number | null)[];
  size_bytes: (number | null)[];
  gone: GoneNode[];
}
/**
 * A node that the later profile does not have, with all that was below it.
 */
export interface GoneNode {
  path: string;
  seconds: number;
  size_bytes: number;
}
/**
 * A cell that is new, gone, or reads otherwise than it did.
 */
export interface CellChange {
  cell_id: string | null;
  before_count: number | null;
  after_count: number | null;
  lines: string[];
}

/**
 * The message from the kernel to opened gauges.
 */
export interface Gauges {
  readings: Reading[];
  is_paused: boolean;
  problem: string;
}
/**
 * One look.
 */
export interface Reading {
  at: number;
  host: HostReading;
  devices: DeviceReading[];
  no_devices: string | null;
}
/**
 * The machine on which the kernel runs, and the kernel with the processes that it started.
 */
export interface HostReading {
  cpus: number;
  cpu: number | null;
  kernel_cpus: number | null;
  kernel_bytes: number;
  children: number;
  loader_workers: number;
  children_bytes: number;
  total_bytes: number;
  available_bytes: number;
  is_container: boolean;
}
/**
 * One GPU, or one MIG instance of a GPU.
 */
export interface DeviceReading {
  uuid: string;
  name: string;
  index: number | null;
  card: string | null;
  utilisation: number | null;
  used_bytes: number | null;
  total_bytes: number | null;
  processes: ProcessMemory[] | null;
  power_watts: number | null;
  power_limit_watts: number | null;
  temperature_celsius: number | null;
  clock_mhz: number | null;
  memory_clock_mhz: number | null;
  throttling: string[] | null;
  unavailable: Unavailable[];
}
/**
 * What one process holds on a device.
 */
export interface ProcessMemory {
  pid: number;
  name: string | null;
  held_bytes: number;
  is_own: boolean;
}
/**
 * A figure that a device does not give.
 */
export interface Unavailable {
  what: string;
  why: string;
}
