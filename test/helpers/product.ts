/**
 * What the end-to-end tests run: the packed and installed copane, and programs of their own, bundled. `test/set-up.ts` makes
 * both. Where nothing was installed (the gallery, the benchmarks), the checkout stands for the product.
 */
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** The folder of the installed package. */
export const PRODUCT = process.env.COPANE_TEST_PRODUCT ?? ROOT;
export const COPANE = path.join(PRODUCT, 'bin/copane');

/** Programs that tests start, kill and trace: from source, each would spend its first second on reading modules. */
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

/** Where the bundle of such a program lies. */
export function testProgram(name: keyof typeof TEST_PROGRAMS): string {
  return path.join(process.env.COPANE_TEST_PROGRAMS ?? '', `${name}.js`);
}
