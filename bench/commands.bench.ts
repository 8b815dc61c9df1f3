/** What a command costs to start, beside a bare Node of the same version. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { run } from '../src/platform/run.ts';
import type { BenchSuite } from './harness.ts';

const root = path.resolve(import.meta.dirname, '..');
const copane = path.join(root, 'bin/copane');

/** Wall time of a whole process, in ms. */
async function wall(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now();
  await run(file, args, { env });
  return performance.now() - start;
}

export const suite: BenchSuite = {
  name: 'commands',
  prepare: async () => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_RUNTIME_DIR: home, TMUX: '' };
    const bare = () => wall(process.execPath, ['-e', '0'], env);
    return {
      rows: [
        {
          name: 'copane --version',
          peer: 'node -e 0',
          target: 1.3,
          ours: () => wall(copane, ['--version'], env),
          theirs: bare,
        },
        {
          name: 'copane status',
          peer: 'node -e 0',
          target: 1.6,
          ours: () => wall(copane, ['status'], env),
          theirs: bare,
        },
      ],
      cleanup: async () => rmSync(home, { recursive: true, force: true }),
    };
  },
};
