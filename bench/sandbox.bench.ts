/** What a sandbox costs on a repository of 100,000 files, and a change of 1,000 of them, beside git itself. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openTestReviews } from '../test/helpers/review-service.ts';
import type { BenchSuite } from './harness.ts';

const FILES = 100_000;
const FILES_PER_FOLDER = 100;
const CHANGED = 1_000;

const nameOf = (i: number) => `d${Math.floor(i / FILES_PER_FOLDER)}/f${i}.txt`;
const textOf = (i: number) => Array.from({ length: 20 }, (_, line) => `file ${i} line ${line}\n`).join('');

function git(
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

/** A repository of many small files, checked out; written as one stream. */
function makeRepository(folder: string): string {
  const root = path.join(folder, 'repository');
  mkdirSync(root);
  git(root, ['init', '-q', '-b', 'main']);
  const parts = ['commit refs/heads/main\ncommitter b <b@localhost> 0 +0000\ndata 4\nbase\n'];
  for (let i = 0; i < FILES; i += 1) {
    const text = textOf(i);
    parts.push(`M 100644 inline ${nameOf(i)}\ndata ${text.length}\n${text}\n`);
  }
  git(root, ['fast-import', '--quiet'], { input: parts.join('') });
  git(root, ['reset', '-q', '--hard', 'main']);
  return root;
}

function change(folder: string, round: number): void {
  for (let i = 0; i < CHANGED; i += 1) {
    const at = i * (FILES / CHANGED);
    writeFileSync(path.join(folder, nameOf(at)), textOf(at).replace('line 7', `line seven, ${round}`));
  }
}

const must = <T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const suite: BenchSuite = {
  name: 'sandbox',
  prepare: async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const target = makeRepository(folder);
    const reviews = openTestReviews(path.join(folder, 'state'));
    const { sandboxes } = reviews.service;
    const kept = must(await sandboxes.create({ target, name: 'kept', base: null })).folder;
    let round = 0;
    return {
      rows: [
        {
          name: 'make a sandbox of 100,000 files',
          peer: 'git worktree add',
          target: 1.1,
          rounds: 3,
          ours: async () => {
            round += 1;
            const name = `n${round}`;
            const time = await timed(async () => must(await sandboxes.create({ target, name, base: null })));
            must(await sandboxes.remove({ target, name, force: true }));
            return time;
          },
          theirs: async () => {
            round += 1;
            const place = path.join(folder, `w${round}`);
            const time = await timed(() => git(target, ['worktree', 'add', '-q', '-b', `w${round}`, place]));
            git(target, ['worktree', 'remove', '--force', place]);
            return time;
          },
        },
        {
          name: 'publish 1,000 changed files of it: patch, hunks, records',
          peer: 'git add -A; git diff HEAD, by a copy of the index',
          target: 6,
          rounds: 5,
          ours: async () => {
            round += 1;
            change(kept, round);
            const source = { kind: 'sandbox', folder: kept } as const;
            let hunks = 0;
            const time = await timed(async () => {
              hunks = must(await reviews.publishFrom({ target, source })).hunks.length;
            });
            if (hunks !== CHANGED) throw new Error(`${hunks} hunks`);
            return time;
          },
          theirs: async () => {
            round += 1;
            change(kept, round);
            const own = git(kept, ['rev-parse', '--absolute-git-dir']).toString().trim();
            const env = { GIT_INDEX_FILE: path.join(folder, 'index') };
            return timed(() => {
              copyFileSync(path.join(own, 'index'), env.GIT_INDEX_FILE);
              git(kept, ['add', '-A'], { env });
              git(kept, ['diff', '--cached', '--binary', '--full-index', 'HEAD'], { env });
            });
          },
        },
      ],
      cleanup: async () => {
        reviews.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
