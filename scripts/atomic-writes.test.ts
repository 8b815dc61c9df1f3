/** A built file replaces its target whole, and is left alone where it is the same. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { atomicWrites, replaceFile } from './atomic-writes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file with the same content stays the same file with a new date; a changed file is replaced', () => {
  const file = path.join(folder, 'deep/file.js');
  replaceFile(file, 'one');
  const [first, long] = [statSync(file), new Date(0)];
  utimesSync(file, long, long);
  replaceFile(file, Buffer.from('one'));
  const kept = statSync(file);
  expect(kept.ino).toBe(first.ino);
  expect(kept.mtimeMs).toBeGreaterThan(long.getTime());
  // A process that already reads it keeps the old file to the end.
  replaceFile(file, 'two');
  expect(statSync(file).ino).not.toBe(first.ino);
  expect([readFileSync(file, 'utf8'), readdirSync(path.dirname(file))]).toEqual(['two', ['file.js']]);
});

test('a build writes through it', async () => {
  const build = () =>
    esbuild.build({
      stdin: { contents: 'export const built = 1;' },
      outfile: path.join(folder, 'out.js'),
      sourcemap: 'linked',
      plugins: [atomicWrites],
    });
  await build();
  const before = statSync(path.join(folder, 'out.js'));
  await build();
  expect(statSync(path.join(folder, 'out.js')).ino).toBe(before.ino);
  expect(readdirSync(folder).sort()).toEqual(['out.js', 'out.js.map']);
});
