/**
 * Fits the ranking on replayed histories: one logistic model per source, over all its suggestions while a line was
 * typed, then one over the sources' combined scores for a line. Made for `src/completion/core/weights.ts`.
 */
import { FEATURES, factsOf, featuresOf, type Habits } from '../../src/completion/core/features.ts';
import { Knowledge } from '../../src/completion/core/knowledge.ts';
import {
  gatherLines,
  MERGE_FEATURES,
  mergeFeaturesOf,
  type Ranking,
} from '../../src/completion/core/merge.ts';
import type { Prior } from '../../src/completion/core/prior.ts';
import type { Query, SourceName, Suggestion } from '../../src/completion/core/suggestion.ts';
import { WEIGHTS } from '../../src/completion/core/weights.ts';
import { pureSources } from '../../src/completion/sources/all.ts';
import { isRight } from './replay.ts';
import type { UserTrace } from './trace.ts';

interface Sample {
  readonly features: readonly number[];
  readonly right: boolean;
}

const SESSION = 'fit';
const NEVER = new AbortController().signal;
const ROUNDS = 400;
/** Keeps the weights small where there is little data. */
const RIDGE = 1e-4;
const MIN_SAMPLES = 500;

interface Moment {
  readonly query: Query;
  readonly suggestions: readonly Suggestion[];
  readonly habits: Habits;
  readonly target: string;
}

/** Every third letter of every user's typing, as far apart as in the calibration. */
function* moments(traces: readonly UserTrace[], prior: Prior | null): Iterable<Moment> {
  for (const { commands } of traces) {
    const knowledge = new Knowledge();
    const sources = pureSources(knowledge, prior);
    for (const command of commands) {
      const { line: target, cwd } = command;
      for (let length = 0; length < target.length; length += length === 0 ? 1 : 3) {
        const query = { line: target.slice(0, length), cursor: length, cwd, session: SESSION, limit: 4 };
        const suggestions = sources.flatMap((source) => {
          const found = source.suggest(query, NEVER);
          return found instanceof Promise ? [] : found;
        });
        yield { query, suggestions, habits: knowledge.habits, target };
      }
      knowledge.learn({ ...command, session: SESSION });
    }
  }
}

function collect(traces: readonly UserTrace[], prior: Prior | null): ReadonlyMap<SourceName, Sample[]> {
  const samples = new Map<SourceName, Sample[]>();
  for (const { query, suggestions, habits, target } of moments(traces, prior)) {
    const facts = factsOf(query);
    for (const suggestion of suggestions) {
      if (suggestion.line === query.line) continue;
      const list = samples.get(suggestion.source) ?? [];
      samples.set(suggestion.source, list);
      list.push({
        features: featuresOf(suggestion, query, facts, habits),
        right: isRight(suggestion.line, target),
      });
    }
  }
  return samples;
}

/** Logistic regression: gradient descent with momentum and a separate step for each weight, over the whole set. */
function fitOne(samples: readonly Sample[], width: number): number[] {
  const weights = new Float64Array(width);
  const speed = new Float64Array(width);
  const spread = new Float64Array(width).fill(1e-8);
  const gradient = new Float64Array(width);
  // Flat rows: hundreds of thousands of arrays would be traversed hundreds of times.
  const table = Float64Array.from(samples.flatMap(({ features }) => features));
  const right = Float64Array.from(samples, (sample) => (sample.right ? 1 : 0));
  for (let round = 1; round <= ROUNDS; round += 1) {
    gradient.fill(0);
    for (let row = 0; row < right.length; row += 1) {
      let sum = 0;
      for (let at = 0; at < width; at += 1) sum += (weights[at] ?? 0) * (table[row * width + at] ?? 0);
      const miss = 1 / (1 + Math.exp(-sum)) - (right[row] ?? 0);
      for (let at = 0; at < width; at += 1)
        gradient[at] = (gradient[at] ?? 0) + miss * (table[row * width + at] ?? 0);
    }
    for (let at = 0; at < width; at += 1) {
      const slope = (gradient[at] ?? 0) / samples.length + RIDGE * (weights[at] ?? 0);
      speed[at] = 0.9 * (speed[at] ?? 0) + 0.1 * slope;
      spread[at] = 0.99 * (spread[at] ?? 0) + 0.01 * slope * slope;
      const step = 0.05 / (1 + round / 200);
      weights[at] =
        (weights[at] ?? 0) - (step * (speed[at] ?? 0)) / Math.sqrt((spread[at] ?? 0) / (1 - 0.99 ** round));
    }
  }
  return [...weights].map((weight) => Math.round(weight * 1000) / 1000);
}

/** Weights of each source with enough samples, then of their combined scores for a line. */
export function fitRanking(traces: readonly UserTrace[], prior: Prior | null): Ranking {
  const weights: Record<SourceName, readonly number[]> = { ...WEIGHTS };
  for (const [source, samples] of collect(traces, prior))
    if (samples.length >= MIN_SAMPLES && source !== 'typo')
      weights[source] = fitOne(samples, FEATURES.length);
  const lines: Sample[] = [];
  for (const { query, suggestions, habits, target } of moments(traces, prior)) {
    const facts = factsOf(query);
    for (const line of gatherLines(suggestions, query, habits, weights))
      if (line.suggestion.kind !== 'fix')
        lines.push({
          features: mergeFeaturesOf(line, query, facts, habits),
          right: isRight(line.suggestion.line, target),
        });
  }
  return { weights, merge: fitOne(lines, MERGE_FEATURES.length) };
}
