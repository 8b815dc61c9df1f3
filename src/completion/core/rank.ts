/**
 * Makes one short list from all sources. A row's confidence is the probability that it is the longest right row: the
 * start of a line ranks below a likely line and above a guess.
 */
import type { Habits } from './features.ts';
import { foldStarts, MIN_PROBABILITY, mergeLines, type Ranking, sumOf } from './merge.ts';
import type { Candidate, Query, Suggestion } from './suggestion.ts';
import { MERGE, WEIGHTS } from './weights.ts';

const NOTHING_KNOWN: Habits = { familiarity: 0.4, experience: 0 };
const FITTED: Ranking = { weights: WEIGHTS, merge: MERGE };

/** Keys that a correction saves: going back and typing a word again. */
const FIX_GAIN = 6;
/** The value of a letter that need not be typed: a later row would have saved half of them. */
const LETTER_WORTH = 0.5;
/** What a right row spares at least: looking for the word elsewhere. Else a short, likely word loses to a long, unlikely one. */
const MIN_WORTH = 0.25;
/** Rows are chosen from this many: the likeliest, then those that would save most keys. */
const CONSIDERED_MAX = 12;

/** Keys that taking a row saves, before those to reach it. */
function gainOf(candidate: Candidate, query: Query): number {
  const added = candidate.line.length - query.line.length;
  return LETTER_WORTH * (candidate.kind === 'fix' ? Math.max(FIX_GAIN, added) : Math.max(1, added));
}

/** If two are equally likely, the longer line comes first. */
function byConfidence(a: Candidate, b: Candidate): number {
  return b.confidence - a.confidence || b.line.length - a.line.length || (a.line < b.line ? -1 : 1);
}

/** The rows as they would be shown, in order of the probability that each is taken. */
function arrange(lines: readonly Candidate[]): readonly Candidate[] {
  const rows = lines.map((candidate) => ({ line: candidate.line, candidate, longer: 0 }));
  return foldStarts(rows, (row, longer) => ({
    ...row,
    longer: sumOf(longer.map(({ candidate }) => candidate)),
  }))
    .rows.map(({ candidate, longer }) => ({
      ...candidate,
      confidence: Math.max(MIN_PROBABILITY, candidate.confidence - longer),
    }))
    .sort(byConfidence);
}

/** Keys that these rows save on average, when row n costs n keys. */
function savingsOf(rows: readonly Candidate[], query: Query): number {
  return rows.reduce(
    (sum, row, index) => sum + row.confidence * Math.max(MIN_WORTH, gainOf(row, query) - index - 1),
    0,
  );
}

/** The lines from which rows are chosen, likeliest first. */
function considered(lines: readonly Candidate[], query: Query): readonly Candidate[] {
  const sorted = [...lines].sort(byConfidence);
  const rest = sorted
    .slice(CONSIDERED_MAX)
    .sort((a, b) => b.confidence * gainOf(b, query) - a.confidence * gainOf(a, query))
    .slice(0, CONSIDERED_MAX);
  return [...sorted.slice(0, CONSIDERED_MAX), ...rest];
}

/** The rows to show, most confident first: the likeliest line, and those that save most keys besides it. */
export function rank(
  suggestions: readonly Suggestion[],
  query: Query,
  habits: Habits = NOTHING_KNOWN,
): readonly Candidate[] {
  const lines = mergeLines(suggestions, query, habits, FITTED);
  // Nothing is typed yet: offer whole lines.
  if (query.line === '') return arrange(lines).slice(0, query.limit);
  const [surest, ...others] = considered(lines, query);
  if (surest === undefined) return [];
  let open = others;
  let chosen: readonly Candidate[] = [surest];
  while (chosen.length < query.limit && open.length > 0) {
    let most = -1;
    let best = open[0];
    for (const candidate of open) {
      const saved = savingsOf(arrange([...chosen, candidate]), query);
      if (saved > most) {
        most = saved;
        best = candidate;
      }
    }
    if (best === undefined) break;
    chosen = [...chosen, best];
    open = open.filter((candidate) => candidate !== best);
  }
  return arrange(chosen);
}
