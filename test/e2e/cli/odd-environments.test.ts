/** The program on a broken machine: a sentence, an exit code, and no files in odd places. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { COPANE } from '../../helpers/companion-pane.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

let root = '';
let project = '';
beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-odd-'));
  project = path.join(root, 'project');
  for (const folder of ['project', 'home', 'open', 'file-as-state']) mkdirSync(path.join(root, folder));
  await run('git', ['init', '-q', project]);
  writeFileSync(path.join(root, 'file-as-state/copane'), 'mine');
  chmodSync(path.join(root, 'open'), 0o777);
});
afterAll(() => removeTree(root));

/** Runs a command under `limit`, a piece of shell. */
async function copane(args: readonly string[], env: Record<string, string>, limit = ':') {
  const base = { PATH: process.env.PATH, HOME: path.join(root, 'home') };
  const outcome = await run('sh', ['-c', `${limit}; exec "$0" "$@"`, COPANE, ...args], {
    cwd: project,
    env: { ...base, ...env },
  });
  return { code: outcome.code, said: outcome.stdout.toString('utf8') + outcome.stderr };
}

const at = (name: string) => path.join(root, name);
const WORKS = /No suggestion is waiting/;

test.runIf(process.platform === 'linux')(
  'names a folder for temporary files that cannot be written, and does not wait',
  async () => {
    const { code, said } = await copane(['review'], { TMPDIR: '/proc' });
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('/proc cannot be used') });
  },
);

test.runIf(process.getuid?.() === 0)('a state folder of another user is left alone', async () => {
  mkdirSync(at('theirs/copane'), { recursive: true });
  chownSync(at('theirs/copane'), 12_345, 12_345);
  const { code, said } = await copane(['suggestions'], { XDG_STATE_HOME: at('theirs') });
  expect({ code, said }).toMatchObject({
    code: 1,
    said: expect.stringContaining('belongs to another user (uid 12345)'),
  });
  expect(readdirSync(at('theirs/copane'))).toEqual([]);
});

test('compiled code lies in a private folder of the user, not with the files of all', async () => {
  const shared = at('shared');
  mkdirSync(shared);
  // Not the Node of the other tests, which shares a folder between them.
  const node = { COPANE_NODE: process.execPath };
  await copane(['suggestions'], { ...node, TMPDIR: shared, XDG_CACHE_HOME: at('cache') });
  expect(readdirSync(shared)).toEqual([]);
  expect(readdirSync(at('cache/copane/compiled'))).toHaveLength(1);
  expect(statSync(at('cache/copane')).mode & 0o077).toBe(0);
});

test.each<[string, Record<string, () => string>, string, number, RegExp]>([
  ['HOME is empty', { HOME: () => '', XDG_STATE_HOME: () => at('open') }, ':', 0, WORKS],
  [
    'folders are relative',
    { XDG_STATE_HOME: () => 'a', XDG_RUNTIME_DIR: () => 'b', COPANE_SOCKET: () => 'c' },
    ':',
    0,
    WORKS,
  ],
  [
    'HOME is not there',
    { HOME: () => at('none/x') },
    ':',
    1,
    /there is no folder .*none\/x\.\n.*XDG_STATE_HOME/,
  ],
  [
    'a file stands where the state should be',
    { XDG_STATE_HOME: () => at('file-as-state') },
    ':',
    1,
    /a file stands in its place/,
  ],
  [
    'the runtime folder is gone',
    { XDG_RUNTIME_DIR: () => at('none/x') },
    ':',
    3,
    /there is no folder .*none/,
  ],
  ['TMPDIR is gone', { TMPDIR: () => at('none') }, ':', 0, WORKS],
  ['others may write beside the state', { XDG_STATE_HOME: () => at('open') }, ':', 0, WORKS],
  ['the locale is C', { LC_ALL: () => 'C' }, ':', 0, WORKS],
  ['the language has twelve letters', { LANG: () => 'a'.repeat(12) }, ':', 0, WORKS],
  ['the language has one letter', { LC_MESSAGES: () => `x_${'a'.repeat(10)}` }, ':', 0, WORKS],
  ['the locale has 210 characters', { LC_ALL: () => `en_US@${'a'.repeat(204)}` }, ':', 0, WORKS],
  ['files are few', {}, 'ulimit -n 64', 0, WORKS],
  ['hardly any files', {}, 'ulimit -n 12', 1, /^copane: This shell allows only 12 open files\. Run .*\n$/],
  ['files are too few', {}, 'ulimit -n 20', 1, /^copane: This shell allows only 20 open files\. Run .*\n$/],
  ['data is too little', {}, 'ulimit -d 100000', 1, /^copane: Node needs .* 100000 KiB\. Run .*\n$/],
  ['the stack is too small', {}, 'ulimit -s 64', 1, /^copane: Node needs .* 64 KiB\. Run .*\n$/],
  ['memory is too little', {}, 'ulimit -v 1000000', 1, /^copane: Node needs .* 1000000 KiB\. Run .*\n$/],
  [
    'files must be empty',
    { XDG_STATE_HOME: () => at('home') },
    'ulimit -f 0',
    1,
    /failed: .*\(disk I\/O error\)\.\n.*limits/,
  ],
])('%s', async (_name, env, limit, code, said) => {
  const values = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value()]));
  const outcome = await copane(['suggestions'], values, limit);
  expect(outcome).toEqual({ code, said: expect.stringMatching(said) });
  expect(readdirSync(project)).toEqual(['.git']);
});

test.runIf(process.platform === 'linux')(
  'names a state folder in which the kernel creates nothing',
  async () => {
    const outcome = await copane(['suggestions'], { XDG_STATE_HOME: '/proc/self' });
    expect(outcome).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^copane: Cannot create a folder at \/proc\/self\/copane\.\n.*XDG_STATE_HOME/,
      ),
    });
  },
);

test.each(['/bin/false', '/bin/true', '/bin/sh', '/none', '/etc/passwd', '/tmp'])(
  'COPANE_NODE is %s',
  async (node) => {
    expect(await copane(['suggestions'], { COPANE_NODE: node })).toEqual({
      code: 1,
      said: `copane: COPANE_NODE is "${node}", and that is not a Node. Set it to the path of one, or unset it, then try again.\n`,
    });
  },
);

test('accepts a patch where TMPDIR names a file', async () => {
  const { said } = await copane(['review'], { TMPDIR: at('file-as-state/copane') });
  expect(said).toContain('Nothing has changed since the last commit');
});

test.runIf(process.platform === 'linux')('output that cannot be written is an error', async () => {
  const { code, said } = await copane(['--help'], {}, 'exec > /dev/full');
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('could not be written') });
});

test('git is not on the PATH', async () => {
  const node = { COPANE_NODE: process.execPath, PATH: at('none') };
  const outcome = await run('/bin/sh', ['-c', 'exec "$0" review', COPANE], {
    cwd: project,
    env: { HOME: at('home'), ...node },
  });
  expect(outcome.code).toBe(3);
  expect(outcome.stderr).toMatch(/no "git" on your PATH\.\n {2}Install git/);
});
