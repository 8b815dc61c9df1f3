/**
 * Fits the ranking's weights on replayed histories: one logistic model a source, over every suggestion it made at
 * every letter typed. Prints the table for `src/completion/core/weights.ts`.
 */
import { FEATURES, factsOf, featuresOf, logistic } from '../../src/completion/core/features.ts';
import { Knowledge } from '../../src/completion/core/knowledge.ts';
import type { Prior } from '../../src/completion/core/prior.ts';
import type { SourceName } from '../../src/completion/core/suggestion.ts';
import { pureSources } from '../../src/completion/sources/pure.ts';
import { isRight } from './replay.ts';
import type { UserTrace } from './trace.ts';

interface Sample {
  readonly features: readonly number[];
  readonly right: boolean;
}

const SESSION = 'fit';
const NEVER = new AbortController().signal;
const ROUNDS = 300;
const LEARNING_RATE = 0.3;
/** Keeps the weights small where there is little to learn from. */
const RIDGE = 1e-4;
const MIN_SAMPLES = 500;

/** Every suggestion of every source along every line, with whether it was right. */
function collect(traces: readonly UserTrace[], prior: Prior | null): ReadonlyMap<SourceName, Sample[]> {
  const samples = new Map<SourceName, Sample[]>();
  for (const { commands } of traces) {
    const knowledge = new Knowledge();
    const sources = pureSources(knowledge, prior);
    for (const command of commands) {
      for (let length = 0; length < command.line.length; length += 1) {
        const query = {
          line: command.line.slice(0, length),
          cursor: length,
          cwd: command.cwd,
          session: SESSION,
          limit: 4,
        };
        const facts = factsOf(query);
        for (const source of sources) {
          const found = source.suggest(query, NEVER);
          if (found instanceof Promise) continue;
          const list = samples.get(source.name) ?? [];
          samples.set(source.name, list);
          for (const suggestion of found)
            if (suggestion.line !== query.line)
              list.push({
                features: featuresOf(suggestion, query, facts),
                right: isRight(suggestion.line, command.line),
              });
        }
      }
      knowledge.learn({ ...command, session: SESSION });
    }
  }
  return samples;
}

/** Logistic regression by gradient descent with momentum over the whole set. */
function fitOne(samples: readonly Sample[]): readonly number[] {
  const weights = FEATURES.map(() => 0);
  const speed = FEATURES.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = FEATURES.map(() => 0);
    for (const { features, right } of samples) {
      const miss = logistic(weights, features) - (right ? 1 : 0);
      for (let at = 0; at < features.length; at += 1)
        gradient[at] = (gradient[at] ?? 0) + miss * (features[at] ?? 0);
    }
    for (let at = 0; at < weights.length; at += 1) {
      const slope = (gradient[at] ?? 0) / samples.length + RIDGE * (weights[at] ?? 0);
      speed[at] = 0.9 * (speed[at] ?? 0) - LEARNING_RATE * slope * 0.3;
      weights[at] = (weights[at] ?? 0) + (speed[at] ?? 0);
    }
  }
  return weights.map((weight) => Math.round(weight * 1000) / 1000);
}

/** The weights of each source with enough samples. */
export function fitWeights(
  traces: readonly UserTrace[],
  prior: Prior | null,
): ReadonlyMap<SourceName, readonly number[]> {
  const fitted = new Map<SourceName, readonly number[]>();
  for (const [source, samples] of collect(traces, prior))
    if (samples.length >= MIN_SAMPLES) fitted.set(source, fitOne(samples));
  return fitted;
}
