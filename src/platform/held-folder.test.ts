import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldFolder, holdFolder, removeTree } from './held-folder.ts';

let cage = '';
let root = '';
beforeEach(() => {
  cage = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'copane-held-'));
  root = path.join(cage, 'root');
  mkdirSync(path.join(root, 'a/b'), { recursive: true });
  mkdirSync(path.join(cage, 'outside'));
});
afterEach(() => rmSync(cage, { recursive: true, force: true }));

/** Simulates a system that does not list open files. */
const WITHOUT = { openFiles: '/no/such/folder' };
const WAYS = [
  ['by open folders', {}],
  ['by compared paths', WITHOUT],
] as const;

async function held(names: readonly string[], options = {}): Promise<HeldFolder> {
  const folder = await holdFolder(root, names, options);
  if (!(folder instanceof HeldFolder)) throw new Error(`${folder.kind}: ${folder.path}`);
  return folder;
}

describe.each(WAYS)('%s', (_, way) => {
  it('reaches entries, and creates missing folders on request', async () => {
    expect(await holdFolder(root, ['a', 'new'], way)).toEqual({ kind: 'missing', path: `${root}/a/new` });
    const folder = await held(['a', 'new', 'n\u00e9w'.normalize('NFC')], { ...way, make: true });
    writeFileSync(folder.at('f'), 'f');
    await folder.sync();
    await folder.close();
    expect(
      readFileSync(
        Buffer.concat([Buffer.from(`${root}/a/new/n`), Buffer.from([0xe9]), Buffer.from('w/f')]),
        'utf8',
      ),
    ).toBe('f');
  });

  it('names the obstacle', async () => {
    writeFileSync(path.join(root, 'file'), '');
    symlinkSync('../outside', path.join(root, 'link'));
    symlinkSync('nowhere', path.join(root, 'a/broken'));
    for (const make of [false, true]) {
      const hold = (...names: string[]) => holdFolder(root, names, { ...way, make });
      expect(await hold('link', 'x')).toEqual({ kind: 'link', path: `${root}/link` });
      expect(await hold('a', 'broken')).toEqual({ kind: 'link', path: `${root}/a/broken` });
      expect(await hold('file', 'x')).toEqual({ kind: 'not_a_folder', path: `${root}/file` });
    }
    expect(readdirSync(path.join(cage, 'outside'))).toEqual([]);
  });

  it('creates nothing below a missing root, and removes what it created in vain', async () => {
    expect(await holdFolder(path.join(cage, 'gone'), ['a'], { ...way, make: true })).toEqual({
      kind: 'missing',
      path: `${cage}/gone`,
    });
    symlinkSync('root', path.join(cage, 'alias'));
    expect(await holdFolder(path.join(cage, 'alias'), ['a'], way)).toEqual({
      kind: 'link',
      path: `${cage}/alias`,
    });
    const folder = await held(['x', 'y'], { ...way, make: true });
    await folder.unmake();
    await folder.close();
    expect(existsSync(path.join(root, 'x'))).toBe(false);
    expect(existsSync(root)).toBe(true);
  });

  it('removes empty folders, as far up as allowed', async () => {
    mkdirSync(path.join(root, 'a/b/c'));
    const folder = await held(['a', 'b', 'c'], way);
    await folder.removeEmpty(2);
    await folder.close();
    expect(readdirSync(root)).toEqual(['a']);
    expect(readdirSync(path.join(root, 'a'))).toEqual([]);
  });
});

describe('a folder that is replaced while it is held', () => {
  const exchange = () => {
    renameSync(path.join(root, 'a'), path.join(root, 'moved'));
    symlinkSync('../outside', path.join(root, 'a'));
    mkdirSync(path.join(cage, 'outside/b'));
  };

  it('stays the one that was opened', async () => {
    const folder = await held(['a', 'b']);
    exchange();
    writeFileSync(folder.at('f'), 'f');
    await folder.close();
    expect(readdirSync(path.join(cage, 'outside/b'))).toEqual([]);
    expect(readFileSync(path.join(root, 'moved/b/f'), 'utf8')).toBe('f');
  });

  it('is detected before use where it cannot be held open', async () => {
    const folder = await held(['a', 'b'], WITHOUT);
    exchange();
    expect(() => folder.at('f')).toThrow(/replaced while/);
    await expect(folder.close()).rejects.toThrow(/replaced while/);
  });
});

it('enters folders that it may not list', async () => {
  chmodSync(path.join(root, 'a'), 0o311);
  const folder = await held(['a', 'b']);
  writeFileSync(folder.at('f'), 'f');
  await folder.close();
  chmodSync(path.join(root, 'a'), 0o755);
  expect(lstatSync(path.join(root, 'a/b/f')).isFile()).toBe(true);
});

describe('removing a tree', () => {
  it('does not follow links in it, and removes read-only files', async () => {
    writeFileSync(path.join(cage, 'outside/kept'), 'kept');
    symlinkSync('../../outside', path.join(root, 'a/to-folder'));
    symlinkSync('../../outside/kept', path.join(root, 'a/to-file'));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/a/b/`), Buffer.from([0xff, 0x0a])]), 'x', {
      mode: 0o400,
    });
    await removeTree(root);
    expect(existsSync(root)).toBe(false);
    expect(readFileSync(path.join(cage, 'outside/kept'), 'utf8')).toBe('kept');
    await removeTree(root);
    await removeTree(path.join(cage, 'gone/deeper'));
  });

  it('removes only the link if it is a link itself', async () => {
    symlinkSync('outside', path.join(cage, 'link'));
    await removeTree(path.join(cage, 'link'));
    expect(readdirSync(cage).sort()).toEqual(['outside', 'root']);
  });
});
