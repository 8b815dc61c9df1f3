/** One odd path, clone or merge affects only its own files. */
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText } from '../../../helpers/git-fixture.ts';
import { removeTree } from '../../../helpers/remove-tree.ts';
import { must } from '../../../helpers/review-subject.ts';
import { IN_PLACE, numbered, STAGED, workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

describe('one odd path costs one file', () => {
  test('tracked folders of other version controls, a drive letter, a link on the way, no permission', async () => {
    tree.root = makeRepository({
      'f.txt': 'f\n',
      'test/.hg/hgrc': 'a\n',
      'x/.svn/entries': 'a\n',
      'c:/f': 'a\n',
      'd/in': 'a\n',
    });
    putTree(tree.root, {
      'f.txt': 'F\n',
      'test/.hg/hgrc': 'A\n',
      'x/.svn/entries': 'A\n',
      'c:/f': 'A\n',
      'new/.jj/x': 'n\n',
      locked: 'l\n',
    });
    rmSync(path.join(tree.root, 'd'), { recursive: true });
    symlinkSync('new', path.join(tree.root, 'd'));
    chmodSync(path.join(tree.root, 'locked'), 0);
    for (const source of [IN_PLACE, { kind: 'working_tree', against: 'index' } as const]) {
      const { files, notes } = await tree.review(source);
      expect(files).toEqual(expect.arrayContaining(['f.txt']));
      for (const odd of ['.hg', '.svn', '.jj', 'c:']) expect(files.join()).not.toContain(odd);
      expect(notes.join('\n')).toMatch(
        /test\/\.hg\/hgrc.*: its path is in a folder of the version control system/,
      );
      expect(notes.join('\n')).toMatch(/c:\/f: its path is absolute/);
    }
    git(tree.root, 'add', '--', 'test', 'f.txt');
    git(tree.root, 'commit', '-qm', 'odd');
    git(tree.root, 'branch', 'topic');
    git(tree.root, 'reset', '-q', '--hard', 'HEAD~1');
    expect((await tree.review({ kind: 'range', range: 'topic' })).files).toEqual(['f.txt']);
  });

  test('a name that is not UTF-8, staged: unstaged, restored, and committed', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n' });
    putTree(tree.root, { 'inv\xffalid.txt': 'i\n' });
    tree.git('add', '-A');
    const before = tree.git('ls-files', '-s');
    const { id, hunks } = await tree.review(STAGED);
    await tree.decide(id, 'all', 'reject');
    expect(tree.git('status', '--porcelain')).toBe('');
    for (const { id: hunk } of hunks) await tree.undo(id, hunk);
    expect(tree.git('ls-files', '-s')).toBe(before);
    await tree.decide(id, 'all', 'accept');
    await tree.commit(id);
    expect(tree.git('status', '--porcelain')).toBe('');
  });

  test('a link that is a file on this disk is left out, and named', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n', l: { link: 'f.txt' } });
    tree.git('config', 'core.symlinks', 'false');
    putTree(tree.root, { l: 'g.txt', 'f.txt': 'F\n' });
    const { id, files, notes } = await tree.review();
    expect(files).toEqual(['f.txt']);
    expect(notes).toEqual([expect.stringMatching(/^l is a link in git and a regular file/)]);
    await tree.decide(id, 'all', 'reject');
    expect(tree.git('status', '--porcelain')).toBe(' M l\n');
  });

  test('an added submodule is left out, and named', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n' });
    const inner = makeRepository({ s: 's\n' });
    tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    putTree(tree.root, { 'f.txt': 'F\n' });
    const { id, files, notes } = await tree.review();
    expect(files.toSorted()).toEqual(['.gitmodules', 'f.txt']);
    expect(notes).toEqual([expect.stringMatching(/^sub: a submodule that was added/)]);
    await tree.decide(id, 'all', 'reject');
    expect(tree.git('status', '--porcelain')).toBe('A  sub\n');
    removeTree(inner);
  });

  test('a partial clone: only the missing file is affected, and nothing is fetched', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n' });
    tree.git('config', 'uploadpack.allowFilter', 'true');
    putTree(tree.root, { 'in/a': 'a\n', 'out/b': 'b\n' });
    tree.git('add', '-A');
    tree.git('commit', '-qm', 'base');
    putTree(tree.root, { 'in/a': 'A\n', 'out/b': 'B\n' });
    tree.git('commit', '-qam', 'more');
    const source = tree.root;
    tree.root = makeFolder();
    tree.git('clone', '-q', '--no-local', '--filter=blob:none', '--sparse', `file://${source}`, '.');
    const missing = () =>
      tree
        .git('rev-list', '--objects', '--all', '--missing=print')
        .match(/^\?\w+/gm)
        ?.sort();
    tree.git('sparse-checkout', 'set', 'in');
    const before = missing();
    putTree(tree.root, { 'in/a': 'mine\n', 'out/b': 'mine\n' });
    const { id, files, notes } = await tree.review();
    expect(files).toEqual(['in/a']);
    expect(notes).toEqual([expect.stringMatching(/^out\/b: not fetched yet \(partial clone\)/)]);
    await tree.decide(id, 'all', 'accept');
    await tree.commit(id);
    expect(missing()).toEqual(before);
    removeTree(source);
  });

  test('sparse checkout: files left out are not changes', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n', 'in/a': 'a\n', 'out/b': 'b\n' });
    tree.git('sparse-checkout', 'set', '--cone', 'in');
    putTree(tree.root, { 'f.txt': 'F\n', 'in/a': 'A\n', 'in/n': 'n\n' });
    const { id, files } = await tree.review(IN_PLACE, { stage: true });
    expect(files).toEqual(['f.txt', 'in/a', 'in/n']);
    await tree.decide(id, 'all', 'accept');
    expect(tree.git('status', '--porcelain')).toBe('M  f.txt\nM  in/a\nA  in/n\n');
  });

  test('only looks at what is requested', async () => {
    tree.root = makeRepository({ 'a/f': 'f\n', 'a/b/g': 'g\n', 'c/.hg/x': 'x\n', h: 'h\n' });
    putTree(tree.root, { 'a/f': 'F\n', 'a/b/g': 'G\n', 'c/.hg/x': 'X\n', h: 'H\n' });
    const all = await tree.review(IN_PLACE, {
      filter: { paths: [path.join(tree.root, 'a')], exclude: ['a/b'] },
    });
    expect([all.files, all.notes]).toEqual([['a/f'], []]);
    const some = await tree.review(IN_PLACE, { filter: { exclude: ['c/**', 'a'] } });
    expect([some.files, some.notes]).toEqual([['h'], []]);
  });
});

