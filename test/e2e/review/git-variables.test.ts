/** Git's variables in the environment of a command: the folder's repository is meant, or the variable is named. */
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Failure } from '../../../src/lib/result.ts';
import { openRepository } from '../../../src/review/vcs/git.ts';
import { envBelow, runCli } from '../../helpers/cli.ts';
import { git, makeFolder, makeRepository, putTree } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

let root = '';
let other = '';
let home = '';
beforeEach(() => {
  root = makeRepository({ f: 'one\n', 'd/g': 'g\n' });
  other = makeRepository({ f: 'other\n' });
  home = makeFolder();
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
  for (const at of [root, other]) {
    git(at, 'add', '-A');
    git(at, 'commit', '-qm', 'all', '--allow-empty');
  }
  putTree(root, { f: 'two\n' });
  putTree(other, { f: 'OTHER\n' });
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of [root, other, home]) removeTree(folder);
});

const run = (args: readonly string[], env: Readonly<Record<string, string>>, cwd = root) =>
  runCli(args, { cwd, env: { ...envBelow(home), ...env } });
const COMMANDS = [['review'], ['sandbox', 'new', 'ai'], ['publish', '--source', '.']] as const;

test.each<[string, () => Record<string, string>, string]>([
  ['GIT_DIR', () => ({ GIT_DIR: path.join(other, '.git') }), ''],
  ['GIT_WORK_TREE', () => ({ GIT_WORK_TREE: other }), ''],
  ['GIT_INDEX_FILE', () => ({ GIT_INDEX_FILE: '.git/next-index-1.lock' }), ''],
  ['GIT_CEILING_DIRECTORIES', () => ({ GIT_CEILING_DIRECTORIES: `relative:${root}` }), 'd'],
])('%s that means something else is refused by its name', async (name, env, below) => {
  for (const args of COMMANDS) {
    const { code, err } = await run(args, env(), path.join(root, below));
    expect([args[0], code, err]).toEqual([args[0], 3, expect.stringMatching(`${name} .*(?:\\n|.)*Unset it`)]);
  }
});

test('those of a hook in this repository are right, and a folder that is named is meant', async () => {
  const ofHook = {
    GIT_DIR: '.git',
    GIT_WORK_TREE: '.',
    GIT_INDEX_FILE: '.git/index',
    GIT_CEILING_DIRECTORIES: path.dirname(root),
  };
  expect(await run(['review'], ofHook)).toMatchObject({ code: 0, err: expect.stringContaining('1 hunk') });
  expect((await run(['sandbox', 'new', 'ai'], ofHook)).code).toBe(0);
  const named = await run(['review', '--target', other], ofHook);
  expect(named).toMatchObject({ code: 0, err: expect.stringContaining('1 hunk') });
});

test.skipIf(process.getuid?.() !== 0)('settings that only the environment has are named', async () => {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'safe.directory');
  vi.stubEnv('GIT_CONFIG_VALUE_0', '*');
  const SOMEBODY = 12_345;
  for (const name of ['', '.git']) chownSync(path.join(root, name), SOMEBODY, SOMEBODY);
  const { error } = (await openRepository(root)) as { readonly error?: Failure };
  expect(error).toMatchObject({
    message: expect.stringContaining('belongs to another user'),
    hint: expect.stringContaining('Settings in GIT_CONFIG_COUNT are not used'),
  });
});
