import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileImage } from '../core/file-state.ts';
import { isOnDisk, readImage } from './target-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-target-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** More than one chunk, and not a whole number of chunks. */
const LONG = 'a line of some length\n'.repeat(30_000);
const image = (text: string, change: Partial<FileImage> = {}): FileImage => ({
  path: 'f',
  type: 'file',
  executable: false,
  bytes: Buffer.from(text),
  ...change,
});

describe('isOnDisk', () => {
  it.each([
    ['the same', LONG, LONG, true],
    ['nothing in it', '', '', true],
    ['another byte in the last piece', LONG, `${LONG.slice(0, -2)}!\n`, false],
    ['another first byte', LONG, `A${LONG.slice(1)}`, false],
    ['one byte more', `${LONG}x`, LONG, false],
    ['one byte less', LONG.slice(1), LONG, false],
  ])('%s', async (_, disk, expected, is) => {
    writeFileSync(path.join(root, 'f'), disk);
    expect(await isOnDisk(root, image(expected))).toEqual({ ok: true, value: is });
  });

  it('tells apart other things in its place and other differences', async () => {
    const file = path.join(root, 'f');
    const now = () => isOnDisk(root, image('x'));
    expect(await now()).toEqual({ ok: true, value: false });
    mkdirSync(file);
    expect(await now()).toEqual({ ok: true, value: false });
    rmSync(file, { recursive: true });
    writeFileSync(path.join(root, 'g'), 'x');
    symlinkSync('g', file);
    expect(await now()).toEqual({ ok: true, value: false });
    expect(await isOnDisk(root, image('g', { type: 'symlink' }))).toEqual({ ok: true, value: true });
    rmSync(file);
    writeFileSync(file, 'x');
    expect(await now()).toEqual({ ok: true, value: true });
    chmodSync(file, 0o755);
    expect(await now()).toEqual({ ok: true, value: false });
    expect(await isOnDisk(root, image('x', { executable: true }))).toEqual({ ok: true, value: true });
    expect(await isOnDisk(root, image('x', { path: '../f' }))).toMatchObject({ ok: false });
  });

  it('agrees with a read, and survives a file that grows meanwhile', async () => {
    const file = path.join(root, 'f');
    writeFileSync(file, LONG);
    const read = await readImage(root, 'f');
    if (!read.ok || read.value === null) throw new Error('not read');
    const same = isOnDisk(root, read.value);
    for (let i = 0; i < 20; i += 1) {
      writeFileSync(file, 'more\n', { flag: 'a' });
      await Promise.resolve();
    }
    // Either answer is right, before or after the growth; a defect is not.
    expect(await same).toMatchObject({ ok: true });
    expect(await isOnDisk(root, read.value)).toEqual({ ok: true, value: false });
  });
});
