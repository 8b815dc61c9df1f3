/** Where changes come from: working tree, index, ranges, sandboxes. Repositories run nothing and stay untouched. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText, readTree } from '../../helpers/git-fixture.ts';
import { must } from '../../helpers/review-subject.ts';
import { reviewsPerTest } from '../../helpers/reviews-per-test.ts';

const { tracked, reviews, publish, decide } = reviewsPerTest();

/** Everything in `.git` that a user would miss; objects and the like may vary. */
function gitState(root: string): string {
  const index = execFileSync('git', ['ls-files', '-s', '-v'], { cwd: root, encoding: 'latin1' });
  const refs = execFileSync('git', ['for-each-ref'], { cwd: root, encoding: 'latin1' });
  const bytes = readFileSync(path.join(root, '.git/index')).toString('base64');
  return `${index}${refs}${bytes}${readFileSync(path.join(root, '.git/HEAD'), 'latin1')}`;
}

describe('the working tree, in place', () => {
  const lines = (change: (line: string) => string) =>
    Array.from({ length: 20 }, (_, i) => `${change(`l${i}`)}\n`).join('');
  const start = () =>
    tracked(makeRepository({ f: lines((line) => line), gone: 'x\n', '.gitignore': 'ignored\n' }));

  test('includes untracked files but not ignored ones; reject removes, accept keeps; index and refs stay', async () => {
    const root = start();
    const changed = lines((line) => (line === 'l2' ? 'L2' : line === 'l15' ? 'L15' : line));
    putTree(root, { f: changed, gone: null, 'new/n': 'n\n', ignored: 'i\n' });
    const before = gitState(root);
    const { id, hunks, inPlace } = await publish(root, { kind: 'working_tree' });
    expect(inPlace).toBe(true);
    expect(hunks.map((hunk) => `${hunk.file} ${hunk.kind} ${hunk.status}`)).toEqual([
      'f text pending',
      'f text pending',
      'gone delete pending',
      'new/n create pending',
    ]);
    const [first, second, deletion, creation] = hunks.map((hunk) => hunk.id);
    await decide(id, first ?? '', 'reject');
    await decide(id, second ?? '', 'accept');
    await decide(id, deletion ?? '', 'reject');
    await decide(id, creation ?? '', 'reject');
    expect(readTree(root)).toEqual({
      f: lines((line) => (line === 'l15' ? 'L15' : line)),
      gone: 'x\n',
      '.gitignore': 'ignored\n',
      ignored: 'i\n',
    });
    must(await reviews().step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect(readTree(root)).toMatchObject({ f: changed, 'new/n': 'n\n' });
    expect(existsSync(path.join(root, 'gone'))).toBe(false);
    expect(gitState(root)).toBe(before);
  });

  test('only the unstaged part, and only the staged part', async () => {
    const root = start();
    putTree(root, { f: lines((line) => (line === 'l2' ? 'staged' : line)) });
    git(root, 'add', 'f');
    putTree(root, { f: lines((line) => (line === 'l2' ? 'staged' : line === 'l15' ? 'unstaged' : line)) });
    const unstaged = await publish(root, { kind: 'working_tree', against: 'index' });
    expect(unstaged.hunks.map((hunk) => hunk.diff).join()).toMatch(/\+unstaged/);
    expect(unstaged.hunks.map((hunk) => hunk.diff).join()).not.toMatch(/\+staged/);
    await decide(unstaged.id, 'all', 'reject');
    expect(readText(root, 'f')).toBe(lines((line) => (line === 'l2' ? 'staged' : line)));
    const staged = await publish(root, { kind: 'index' });
    expect(staged.hunks.map((hunk) => hunk.diff).join()).toMatch(/\+staged/);
  });

  test('notices an edit of the same size in the second of the commit', async () => {
    const root = start();
    const file = path.join(root, 'f');
    const secondOf = (ms: number) => Math.floor(ms / 1000);
    // Git knows a file by its size and the second of its change: both must fall into one, so we wait for the clock.
    for (let attempt = 0; attempt < 20; attempt += 1) {
      while (Date.now() % 1000 > 50) await sleep(5);
      writeFileSync(file, `before ${attempt % 10}\n`);
      git(root, 'commit', '-q', '-am', 'x');
      const { mtimeMs } = statSync(path.join(root, '.git/index'));
      writeFileSync(file, `edited ${attempt % 10}\n`);
      if (secondOf(mtimeMs) === secondOf(statSync(file).ctimeMs)) break;
    }
    // A second later, when a copy of the index is newer than both.
    await sleep(1_000);
    expect((await publish(root, { kind: 'working_tree' })).hunks).toHaveLength(1);
  });

  test('a repository without a commit, and a folder of it', async () => {
    const root = tracked(makeFolder());
    git(root, 'init', '-q');
    putTree(root, { 'd/n': 'n\n' });
    const { files } = await publish(path.join(root, 'd'), { kind: 'working_tree' });
    expect(files).toEqual(['d/n']);
  });

  test.each([
    ['', 'bare.git', /bare\.git is a bare repository/],
    ['of a folder of it', 'bare.git/refs/heads', /bare\.git is a bare repository/],
    ['of the inside of a repository', '.git/info', /\.git is the inside of a repository/],
  ])('not of a tree around a bare repository %s, as in git', async (_, folder, words) => {
    const root = start();
    execFileSync('git', ['init', '-q', '--bare', path.join(root, 'bare.git')]);
    putTree(root, { f: 'other\n' });
    const refused = await reviews().publishFrom({
      target: path.join(root, folder),
      source: { kind: 'working_tree' },
    });
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringMatching(words) } });
  });

  test('of a folder that only looks like a repository', async () => {
    const root = start();
    putTree(root, { 'd/HEAD': 'not a ref\n', 'd/objects/a': 'a\n', 'd/refs/b': 'b\n' });
    const { hunks } = await publish(path.join(root, 'd'), { kind: 'working_tree' });
    expect(hunks).toHaveLength(3);
  });

  test('reports when nothing changed', async () => {
    const answer = await reviews().publishFrom({ target: start(), source: { kind: 'working_tree' } });
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^Nothing has changed since the last commit/) },
    });
  });
});

