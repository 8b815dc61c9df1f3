/** The commit of accepted hunks: its hooks, its signature, and what stays staged. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText } from '../../../helpers/git-fixture.ts';
import { must } from '../../../helpers/review-subject.ts';
import { numbered, workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

describe('the commit', () => {
  const hook = (name: string, lines: string) =>
    writeFileSync(path.join(tree.root, '.git/hooks', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });

  async function accepted() {
    tree.root = makeRepository({ 'f.txt': numbered(), 'g.txt': 'g\n' });
    putTree(tree.root, { 'f.txt': numbered({ 3: 'three\n', 15: 'fifteen\n' }), 'g.txt': 'G\n' });
    tree.git('add', 'g.txt');
    const { id, hunks } = await tree.review();
    await tree.decide(id, hunks[0]?.id ?? '', 'accept');
    return id;
  }

  test('runs no hook and does not sign, and says so', async () => {
    const id = await accepted();
    hook('pre-commit', 'exit 1');
    hook('commit-msg', 'exit 1');
    git(tree.root, 'config', 'commit.gpgSign', 'true');
    const { notes } = await tree.commit(id);
    expect(notes).toEqual([
      'Committed without its hooks (pre-commit, commit-msg) and without a signature. With --hooks git commits as it does for you.',
    ]);
  });

  test.each<[string, () => void, string]>([
    ['new', () => tree.git('add', 'n.txt'), 'n.txt'],
    ['announced', () => tree.git('add', '-N', 'n.txt'), 'n.txt'],
    [
      'new, and edited since',
      () => {
        tree.git('add', 'n.txt');
        putTree(tree.root, { 'n.txt': 'n\nmore\n' });
      },
      'n.txt',
    ],
    ['deleted', () => tree.git('rm', '-q', 'g.txt'), 'g.txt'],
  ])('of a file that is staged as %s leaves nothing behind', async (_, stage, name) => {
    tree.root = makeRepository({ 'g.txt': 'g\n' });
    putTree(tree.root, { 'n.txt': 'n\n' });
    stage();
    if (name !== 'n.txt') rmSync(path.join(tree.root, 'n.txt'));
    const { id } = await tree.review();
    await tree.decide(id, 'all', 'accept');
    await tree.commit(id);
    expect(tree.git('status', '--porcelain')).toBe('');
    expect(tree.git('show', '--format=', '--name-only', 'HEAD')).toContain(name);
  });

  test('in the middle of a merge is refused, as git refuses a partial one', async () => {
    tree.root = makeRepository({ 'g.txt': 'g\n' });
    tree.git('checkout', '-qb', 'other');
    tree.git('commit', '-qm', 'other', '--allow-empty');
    tree.git('checkout', '-q', 'main');
    tree.git('commit', '-qm', 'main', '--allow-empty');
    tree.git('merge', '-q', '--no-ff', '--no-commit', 'other');
    putTree(tree.root, { 'g.txt': 'G\n' });
    const { id } = await tree.review();
    await tree.decide(id, 'all', 'accept');
    const ended = await tree.reviews.finish({ suggestion: id, how: 'finalize', commit: true });
    expect(ended).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^A merge is in progress/) },
    });
    expect(tree.git('log', '-1', '--format=%s')).toBe('main\n');
  });

  test('without hooks, says nothing', async () => {
    const id = await accepted();
    const { notes } = await tree.commit(id);
    expect(notes).toEqual([]);
  });

  test('with hooks of the user: one that formats, one that rewrites the message', async () => {
    const id = await accepted();
    hook(
      'pre-commit',
      'git diff --cached --name-only >.git/seen; sed -i "s/^three$/THREE/" f.txt; git add f.txt',
    );
    hook('commit-msg', 'echo "Signed-off-by: t" >>"$1"');
    const how = { suggestion: id, how: 'finalize', commit: true, hooks: true, sandbox: 'keep' } as const;
    const { commit, notes } = must(await tree.reviews.finish(how));
    expect(notes).toEqual([]);
    expect(readText(tree.root, '.git/seen')).toBe('f.txt\n');
    expect(tree.git('log', '-1', '--format=%H%n%B')).toContain(`${commit}\n`);
    expect(tree.git('log', '-1', '--format=%B')).toContain('Signed-off-by: t');
    expect(tree.git('show', 'HEAD:f.txt')).toContain('THREE\n');
    // Other staged changes stay staged.
    expect(tree.git('status', '--porcelain')).toContain('M  g.txt');
    expect(tree.git('diff', '--cached', '--name-only')).toBe('g.txt\n');
  });

  test('a hook that adds another file leaves it neither staged nor unstaged', async () => {
    const id = await accepted();
    hook('pre-commit', 'echo made >made; git add made');
    await tree.commit(id, { hooks: true });
    expect(tree.git('show', '--format=', '--name-only')).toBe('f.txt\nmade\n');
    expect(tree.git('status', '--porcelain')).toBe(' M f.txt\nM  g.txt\n');
  });

  test('a hook that refuses: nothing is committed, and its message is shown', async () => {
    const id = await accepted();
    hook('pre-commit', 'echo "lint: f.txt is wrong" >&2; exit 1');
    const before = [tree.git('rev-parse', 'HEAD'), tree.git('ls-files', '-s')];
    const how = { suggestion: id, how: 'finalize', commit: true, hooks: true, sandbox: 'keep' } as const;
    expect(await tree.reviews.finish(how)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('lint: f.txt is wrong') },
    });
    expect([tree.git('rev-parse', 'HEAD'), tree.git('ls-files', '-s')]).toEqual(before);
  });

  test.each([false, true])('creates the first commit, with hooks: %s', async (hooks) => {
    tree.root = makeFolder();
    tree.git('init', '-q', '-b', 'main');
    putTree(tree.root, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    tree.git('add', 'c.txt');
    const { id, hunks } = await tree.review();
    await tree.decide(id, hunks[0]?.id ?? '', 'accept');
    await tree.commit(id, { hooks });
    expect(tree.git('log', '--format=', '--name-only')).toBe('a.txt\n');
    expect(tree.git('status', '--porcelain')).toBe('A  c.txt\n?? b.txt\n');
  });

  test.each<[string, string, RegExp]>([
    [
      'whose words are coloured',
      "printf '\\033[31mlint\\033[0m\\n' >&2; exit 1",
      /^git commit failed: lint$/,
    ],
    [
      'that asks for its session: none that has our terminal',
      `test "$(ps -o sid= -p $$)" != "$(ps -o sid= -p ${process.pid})" && echo its own; exit 1`,
      /: its own$/,
    ],
    ['that is signed by a key with a passphrase', '', /failed to sign the data/],
  ])('a failing hook or signature ends it: one %s', async (name, lines, words) => {
    const id = await accepted();
    if (lines === '') {
      tree.git('config', 'gpg.program', 'false');
      tree.git('config', 'commit.gpgSign', 'true');
    } else hook('pre-commit', lines);
    const ended = await tree.reviews.finish({ suggestion: id, how: 'finalize', commit: true, hooks: true });
    expect(ended, name).toMatchObject({ ok: false, error: { message: expect.stringMatching(words) } });
    expect(tree.git('log', '--format=%s')).toBe('base\n');
  });

  test('a hook may leave a daemon running that keeps its output open', async () => {
    const id = await accepted();
    hook('pre-commit', 'sleep 30 & echo $! >.git/daemon');
    const began = Date.now();
    await tree.commit(id, { hooks: true });
    expect(Date.now() - began).toBeLessThan(20_000);
    process.kill(Number(readText(tree.root, '.git/daemon')));
  });
});
