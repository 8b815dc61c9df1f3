/**
 * Weights of the ranking, one row a source, in the order of `FEATURES`. Fitted by `npm run eval:completion -- --fit`
 * on replayed histories: data, not taste. A source that no replay can measure has hand-set weights.
 */
import type { SourceName } from './suggestion.ts';

/** Trusts the source's own estimate as it is. */
const AS_ESTIMATED = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const;

/** Intercept, slope and familiarity: see `rank.ts`. Fitted by the same command, on the rows that would be shown. */
export const CALIBRATION: readonly [number, number, number] = [-0.731, 0.949, 0.172];

export const WEIGHTS: Readonly<Record<SourceName, readonly number[]>> = {
  history: [
    0.074, 0.821, 0.197, -0.354, 0.327, 0.743, -0.454, -0.476, 0.074, 0.005, 0.221, -0.008, 0.553, 0.274,
  ],
  sequence: [0.036, 0.539, 0.602, -0.336, 0.036, 0, -0.609, -0.408, 0.036, 0, 0, 0, 0.83, 0.636],
  tokens: [-0.303, 0.53, 0.056, -0.592, 0.63, 0.515, -0.389, -0.355, -0.166, 0, 0, 0, 0.694, 0.477],
  words: [0.459, -0.1, 0.631, -2.668, 0, 0.901, -0.67, -1.094, 0, -0.806, 0.485, -0.384, 0.813, -0.149],
  prior: [-1.598, 0.296, 0.72, -0.546, -0.802, -0.304, -1.152, 0.802, 0, 0, 0, 0, 1.072, 0.669],
  typo: AS_ESTIMATED,
  paths: AS_ESTIMATED,
  project: AS_ESTIMATED,
  git: AS_ESTIMATED,
  specs: AS_ESTIMATED,
  zsh: AS_ESTIMATED,
  model: AS_ESTIMATED,
};
