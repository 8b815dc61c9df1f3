/** The cost of a sandbox on a repository of 100,000 files, and of changing 1,000 of them, beside git itself. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openTestReviews } from '../test/helpers/review-service.ts';
import { git, makeRepository, nameOf, textOf, timed } from './git-repository.ts';
import type { BenchSuite } from './harness.ts';

const FILES = 100_000;
const CHANGED = 1_000;

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

export const suite: BenchSuite = {
  name: 'sandbox',
  prepare: async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const target = makeRepository(folder, FILES);
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