describe('messages', () => {
  test.runIf(process.getuid?.() === 0)('a repository of another user is not called missing', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n' });
    putTree(tree.root, { 'f.txt': 'F\n' });
    chownSync(tree.root, 12345, 12345);
    chownSync(path.join(tree.root, '.git'), 12345, 12345);
    expect(await tree.reviews.publishFrom({ target: tree.root, source: IN_PLACE })).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/belongs to another user/),
        hint: expect.stringMatching(/safe\.directory/),
      },
    });
  });

  test('a merge with conflicts affects only its files, against HEAD, the index, and in it', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n', 'g.txt': 'g\n' });
    git(tree.root, 'checkout', '-q', '-b', 'other');
    putTree(tree.root, { 'f.txt': 'theirs\n' });
    git(tree.root, 'commit', '-qam', 'theirs');
    git(tree.root, 'checkout', '-q', 'main');
    putTree(tree.root, { 'f.txt': 'ours\n' });
    git(tree.root, 'commit', '-qam', 'ours');
    expect(() => git(tree.root, 'merge', 'other')).toThrow();
    putTree(tree.root, { 'g.txt': 'G\n' });
    git(tree.root, 'add', 'g.txt');
    putTree(tree.root, { 'h.txt': 'h\n' });
    for (const [source, files] of [
      [IN_PLACE, ['g.txt', 'h.txt']],
      [{ kind: 'working_tree', against: 'index' }, ['h.txt']],
      [STAGED, ['g.txt']],
    ] as const) {
      const reviewed = await tree.review(source);
      expect(reviewed.files).toEqual(files);
      expect(reviewed.notes).toEqual([expect.stringMatching(/^f\.txt: not merged yet/)]);
    }
  });

  test("the user's own diff, handed back, is reviewed in place", async () => {
    tree.root = makeRepository({ 'f.txt': numbered(), 'g.txt': 'g\n' });
    putTree(tree.root, {
      'f.txt': numbered({ 3: 'three\n', 15: 'fifteen\n' }),
      'n.txt': 'n\n',
      'g.txt': null,
    });
    git(tree.root, 'add', '-N', 'n.txt');
    const { id, hunks, notes } = must(await tree.reviews.publish(tree.root, git(tree.root, 'diff')));
    expect(notes).toEqual([expect.stringMatching(/reviewed in place/)]);
    expect(hunks.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'pending']);
    await tree.decide(id, 'all', 'reject');
    expect([
      readText(tree.root, 'f.txt'),
      readText(tree.root, 'g.txt'),
      readText(tree.root, 'n.txt'),
    ]).toEqual([numbered(), 'g\n', null]);
  });

  test('rejecting what a patch did not bring is not reported as removed', async () => {
    tree.root = makeRepository({ 'f.txt': numbered() });
    const patch = '--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-line O\n+line 0\n line 1\n';
    const { id, hunks } = must(await tree.reviews.publish(tree.root, patch));
    expect(hunks[0]?.status).toBe('already_applied');
    expect((await tree.decide(id, 'all', 'reject')).notes).toEqual([
      expect.stringMatching(/^f\.txt: the target has the rejected text already/),
    ]);
  });

  test('a repository whose path has a colon and a line feed', async () => {
    const outer = makeFolder();
    tree.root = path.join(outer, 'a:b\nc"d');
    mkdirSync(tree.root);
    git(tree.root, 'init', '-q');
    putTree(tree.root, { 'f.txt': 'f\n' });
    git(tree.root, 'add', '-A');
    git(tree.root, 'commit', '-qm', 'base');
    putTree(tree.root, { 'f.txt': 'F\n' });
    expect((await tree.review()).files).toEqual(['f.txt']);
    const { folder } = must(
      await tree.reviews.service.sandboxes.create({ target: tree.root, name: 'ai', base: null }),
    );
    putTree(folder, { 'f.txt': 'sandbox\n' });
    expect((await tree.review({ kind: 'sandbox', folder })).files).toEqual(['f.txt']);
    removeTree(outer);
  });
});
