/** Accepted hunks are staged on request. */
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepository, putTree, readTree } from '../../../helpers/git-fixture.ts';
import { must } from '../../../helpers/review-subject.ts';
import { IN_PLACE, numbered, workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

describe('accepted hunks are staged', () => {
  test.each<[string, () => void, string]>([
    [
      'a file that git add -N has announced',
      () => {
        putTree(tree.root, { 'n.txt': 'n\n' });
        tree.git('add', '-N', 'n.txt');
      },
      'A  n.txt\n',
    ],
    [
      'an empty file that git add -N has announced',
      () => {
        putTree(tree.root, { 'n.txt': '' });
        tree.git('add', '-N', 'n.txt');
      },
      'A  n.txt\n',
    ],
    [
      'a moved file whose new name is announced',
      () => {
        putTree(tree.root, { 'f.txt': null, 'm.txt': numbered() });
        tree.git('add', '-N', 'm.txt');
      },
      'R  f.txt -> m.txt\n',
    ],
    [
      'a file with one of its hunks staged already',
      () => {
        putTree(tree.root, { 'f.txt': numbered({ 2: 'two\n' }) });
        tree.git('add', 'f.txt');
        putTree(tree.root, { 'f.txt': numbered({ 2: 'two\n', 10: 'ten\n', 18: 'eighteen\n' }) });
      },
      'M  f.txt\n',
    ],
    [
      'a file that git rm has deleted',
      () => {
        tree.git('rm', '-q', 'f.txt');
      },
      'D  f.txt\n',
    ],
    [
      'a new file that is staged as it is',
      () => {
        putTree(tree.root, { 'n.txt': 'n\n' });
        tree.git('add', 'n.txt');
      },
      'A  n.txt\n',
    ],
    [
      'a new file of which an older text is staged',
      () => {
        putTree(tree.root, { 'n.txt': 'old\n' });
        tree.git('add', 'n.txt');
        putTree(tree.root, { 'n.txt': 'n\n' });
      },
      'A  n.txt\n',
    ],
    [
      'a file that was moved on disk',
      () => {
        putTree(tree.root, { 'f.txt': null, 'm.txt': numbered() });
      },
      'R  f.txt -> m.txt\n',
    ],
    [
      'a file that was moved and edited',
      () => {
        putTree(tree.root, { 'f.txt': null, 'm.txt': numbered({ 3: 'three\n' }) });
      },
      'R  f.txt -> m.txt\n',
    ],
    [
      'a file that git mv has moved, edited since',
      () => {
        tree.git('mv', 'f.txt', 'm.txt');
        putTree(tree.root, { 'm.txt': numbered({ 3: 'three\n' }) });
      },
      'R  f.txt -> m.txt\n',
    ],
    ['a deleted file', () => putTree(tree.root, { 'f.txt': null }), 'D  f.txt\n'],
    ['a file that runs now', () => chmodSync(path.join(tree.root, 'f.txt'), 0o755), 'M  f.txt\n'],
    [
      'a link',
      () => {
        symlinkSync('f.txt', path.join(tree.root, 'l'));
      },
      'A  l\n',
    ],
  ])('%s; undo puts disk and index back', async (_, change, status) => {
    tree.root = makeRepository({ 'f.txt': numbered() });
    change();
    const state = () => [readTree(tree.root), tree.git('ls-files', '-s'), tree.git('status', '--porcelain')];
    const before = state();
    const { id, hunks } = await tree.review(IN_PLACE, { stage: true });
    const ids = hunks.map((hunk) => hunk.id);
    for (const undone of [ids.toReversed(), ids, ['all']]) {
      for (const hunk of ids) expect((await tree.decide(id, hunk, 'accept')).notes).toEqual([]);
      expect(tree.git('status', '--porcelain')).toBe(status);
      tree.reopen();
      for (const hunk of undone) expect((await tree.undo(id, hunk)).notes).toEqual([]);
      expect(state()).toEqual(before);
    }
    await tree.decide(id, 'all', 'accept');
    for (const hunk of ids) await tree.decide(id, hunk, 'reject');
    for (const hunk of ids) await tree.undo(id, hunk);
    expect(tree.git('status', '--porcelain')).toBe(status);
    for (const hunk of ids) await tree.undo(id, hunk);
    expect(state()).toEqual(before);
  });

  test.each([
    ['the last first', [1, 0]],
    ['the first first', [0, 1]],
  ])('parts of a file that git add -N has announced; undone, %s, it is announced again', async (_, order) => {
    tree.root = makeRepository({ 'f.txt': numbered() });
    putTree(tree.root, { 'n.txt': 'one\ntwo\nthree\nfour\n' });
    tree.git('add', '-N', 'n.txt');
    const before = tree.git('status', '--porcelain');
    const { id, hunks } = await tree.review(IN_PLACE, { stage: true });
    const [{ id: hunk = '' } = {}] = hunks;
    must(await tree.reviews.decide({ suggestion: id, hunk, action: 'accept', lines: { first: 2, last: 3 } }));
    expect(tree.git('show', ':n.txt')).toBe('two\nthree\n');
    const { hunks: parts } = must(await tree.reviews.service.show({ suggestion: id, file: null }));
    const ids = parts.toSorted((one, other) => one.status.localeCompare(other.status)).map((part) => part.id);
    await tree.decide(id, ids[1] ?? '', 'accept');
    expect(tree.git('show', ':n.txt')).toBe('one\ntwo\nthree\nfour\n');
    for (const at of order) await tree.undo(id, ids[at] ?? '');
    expect(tree.git('status', '--porcelain')).toBe(before);
  });

  test('a rejected hunk that was staged, commented on, returns to the index after a restart', async () => {
    tree.root = makeRepository({ 'f.txt': numbered() });
    putTree(tree.root, { 'n.txt': 'n\n' });
    tree.git('add', '-N', 'n.txt');
    const before = tree.git('status', '--porcelain');
    const { id, hunks } = await tree.review();
    const [{ id: hunk = '' } = {}] = hunks;
    await tree.decide(id, hunk, 'reject');
    const about = { suggestion: id, hunk, comment: 'why?', lines: null };
    must(await tree.reviews.desk().comment(about, { client: 'script', once: null }));
    tree.reopen();
    await tree.undo(id, hunk);
    expect(tree.git('status', '--porcelain')).toBe(before);
  });

  test('of more hunks than are staged one by one, one that is undone leaves the others', async () => {
    const text = (changed: (line: number) => boolean) =>
      Array.from({ length: 1_020 }, (_, at) => (changed(at) ? `new ${at}\n` : `line ${at}\n`)).join('');
    tree.root = makeRepository({ 'f.txt': text(() => false) });
    putTree(tree.root, { 'f.txt': text((at) => at % 10 === 5) });
    tree.git('add', 'f.txt');
    const { id, hunks } = await tree.review();
    await tree.decide(id, 'all', 'reject');
    expect(tree.git('status', '--porcelain')).toBe('');
    await tree.undo(id, hunks[3]?.id ?? '');
    expect(tree.git('show', ':f.txt')).toBe(text((at) => at === 35));
  });

  test('at the next try after another git held the index; a third one changes nothing', async () => {
    tree.root = makeRepository({ 'f.txt': numbered() });
    putTree(tree.root, { 'f.txt': numbered({ 2: 'two\n', 15: 'fifteen\n' }) });
    const { id, hunks } = await tree.review(IN_PLACE, { stage: true });
    const [first = '', second = ''] = hunks.map((hunk) => hunk.id);
    const locked = async (hunk: string, action: 'accept' | 'reject') => {
      writeFileSync(path.join(tree.root, '.git/index.lock'), '');
      const { notes } = await tree.decide(id, hunk, action);
      expect(notes.join()).toContain('Another git process holds the index');
      rmSync(path.join(tree.root, '.git/index.lock'));
    };
    const staged = () => tree.git('diff', '--cached', '--unified=0').match(/^\+[^+].*$/gm);
    await locked(first, 'accept');
    expect(staged()).toBe(null);
    for (let at = 0; at < 2; at += 1) {
      const { notes, suggestion } = await tree.decide(id, first, 'accept');
      expect([notes, suggestion.revision]).toEqual([[], 2]);
      expect(staged()).toEqual(['+two']);
    }
    tree.git('add', 'f.txt');
    await locked(second, 'reject');
    expect(staged()).toEqual(['+two', '+fifteen']);
    await tree.decide(id, second, 'reject');
    expect(staged()).toEqual(['+two']);
    expect((await tree.decide(id, second, 'reject')).notes).toEqual([]);
    expect(staged()).toEqual(['+two']);
  });
});