describe('a repository with LF, and CRLF on disk', () => {
  const crlf = 'a\r\nb\r\nc\r\n';
  const start = () => {
    const root = tracked(makeRepository({}));
    git(root, 'config', 'core.autocrlf', 'true');
    putTree(root, { f: crlf });
    git(root, 'add', 'f');
    git(root, 'commit', '-q', '-m', 'crlf');
    return root;
  };

  test('in place: one changed line is one line, and reject leaves CRLF', async () => {
    const root = start();
    putTree(root, { f: 'a\r\nB\r\nc\r\n' });
    const { id, hunks } = await publish(root, { kind: 'working_tree' });
    expect(hunks).toHaveLength(1);
    expect(hunks[0]?.diff.split('\n').filter((line) => /^[+-]/.test(line))).toEqual(['-b\r', '+B\r']);
    await decide(id, 'all', 'reject');
    expect(readText(root, 'f')).toBe(crlf);
  });

  test('many files of all kinds at once, which git keeps in one pack', async () => {
    const root = start();
    const names = Array.from({ length: 60 }, (_, i) => i);
    const tree = (line: string) =>
      Object.fromEntries([
        ...names.map((i) => [`crlf${i}`, crlf.replace('b', line)] as const),
        ...names.map((i) => [`lf${i}`, `a\n${line}\n`] as const),
        ['one', line],
        ['bytes', `\0${line}`],
      ]);
    putTree(root, tree('b'));
    git(root, '-c', 'core.autocrlf=input', 'add', '-A');
    git(root, 'commit', '-q', '-m', 'many');
    putTree(root, { ...tree('B'), empty: '', new: 'n\n' });
    const before = readTree(root);
    const { id, hunks } = await publish(root, { kind: 'working_tree' });
    expect(hunks).toHaveLength(124);
    await decide(id, 'all', 'reject');
    expect(readTree(root)).toEqual({ ...tree('b'), f: crlf });
    must(await reviews().step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect(readTree(root)).toEqual(before);
  });

  test('a patch from git, with LF: accept keeps CRLF', async () => {
    const root = start();
    putTree(root, { f: 'a\r\nB\r\nc\r\n' });
    const patch = git(root, '-c', 'core.safecrlf=false', 'diff');
    putTree(root, { f: crlf });
    const { id } = must(await reviews().publish(root, patch));
    await decide(id, 'all', 'accept');
    expect(readText(root, 'f')).toBe('a\r\nB\r\nc\r\n');
  });
});

describe('ranges and sandboxes', () => {
  test('a branch means its commits beyond the merge base; A..B is their difference', async () => {
    const root = tracked(makeRepository({ f: 'a\n' }));
    git(root, 'checkout', '-q', '-b', 'topic');
    putTree(root, { t: 't\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'topic');
    git(root, 'checkout', '-q', '-');
    putTree(root, { m: 'm\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'main');
    expect((await publish(root, { kind: 'range', range: 'topic' })).files).toEqual(['t']);
    // Its paths are relative to the repository, even when a folder in it is named.
    const inner = path.join(root, 'inner');
    mkdirSync(inner);
    const whole = await publish(inner, { kind: 'range', range: 'topic' });
    expect([whole.files, whole.target]).toEqual([['t'], root]);
    expect((await publish(root, { kind: 'range', range: 'HEAD..topic' })).files).toEqual(['m', 't']);
    expect(
      await reviews().publishFrom({ target: root, source: { kind: 'range', range: '--output=x' } }),
    ).toMatchObject({ ok: false });
    expect(
      await reviews().publishFrom({ target: root, source: { kind: 'range', range: 'nope' } }),
    ).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('a clone: committed, uncommitted and untracked work, as one suggestion', async () => {
    const root = tracked(makeRepository({ f: 'a\n', g: 'g\n' }));
    const sandbox = tracked(makeFolder());
    git(sandbox, 'clone', '-q', root, '.');
    putTree(sandbox, { f: 'b\n' });
    git(sandbox, 'commit', '-q', '-am', 'work');
    putTree(sandbox, { g: 'G\n', n: 'n\n' });
    const before = gitState(sandbox);
    const { id, files } = await publish(root, { kind: 'sandbox', folder: sandbox });
    expect(files).toEqual(['f', 'g', 'n']);
    await decide(id, 'all', 'accept');
    expect(readTree(root)).toEqual({ f: 'b\n', g: 'G\n', n: 'n\n' });
    expect(gitState(sandbox)).toBe(before);
  });

  test('a worktree of the target; another user may own the sandbox', async () => {
    const root = tracked(makeRepository({ f: 'a\n' }));
    const sandbox = path.join(tracked(makeFolder()), 'w');
    git(root, 'worktree', 'add', '-q', '-b', 'ai', sandbox);
    putTree(sandbox, { f: 'b\n', 'd/n': 'n\n' });
    if (process.getuid?.() === 0) chownSync(sandbox, 12_345, 12_345);
    expect((await publish(root, { kind: 'sandbox', folder: path.join(sandbox, 'd') })).files).toEqual([
      'd/n',
      'f',
    ]);
  });

  test('a sandbox that points at files of other users is refused', async () => {
    const root = tracked(makeRepository({ f: 'a\n' }));
    const secret = tracked(makeRepository({ secret: 's\n' }));
    const [byFile, byConfig, unrelated] = [
      tracked(makeFolder()),
      tracked(makeFolder()),
      tracked(makeRepository({ f: 'z\n' })),
    ];
    writeFileSync(path.join(byFile, '.git'), `gitdir: ${secret}/.git\n`);
    git(byConfig, 'clone', '-q', root, '.');
    git(byConfig, 'config', 'core.worktree', secret);
    putTree(byConfig, { mine: 'm\n' });
    const from = (folder: string) =>
      reviews().publishFrom({ target: root, source: { kind: 'sandbox', folder } });
    expect(await from(byFile)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/is elsewhere/) },
    });
    expect(must(await from(byConfig)).files).toEqual(['mine']);
    expect(await from(unrelated)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/no common commit/) },
    });
  });

  test('runs nothing that a repository configures', async () => {
    const root = tracked(makeRepository({ f: 'a\n' }));
    const sandbox = tracked(makeFolder());
    git(sandbox, 'clone', '-q', root, '.');
    const proof = path.join(tracked(makeFolder()), 'ran');
    const script = path.join(sandbox, '.git/evil');
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >>${proof}\ncat\n`, { mode: 0o755 });
    for (const at of [sandbox, root]) {
      for (const [key, value] of [
        ['core.fsmonitor', script],
        ['diff.external', script],
        ['diff.evil.textconv', script],
        ['diff.evil.command', script],
        ['filter.evil.clean', script],
        ['filter.evil.smudge', script],
        ['filter.evil.process', script],
        ['core.pager', script],
        ['core.hooksPath', path.dirname(script)],
      ]) {
        git(at, 'config', key ?? '', value ?? '');
      }
      putTree(at, { '.gitattributes': '* diff=evil\ng filter=evil\n', f: 'b\n', g: 'g\n' });
    }
    for (const hook of ['post-index-change', 'pre-commit', 'reference-transaction', 'post-checkout']) {
      writeFileSync(path.join(sandbox, '.git', hook), readFileSync(script), { mode: 0o755 });
    }
    expect((await publish(root, { kind: 'working_tree' })).files).toEqual(['.gitattributes', 'f']);
    git(
      root,
      '-c',
      'core.fsmonitor=',
      '-c',
      'filter.evil.clean=',
      '-c',
      'filter.evil.process=',
      'checkout',
      '-q',
      '--',
      'f',
    );
    rmSync(proof, { force: true });
    expect((await publish(root, { kind: 'sandbox', folder: sandbox })).files).toEqual([
      '.gitattributes',
      'f',
    ]);
    await publish(root, { kind: 'working_tree' });
    expect(existsSync(proof) ? readFileSync(proof, 'utf8') : 'nothing ran').toBe('nothing ran');
  });
});

test('a review of the same source replaces the earlier one and keeps its decisions', async () => {
  const root = tracked(makeRepository({ a: 'one\n', b: 'two\n', c: 'three\n' }));
  putTree(root, { a: 'ONE\n', b: 'TWO\n', c: 'THREE\n' });
  const first = await publish(root, { kind: 'working_tree' });
  expect((await publish(root, { kind: 'working_tree' })).id).toBe(first.id);
  const [a, b] = first.hunks.map(({ id }) => id);
  await decide(first.id, a ?? '', 'accept');
  await decide(first.id, b ?? '', 'reject');
  putTree(root, { d: 'new\n' });
  const second = await publish(root, { kind: 'working_tree' });
  expect(second).toMatchObject({ replaces: first.id, decidedCount: 1, hunkCount: 3 });
  expect(second.hunks.map(({ file, status }) => `${file} ${status}`)).toEqual([
    'a accepted',
    'c pending',
    'd pending',
  ]);
  expect(reviews().openRecords()).toEqual([second.id]);
  await decide(second.id, a ?? '', 'reject');
  expect(readTree(root)).toMatchObject({ a: 'one\n', b: 'two\n', c: 'THREE\n' });
  putTree(root, { e: 'new\n' });
  const third = await publish(root, { kind: 'working_tree' });
  const late = await reviews().decide({ suggestion: first.id, hunk: 'all', action: 'accept' });
  expect(late).toMatchObject({ ok: false, error: { hint: expect.stringContaining(third.id) } });
});

test('files that the attributes call generated come last, unless they say hand-written', async () => {
  const attributes = 'a linguist-generated\ngen/** linguist-generated=true\nyarn.lock -linguist-generated\n';
  const files = { a: '1\n', b: '1\n', 'gen/x': '1\n', 'go.sum': '1\n', 'yarn.lock': '1\n' };
  const root = tracked(makeRepository({ '.gitattributes': attributes, ...files }));
  putTree(root, Object.fromEntries(Object.keys(files).map((name) => [name, '2\n'])));
  const { hunks } = await publish(root, { kind: 'working_tree' });
  expect(hunks.map(({ file, isGenerated }) => `${file} ${isGenerated ?? false}`)).toEqual([
    'b false',
    'yarn.lock false',
    'a true',
    'gen/x true',
    'go.sum true',
  ]);
});

test('what is new since the reviewer last acted is marked, until the next action', async () => {
  const root = tracked(makeRepository({ a: 'one\n', b: 'two\n', c: 'three\n' }));
  const renewed = async (files: Record<string, string>) => {
    putTree(root, files);
    const { id, hunks } = await publish(root, { kind: 'working_tree' });
    const fresh = hunks.filter(({ isNew }) => isNew).map(({ file }) => file);
    return { id, hunks, fresh };
  };
  const { id, hunks, fresh } = await renewed({ a: 'ONE\n', b: 'TWO\n' });
  expect(fresh).toEqual([]);
  // Nothing was done yet: all of it is the first round.
  expect((await renewed({ c: 'THREE\n' })).fresh).toEqual([]);
  const [open] = reviews().openRecords();
  await decide(open ?? id, hunks[0]?.id ?? '', 'accept');
  expect((await renewed({ b: 'Two\n' })).fresh).toEqual(['b']);
  const last = await renewed({ d: 'new\n' });
  expect(last.fresh).toEqual(['b', 'd']);
  await decide(last.id, last.hunks.find(({ file }) => file === 'd')?.id ?? '', 'accept');
  expect((await renewed({ c: 'three!\n' })).fresh).toEqual(['c']);
});
