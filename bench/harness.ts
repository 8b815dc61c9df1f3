/**
 * Measures ours beside a peer in one run: interleaved rounds, medians, a ratio. Milliseconds depend on the machine;
 * only the ratio is compared with the target.
 */

export interface BenchRow {
  /** What we measure of ours. */
  readonly name: string;
  /** The peer. */
  readonly peer: string;
  /** The ratio ours / peer that we want to stay below. */
  readonly target: number;
  readonly unit?: 'ms' | 'bytes' | 'MB' | 'chars' | 'a second' | '%';
  /** The size of this row: rows of one growth are measured at three sizes. */
  readonly growth?: { readonly of: string; readonly size: number };
  readonly rounds?: number;
  /** The quantile that the upper end of the spread shows; 0.95 by default. */
  readonly tail?: number;
  /** Takes one measurement, in `unit`. */
  readonly ours: () => Promise<number>;
  readonly theirs: () => Promise<number>;
}

/** Rows that share a set-up; `prepare` returns null and the reason when they cannot run here. */
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
  /** The `tail` quantile of the row's values. */
  readonly tail: number;
}

const DEFAULT_ROUNDS = 9;
const DEFAULT_TAIL = 0.95;

/** Median, minimum, and the `tail` quantile. */
export function spreadOf(samples: readonly number[], tail = DEFAULT_TAIL): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), least: at(0), tail: at(tail) };
}

/** Rounds per row: ours and theirs in turn; the first round is discarded. */
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

/** How cost grows with size: the exponent of a power law, by least squares over the logarithms. */
export function formatGrowth(measured: readonly Measured[]): readonly string[] {
  const groups = Map.groupBy(
    measured.filter(({ row }) => row.growth !== undefined),
    ({ row }) => `${row.growth?.of}, ${row.unit ?? 'ms'}`,
  );
  return [...groups]
    .filter(([, rows]) => rows.length > 1)
    .map(([name, rows]) => {
      const points = rows.map(({ row, ours }) => [row.growth?.size ?? 1, ours.median] as const);
      const sizes = points.map(([size]) => size.toLocaleString('en')).join(', ');
      return `| growth of ${name}, at ${sizes} | cost ~ size^${exponentOf(points).toFixed(2)} | | | | | |`;
    });
}

/** The slope of log(cost) over log(size). */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, each) => sum + each[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const over = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return over / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

function short(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}

/** The table's head, as Markdown. */
export const TABLE_HEAD =
  '| what | ours, median [least..tail] | beside | theirs | ratio | target | |\n|---|---|---|---|---|---|---|';
