import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { AccessLists } from './access-lists.ts';

const canSet = process.platform === 'linux' && spawnSync('setfacl', ['--version']).status === 0;

let folder = '';
let before = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-lists-'));
  before = process.env.PATH ?? '';
});
afterEach(() => {
  process.env.PATH = before;
  removeTree(folder);
});

const file = (name: string) => path.join(folder, name);
const put = (name: string) => writeFileSync(file(name), 'x\n');

describe.skipIf(process.platform !== 'linux')('AccessLists', () => {
  it.skipIf(!canSet)('finds files with an access list, even if the others are cached', async () => {
    const lists = new AccessLists();
    for (const name of ['a', 'b', 'c']) put(name);
    spawnSync('setfacl', ['-m', 'u:12345:r', file('b')]);
    expect([...(await lists.of(folder, ['a', 'b', 'c']))]).toEqual(['b']);
    spawnSync('setfacl', ['-m', 'u:12345:r', file('c')]);
    expect([...(await lists.of(folder, ['a', 'b', 'c']))]).toEqual(['b', 'c']);
  });

  it('asks once about an unchanged file, and never about one that we wrote', async () => {
    const lists = new AccessLists();
    for (const name of ['a', 'b']) put(name);
    await lists.of(folder, ['a']);
    await lists.written(folder, ['b']);
    // From here on nobody can be asked, so an unknown file must not count as having no list.
    const asked = file('asked');
    writeFileSync(file('ls'), `#!/bin/sh\necho asked >> ${asked}\nexec /bin/ls "$@"\n`);
    chmodSync(file('ls'), 0o755);
    process.env.PATH = `${folder}:${before}`;
    await lists.of(folder, ['a', 'b']);
    expect(spawnSync('cat', [asked]).status).not.toBe(0);
    put('c');
    chmodSync(file('a'), 0o600);
    await lists.of(folder, ['a', 'b', 'c']);
    expect(spawnSync('cat', [asked], { encoding: 'utf8' }).stdout).toBe('asked\n');
  });

  it('knows nothing about missing files', async () => {
    const lists = new AccessLists();
    expect((await lists.of(folder, ['gone'])).size).toBe(0);
    await lists.written(folder, ['gone']);
  });
});
