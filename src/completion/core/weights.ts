/** Weights of the ranking, one row per source, fitted by `npm run eval:completion -- --fit`, else by hand. */
import type { SourceName } from './suggestion.ts';

/** Uses the source's own estimate unchanged. */
const AS_ESTIMATED = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] as const;

/** In the order of `MERGE_FEATURES`. Fitted by the same command, on every line that its sources proposed. */
export const MERGE: readonly number[] = [
  -0.205, 1.158, -0.384, 0.023, -0.421, -0.197, 0.239, 0.225, 0.131, -0.145, 0.367,
];

export const WEIGHTS: Readonly<Record<SourceName, readonly number[]>> = {
  history: [
    0.09, 0.822, 0.201, -0.352, 0.339, 0.749, -0.465, -0.472, 0.09, -0.002, 0.225, -0.003, 0.551, 0.271,
  ],
  sequence: [0.047, 0.537, 0.618, -0.329, 0.047, 0, -0.624, -0.393, 0.047, 0, 0, 0, 0.827, 0.622],
  tokens: [-0.279, 0.515, 0.076, -0.605, 0.699, 0.644, -0.436, -0.374, -0.15, 0, 0, 0, 0.655, 0.503],
  words: [0.38, 0.203, 0.338, -2.858, 0, 0.477, -0.648, -0.017, 0, -0.11, 0.321, -0.57, 0.931, 0.475],
  prior: [-1.587, 0.296, 0.722, -0.545, -0.788, -0.296, -1.156, 0.8, 0, 0, 0, 0, 1.065, 0.656],
  typo: AS_ESTIMATED,
  paths: AS_ESTIMATED,
  project: AS_ESTIMATED,
  git: AS_ESTIMATED,
  hosts: AS_ESTIMATED,
  repair: AS_ESTIMATED,
  specs: AS_ESTIMATED,
  zsh: AS_ESTIMATED,
  model: AS_ESTIMATED,
};
