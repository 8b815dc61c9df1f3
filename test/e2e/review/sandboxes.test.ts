/** Sandboxes by the command line: created, used, published, removed; nothing is lost without a message. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { envBelow, runCli } from '../../helpers/cli.ts';
import { git, makeFolder, makeRepository, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const base = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

let root = '';
let home = '';

beforeEach(() => {
  root = makeRepository({ f: base, 'd/g': 'g\n', '.gitignore': 'ignored/\n' });
  git(root, 'config', 'user.name', 't');
  git(root, 'config', 'user.email', 't@example.com');
  home = makeFolder();
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of [root, home]) removeTree(folder);
});

const copane = (...args: string[]) => copaneIn(root, ...args);

const copaneIn = (cwd: string, ...args: string[]) => runCli(args, { cwd, env: envBelow(home) });

async function json(...args: string[]) {
  const { code, out, err } = await copane(...args, '--json');
  if (code !== 0) throw new Error(`copane ${args.join(' ')}: ${code} ${err}`);
  return JSON.parse(out);
}

const create = async (name: string): Promise<string> => (await json('sandbox', 'new', name)).folder;

describe('the life of a change', () => {
  test('published from inside the sandbox, it goes to the working copy that the sandbox was made for', async () => {
    const folder = await create('ai');
    putTree(folder, { 'd/g': 'G\n' });
    const { code, out } = await copaneIn(path.join(folder, 'd'), 'publish', '--source', '.', '--json');
    expect([code, JSON.parse(out).working_directory]).toEqual([0, root]);
    // The user's own working copy is reviewed in place.
    putTree(root, { 'd/g': 'mine\n' });
    expect((await json('publish', '--source', '.')).hunks).toMatchObject([
      { file: 'd/g', status: 'pending' },
    ]);
  });

  test('published from a plain folder, for another one', async () => {
    const [from, to] = [path.join(home, 'from'), path.join(home, 'to')];
    for (const folder of [from, to]) mkdirSync(folder);
    putTree(to, { f: base });
    putTree(from, { f: base.replace('line 3\n', 'three\n'), new: 'new\n' });
    const { out, err } = await copaneIn(to, 'publish', '--source', from, '--json');
    expect(err).toBe('');
    await copaneIn(to, 'decide', JSON.parse(out).suggestion_id, 'all', 'accept');
    expect([readText(to, 'f'), readText(to, 'new')]).toEqual([readText(from, 'f'), 'new\n']);
  });

  test('new, work, publish, decide, finalize with the sandbox moved on, remove', async () => {
    const before = git(root, 'status', '--porcelain=2', '--branch');
    const folder = await create('ai');
    expect(path.relative(root, folder)).toMatch(/^\.\./);
    expect(git(root, 'status', '--porcelain=2', '--branch')).toBe(before);
    expect(git(folder, 'rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('copane/ai');

    putTree(folder, { f: base.replace('line 3\n', 'three\n').replace('line 20\n', 'twenty\n') });
    git(folder, 'commit', '-q', '-am', 'work');
    putTree(folder, { 'd/g': 'staged\n', new: 'n\n', 'ignored/x': 'x\n' });
    git(folder, 'add', 'd/g');
    const published = await json('publish', '--source', folder, '--description', 'Say numbers');
    expect(published.files).toEqual(['d/g', 'f', 'new']);
    expect((await json('publish', '--source', folder)).suggestion_id).toBe(published.suggestion_id);
    expect(await json('sandbox', 'list')).toMatchObject([
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
    await json('decide', id, hunk('+three'), 'accept');
    await json('decide', id, hunk('+twenty'), 'reject');
    expect(readText(folder, 'f')).toBe(base.replace('line 3\n', 'three\n'));
    const ended = await json('finish', id, 'finalize', '--commit', '--sandbox', 'rebase');
    expect(ended).toMatchObject({ status: 'finalized', notes: [] });
    expect(git(root, 'show', 'HEAD:f')).toBe(base.replace('line 3\n', 'three\n'));
    expect(git(folder, 'rev-parse', 'HEAD').trim()).toBe(ended.commit);
    expect(git(folder, 'status', '--porcelain', '-uall')).toBe(' M d/g\n?? new\n');
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBe(false);
    expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(git(root, 'branch', '--list', 'copane/*')).toBe('');
  });
});

describe('removing', () => {
  test('unpublished work is named and kept; --force removes it', async () => {
    const folder = await create('ai');
    putTree(folder, { f: `${base}more\n`, n: 'n\n' });
    git(folder, 'add', 'n');
    git(folder, 'commit', '-q', '-m', 'n');
    const refused = await copane('sandbox', 'rm', 'ai');
    expect(refused).toMatchObject({ code: 3, err: expect.stringMatching(/never published: f, n\./) });
    expect(readText(folder, 'n')).toBe('n\n');
    const forced = await json('sandbox', 'rm', 'ai', '--force');
    git(root, 'branch', 'again', forced.commit);
    expect(git(root, 'show', 'again:n')).toBe('n\n');
  });

  test('published and partly rejected: nothing is lost; edited since: the edit would be', async () => {
    const folder = await create('ai');
    putTree(folder, { f: base.replace('line 3\n', 'three\n').replace('line 20\n', 'twenty\n') });
    const { suggestion_id: id, hunks } = await json('publish', '--source', folder);
    await json('decide', id, hunks[0].id, 'reject');
    putTree(folder, { 'd/g': 'later\n' });
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/: d\/g\./),
    });
    putTree(folder, { 'd/g': 'g\n' });
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
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
  ])('what cannot be published is not removed without --force: %s', async (_, work, words) => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'1'.repeat(64)}\nsize 5\n`;
    putTree(root, { '.gitattributes': '*.big filter=lfs\n', 'a.big': pointer });
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'large files');
    const folder = await create('ai');
    work(folder);
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 3, err: expect.stringMatching(words) });
    expect(existsSync(folder)).toBe(true);
    expect(await copane('sandbox', 'rm', 'ai', '--force')).toMatchObject({ code: 0 });
  });

  test('a sandbox whose folder was deleted is listed as gone, and can be removed', async () => {
    const folder = await create('ai');
    rmSync(folder, { recursive: true });
    expect(await json('sandbox', 'list')).toMatchObject([{ name: 'ai', problem: 'Its folder is gone.' }]);
    expect(await copane('publish', '--source', folder)).toMatchObject({ code: 2 });
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
    expect(await create('ai')).toBe(folder);
  });

  test('git forgets it, even if its record has a relative path', async () => {
    const folder = await create('ai');
    const gitdir = path.join(root, '.git/worktrees', path.basename(folder), 'gitdir');
    writeFileSync(gitdir, `${path.relative(path.dirname(gitdir), path.join(folder, '.git'))}\n`);
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({ code: 0 });
    expect(existsSync(gitdir)).toBe(false);
  });

  test('in an unreadable state it is kept; with force, it is removed', async () => {
    const folder = await create('ai');
    writeFileSync(path.join(folder, '.git'), 'nonsense\n');
    expect(await copane('sandbox', 'rm', 'ai')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/cannot be determined/),
    });
    expect(await copane('sandbox', 'rm', 'ai', '--force')).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBe(false);
    expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(await create('ai')).toBe(folder);
  });
});

describe('names and places', () => {
  test.each(['../x', '.hidden', 'a/b', 'a..b', 'x.lock', ''])('"%s" names no sandbox', async (name) => {
    expect((await copane('sandbox', 'new', name)).code).toBe(2);
  });

  test('a used name, an existing branch, no commit, no repository, an unknown one', async () => {
    await create('ai');
    expect(await copane('sandbox', 'new', 'ai')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/already/),
    });
    git(root, 'branch', 'copane/taken');
    expect(await copane('sandbox', 'new', 'taken')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/branch/),
    });
    expect(git(root, 'branch', '--list', 'copane/taken').trim()).toBe('copane/taken');
    expect((await copane('sandbox', 'new', 'x', '--base', 'nope')).code).toBe(4);
    expect((await copane('sandbox', 'new', 'x', '--target', home)).code).toBe(3);
    expect((await copane('sandbox', 'rm', 'x')).code).toBe(4);
    expect((await copane('sandbox', 'list')).out).not.toMatch(/taken|x /);
  });

  test.each(['null', '[]', '{"name":1}', 'no JSON'])(
    'is listed by its folder where its record is %s',
    async (text) => {
      const folder = await create('ai');
      writeFileSync(`${folder}.json`, text);
      const { out, code } = await copane('sandbox', 'list');
      expect(code).toBe(0);
      expect(out).toContain(`ai  ${folder}  Its record is damaged`);
      expect((await copane('sandbox', 'new', 'ai')).code).toBe(3);
      const removed = await copane('sandbox', 'rm', 'ai');
      expect(removed.code).toBe(3);
      expect(removed.err).toContain(`${folder}, delete that folder and ${folder}.json`);
      // Its message is enough to free the name.
      removeTree(folder);
      rmSync(`${folder}.json`);
      for (const command of ['git worktree prune', 'git branch -D copane/ai']) {
        expect(removed.err).toContain(command);
        execFileSync('sh', ['-c', command], { cwd: root });
      }
      expect((await copane('sandbox', 'new', 'ai')).code).toBe(0);
    },
  );

  test('a chosen base; from a worktree of the target, the sandboxes are the same', async () => {
    putTree(root, { f: 'second\n' });
    git(root, 'commit', '-q', '-am', 'second');
    const folder = (await json('sandbox', 'new', 'old', '--base', 'HEAD~1')).folder;
    expect(readText(folder, 'f')).toBe(base);
    expect(await json('sandbox', 'list', '--target', folder)).toHaveLength(1);
    expect(await json('sandbox', 'list', '--all')).toHaveLength(1);
    expect((await copane('sandbox', 'rm', 'old', '--target', folder)).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  test('a sparse checkout: files left out are not deleted, files present anyway count', async () => {
    putTree(root, { 'e/in': 'in\n', 'e/out': 'out\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'more');
    const folder = await create('ai');
    git(folder, 'sparse-checkout', 'set', 'd');
    expect(readText(folder, 'e/out')).toBe(null);
    git(root, 'sparse-checkout', 'set', 'd');
    const other = await create('other');
    expect([readText(other, 'e/out'), git(other, 'status', '--porcelain')]).toEqual([null, '']);
    git(root, 'sparse-checkout', 'disable');
    putTree(folder, { 'd/g': 'G\n', 'e/in': 'IN\n', 'e/new': 'new\n' });
    const { suggestion_id: id, hunks } = await json('publish', '--source', folder);
    expect(hunks.map(({ file }: { file: string }) => file)).toEqual(['d/g', 'e/in', 'e/new']);
    expect((await copane('decide', id, 'all', 'accept')).code).toBe(0);
    expect((await copane('finish', id, 'finalize', '--commit', '--sandbox', 'rebase')).code).toBe(0);
    expect(git(root, 'show', '--stat', '--format=', 'HEAD')).not.toMatch(/out/);
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect((await copane('publish', '--source', folder)).err).toContain('No changes to publish');
  });
});
