/** Sandboxes by the command line: made, worked in, published from, taken away; nothing is lost unsaid. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText } from '../../helpers/git-fixture.ts';
import { COPANE } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const base = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

let root = '';
let home = '';

beforeEach(() => {
  root = makeRepository({ f: base, 'd/g': 'g\n', '.gitignore': 'ignored/\n' });
  git(root, 'config', 'user.name', 't');
  git(root, 'config', 'user.email', 't@example.com');
  home = makeFolder();
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
});
afterEach(() => {
  for (const folder of [root, home]) removeTree(folder);
});

const copane = (...args: string[]) => copaneIn(root, ...args);

function copaneIn(cwd: string, ...args: string[]) {
  const { TMUX: _, TMUX_PANE: __, CI: ___, COPANE_SOCKET: ____, ...env } = process.env;
  const run = spawnSync(COPANE, args, {
    cwd,
    encoding: 'utf8',
    env: {
      ...env,
      HOME: home,
      XDG_RUNTIME_DIR: path.join(home, 'run'),
      XDG_STATE_HOME: path.join(home, 'state'),
      XDG_CONFIG_HOME: path.join(home, 'config'),
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

function json(...args: string[]) {
  const { code, out, err } = copane(...args, '--json');
  if (code !== 0) throw new Error(`copane ${args.join(' ')}: ${code} ${err}`);
  return JSON.parse(out);
}

const create = (name: string): string => json('sandbox', 'new', name).folder;

describe('the way of a change', () => {
  test('published from inside the sandbox, it is for the working copy that the sandbox was made for', () => {
    const folder = create('ai');
    putTree(folder, { 'd/g': 'G\n' });
    const { code, out } = copaneIn(path.join(folder, 'd'), 'publish', '--source', '.', '--json');
    expect([code, JSON.parse(out).working_directory]).toEqual([0, root]);
    // The user's own working copy is what it is: reviewed in place.
    putTree(root, { 'd/g': 'mine\n' });
    expect(json('publish', '--source', '.').hunks).toMatchObject([{ file: 'd/g', status: 'pending' }]);
  });

  test('published from a plain folder, for another one', () => {
    const [from, to] = [path.join(home, 'from'), path.join(home, 'to')];
    for (const folder of [from, to]) mkdirSync(folder);
    putTree(to, { f: base });
    putTree(from, { f: base.replace('line 3\n', 'three\n'), new: 'new\n' });
    const { out, err } = copaneIn(to, 'publish', '--source', from, '--json');
    expect(err).toBe('');
    copaneIn(to, 'decide', JSON.parse(out).suggestion_id, 'all', 'accept');
    expect([readText(to, 'f'), readText(to, 'new')]).toEqual([readText(from, 'f'), 'new\n']);
  });

  test('new, work, publish, decide, finalize with the sandbox moved on, remove', () => {
    const before = git(root, 'status', '--porcelain=2', '--branch');
    const folder = create('ai');
    expect(path.relative(root, folder)).toMatch(/^\.\./);
    expect(git(root, 'status', '--porcelain=2', '--branch')).toBe(before);
    expect(git(folder, 'rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('copane/ai');

    putTree(folder, { f: base.replace('line 3\n', 'three\n').replace('line 20\n', 'twenty\n') });
    git(folder, 'commit', '-q', '-am', 'work');
    putTree(folder, { 'd/g': 'staged\n', new: 'n\n', 'ignored/x': 'x\n' });
    git(folder, 'add', 'd/g');
    const published = json('publish', '--source', folder, '--description', 'Say numbers');
    expect(published.files).toEqual(['d/g', 'f', 'new']);
    expect(json('publish', '--source', folder).suggestion_id).toBe(published.suggestion_id);
    expect(json('sandbox', 'list')).toMatchObject([
      {
        name: 'ai',
        branch: 'copane/ai',
        ahead: 1,
        changed: 3,
        dirty: 2,
        suggestion: published.suggestion_id,
      },
    ]);

    const id = published.suggestion_id;
    const hunk = (text: string) =>
      published.hunks.find(({ diff }: { diff: string }) => diff.includes(text)).id;
    json('decide', id, hunk('+three'), 'accept');
    json('decide', id, hunk('+twenty'), 'reject');
    expect(readText(folder, 'f')).toBe(base.replace('line 3\n', 'three\n'));
    const ended = json('finish', id, 'finalize', '--commit', '--sandbox', 'rebase');
    expect(ended).toMatchObject({ status: 'finalized', notes: [] });
    expect(git(root, 'show', 'HEAD:f')).toBe(base.replace('line 3\n', 'three\n'));
    expect(git(folder, 'rev-parse', 'HEAD').trim()).toBe(ended.commit);
    expect(git(folder, 'status', '--porcelain', '-uall')).toBe(' M d/g\n?? new\n');
    expect(copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBe(false);
    expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(git(root, 'branch', '--list', 'copane/*')).toBe('');
  }, 60_000);
});

describe('removing', () => {
  test('work that was never published is named and kept; --force takes it', () => {
    const folder = create('ai');
    putTree(folder, { f: `${base}more\n`, n: 'n\n' });
    git(folder, 'add', 'n');
    git(folder, 'commit', '-q', '-m', 'n');
    const refused = copane('sandbox', 'rm', 'ai');
    expect(refused).toMatchObject({ code: 3, err: expect.stringMatching(/never published: f, n\./) });
    expect(readText(folder, 'n')).toBe('n\n');
    const forced = json('sandbox', 'rm', 'ai', '--force');
    git(root, 'branch', 'again', forced.commit);
    expect(git(root, 'show', 'again:n')).toBe('n\n');
  });

  test('published and partly rejected: nothing is lost; edited since: the edit would be', () => {
    const folder = create('ai');
    putTree(folder, { f: base.replace('line 3\n', 'three\n').replace('line 20\n', 'twenty\n') });
    const { suggestion_id: id, hunks } = json('publish', '--source', folder);
    json('decide', id, hunks[0].id, 'reject');
    putTree(folder, { 'd/g': 'later\n' });
    expect(copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 3, err: expect.stringMatching(/: d\/g\./) });
    putTree(folder, { 'd/g': 'g\n' });
    expect(copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    [
      'a changed file of Git LFS',
      (folder) => writeFileSync(path.join(folder, 'a.big'), 'its new content\n'),
      /no suggestion can carry: a\.big\./,
    ],
    [
      'a repository of its own',
      (folder) => {
        git(folder, 'init', '-q', 'inner');
        writeFileSync(path.join(folder, 'inner/x'), 'x\n');
      },
      /no suggestion can carry: inner\/\./,
    ],
  ])('what cannot be published is not removed unasked: %s', (_, work, words) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'1'.repeat(64)}\nsize 5\n`;
    putTree(root, { '.gitattributes': '*.big filter=lfs\n', 'a.big': pointer });
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'large files');
    const folder = create('ai');
    work(folder);
    expect(copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 3, err: expect.stringMatching(words) });
    expect(existsSync(folder)).toBe(true);
    expect(copane('sandbox', 'rm', 'ai', '--force')).toMatchObject({ code: 0 });
  });

  test('a sandbox whose folder was deleted is listed as gone, and can be removed', () => {
    const folder = create('ai');
    rmSync(folder, { recursive: true });
    expect(json('sandbox', 'list')).toMatchObject([{ name: 'ai', problem: 'Its folder is gone.' }]);
    expect(copane('publish', '--source', folder)).toMatchObject({ code: 2 });
    expect(copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
    expect(create('ai')).toBe(folder);
  });

  test('in a state that cannot be read it is kept; forced, it goes', () => {
    const folder = create('ai');
    writeFileSync(path.join(folder, '.git'), 'nonsense\n');
    expect(copane('sandbox', 'rm', 'ai')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/cannot be determined/),
    });
    expect(copane('sandbox', 'rm', 'ai', '--force')).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBe(false);
    expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(create('ai')).toBe(folder);
  });
});

describe('names and places', () => {
  test.each(['../x', '.hidden', 'a/b', 'a..b', 'x.lock', ''])('"%s" names no sandbox', (name) => {
    expect(copane('sandbox', 'new', name).code).toBe(2);
  });

  test('a name twice, a branch that exists, no commit, no repository, an unknown one', () => {
    create('ai');
    expect(copane('sandbox', 'new', 'ai')).toMatchObject({ code: 3, err: expect.stringMatching(/already/) });
    git(root, 'branch', 'copane/taken');
    expect(copane('sandbox', 'new', 'taken')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/branch/),
    });
    expect(git(root, 'branch', '--list', 'copane/taken').trim()).toBe('copane/taken');
    expect(copane('sandbox', 'new', 'x', '--base', 'nope').code).toBe(4);
    expect(copane('sandbox', 'new', 'x', '--target', home).code).toBe(3);
    expect(copane('sandbox', 'rm', 'x').code).toBe(4);
    expect(copane('sandbox', 'list').out).not.toMatch(/taken|x /);
  });

  test.each(['null', '[]', '{"name":1}', 'no JSON'])(
    'is listed by its folder where its record is %s',
    (text) => {
      const folder = create('ai');
      writeFileSync(`${folder}.json`, text);
      const { out, code } = copane('sandbox', 'list');
      expect(code).toBe(0);
      expect(out).toContain(`ai  ${folder}  Its record is damaged`);
      expect(copane('sandbox', 'new', 'ai').code).toBe(3);
      const removed = copane('sandbox', 'rm', 'ai');
      expect(removed.code).toBe(3);
      expect(removed.err).toContain(`${folder}, delete that folder and ${folder}.json`);
      // What it says is enough for the name to be free.
      removeTree(folder);
      rmSync(`${folder}.json`);
      for (const command of ['git worktree prune', 'git branch -D copane/ai']) {
        expect(removed.err).toContain(command);
        execFileSync('sh', ['-c', command], { cwd: root });
      }
      expect(copane('sandbox', 'new', 'ai').code).toBe(0);
    },
  );

  test('a base of its own; from a worktree of the target, its sandboxes are the same', () => {
    putTree(root, { f: 'second\n' });
    git(root, 'commit', '-q', '-am', 'second');
    const folder = json('sandbox', 'new', 'old', '--base', 'HEAD~1').folder;
    expect(readText(folder, 'f')).toBe(base);
    expect(json('sandbox', 'list', '--target', folder)).toHaveLength(1);
    expect(json('sandbox', 'list', '--all')).toHaveLength(1);
    expect(copane('sandbox', 'rm', 'old', '--target', folder).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  test('a sparse checkout: what it leaves out is not deleted, what stands there all the same counts', () => {
    putTree(root, { 'e/in': 'in\n', 'e/out': 'out\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'more');
    const folder = create('ai');
    git(folder, 'sparse-checkout', 'set', 'd');
    expect(readText(folder, 'e/out')).toBe(null);
    putTree(folder, { 'd/g': 'G\n', 'e/in': 'IN\n', 'e/new': 'new\n' });
    const { suggestion_id: id, hunks } = json('publish', '--source', folder);
    expect(hunks.map(({ file }: { file: string }) => file)).toEqual(['d/g', 'e/in', 'e/new']);
    expect(copane('decide', id, 'all', 'accept').code).toBe(0);
    expect(copane('finish', id, 'finalize', '--commit', '--sandbox', 'rebase').code).toBe(0);
    expect(git(root, 'show', '--stat', '--format=', 'HEAD')).not.toMatch(/out/);
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(copane('publish', '--source', folder).err).toContain('No changes to publish');
  });
});
