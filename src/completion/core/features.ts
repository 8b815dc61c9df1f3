/** The features by which a suggestion is ranked, the same for fitting the weights and for ranking. */
import type { Query, Suggestion } from './suggestion.ts';
import { contextAt } from './tokens.ts';

/** Names of the features, in order; the weights of a source have the same order. */
export const FEATURES = [
  'bias',
  'estimate',
  'typed in this word',
  'nothing typed in this word',
  'first word',
  'words before',
  'letters added',
  'words added',
  'whole line',
  'signal 1',
  'signal 2',
  'signal 3',
  'familiarity',
  'experience',
] as const;

const MIN_PROBABILITY = 0.0005;
const MAX_PROBABILITY = 0.9995;

/** Features of the query, the same for all suggestions. */
export interface QueryFacts {
  readonly wordTyped: number;
  readonly wordsBefore: number;
  readonly typed: number;
}

/** The user's habits: some run the same few lines all day, others hardly any line twice. */
export interface Habits {
  /** Share of the last commands that had run before. */
  readonly familiarity: number;
  /** Commands that were learned. */
  readonly experience: number;
}

export function factsOf(query: Query): QueryFacts {
  const left = query.line.slice(0, query.cursor);
  const { words, current } = contextAt(left);
  return { wordTyped: current.length, wordsBefore: words.length, typed: left.length };
}

/** The features of `suggestion`, in the order of `FEATURES`. */
export function featuresOf(
  suggestion: Suggestion,
  query: Query,
  facts: QueryFacts,
  habits: Habits,
): readonly number[] {
  const p = Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, suggestion.probability));
  const added = suggestion.line.slice(
    facts.typed,
    suggestion.line.length - (query.line.length - query.cursor),
  );
  const [one = 0, two = 0, three = 0] = suggestion.signals ?? [];
  return [
    1,
    Math.log(p / (1 - p)),
    Math.log1p(facts.wordTyped),
    facts.wordTyped === 0 ? 1 : 0,
    facts.wordsBefore === 0 ? 1 : 0,
    Math.log1p(facts.wordsBefore),
    Math.log1p(added.length),
    Math.log1p(added.split(' ').length - 1),
    suggestion.partial ? 0 : 1,
    one,
    two,
    three,
    habits.familiarity,
    Math.log1p(habits.experience) / 10,
  ];
}

/** The probability according to a logistic model. */
export function logistic(weights: readonly number[], features: readonly number[]): number {
  let sum = 0;
  for (const [at, weight] of weights.entries()) sum += weight * (features[at] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
