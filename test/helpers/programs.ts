/** The checkout, and the programs that `test/set-up.ts` bundles for the tests and the benchmarks. */
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Programs that tests start, kill and trace: run from source, each would spend its first second reading modules. */
export const TEST_PROGRAMS = {
  'agent-child': 'test/helpers/agent-child.ts',
  'completion-daemon-main': 'test/helpers/completion-daemon-main.ts',
  'doomed-sender': 'test/helpers/doomed-sender.ts',
  'fault-child': 'test/helpers/fault-child.ts',
  'host-companion': 'test/fixtures/host/companion.ts',
  'plain-ai': 'test/fixtures/programs/plain-ai.ts',
  'review-child': 'test/helpers/review-child.ts',
  'tmux-holder': 'test/helpers/tmux-holder.ts',
  'transcript-probe': 'test/fixtures/programs/transcript-probe.ts',
} as const;
