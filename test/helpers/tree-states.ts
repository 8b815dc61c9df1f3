/** States of a working tree, each in its own folder: everything is rejected, undone, accepted and committed. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { makeFolder, putTree, readTree } from './git-fixture.ts';
import { must } from './review-subject.ts';
import { numbered, type WorkingTree } from './working-tree.ts';

export interface TreeState {
  /** The commit's files besides `f.txt`, `g.txt` and `d/x`. */
  readonly base?: string;
  /** What happens to it. */
  readonly edit: string;
  /** It sets up the whole repository, so it cannot be combined with another state. */
  readonly alone?: true;
  readonly format?: string;
  readonly notes?: RegExp;
  /** The status after everything was rejected, where it is not clean. */
  readonly left?: string;
}

export const TREE_STATES: readonly (readonly [name: string, state: TreeState])[] = [
  ['a folder takes the place of a file', { edit: 'rm f.txt; mkdir f.txt; echo a >f.txt/a; echo b >f.txt/b' }],
  ['a file takes the place of a folder', { edit: 'rm -r d; echo d >d' }],
  ['a folder takes the place of a link', { base: 'ln -s f.txt l', edit: 'rm l; mkdir l; echo a >l/a' }],
  [
    'a file takes the place of the folder that it was in',
    { base: 'mkdir o; seq 9 >o/a', edit: 'mv o/a t; rmdir o; mv t o; echo 10 >>o' },
  ],
  [
    'a file moves into a folder of its name',
    { edit: 'mv f.txt t; mkdir f.txt; mv t f.txt/f; echo 10 >>f.txt/f' },
  ],
  [
    'one of the edited files is not to be looked at',
    {
      edit: 'git update-index --skip-worktree g.txt; echo G >>g.txt; echo x >>f.txt',
      notes: /^(?:\d+\/)?g\.txt: git is told not to look at it \(skip-worktree\)/,
    },
  ],
  [
    'another one counts as unchanged',
    {
      alone: true,
      edit: 'git update-index --assume-unchanged g.txt; echo G >>g.txt; echo x >>f.txt',
      notes: /^(?:\d+\/)?g\.txt: git is told not to look at it \(assume-unchanged\)/,
    },
  ],
  [
    'a name has a line feed, a quote and bytes that are no UTF-8',
    { base: `seq 9 >"$(printf 'a\\n"b\\351')"`, edit: `echo x >>"$(printf 'a\\n"b\\351')"` },
  ],
  [
    'a rebase has stopped to edit a commit',
    {
      alone: true,
      base: 'git add -A; git commit -qm one; echo 20 >>f.txt; git commit -qam two; GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/" git rebase -qi HEAD~1 2>/dev/null',
      edit: 'sed -i 3d f.txt',
    },
  ],
  ['a name changes its case alone', { edit: 'git mv g.txt G.txt; echo more >>G.txt' }],
  [
    'the index is split',
    {
      alone: true,
      base: 'git update-index --split-index',
      edit: 'echo x >>f.txt; git add f.txt; sed -i 3d f.txt',
    },
  ],
  ['a link takes the place of a folder', { edit: 'mv d e; ln -s e d' }],
  ['an edited file is moved, and nothing staged', { edit: 'mv f.txt F.txt; echo more >>F.txt' }],
  ['a file is announced', { edit: 'echo n >n.txt; git add -N n.txt' }],
  ['an empty file is announced', { edit: ': >e.txt; git add -N e.txt' }],
  ['an empty file is staged, and written since', { edit: ': >e.txt; git add e.txt; echo e >e.txt' }],
  [
    'the line of an ident is edited',
    {
      base: `echo '*.c ident' >.gitattributes; echo '/* $Id$ */' >a.c; echo b >>a.c; git add -A; git commit -qm c; rm a.c; git checkout -q a.c`,
      edit: 'sed -i "s/ .\\/$/ edited/" a.c',
    },
  ],
  [
    'a line beside an ident is edited, in a file with LF and in one with CRLF',
    {
      base: `echo '*.c ident' >.gitattributes; echo '*.d ident eol=crlf' >>.gitattributes; echo '/* $Id$ */' >a.c; echo b >>a.c; cp a.c a.d; git add -A; git commit -qm c; rm a.c a.d; git checkout -q a.c a.d`,
      edit: 'sed -i 2s/b/B/ a.c a.d',
    },
  ],
  [
    'half of the lines end in CRLF',
    {
      alone: true,
      base: 'git config core.autocrlf true; printf "a\\r\\nb\\nc\\nd\\r\\n" >m.txt; git add m.txt 2>/dev/null',
      edit: 'printf "a\\r\\nb\\nC\\nd\\r\\n" >m.txt',
    },
  ],
  [
    'the permission to run is staged, and the disk keeps none',
    {
      alone: true,
      base: 'git config core.fileMode false',
      edit: 'git update-index --chmod=+x g.txt; echo G >g.txt',
      notes: /^(?:\d+\/)?g\.txt: its permission to run is staged alone/,
      left: 'M  g.txt\n',
    },
  ],
  ['a part of a hunk is staged', { edit: 'sed -i 3d f.txt; git add f.txt; sed -i 4d f.txt; echo x >>f.txt' }],
  [
    'the objects have names of SHA-256',
    {
      alone: true,
      format: 'sha256',
      edit: 'sed -i 3d f.txt; rm g.txt; git mv d/x d/y; echo n >n.txt; git add n.txt',
    },
  ],
  [
    'one file is too large to be reviewed with the rest',
    {
      alone: true,
      edit: 'seq 1100000 >big.txt; echo G >g.txt',
      notes: /^(?:\d+\/)?big\.txt: too large/,
      left: '?? big.txt\n',
    },
  ],
  [
    'another git holds the index for a moment',
    {
      alone: true,
      edit: 'echo G >g.txt; git add g.txt; touch .git/index.lock; (sleep 1; rm .git/index.lock) &',
    },
  ],
];

