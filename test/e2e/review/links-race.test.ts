/** Another process keeps swapping a folder for a link while files in it are written: nothing is written outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { removeTree } from '../../../src/platform/held-folder.ts';
import type { FileImage } from '../../../src/review/core/file-state.ts';
import { performWrite } from '../../../src/review/files/atomic-writer.ts';
import { CagedProject } from '../../helpers/caged-project.ts';
import { rowsOf } from '../../helpers/full-run.ts';
import { putTree, readTree } from '../../helpers/git-fixture.ts';

/** Whichever comes first. */
const RACE_MAX_MS = 6_000;
const RACE_MAX_WRITES = 1_500;
/** With fewer writes of a kind it was no race: a slow machine continues. */
const RACE_MIN_WRITES = 20;
const RACE_LAST_MS = 20_000;

let project: CagedProject | undefined;
afterEach(() => project?.remove());

/** Swaps a folder for a link to `to` and back, without a pause, until killed. */
const EXCHANGER = `
const fs = require('node:fs');
const [root, to, name] = process.argv.slice(1);
process.chdir(root);
const parent = process.ppid;
for (let round = 0; ; round += 1) {
  try { fs.renameSync(name, 'away'); fs.symlinkSync(to, name); fs.unlinkSync(name); } catch {}
  try { fs.unlinkSync(name); } catch {}
  try { fs.renameSync('away', name); } catch {}
  if (round === 0) process.stdout.write('going');
  if (round % 100 === 0 && process.ppid !== parent) process.exit();
}`;

async function whileExchanged(folder: string, to: string, work: () => Promise<void>): Promise<void> {
  const argv = ['-e', EXCHANGER, path.dirname(folder), to, path.basename(folder)];
  const exchanger = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(exchanger, 'exit');
  try {
    await once(exchanger.stdout, 'data');
    await work();
  } finally {
    exchanger.kill('SIGKILL');
    await ended;
  }
}

const file = (name: string, text: string): FileImage => ({
  path: `d/${name}`,
  type: 'file',
  executable: false,
  bytes: Buffer.from(text),
});

/** The ways in which a name in the folder changes. */
const CHANGES: readonly (readonly [FileImage | null, FileImage | null])[] = [
  [null, file('new', 'new\n')],
  [null, { ...file('link', 'anywhere'), type: 'symlink' }],
  [file('f', 'f\n'), file('f', 'changed\n')],
  [file('f', 'f\n'), { ...file('f', 'f\n'), executable: true }],
  [file('f', 'f\n'), null],
  [file('f', 'f\n'), file('moved', 'f\n')],
  [file('f', 'f\n'), { ...file('f', 'elsewhere\n'), path: 'inner/of/another' }],
  [null, file('deep/er/new', 'new\n')],
];

const SWAPPED = [
  ['the folder of the file, four folders down', 'a/b/c/d', 'a/b/c/d'],
  ['a folder far above it', 'a', 'a/b/c/d'],
  ['the folder of the file', 'd', 'd'],
] as const;

test.each(rowsOf(2, SWAPPED))('every kind of write: %s', async (_, swapped, folder) => {
  const at = (image: FileImage | null): FileImage | null =>
    image === null ? null : { ...image, path: image.path.replace(/^d\//, `${folder}/`) };
  project = new CagedProject({ [`${folder}/f`]: 'f\n' });
  const { root, outside } = project;
  // The same file exists outside, so that a write there would not be refused for its content.
  const there = { 'd/f': 'f\n', 'd/b/c/d/f': 'f\n' };
  putTree(outside, there);
  const trap = path.join(outside, 'd');
  const start = performance.now();
  const seen = { written: 0, refused: 0 };
  const isOver = (writes: number) => {
    const ms = performance.now() - start;
    if (Math.min(seen.written, seen.refused) <= RACE_MIN_WRITES) return ms > RACE_LAST_MS;
    return writes >= RACE_MAX_WRITES || ms > RACE_MAX_MS;
  };
  await whileExchanged(path.join(root, swapped), trap, async () => {
    for (let i = 0; !isOver(i); i += 1) {
      const [old = null, updated = null] = (CHANGES[i % CHANGES.length] ?? []).map(at);
      const write = {
        root,
        old,
        new: updated,
        inPlace: i % 3 === 0 && old?.path === updated?.path,
        temporary: `.copane-${i}.tmp`,
      };
      const done = await performWrite(write);
      seen[done.ok ? 'written' : 'refused'] += 1;
      await restore(root, write.new, write.old, at(file('f', 'f\n')));
    }
  });
  expect(readTree(outside)).toEqual({ f: 'outside\n', ...there });
  expect(Math.min(seen.written, seen.refused)).toBeGreaterThan(RACE_MIN_WRITES);
});

test('the removal of a sandbox', async () => {
  project = new CagedProject({ 'box/d/f': 'f\n' });
  const { root, outside } = project;
  const box = path.join(root, 'box');
  putTree(outside, { 'd/f': 'f\n', 'd/e/f': 'f\n' });
  const until = performance.now() + RACE_MAX_MS / 2;
  let removed = 0;
  while (performance.now() < until && removed < RACE_MAX_WRITES) {
    putTree(box, Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`d/e${i}/f`, 'f\n'])));
    await whileExchanged(path.join(box, 'd'), path.join(outside, 'd'), () =>
      removeTree(box).catch(() => undefined),
    );
    await removeTree(box);
    removed += 1;
  }
  expect(removed).toBeGreaterThan(3);
  expect(readTree(outside)).toEqual({ f: 'outside\n', 'd/f': 'f\n', 'd/e/f': 'f\n' });
});

/** Restores the initial state of every change. */
async function restore(
  root: string,
  now: FileImage | null,
  before: FileImage | null,
  f: FileImage | null,
): Promise<void> {
  const temporary = '.copane-back.tmp';
  if (now !== null && now.path !== before?.path)
    await performWrite({ root, old: now, new: null, inPlace: false, temporary });
  for (const old of [null, before?.path === now?.path ? now : null])
    await performWrite({ root, old, new: f, inPlace: false, temporary });
}
