/**
 * Weights of the ranking, one row a source, in the order of `FEATURES`. Fitted by `npm run eval:completion -- --fit`
 * on replayed histories: data, not taste. A source that no replay can measure has hand-set weights.
 */
import type { SourceName } from './suggestion.ts';

/** Trusts the source's own estimate as it is. */
const AS_ESTIMATED = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const;

export const WEIGHTS: Readonly<Record<SourceName, readonly number[]>> = {
  history: [0.186, 0.611, 0.274, -0.49, 0.081, -0.069, -0.188, -1.347, 0.186, -0.165, -0.195, 0.267],
  sequence: AS_ESTIMATED,
  tokens: [-0.276, 0.478, 0.11, 0.074, 0.575, 0.067, -0.117, -0.136, -0.557, 0, 0, 0],
  words: [0.632, 0.322, 0.524, -1.198, 0, 0.432, -0.478, -1.428, 0, -0.495, -0.199, 0.204],
  prior: [-0.856, 0.363, 0.392, -0.244, 0.71, -0.878, -1.158, -0.53, 0, 0, 0, 0],
  typo: AS_ESTIMATED,
  paths: AS_ESTIMATED,
  project: AS_ESTIMATED,
  git: AS_ESTIMATED,
  specs: AS_ESTIMATED,
  zsh: AS_ESTIMATED,
  model: AS_ESTIMATED,
};
