/**
 * Measures ours beside a peer in one run: rounds interleaved, medians, a ratio. Milliseconds belong to one
 * machine; only the ratio is compared with the target.
 */

export interface BenchRow {
  /** What is measured, ours. */
  readonly name: string;
  /** What it is measured against. */
  readonly peer: string;
  /** The ratio ours / peer that we want to stay below. */
  readonly target: number;
  readonly unit?: 'ms' | 'bytes' | 'MB' | 'chars';
  readonly rounds?: number;
  /** One measurement each, in `unit`. */
  readonly ours: () => Promise<number>;
  readonly theirs: () => Promise<number>;
}

/** Rows that share a set-up; `prepare` gives null with the reason when it cannot run here. */
export interface BenchSuite {
  readonly name: string;
  readonly prepare: () => Promise<PreparedSuite | { readonly skip: string }>;
}

export interface PreparedSuite {
  readonly rows: readonly BenchRow[];
  readonly cleanup: () => Promise<void>;
}

export interface Measured {
  readonly row: BenchRow;
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: number;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly p95: number;
}

const DEFAULT_ROUNDS = 9;

/** Median, minimum and 95th percentile. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), least: at(0), p95: at(0.95) };
}

/** Runs a row: ours and theirs in turn, the first round thrown away. */
export async function measure(row: BenchRow): Promise<Measured> {
  const ours: number[] = [];
  const theirs: number[] = [];
  await row.ours();
  await row.theirs();
  for (let round = 0; round < (row.rounds ?? DEFAULT_ROUNDS); round += 1) {
    theirs.push(await row.theirs());
    ours.push(await row.ours());
  }
  const spread = { ours: spreadOf(ours), theirs: spreadOf(theirs) };
  return { row, ...spread, ratio: spread.ours.median / spread.theirs.median };
}

/** One line of the table. */
export function formatMeasured({ row, ours, theirs, ratio }: Measured): string {
  const unit = row.unit ?? 'ms';
  const show = ({ median, least, p95 }: Spread) => `${short(median)} [${short(least)}..${short(p95)}]`;
  const verdict = ratio <= row.target ? 'within' : 'over';
  return `| ${row.name} | ${show(ours)} ${unit} | ${row.peer} | ${show(theirs)} ${unit} | ${short(ratio)}x | ≤ ${row.target}x | ${verdict} |`;
}

function short(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}

/** The table's head, as Markdown. */
export const TABLE_HEAD =
  '| what | ours, median [least..p95] | beside | theirs | ratio | target | |\n|---|---|---|---|---|---|---|';
