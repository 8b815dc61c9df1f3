/** A line that needs a missing file is not offered; one that would overwrite a file says so. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import type { Query, Suggestion } from './core/suggestion.ts';
import { Presence } from './presence.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-presence-'));
afterAll(() => removeTree(folder));
mkdirSync(path.join(folder, 'src'));
writeFileSync(path.join(folder, 'a b.txt'), '');
writeFileSync(path.join(folder, 'notes.md'), '');

const presence = new Presence({
  home: folder,
  now: () => 0,
  patienceMs: 10_000,
  isUnknown: (name) => name === 'gone-tool',
  isSlip: (line) => line === 'git sttaus',
  refsAt: async () => ({
    branches: ['topic'],
    tags: [],
    remotes: [],
    tracked: ['origin/far'],
    head: 'main',
    hasUpstream: true,
  }),
});

async function verdict(line: string, typed = '') {
  const query = { line: typed, cursor: typed.length, cwd: folder } as Query;
  return (await presence.judge([{ line } as Suggestion], query)).get(line);
}

it.each([
  'cd missing',
  'cat missing.txt | wc',
  'cp missing.txt src/',
  './missing.sh',
  'source ~/missing.zsh',
  'sort < missing.txt',
  'git checkout deleted',
  'git checkout -q deleted',
  'git merge --no-ff deleted',
  'gone-tool --help',
  'git sttaus',
  'python missing.py',
])('%s needs something that does not exist', async (line) => {
  expect((await verdict(line))?.isMissing).toBe(true);
});
it.each([
  'cd src',
  'cat notes.md',
  "cat 'a b.txt'",
  'cat a\\ b.txt',
  'cat ~/notes.md',
  'vim new.md',
  'mkdir missing && cd missing',
  'cp notes.md new.md',
  'git checkout topic',
  'git checkout far',
  'git checkout HEAD~2',
  'git checkout notes.md',
  'git checkout -b new',
  'git checkout -q -b new',
  'git checkout -q topic',
  'cat $FILE *.md',
  'ls -la',
  'ssh host ls missing',
])('%s may run', async (line) => {
  expect((await verdict(line))?.isMissing).toBe(false);
});
it('does not judge what the user typed', async () => {
  expect((await verdict('cat missing.txt | wc', 'cat missing.txt '))?.isMissing).toBe(false);
});
it('names the file that would get other content', async () => {
  expect((await verdict('echo x > notes.md'))?.risk).toBe('overwrites');
  expect((await verdict('ls 2>/dev/null'))?.risk).toBeNull();
  expect((await verdict('mv x notes.md'))?.risk).toBe('overwrites');
  expect(await verdict('mv x notes.md', 'mv x ')).toEqual({ risk: 'overwrites', isMissing: false });
  expect((await verdict('mv x src'))?.risk).toBeNull();
  expect((await verdict('echo x > new.md'))?.risk).toBeNull();
});