/** Makes the states, each in its own folder; a single one is in the root. */
export async function thereAndBack(tree: WorkingTree, ...states: readonly TreeState[]): Promise<void> {
  const [first] = states;
  tree.root = makeFolder();
  tree.git('init', '-q', '-b', 'main', `--object-format=${first?.format ?? 'sha1'}`);
  const inEach = (lines: (state: TreeState) => string) => {
    for (const [at, state] of states.entries())
      tree.run(`cd ./${states.length === 1 ? '' : at}\n${lines(state)}`);
  };
  for (const at of states.keys()) {
    const folder = path.join(tree.root, states.length === 1 ? '' : String(at));
    mkdirSync(folder, { recursive: true });
    putTree(folder, { 'f.txt': numbered(), 'g.txt': 'g\n', 'd/x': 'x\n' });
  }
  inEach(({ base = '' }) => base);
  tree.run('git add -A; git commit -qm more --allow-empty');
  inEach(({ edit }) => edit);

  const status = () => tree.git('status', '--porcelain', '-uall');
  const seen = () => [readTree(tree.root), status(), tree.git('ls-files', '-s')];
  const left = states.map((state) => state.left ?? '').join('');
  const before = seen();
  const { id, notes } = await tree.review();
  const noted = states.flatMap((state) => state.notes ?? []);
  expect(notes).toEqual(noted.map((words) => expect.stringMatching(words)));
  const rejected = must(await tree.reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
  expect(rejected.notes.join('\n')).not.toContain('Still staged');
  expect(status()).toBe(left);
  await tree.undo(id, 'all');
  expect(seen()).toEqual(before);
  await tree.decide(id, 'all', 'accept');
  expect(readTree(tree.root)).toEqual(before[0]);
  await tree.commit(id);
  expect(status()).toBe(left);
}
