/** A repository of many small files, and plain git in it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const FILES_PER_FOLDER = 100;

export function git(
  cwd: string,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Buffer {
  const run = spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], {
    cwd,
    input: options.input,
    maxBuffer: 1 << 29,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...options.env },
  });
  if (run.status !== 0) throw new Error(`git ${args[0]}: ${run.stderr}`);
  return run.stdout;
}

export const nameOf = (i: number) => `d${Math.floor(i / FILES_PER_FOLDER)}/f${i}.txt`;
export const textOf = (i: number) =>
  Array.from({ length: 20 }, (_, line) => `file ${i} line ${line}\n`).join('');

/** Checked out; imported as one stream. */
export function makeRepository(folder: string, files: number): string {
  const root = path.join(folder, 'repository');
  mkdirSync(root);
  git(root, ['init', '-q', '-b', 'main']);
  const parts = ['commit refs/heads/main\ncommitter b <b@localhost> 0 +0000\ndata 4\nbase\n'];
  for (let i = 0; i < files; i += 1) {
    const text = textOf(i);
    parts.push(`M 100644 inline ${nameOf(i)}\ndata ${text.length}\n${text}\n`);
  }
  git(root, ['fast-import', '--quiet'], { input: parts.join('') });
  git(root, ['reset', '-q', '--hard', 'main']);
  return root;
}

/** How long `work` takes, in ms. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
