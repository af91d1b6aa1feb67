/**
 * Numbers as people read them; the twin of `skyline_jupyter/report/format.py`.
 * `tests/fixtures/formats.json` holds the vectors that both languages must meet.
 */

type Decimals = readonly (readonly [below: number, decimals: number])[];

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const BYTES: Decimals = [[100, 1]];
const MILLISECONDS: Decimals = [
  [1, 3],
  [10, 2],
  [100, 1],
];
const THROUGHPUT: Decimals = [
  [10, 2],
  [100, 1],
];
const PERCENT: Decimals = [[10, 1]];
const MULTIPLE: Decimals = [
  [2, 2],
  [10, 1],
];
const SECONDS: Decimals = [[10, 1]];
const ROUNDS_TO_A_SECOND = 0.9995;

/** A number and its unit apart, for views that set them in different sizes. */
export interface Quantity {
  number: string;
  unit: string;
}

/** `1437` → `1,437`. */
export function formatCount(value: number): string {
  return fixed(value, 0);
}

/** `9556302234` → `8.9` and `GiB`. */
export function bytesQuantity(bytes: number): Quantity {
  let scaled = bytes;
  let unit = 0;
  while (unit < BYTE_UNITS.length - 1 && Math.floor(scaled + 0.5) >= 1024) {
    scaled /= 1024;
    unit += 1;
  }
  const number = unit === 0 ? fixed(scaled, 0) : trimmed(rounded(scaled, BYTES));
  return { number, unit: BYTE_UNITS[unit] ?? 'B' };
}

/** `9556302234` → `8.9 GiB`. */
export function formatBytes(bytes: number): string {
  const { number, unit } = bytesQuantity(bytes);
  return `${number} ${unit}`;
}

/** `0.0653` → `65.3 ms`. */
export function formatMilliseconds(seconds: number): string {
  return `${rounded(seconds * 1000, MILLISECONDS)} ms`;
}

/** A span that people wait for: `2.1` → `2.1 s`, `102` → `1 min 42 s`. */
export function formatDuration(seconds: number): string {
  if (seconds < ROUNDS_TO_A_SECOND) {
    return `${fixed(seconds * 1000, 0)} ms`;
  }
  const whole = Math.floor(seconds + 0.5);
  if (whole < 60) {
    return `${trimmed(rounded(seconds, SECONDS))} s`;
  }
  if (whole < 3600) {
    return `${fixed(Math.floor(whole / 60), 0)} min ${fixed(whole % 60, 0)} s`;
  }
  const minutes = Math.floor(seconds / 60 + 0.5);
  return `${fixed(Math.floor(minutes / 60), 0)} h ${fixed(minutes % 60, 0)} min`;
}

/** Samples per second without their unit: `2931.4` → `2,931`. */
export function throughputNumber(samplesPerSecond: number): string {
  return rounded(samplesPerSecond, THROUGHPUT);
}

/** `2931.4` → `2,931/s`. */
export function formatThroughput(samplesPerSecond: number): string {
  return `${throughputNumber(samplesPerSecond)}/s`;
}

/** A share between 0 and 1: `0.008` → `0.8 %`. */
export function formatPercent(share: number): string {
  return `${trimmed(rounded(share * 100, PERCENT))} %`;
}

/** `2.43` → `2.4×`. */
export function formatMultiple(multiple: number): string {
  return `${trimmed(rounded(multiple, MULTIPLE))}×`;
}

/** With as many decimals as the first row that the rounded value stays below. */
function rounded(value: number, table: Decimals): string {
  for (const [below, decimals] of table) {
    if (Math.floor(value * 10 ** decimals + 0.5) < below * 10 ** decimals) {
      return fixed(value, decimals);
    }
  }
  return fixed(value, 0);
}

/** Half up, in arithmetic that both languages share: `toFixed` and Python's `format` differ on ties. */
function fixed(value: number, decimals: number): string {
  const scale = 10 ** decimals;
  const scaled = Math.floor(value * scale + 0.5);
  const whole = String(Math.floor(scaled / scale)).replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === 0 ? whole : `${whole}.${String(scaled % scale).padStart(decimals, '0')}`;
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
