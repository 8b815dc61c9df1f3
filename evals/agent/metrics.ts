/** The seven numbers of an evaluation, and the table of several. Pure. */

/** One task's result in one mode. */
export interface TaskRun {
  readonly task: string;
  /** Empty: the task was done. */
  readonly faults: readonly string[];
  readonly hunks: { readonly accepted: number; readonly total: number };
  /** An edit or a save met lines that differ from what the model saw. */
  readonly hadConflict: boolean;
  readonly toolCalls: number;
  readonly questions: number;
  readonly latencyMs: number;
  readonly tokens: { readonly input: number; readonly output: number };
}

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The kind of row: a recording is neither a local nor a remote model, and its time has no meaning. */
export type EvalMode = 'replay' | 'remote' | 'local' | 'hybrid_auto';

export interface Metrics {
  readonly mode: EvalMode;
  readonly tasks: number;
  readonly succeeded: number;
  /** Null: no hunks. */
  readonly acceptedHunks: number | null;
  readonly conflictRate: number;
  /** Null: no task succeeded. */
  readonly callsPerSuccess: number | null;
  readonly latencyMs: { readonly p50: number; readonly p95: number } | null;
  readonly costPerTask: number | null;
  readonly clarificationRate: number;
}

export function metricsOf(mode: EvalMode, runs: readonly TaskRun[], price: Price | null): Metrics {
  const done = runs.filter(({ faults }) => faults.length === 0);
  const sum = (of: (run: TaskRun) => number, over = runs) => over.reduce((total, run) => total + of(run), 0);
  const share = (count: number) => (runs.length === 0 ? 0 : count / runs.length);
  const hunks = sum((run) => run.hunks.total);
  const times = runs.map((run) => run.latencyMs).sort((a, b) => a - b);
  const cost =
    price === null
      ? null
      : sum(({ tokens }) => (tokens.input * price.input + tokens.output * price.output) / 1e6);
  return {
    mode,
    tasks: runs.length,
    succeeded: done.length,
    acceptedHunks: hunks === 0 ? null : sum((run) => run.hunks.accepted) / hunks,
    conflictRate: share(runs.filter((run) => run.hadConflict).length),
    callsPerSuccess: done.length === 0 ? null : sum((run) => run.toolCalls, done) / done.length,
    latencyMs:
      mode === 'replay' || times.length === 0 ? null : { p50: rank(times, 0.5), p95: rank(times, 0.95) },
    costPerTask: mode === 'remote' && cost !== null && runs.length > 0 ? cost / runs.length : null,
    clarificationRate: share(runs.filter((run) => run.questions > 0).length),
  };
}

/** The smallest value that this share of the values does not exceed. */
function rank(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

const COLUMNS = [
  'mode',
  'tasks',
  'success',
  'hunks taken',
  'conflicts',
  'calls/success',
  'p50',
  'p95',
  'cost/task',
  'asked',
] as const;

/** A row for each mode; unknown values are dashes. */
export function formatMetrics(all: readonly Metrics[]): string {
  const percent = (part: number | null) => (part === null ? '–' : `${(part * 100).toFixed(0)} %`);
  const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`);
  const rows = all.map((one) => [
    one.mode,
    String(one.tasks),
    percent(one.tasks === 0 ? null : one.succeeded / one.tasks),
    percent(one.acceptedHunks),
    percent(one.conflictRate),
    one.callsPerSuccess === null ? '–' : one.callsPerSuccess.toFixed(1),
    seconds(one.latencyMs?.p50),
    seconds(one.latencyMs?.p95),
    one.costPerTask === null ? '–' : `$${one.costPerTask.toFixed(4)}`,
    percent(one.clarificationRate),
  ]);
  const lines = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .map((line) => `${line}\n`)
    .join('');
}
