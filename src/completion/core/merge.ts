/** Combines what sources say about a line into one probability. Their agreement is weighed, as they share a history. */

import { hasSecret } from '../../lib/secrets/secrets.ts';
import { factsOf, featuresOf, type Habits, logistic, type QueryFacts } from './features.ts';
import { isTransmissible } from './reply.ts';
import type { Candidate, Query, SourceName, Suggestion } from './suggestion.ts';

/** How suggestions become probabilities. */
export interface Ranking {
  /** One row per source, in the order of `FEATURES`. */
  readonly weights: Readonly<Record<SourceName, readonly number[]>>;
  /** In the order of `MERGE_FEATURES`. */
  readonly merge: readonly number[];
}

/** Names of the features of a line after all sources have answered, in the order of the weights. */
export const MERGE_FEATURES = [
  'bias',
  'best estimate',
  'several sources',
  'second estimate',
  'familiarity',
  'whole line',
  'nothing typed in this word',
  'letters added',
  'first word',
  'letters typed',
  'whole line, by familiarity',
] as const;

export const MIN_PROBABILITY = 0.001;
const MAX_PROBABILITY = 0.995;

/** How much a start's own sources count if no line that continues it is right. */
const OWN_WORD = 0.5;

/** A line with its suggestions, the most confident first. */
interface MergedLine {
  readonly suggestion: Suggestion;
  readonly sources: readonly SourceName[];
  readonly probabilities: readonly number[];
}

function clamp(probability: number): number {
  return Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, probability));
}

const oddsOf = (probability: number): number => Math.log(probability / (1 - probability));

function isShowable(suggestion: Suggestion, query: Query): boolean {
  const { line } = suggestion;
  if (line === query.line || line.trim() === query.line.trim() || !isTransmissible(line)) return false;
  if (line.includes('\n') && !query.line.includes('\n') && suggestion.source !== 'history') return false;
  if (suggestion.kind !== 'fix' && !line.startsWith(query.line.slice(0, query.cursor))) return false;
  return !hasSecret(line);
}

/** Each line that may be shown, once. */
export function gatherLines(
  suggestions: readonly Suggestion[],
  query: Query,
  habits: Habits,
  weights: Ranking['weights'],
): readonly MergedLine[] {
  const facts = factsOf(query);
  const estimates = suggestions
    .map((suggestion) => ({
      suggestion,
      probability: clamp(logistic(weights[suggestion.source], featuresOf(suggestion, query, facts, habits))),
    }))
    .sort((a, b) => b.probability - a.probability || (a.suggestion.line < b.suggestion.line ? -1 : 1));
  const byLine = new Map<string, MergedLine>();
  for (const { suggestion, probability } of estimates) {
    // A trailing blank or a folder's slash is the same line, only continued differently.
    const key = suggestion.line.trimEnd().replace(/(?<=[^\s/])\/$/, '');
    const known = byLine.get(key);
    if (known === undefined) {
      if (isShowable(suggestion, query))
        byLine.set(key, { suggestion, sources: [suggestion.source], probabilities: [probability] });
    } else if (!known.sources.includes(suggestion.source)) {
      const { description = suggestion.description } = known.suggestion;
      byLine.set(key, {
        suggestion: description === undefined ? known.suggestion : { ...known.suggestion, description },
        sources: [...known.sources, suggestion.source],
        probabilities: [...known.probabilities, probability],
      });
    }
  }
  return [...byLine.values()];
}

/** The features of a line, in the order of `MERGE_FEATURES`. */
export function mergeFeaturesOf(
  { suggestion, probabilities }: MergedLine,
  query: Query,
  facts: QueryFacts,
  habits: Habits,
): readonly number[] {
  const [best = MIN_PROBABILITY, second] = probabilities;
  const whole = suggestion.partial ? 0 : 1;
  return [
    1,
    oddsOf(best),
    second === undefined ? 0 : 1,
    second === undefined ? 0 : oddsOf(second),
    habits.familiarity,
    whole,
    facts.wordTyped === 0 ? 1 : 0,
    Math.log1p(Math.max(0, suggestion.line.length - query.line.length)),
    facts.wordsBefore === 0 ? 1 : 0,
    Math.log1p(facts.typed),
    whole * habits.familiarity,
  ];
}

/** Every line that may be shown, with the probability that the wanted line starts with it. */
export function mergeLines(
  suggestions: readonly Suggestion[],
  query: Query,
  habits: Habits,
  ranking: Ranking,
): readonly Candidate[] {
  const facts = factsOf(query);
  const nodes = gatherLines(suggestions, query, habits, ranking.weights).map((line) => ({
    line: line.suggestion.line,
    candidate: { ...line.suggestion, sources: line.sources },
    probability: clamp(logistic(ranking.merge, mergeFeaturesOf(line, query, facts, habits))),
    longer: [],
  }));
  // A start is right whenever a line that continues it is right: evidence for a line is evidence for its starts.
  const { roots } = foldStarts<LineNode>(nodes, (node, longer) => {
    const together = Math.min(1, probabilityOf(longer));
    const alone = OWN_WORD * node.probability * (1 - together);
    return { ...node, longer, probability: clamp(Math.max(node.probability, together + alone)) };
  });
  return [...share(roots, 1)];
}

interface LineNode {
  readonly line: string;
  readonly candidate: Omit<Candidate, 'confidence'>;
  readonly probability: number;
  readonly longer: readonly LineNode[];
}

const probabilityOf = (nodes: readonly LineNode[]): number =>
  nodes.reduce((sum, { probability }) => sum + probability, 0);

/** Lines that do not start each other exclude each other: together they are at `most` as likely as their start. */
function* share(nodes: readonly LineNode[], most: number): Iterable<Candidate> {
  const factor = Math.min(1, most / probabilityOf(nodes));
  for (const { candidate, probability, longer } of nodes) {
    const confidence = clamp(probability * factor);
    yield { ...candidate, confidence };
    yield* share(longer, confidence);
  }
}

export const sumOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { confidence }) => sum + confidence, 0);

/** Folds `rows` from the longest to their starts: `join` gets a row and the results of its direct continuations. */
export function foldStarts<T extends { readonly line: string }>(
  rows: readonly T[],
  join: (row: T, longer: readonly T[]) => T,
): { readonly rows: readonly T[]; readonly roots: readonly T[] } {
  const joined: T[] = [];
  /** Rows without a start so far: in sorted order, the continuations of a start follow it. */
  const open: T[] = [];
  for (const row of [...rows].sort((a, b) => (a.line < b.line ? 1 : -1))) {
    const longer: T[] = [];
    for (let next = open.at(-1); next?.line.startsWith(row.line); next = open.at(-1)) {
      longer.push(next);
      open.pop();
    }
    const one = join(row, longer);
    joined.push(one);
    open.push(one);
  }
  return { rows: joined, roots: open };
}
