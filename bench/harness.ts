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
  /** Which share of the rounds the upper end of the spread holds; 0.95 where nothing else is said. */
  readonly tail?: number;
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
  /** The value below which the share of the row's `tail` lies. */
  readonly tail: number;
}

const DEFAULT_ROUNDS = 9;
const DEFAULT_TAIL = 0.95;

/** Median, minimum, and the value below which `tail` of them lie. */
export function spreadOf(samples: readonly number[], tail = DEFAULT_TAIL): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), least: at(0), tail: at(tail) };
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
  const spread = { ours: spreadOf(ours, row.tail), theirs: spreadOf(theirs, row.tail) };
  return { row, ...spread, ratio: spread.ours.median / spread.theirs.median };
}

/** One line of the table. */
export function formatMeasured({ row, ours, theirs, ratio }: Measured): string {
  const unit = row.unit ?? 'ms';
  const percent = `p${Math.round((row.tail ?? DEFAULT_TAIL) * 100)}`;
  const show = ({ median, least, tail }: Spread) =>
    `${short(median)} [${short(least)}..${percent} ${short(tail)}]`;
  const verdict = ratio <= row.target ? 'within' : 'over';
  return `| ${row.name} | ${show(ours)} ${unit} | ${row.peer} | ${show(theirs)} ${unit} | ${short(ratio)}x | ≤ ${row.target}x | ${verdict} |`;
}

function short(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}

/** The table's head, as Markdown. */
export const TABLE_HEAD =
  '| what | ours, median [least..tail] | beside | theirs | ratio | target | |\n|---|---|---|---|---|---|---|';
