/**
 * The cost of a command beside a bare Node of the same version. Each is a whole process, including its exit: first
 * without a host, then while a companion leads and answers for it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { run } from '../src/platform/run.ts';
import { COPANE, CompanionPane, type CompanionPlace, copaneEnv } from '../test/helpers/companion-pane.ts';
import { PrivateTmux } from '../test/helpers/private-tmux.ts';
import { until } from '../test/helpers/until.ts';
import type { BenchSuite } from './harness.ts';

/** Wall time of a process, in ms. A failed command is not measured. */
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
    mkdirSync(path.join(root, 'led/config/copane'), { recursive: true });
    writeFileSync(path.join(root, 'led/config/copane/config.jsonc'), '{"tcp": false}');
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
    const server = { TMUX: shown.stdout.toString('utf8').trim() };
    const env = { ...base, ...server };
    const led = { ...copaneEnv({ root: path.join(root, 'led'), project }), ...server };
    const hunk = await withCompanion(tmux, { root: path.join(root, 'led'), project }, led);
    const bare = () => wall(process.execPath, ['-e', '0'], env);
    const row = (name: string, target: number, ours: () => Promise<number>) => {
      return { name, peer: 'node -e 0', target, ours, theirs: bare };
    };
    const ours =
      (place: NodeJS.ProcessEnv, ...args: string[]) =>
      () =>
        wall(COPANE, args, place);
    const pull = ['pull', '--pane', tmux.pane];
    let isAccepted = false;
    const decide = () => {
      isAccepted = !isAccepted;
      return wall(COPANE, ['decide', ...hunk, isAccepted ? 'accept' : 'reject'], led);
    };
    return {
      rows: [
        row('copane --version', 1.3, ours(env, '--version')),
        row('copane status', 1.5, ours(env, 'status')),
        row('copane pull', 1.5, ours(env, ...pull)),
        row('copane status, with a companion', 0.6, ours(led, 'status')),
        row('copane pull, with a companion', 0.6, ours(led, ...pull)),
        row('copane decide, with a companion', 0.6, decide),
      ],
      cleanup: async () => {
        await tmux.kill();
        rmSync(root, { recursive: true, force: true });
      },
    };
  },
};

/** A companion on the pane, and the suggestion and id of a hunk that waits for a decision. */
async function withCompanion(
  tmux: PrivateTmux,
  place: CompanionPlace,
  env: NodeJS.ProcessEnv,
): Promise<readonly [string, string]> {
  const ask = async (...args: string[]) =>
    JSON.parse((await run(COPANE, args, { env })).stdout.toString('utf8'));
  const patch = path.join(place.root, 'p.diff');
  writeFileSync(path.join(place.project, 'f'), 'one\n');
  writeFileSync(patch, '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+eins\n');
  await CompanionPane.open(tmux, place);
  await until('the host', async () => (await ask('status', '--json')).host !== null);
  const published = await ask('publish', '--patch', patch, '--target', place.project, '--json');
  return [published.suggestion_id, published.hunks[0].id];
}
