/**
 * Replays a history in time order against a predictor: how much would a user save who accepts the best row whenever it
 * saves a key? Learns each command only after predicting it.
 */
import type { TraceCommand, UserTrace } from './trace.ts';

export interface Prediction {
  readonly line: string;
  readonly confidence: number;
  readonly source: string;
}

/** What is measured: our engine, or a baseline. A fresh one for each user. */
export interface Predictor {
  /** Only predictors that measure the upper limit may use `target`. */
  predict(typed: string, cwd: string, target: string): readonly Prediction[];
  learn(command: TraceCommand): void;
  /** A command of the history file, instead of `learn`. */
  learnFromFile?(command: TraceCommand): void;
}

export interface Metrics {
  commands: number;
  letters: number;
  keys: number;
  /** The same if nothing is shown before the second letter, the shell's default. */
  keysByDefault: number;
  /** At two letters: the whole line is first, is among the rows, or a row is a prefix of the line. */
  exactFirst: number;
  exactShown: number;
  usefulShown: number;
  /** On an empty line. */
  emptyFirst: number;
  emptyShown: number;
  /** By tenth of confidence: rows shown, sum of their confidence, number of right rows. */
  readonly bins: { shown: number; confidence: number; right: number }[];
  readonly latenciesMs: number[];
  readonly accepted: Record<string, number>;
  /** Every line shown, to check for lines that must not appear. */
  readonly shownLines: string[];
}

export function emptyMetrics(): Metrics {
  return {
    commands: 0,
    letters: 0,
    keys: 0,
    keysByDefault: 0,
    exactFirst: 0,
    exactShown: 0,
    usefulShown: 0,
    emptyFirst: 0,
    emptyShown: 0,
    bins: Array.from({ length: 10 }, () => ({ shown: 0, confidence: 0, right: 0 })),
    latenciesMs: [],
    accepted: {},
    shownLines: [],
  };
}

const ROWS = 4;
const TYPED_FOR_HITS = 2;
const DEFAULT_MIN_INPUT = 2;
const MAX_TYPED_FOR_CALIBRATION = 60;

/** Replays every user, each with a fresh predictor. */
export function replay(
  traces: readonly UserTrace[],
  create: () => Predictor,
  metrics = emptyMetrics(),
): Metrics {
  for (const { commands, before = [] } of traces) {
    const predictor = create();
    for (const command of before) (predictor.learnFromFile ?? predictor.learn)(command);
    for (const command of commands) {
      replayCommand(predictor, command, metrics);
      predictor.learn(command);
    }
  }
  return metrics;
}

function replayCommand(predictor: Predictor, command: TraceCommand, metrics: Metrics): void {
  const target = command.line;
  metrics.commands += 1;
  metrics.letters += target.length;
  const ask = (typed: string) => {
    const started = performance.now();
    const rows = predictor.predict(typed, command.cwd, target).slice(0, ROWS);
    metrics.latenciesMs.push(performance.now() - started);
    return rows;
  };
  const empty = ask('');
  if (empty[0]?.line === target) metrics.emptyFirst += 1;
  if (empty.some(({ line }) => line === target)) metrics.emptyShown += 1;
  // Calibration covers what is shown while somebody keeps typing: accepting a row ends the line early, so only the
  // wrong rows would be counted repeatedly.
  for (let length = 1; length < Math.min(target.length, MAX_TYPED_FOR_CALIBRATION); length += 3)
    countRows(ask(target.slice(0, length)), target, length, metrics);
  if (target.length > TYPED_FOR_HITS) countHits(ask(target.slice(0, TYPED_FOR_HITS)), target, metrics);
  metrics.keys += typeLine(ask, target, 0, (source) => {
    metrics.accepted[source] = (metrics.accepted[source] ?? 0) + 1;
  });
  metrics.keysByDefault += typeLine(ask, target, DEFAULT_MIN_INPUT, () => undefined);
}

/** How many keys the line takes if rows are shown from this many letters on. */
function typeLine(
  ask: (typed: string) => readonly Prediction[],
  target: string,
  shownFrom: number,
  onTaken: (source: string) => void,
): number {
  let typed = '';
  let keys = 0;
  while (typed.length < target.length) {
    const best = typed.length < shownFrom ? null : bestRow(ask(typed), target, typed);
    if (best === null) {
      typed = target.slice(0, typed.length + 1);
      keys += 1;
    } else {
      typed = best.row.line;
      keys += best.cost;
      onTaken(best.row.source);
    }
  }
  return keys;
}

/** A prefix of the target that ends at the end of a word or of a part of a word. */
export function isRight(line: string, target: string): boolean {
  if (!target.startsWith(line)) return false;
  return (
    line.length === target.length ||
    /\s$/.test(line) ||
    /[\s/@:=,._-]/.test(target.charAt(line.length)) ||
    /[/@:=,._-]$/.test(line)
  );
}

/** The row that saves the most keys; row n costs n keys. */
function bestRow(rows: readonly Prediction[], target: string, typed: string) {
  let best: { row: Prediction; cost: number; gain: number } | null = null;
  for (const [index, row] of rows.entries()) {
    if (!target.startsWith(row.line)) continue;
    const cost = index + 1;
    const gain = row.line.length - typed.length - cost;
    if (gain > 0 && gain > (best?.gain ?? 0)) best = { row, cost, gain };
  }
  return best;
}

function countRows(rows: readonly Prediction[], target: string, typed: number, metrics: Metrics): void {
  for (const { line, confidence } of rows) {
    metrics.shownLines.push(line);
    // A correction is right when it is the *next* command: counted separately.
    if (!line.startsWith(target.slice(0, typed))) continue;
    const bin = metrics.bins[Math.min(9, Math.floor(confidence * 10))];
    if (bin === undefined) continue;
    // If one of two right rows extends the other, take the longer.
    const right =
      isRight(line, target) &&
      !rows.some((other) => isLonger(other.line, line) && isRight(other.line, target));
    bin.shown += 1;
    bin.confidence += confidence;
    if (right) bin.right += 1;
  }
}

const isLonger = (line: string, start: string): boolean =>
  line.length > start.length && line.startsWith(start);

function countHits(rows: readonly Prediction[], target: string, metrics: Metrics): void {
  if (rows[0]?.line === target) metrics.exactFirst += 1;
  if (rows.some(({ line }) => line === target)) metrics.exactShown += 1;
  if (rows.some(({ line }) => isRight(line, target))) metrics.usefulShown += 1;
}

/** Share of letters that need no typing. */
export function keystrokesSaved(metrics: Metrics, by: 'keys' | 'keysByDefault' = 'keys'): number {
  return 1 - metrics[by] / metrics.letters;
}

/** Mean distance between confidence and accuracy, weighted by the number of rows. */
export function calibrationError(metrics: Metrics): number {
  const shown = metrics.bins.reduce((sum, bin) => sum + bin.shown, 0);
  return (
    metrics.bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.right), 0) / Math.max(1, shown)
  );
}

export function quantileMs(metrics: Metrics, share: number): number {
  const sorted = [...metrics.latenciesMs].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
