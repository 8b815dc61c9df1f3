/** What a command costs to start, beside a bare Node of the same version. A whole process each, its exit included. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { run } from '../src/platform/run.ts';
import { COPANE, copaneEnv } from '../test/helpers/companion-pane.ts';
import { PrivateTmux } from '../test/helpers/private-tmux.ts';
import type { BenchSuite } from './harness.ts';

/** Wall time of a process, in ms; a command that fails measures nothing. */
async function wall(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
): Promise<number> {
  const start = performance.now();
  const outcome = await run(file, args, {
    env,
    timeoutMs: 60_000,
    ...(input === undefined ? {} : { input }),
  });
  const took = performance.now() - start;
  if (outcome.code !== 0)
    throw new Error(`${path.basename(file)} ${args.join(' ')}: exit ${outcome.code}: ${outcome.stderr}`);
  return took;
}

export const suite: BenchSuite = {
  name: 'commands',
  prepare: async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const project = path.join(root, 'project');
    mkdirSync(project);
    const answered = path.join(root, 'answered');
    writeFileSync(answered, '### PROMPT 2026-01-02 03:04:05\n\nq\n\n### END PROMPT\nthe answer\n');
    const tmux = new PrivateTmux();
    const base = copaneEnv({ root, project });
    await tmux.start({
      argv: ['sh', '-c', `cat ${answered}; exec cat`],
      env: base,
      cwd: project,
      size: { columns: 80, rows: 24 },
    });
    await tmux.until('the answer', (screen) => screen.includes('the answer'));
    const shown = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
    const env = { ...base, TMUX: shown.stdout.toString('utf8').trim() };
    const pane = ['--pane', tmux.pane];
    const bare = () => wall(process.execPath, ['-e', '0'], env);
    const ours =
      (...args: string[]) =>
      () =>
        wall(COPANE, args, env);
    return {
      rows: [
        { name: 'copane --version', peer: 'node -e 0', target: 1.3, ours: ours('--version'), theirs: bare },
        { name: 'copane status', peer: 'node -e 0', target: 1.6, ours: ours('status'), theirs: bare },
        { name: 'copane pull', peer: 'node -e 0', target: 1.6, ours: ours('pull', ...pane), theirs: bare },
      ],
      cleanup: async () => {
        await tmux.kill();
        rmSync(root, { recursive: true, force: true });
      },
    };
  },
};
