/** Staged changes, apart from the disk: reviewed, rejected and undone in both. */
import { appendFileSync, chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { git, makeRepository, putTree, readText, readTree } from '../../../helpers/git-fixture.ts';
import { must } from '../../../helpers/review-subject.ts';
import { numbered, STAGED, workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

describe('staged changes', () => {
  beforeEach(() => {
    tree.root = makeRepository({ 'f.txt': numbered(), 'g.txt': 'g\n' });
    putTree(tree.root, { 'f.txt': numbered({ 12: 'twelve\n' }) });
    git(tree.root, 'add', '-A');
  });

  test('with an unstaged edit above: the staged hunk is reviewed, and rejected from both', async () => {
    putTree(tree.root, { 'f.txt': `above\n${numbered({ 12: 'twelve\n' })}` });
    const { id, hunks } = await tree.review(STAGED);
    expect(hunks).toHaveLength(1);
    const { notes } = await tree.decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(tree.root, 'f.txt')).toBe(`above\n${numbered()}`);
    expect(git(tree.root, 'show', ':f.txt')).toBe(numbered());
    expect(notes).toEqual(['f.txt: taken out of the index, too.']);
    await tree.undo(id, hunks[0]?.id ?? '');
    expect(readText(tree.root, 'f.txt')).toBe(`above\n${numbered({ 12: 'twelve\n' })}`);
    expect(git(tree.root, 'show', ':f.txt')).toBe(numbered({ 12: 'twelve\n' }));
  });

  test.each<[string, () => void, string | null]>([
    ['gone', () => rmSync(path.join(tree.root, 'f.txt')), null],
    [
      'edited in the same lines',
      () => putTree(tree.root, { 'f.txt': numbered({ 12: 'douze\n' }) }),
      numbered({ 12: 'douze\n' }),
    ],
  ])('with the file on disk %s: only the index is decided', async (_, change, disk) => {
    change();
    putTree(tree.root, { 'g.txt': 'G\n' });
    git(tree.root, 'add', 'g.txt');
    const { id, files, hunks } = await tree.review(STAGED);
    expect(files).toEqual(['f.txt', 'g.txt']);
    const { notes } = await tree.decide(id, hunks[0]?.id ?? '', 'reject');
    expect(notes).toEqual([
      expect.stringMatching(/^f\.txt: taken out of the index; the disk has another text/),
    ]);
    expect([readText(tree.root, 'f.txt'), git(tree.root, 'show', ':f.txt')]).toEqual([disk, numbered()]);
    await tree.decide(id, hunks[1]?.id ?? '', 'reject');
    expect(git(tree.root, 'diff', '--cached', '--name-only')).toBe('');
    if (disk !== null) return;
    await tree.undo(id, hunks[0]?.id ?? '');
    expect([readText(tree.root, 'f.txt'), git(tree.root, 'show', ':f.txt')]).toEqual([
      null,
      numbered({ 12: 'twelve\n' }),
    ]);
  });

  test('with CRLF line ends and an unstaged edit: nothing from the disk gets staged', async () => {
    tree.root = makeRepository({ 'b.bin': '\0\r\n', 'g.txt': 'g\n' });
    putTree(tree.root, { 'b.bin': '\0\r\nstaged\r\n' });
    tree.git('rm', '-q', 'g.txt');
    putTree(tree.root, { 'g.txt/a': 'a\n' });
    tree.git('add', '-A');
    putTree(tree.root, { 'b.bin': '\0\r\nstaged\r\nedited\r\n' });
    const before = tree.git('status', '--porcelain');
    const { id } = await tree.review(STAGED);
    const { notes } = must(await tree.reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(notes).toEqual([
      'g.txt/a, g.txt: taken out of the index, too.',
      'b.bin: taken out of the index; the disk has another text, and keeps it.',
    ]);
    expect(tree.git('status', '--porcelain')).toBe(' M b.bin\n');
    await tree.undo(id, 'all');
    expect(tree.git('status', '--porcelain')).toBe(before);
  });

  test('rejecting a staged deletion restores the file, on disk too', async () => {
    git(tree.root, 'rm', '-q', 'g.txt');
    const { id, hunks } = await tree.review(STAGED);
    const gone = hunks.find(({ file }) => file === 'g.txt')?.id ?? '';
    await tree.decide(id, gone, 'reject');
    expect([readText(tree.root, 'g.txt'), git(tree.root, 'show', ':g.txt')]).toEqual(['g\n', 'g\n']);
    await tree.undo(id, gone);
    expect([readText(tree.root, 'g.txt'), git(tree.root, 'ls-files', 'g.txt')]).toEqual([null, '']);
  });

  test('a review of the working tree removes a rejected hunk from the index, and says so', async () => {
    putTree(tree.root, { 'f.txt': numbered({ 2: 'two\n', 12: 'twelve\n' }) });
    const { id, hunks } = await tree.review();
    const { notes } = await tree.decide(id, hunks[1]?.id ?? '', 'reject');
    expect(notes).toEqual([expect.stringMatching(/^f\.txt: .*index/)]);
    expect(git(tree.root, 'show', ':f.txt')).toBe(numbered());
    expect((await tree.decide(id, hunks[0]?.id ?? '', 'reject')).notes).toEqual([]);
    expect(git(tree.root, 'status', '--porcelain')).toBe('');
    // It is remembered over a restart.
    tree.reopen();
    await tree.undo(id, hunks[1]?.id ?? '');
    expect(git(tree.root, 'show', ':f.txt')).toBe(numbered({ 12: 'twelve\n' }));
    await tree.undo(id, hunks[0]?.id ?? '');
    expect(git(tree.root, 'show', ':f.txt')).toBe(numbered({ 12: 'twelve\n' }));
  });

  const staged = () => git(tree.root, 'ls-files', '-s');
  test.each<[string, () => void, string]>([
    ['kept on disk, deleted in the index', () => git(tree.root, 'rm', '-q', '--cached', 'g.txt'), ''],
    [
      'deleted in the index, edited on disk',
      () => {
        git(tree.root, 'rm', '-q', '--cached', 'g.txt');
        putTree(tree.root, { 'g.txt': 'mine\n' });
      },
      ' M g.txt\n',
    ],
    [
      'new, and edited since',
      () => {
        putTree(tree.root, { 'n.txt': 'n\n' });
        git(tree.root, 'add', 'n.txt');
        putTree(tree.root, { 'n.txt': 'n\nmore\n' });
      },
      '?? n.txt\n',
    ],
    [
      'renamed, its old name taken again',
      () => {
        git(tree.root, 'mv', 'g.txt', 'm.txt');
        putTree(tree.root, { 'g.txt': 'other\n' });
      },
      ' M g.txt\n?? m.txt\n',
    ],
    [
      'a folder in the place of a file',
      () => {
        rmSync(path.join(tree.root, 'g.txt'));
        putTree(tree.root, { 'g.txt/a': 'a\n' });
        git(tree.root, 'add', '-A');
      },
      '',
    ],
    [
      'a permission to run, with an edit on disk',
      () => {
        chmodSync(path.join(tree.root, 'g.txt'), 0o755);
        git(tree.root, 'add', 'g.txt');
        appendFileSync(path.join(tree.root, 'g.txt'), 'more\n');
      },
      ' M g.txt\n',
    ],
  ])(
    '%s: removed from the index, the disk keeps unstaged changes; undo restores it',
    async (_, make, status) => {
      git(tree.root, 'reset', '-q', '--hard');
      make();
      const before = [staged(), readTree(tree.root)];
      const { id, hunks } = await tree.review(STAGED);
      await tree.decide(id, 'all', 'reject');
      expect(git(tree.root, 'diff', '--cached', '--name-only')).toBe('');
      expect(git(tree.root, 'status', '--porcelain')).toBe(status);
      for (const { id: hunk } of hunks) await tree.undo(id, hunk);
      expect([staged(), readTree(tree.root)]).toEqual(before);
    },
  );

  test('a staged mode, and a staged rename with an edit: a review of the working tree removes them', async () => {
    chmodSync(path.join(tree.root, 'g.txt'), 0o755);
    git(tree.root, 'mv', 'f.txt', 'm.txt');
    git(tree.root, 'add', '-A');
    putTree(tree.root, { 'm.txt': numbered({ 3: 'three\n', 12: 'twelve\n' }) });
    appendFileSync(path.join(tree.root, 'g.txt'), 'more\n');
    const before = [staged(), readTree(tree.root)];
    const { id, hunks } = await tree.review();
    await tree.decide(id, 'all', 'reject');
    expect(git(tree.root, 'status', '--porcelain')).toBe('');
    for (const { id: hunk } of hunks) await tree.undo(id, hunk);
    expect([staged(), readTree(tree.root)]).toEqual(before);
  });

  test('what returns after a rejection is open again', async () => {
    const { id } = await tree.review(STAGED);
    await tree.decide(id, 'all', 'reject');
    putTree(tree.root, { 'f.txt': numbered({ 12: 'twelve\n' }) });
    git(tree.root, 'add', '-A');
    expect((await tree.review(STAGED)).hunks.map(({ status }) => status)).toEqual(['pending']);
  });

  test('staged new, deleted and renamed files', async () => {
    putTree(tree.root, { 'n.txt': 'n\n' });
    git(tree.root, 'add', 'n.txt');
    git(tree.root, 'rm', '-q', 'g.txt');
    git(tree.root, 'mv', 'f.txt', 'm.txt');
    const { id, hunks } = await tree.review();
    for (const { id: hunk } of hunks) await tree.decide(id, hunk, 'reject');
    expect(git(tree.root, 'status', '--porcelain')).toBe('');
    expect(readText(tree.root, 'f.txt')).toBe(numbered());
  });
});
