/**
 * Weights of the ranking, one row a source, in the order of `FEATURES`. Fitted by `npm run eval:completion -- --fit`
 * on replayed histories: data, not taste. A source that no replay can measure has hand-set weights.
 */
import type { SourceName } from './suggestion.ts';

/** Trusts the source's own estimate as it is. */
const AS_ESTIMATED = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const;

export const WEIGHTS: Readonly<Record<SourceName, readonly number[]>> = {
  history: [-0.113, 0.462, 0.207, -0.37, 0.061, -0.052, -0.142, -1.018, 0.141, -0.125, -0.147, 0.202],
  sequence: AS_ESTIMATED,
  tokens: [-0.425, 0.484, 0.111, 0.075, 0.582, 0.068, -0.118, -0.138, -0.564, 0, 0, 0],
  words: [-0.959, 0.276, 0.449, -1.027, 0, 0.37, -0.41, -1.224, 0, -0.424, -0.171, 0.175],
  prior: [-1.888, 0.334, 0.361, -0.225, 0.654, -0.809, -1.067, -0.488, 0, 0, 0, 0],
  typo: AS_ESTIMATED,
  paths: AS_ESTIMATED,
  project: AS_ESTIMATED,
  git: AS_ESTIMATED,
  specs: AS_ESTIMATED,
  zsh: AS_ESTIMATED,
  model: AS_ESTIMATED,
};
