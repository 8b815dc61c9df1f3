/** Repairs of a command that failed, in a folder with a repository and scripts. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Knowledge } from '../core/knowledge.ts';
import { createSources } from './all.ts';
import { createRefs } from './git-refs.ts';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'copane-repair-'));
  for (const [name, text] of [
    ['Projects/notes.txt', ''],
    ['package.json', '{"scripts":{"build":"x"}}'],
    ['.git/HEAD', 'ref: refs/heads/main\n'],
    ['.git/refs/heads/feature/login', ''],
    [
      '.git/config',
      '[remote "origin"]\n\turl = x\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
    ],
  ] as const) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
});
afterAll(() => removeTree(dir));

async function repairs(line: string, exit: number | null): Promise<readonly string[]> {
  const knowledge = new Knowledge();
  knowledge.setExisting(new Set(['cat', 'git', 'grep', 'ls', 'make', 'mkdir', 'npm']));
  knowledge.learn({ line, cwd: dir, session: 's', at: 1, exit });
  const [repair] = createSources(knowledge, {
    home: dir,
    now: () => 0,
    refsAt: createRefs(() => 0),
    kubeconfig: undefined,
    prior: null,
    specs: new GrammarCatalogue('git\t{"s":{"status":{},"stash":{},"push":{}}}\n'),
    zsh: null,
  });
  const query = { line: '', cursor: 0, cwd: dir, session: 's', limit: 4 };
  return ((await repair?.suggest(query, new AbortController().signal)) ?? []).map((one) => one.line);
}

it.each([
  ['gti status', 127, 'git status'],
  ['git stauts', 1, 'git status'],
  ['sudo mkae -j4', 2, 'sudo make -j4'],
  ['ls "a  b" | gerp x', 127, 'ls "a  b" | grep x'],
  ['cd Projetcs', 1, 'cd Projects'],
  ['cd Proj', 1, 'cd Projects'],
  ['cat Projcts/notes.txt\n', 1, 'cat Projects/notes.txt'],
  ['cat -n Projects/ntoes.txt', 1, 'cat -n Projects/notes.txt'],
  ['git checkout feture/login', 1, 'git checkout feature/login'],
  ['npm run biuld', 1, 'npm run build'],
  ['mkdir x/y', 1, 'mkdir -p x/y'],
])('%j, which ended with %i, is repaired as %j', async (line, exit, expected) => {
  expect((await repairs(line, exit))[0]).toBe(expected);
});

it.each([
  ['grep nothing package.json', 1],
  ['git push', 128],
  ['cat Projects/notes.txt', 1],
  ['gti status', 130],
  ['gti status', null],
  ['false', 1],
])('%j, which ended with %j, is not repaired', async (line, exit) => {
  expect(await repairs(line, exit)).toEqual([]);
});
