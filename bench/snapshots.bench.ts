/** What a look at a working tree of 80,000 files costs, beside `git status` in the same tree. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Observer } from '../src/changes/snapshots/observer.ts';
import { ok } from '../src/lib/result.ts';
import { BlobStore } from '../src/store/blobs.ts';
import { git, makeRepository, nameOf, textOf, timed } from './git-repository.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const FILES = 80_000;

export const suite: BenchSuite = {
  name: 'snapshots',
  prepare: async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const root = makeRepository(folder, FILES);
    const stateDir = path.join(folder, 'state');
    mkdirSync(stateDir, { mode: 0o700 });
    const observer = new Observer({
      root: path.join(stateDir, 'snapshots'),
      blobs: new BlobStore(stateDir),
    });
    const look = async () => {
      const looked = await observer.look(root, () => ok(undefined));
      if (!looked.ok) throw new Error(looked.error.message);
    };
    await look();
    let round = 0;
    const change = (count: number) => {
      round += 1;
      for (let i = 0; i < count; i += 1) {
        const at = i * Math.floor(FILES / count);
        writeFileSync(path.join(root, nameOf(at)), `${textOf(at)}round ${round}\n`);
      }
    };
    const row = (what: string, count: number, target: number): BenchRow => ({
      name: `snapshot of ${FILES.toLocaleString('en')} files, ${what}`,
      peer: 'git status',
      target,
      ours: async () => {
        change(count);
        return timed(look);
      },
      theirs: async () => {
        change(count);
        const took = await timed(() => git(root, ['status', '--porcelain']));
        await look();
        return took;
      },
    });
    return {
      rows: [row('nothing changed', 0, 1.1), row('one file', 1, 1.6), row('a hundred files', 100, 2.3)],
      cleanup: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};
