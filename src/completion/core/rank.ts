/**
 * One list out of all sources: merges equal lines, turns each source's own estimate into a probability that
 * means what it says, keeps room for different kinds, and drops what must not be shown.
 */
import { factsOf, featuresOf, type Habits, logistic } from './features.ts';
import { isTransmissible } from './reply.ts';
import { hasSecret } from './secrets.ts';
import type { Candidate, Query, SourceName, Suggestion } from './suggestion.ts';
import { CALIBRATION, WEIGHTS } from './weights.ts';

const MIN_PROBABILITY = 0.001;
const MAX_PROBABILITY = 0.995;
/** A second source that agrees adds this part of what it would have given alone. */
const AGREEMENT = 0.5;

/** How a suggestion of a source becomes a probability. */
export interface Ranking {
  /** One row a source, in the order of `FEATURES`. */
  readonly weights: Readonly<Record<SourceName, readonly number[]>>;
  /** Rows that are shown are those that looked best: intercept, slope and familiarity set that right. */
  readonly calibration: readonly [number, number, number];
}

const NOTHING_KNOWN: Habits = { familiarity: 0.4, experience: 0 };
const FITTED: Ranking = { weights: WEIGHTS, calibration: CALIBRATION };

function clamp(probability: number): number {
  return Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, probability));
}

function calibrate(
  probability: number,
  habits: Habits,
  [bias, slope, familiar]: Ranking['calibration'],
): number {
  const odds = Math.log(probability / (1 - probability));
  return clamp(logistic([bias, slope, familiar], [1, odds, habits.familiarity]));
}

function isShowable(suggestion: Suggestion, query: Query): boolean {
  const { line } = suggestion;
  if (line === query.line || line.trim() === query.line.trim() || !isTransmissible(line)) return false;
  if (line.includes('\n') && !query.line.includes('\n') && suggestion.source !== 'history') return false;
  if (suggestion.kind !== 'fix' && !line.startsWith(query.line.slice(0, query.cursor))) return false;
  return !hasSecret(line);
}

function merge(
  suggestions: readonly Suggestion[],
  query: Query,
  habits: Habits,
  ranking: Ranking,
): Candidate[] {
  const byLine = new Map<string, Candidate>();
  const facts = factsOf(query);
  const ordered = suggestions
    .map((suggestion) => ({
      suggestion,
      confidence: clamp(
        logistic(ranking.weights[suggestion.source], featuresOf(suggestion, query, facts, habits)),
      ),
    }))
    .sort((a, b) => b.confidence - a.confidence || (a.suggestion.line < b.suggestion.line ? -1 : 1));
  for (const { suggestion, confidence } of ordered) {
    // A blank at the end is no other candidate, only another way to go on.
    const key = suggestion.line.trimEnd();
    const known = byLine.get(key);
    if (known === undefined) {
      if (isShowable(suggestion, query))
        byLine.set(key, { ...suggestion, confidence, sources: [suggestion.source] });
    } else if (!known.sources.includes(suggestion.source)) {
      byLine.set(key, {
        ...known,
        confidence: Math.min(MAX_PROBABILITY, 1 - (1 - known.confidence) * (1 - AGREEMENT * confidence)),
        sources: [...known.sources, suggestion.source],
      });
    }
  }
  return [...byLine.values()].map((candidate) => ({
    ...candidate,
    confidence: calibrate(candidate.confidence, habits, ranking.calibration),
  }));
}

function byConfidence(a: Candidate, b: Candidate): number {
  return b.confidence - a.confidence || (a.line < b.line ? -1 : 1);
}

/** Keys that a correction saves: going back and typing a word anew. */
const FIX_GAIN = 6;
/** Rows are chosen out of so many: the likeliest, and of the rest those that would save most. */
const CONSIDERED_MAX = 12;

/** What taking a row saves, before the keys to reach it. */
function lettersOf(candidate: Candidate, query: Query): number {
  const added = candidate.line.length - query.line.length;
  return candidate.kind === 'fix' ? Math.max(FIX_GAIN, added) : Math.max(1, added);
}

/**
 * Keys that these rows save on average, shown in the order of their confidence, if the best right row is taken and
 * row n costs n keys. Of rows of which one starts another the longer is right only when the shorter is.
 */
function savings(rows: readonly Candidate[], query: Query): number {
  let saved = 0;
  for (const [index, row] of rows.entries()) {
    let alone = row.confidence;
    let best = lettersOf(row, query) - index - 1;
    for (const [other, longer] of rows.entries()) {
      if (other === index) continue;
      if (isStart(row, longer) && !rows.some((between) => isStart(row, between) && isStart(between, longer)))
        alone -= longer.confidence;
      if (isStart(longer, row)) best = Math.max(best, lettersOf(longer, query) - other - 1);
    }
    saved += Math.max(0, alone) * Math.max(0, best);
  }
  return saved;
}

const isStart = (shorter: Candidate, longer: Candidate): boolean =>
  longer.line.length > shorter.line.length && longer.line.startsWith(shorter.line);

/** A longer line that is nearly as sure takes the place of its starts. */
const NEARLY_AS_SURE = 0.8;

function withoutStarts(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(
    (one) =>
      !candidates.some((other) => isStart(one, other) && other.confidence >= NEARLY_AS_SURE * one.confidence),
  );
}

/** The candidates to show, most confident first: the likeliest, and beside it those that together save most keys. */
export function rank(
  suggestions: readonly Suggestion[],
  query: Query,
  habits: Habits = NOTHING_KNOWN,
  ranking: Ranking = FITTED,
): readonly Candidate[] {
  const merged = withoutStarts(merge(suggestions, query, habits, ranking).sort(byConfidence));
  if (query.line === '') return merged.slice(0, query.limit);
  const likely = merged.slice(0, CONSIDERED_MAX);
  const rest = merged
    .slice(CONSIDERED_MAX)
    .sort((a, b) => b.confidence * lettersOf(b, query) - a.confidence * lettersOf(a, query))
    .slice(0, CONSIDERED_MAX);
  let open = [...likely, ...rest].slice(1);
  let chosen: readonly Candidate[] = likely.slice(0, 1);
  while (chosen.length < query.limit && open.length > 0) {
    let best: readonly Candidate[] = [];
    let most = -1;
    let picked = open[0];
    for (const candidate of open) {
      const rows = [...chosen, candidate].sort(byConfidence);
      const saved = savings(rows, query);
      if (saved > most) {
        most = saved;
        best = rows;
        picked = candidate;
      }
    }
    chosen = best;
    open = open.filter((candidate) => candidate !== picked);
  }
  return chosen;
}
