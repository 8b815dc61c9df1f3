/** Sandboxes in every state: files that cannot be included are named, guesses are refused. */

import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommandParams } from '../../../src/protocol/command.ts';
import { git, makeFolder, makeRepository, putTree, readText, readTree } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');

let target = '';
let sandbox = '';
let state = '';
let reviews: TestReviews;
let folders: string[] = [];
const tracked = (folder: string) => {
  folders.push(folder);
  return folder;
};

beforeEach(() => {
  target = tracked(makeRepository({ f: lines(), g: 'g\n', '.gitignore': 'ignored/\n*.log\n' }));
  sandbox = tracked(makeFolder());
  git(sandbox, 'clone', '-q', target, '.');
  state = tracked(makeFolder());
  reviews = openTestReviews(state);
});
afterEach(() => {
  vi.unstubAllEnvs();
  reviews.close();
  for (const folder of folders) removeTree(folder);
  folders = [];
});

type Filter = CommandParams<'review/publish'>['filter'];
const attempt = (folder = sandbox, filter?: Filter) =>
  reviews.publishFrom({ target, source: { kind: 'sandbox', folder }, ...(filter ? { filter } : {}) });
const publish = async (folder = sandbox, filter?: Filter) => must(await attempt(folder, filter));

/** Enough files for the cancel to hit the checkout in the middle. */
const many = () =>
  Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`d${i % 30}/f${i}`, `${i}\n`.repeat(400)]));

/** Cancels the checkout of the sandbox `ai` once it has written files. */
async function cancelCheckout() {
  putTree(target, many());
  git(target, 'add', '-A');
  git(target, 'commit', '-q', '-m', 'many files');
  const cancelled = new AbortController();
  const { sandboxes } = reviews.service;
  const making = sandboxes.create({ target, name: 'ai', base: null }, cancelled);
  const [made] = await vi.waitUntil(
    async () => {
      const [folder] = await readdir(path.join(state, 'sandboxes')).catch(() => []);
      const at = path.join(state, 'sandboxes', folder ?? '', 'ai');
      return existsSync(path.join(at, 'd0')) ? [at] : false;
    },
    { timeout: 20_000, interval: 1 },
  );
  cancelled.abort();
  return { made: made ?? '', answer: await making };
}

test('a sandbox whose checkout is cancelled leaves nothing, and its name is free', async () => {
  const { made, answer } = await cancelCheckout();
  const { sandboxes } = reviews.service;
  expect(answer).toMatchObject({ ok: false, error: { message: 'git worktree was cancelled.' } });
  expect(existsSync(made)).toBe(false);
  expect(git(target, 'worktree', 'list', '--porcelain')).not.toContain(made);
  expect(existsSync(path.join(target, '.git/worktrees/ai'))).toBe(false);
  expect(git(target, 'branch', '--list', 'copane/ai')).toBe('');
  expect(must(await sandboxes.list({ target }))).toEqual([]);
  expect(must(await sandboxes.create({ target, name: 'ai', base: null }))).toMatchObject({ problem: null });
});

describe('the content of a sandbox', () => {
  test('a nested repository is left out and named, even one without a commit', async () => {
    const inner = path.join(sandbox, 'vendor/inner');
    putTree(sandbox, {
      'vendor/inner/a': 'a\n',
      'vendor/empty/b': 'b\n',
      'with [odd] *name/c': 'c\n',
      n: 'n\n',
    });
    git(inner, 'init', '-q');
    git(inner, 'add', 'a');
    git(inner, 'commit', '-q', '-m', 'inner');
    git(path.join(sandbox, 'vendor/empty'), 'init', '-q');
    git(path.join(sandbox, 'with [odd] *name'), 'init', '-q');
    const { files, notes } = await publish();
    expect(files).toEqual(['n']);
    expect(notes.join()).toMatch(/vendor\/inner/);
    expect(notes.join()).toMatch(/vendor\/empty/);
    expect(existsSync(path.join(inner, '.git/HEAD'))).toBe(true);
  });

  test('a submodule that moved to another commit is one change; edits inside it are left out', async () => {
    const library = tracked(makeRepository({ l: 'l\n' }));
    const allow = ['-c', 'protocol.file.allow=always'];
    git(target, ...allow, 'submodule', '--quiet', 'add', library, 'lib');
    git(target, 'commit', '-q', '-m', 'lib');
    git(sandbox, 'pull', '-q');
    git(sandbox, ...allow, 'submodule', '--quiet', 'update', '--init');
    putTree(path.join(sandbox, 'lib'), { l: 'dirty\n' });
    putTree(sandbox, { g: 'G\n' });
    expect((await publish()).files).toEqual(['g']);
    git(path.join(sandbox, 'lib'), 'commit', '-q', '-am', 'moved');
    const { hunks } = await publish();
    expect(hunks.map(({ file, kind }) => `${file} ${kind}`)).toEqual(['g text', 'lib submodule']);
  });

  test('files of Git LFS: unchanged ones do not appear, changed ones are named, new ones are files', async () => {
    const big = 'real content\n';
    const oid = createHash('sha256').update(big).digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${big.length}\n`;
    putTree(target, {
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'a.bin': pointer,
      'b.bin': pointer,
      'c.bin': pointer,
    });
    git(target, 'add', '-A');
    git(target, 'commit', '-q', '-m', 'lfs');
    git(sandbox, 'pull', '-q');
    putTree(sandbox, { 'a.bin': big, 'b.bin': 'edited by the AI\n', 'new.bin': 'new\n', g: 'G\n' });
    const { files, notes } = await publish();
    expect(files).toEqual(['g', 'new.bin']);
    expect(notes.join()).toMatch(/^b\.bin: stored by Git LFS/);
  });

  test("ignored files are left out: by .gitignore, by the sandbox and the user's own lists", async () => {
    const global = path.join(state, 'ignore');
    writeFileSync(global, '*.swp\n');
    writeFileSync(path.join(state, 'gitconfig'), `[core]\n\texcludesFile = ${global}\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(state, 'gitconfig'));
    writeFileSync(path.join(sandbox, '.git/info/exclude'), 'scratch\n');
    putTree(sandbox, { 'ignored/a': 'a\n', 'x.log': 'x\n', scratch: 's\n', '.f.swp': 's\n', n: 'n\n' });
    expect((await publish()).files).toEqual(['n']);
  });

  test('only ignored files changed: there is nothing to publish', async () => {
    putTree(sandbox, { 'x.log': 'x\n' });
    expect(await attempt()).toMatchObject({ ok: false, error: { message: 'No changes to publish.' } });
  });
});

describe('its history', () => {
  test('a detached HEAD counts as any other', async () => {
    git(sandbox, 'checkout', '-q', '--detach');
    putTree(sandbox, { g: 'G\n' });
    git(sandbox, 'commit', '-q', '-am', 'on no branch');
    putTree(sandbox, { n: 'n\n' });
    expect((await publish()).files).toEqual(['g', 'n']);
  });

  test('the target has moved on: the change is relative to the common ancestor', async () => {
    putTree(target, { f: lines({ 1: 'theirs\n' }) });
    git(target, 'commit', '-q', '-am', 'theirs');
    putTree(sandbox, { f: lines({ 20: 'ours\n' }) });
    const { id, hunks } = await publish();
    expect(hunks).toHaveLength(1);
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    expect(readText(target, 'f')).toBe(lines({ 1: 'theirs\n', 20: 'ours\n' }));
  });

  test('a dirty target: its edits stay, and a hunk on the same lines is a conflict', async () => {
    putTree(target, { f: lines({ 5: 'mine\n', 25: 'mine\n' }) });
    putTree(sandbox, { f: lines({ 5: 'yours\n', 15: 'yours\n' }) });
    const { id, hunks } = await publish();
    expect(hunks.map(({ status }) => status)).toEqual(['conflict', 'pending']);
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept', onlyFitting: true }));
    expect(readText(target, 'f')).toBe(lines({ 5: 'mine\n', 15: 'yours\n', 25: 'mine\n' }));
  });

  test('the common commit is gone: refused with a message', async () => {
    const shallow = tracked(makeFolder());
    for (const text of ['1\n', '2\n', '3\n']) {
      putTree(target, { g: text });
      git(target, 'commit', '-q', '-am', text);
    }
    git(shallow, 'clone', '-q', '--depth', '1', `file://${target}`, '.');
    putTree(shallow, { n: 'n\n' });
    expect((await publish(shallow)).files).toEqual(['n']);
    git(target, 'checkout', '-q', '--orphan', 'other');
    git(target, 'commit', '-q', '-m', 'another history');
    git(target, 'branch', '-q', '-D', 'main');
    git(target, 'reflog', 'expire', '--expire=now', '--all');
    git(target, 'gc', '-q', '--prune=now');
    putTree(shallow, { n: 'N\n' });
    expect(await attempt(shallow)).toMatchObject({
      ok: false,
      error: { code: 'refused', message: expect.stringMatching(/common commit/) },
    });
  });

  test('its HEAD names a missing commit; its .git is damaged', async () => {
    putTree(sandbox, { g: 'G\n' });
    writeFileSync(path.join(sandbox, '.git/HEAD'), `${'1'.repeat(40)}\n`);
    expect(await attempt()).toMatchObject({ ok: false, error: { code: 'refused' } });
    writeFileSync(path.join(sandbox, '.git/HEAD'), 'nonsense\n');
    expect(await attempt()).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/cannot be read/) },
    });
    rmSync(path.join(sandbox, '.git/HEAD'));
    expect(await attempt()).toMatchObject({ ok: false, error: { message: expect.stringMatching(/gone/) } });
    rmSync(sandbox, { recursive: true });
    expect(await attempt()).toMatchObject({ ok: false, error: { code: 'invalid' } });
  });

  test('a merge with conflicts is refused until they are resolved, whether git was told or not', async () => {
    putTree(target, { f: lines({ 5: 'theirs\n' }) });
    git(target, 'commit', '-q', '-am', 'theirs');
    putTree(sandbox, { f: lines({ 5: 'ours\n' }) });
    git(sandbox, 'commit', '-q', '-am', 'ours');
    git(sandbox, 'fetch', '-q');
    expect(() => git(sandbox, 'merge', '-q', 'origin/HEAD')).toThrow();
    expect(await attempt()).toMatchObject({
      ok: false,
      error: { code: 'refused', message: 'f holds conflicts of a merge in the sandbox.' },
    });
    putTree(sandbox, { f: lines({ 5: 'both\n' }) });
    const { hunks } = await publish();
    expect(hunks[0]?.diff).toMatch(/-line 5\n\+both/);
  });

  test('a sparse checkout: files left out were not deleted', async () => {
    const sparse = tracked(makeFolder());
    putTree(target, { 'in/a': 'a\n', 'out/b': 'b\n' });
    git(target, 'add', '-A');
    git(target, 'commit', '-q', '-m', 'folders');
    git(sparse, 'clone', '-q', '--sparse', target, '.');
    git(sparse, 'sparse-checkout', 'set', 'in');
    putTree(sparse, { 'in/a': 'A\n' });
    expect((await publish(sparse)).files).toEqual(['in/a']);
  });

  test.each(['--skip-worktree', '--assume-unchanged'])(
    'what is edited, and what is deleted, behind %s is offered',
    async (flag) => {
      git(sandbox, 'update-index', flag, 'f', 'g');
      putTree(sandbox, { f: 'F\n', g: null });
      expect((await publish()).files).toEqual(['f', 'g']);
    },
  );

  test('packed refs, an index in parts, SHA-256 names', async () => {
    git(sandbox, 'config', 'core.splitIndex', 'true');
    git(sandbox, 'update-index', '--split-index');
    git(sandbox, 'pack-refs', '--all');
    putTree(sandbox, { g: 'G\n' });
    expect((await publish()).files).toEqual(['g']);
    const target256 = tracked(makeFolder());
    git(target256, 'init', '-q', '--object-format=sha256');
    putTree(target256, { a: 'a\n' });
    git(target256, 'add', '-A');
    git(target256, 'commit', '-q', '-m', 'a');
    const sandbox256 = tracked(makeFolder());
    git(sandbox256, 'clone', '-q', target256, '.');
    putTree(sandbox256, { a: 'A\n' });
    const published = await reviews.publishFrom({
      target: target256,
      source: { kind: 'sandbox', folder: sandbox256 },
    });
    expect(must(published).files).toEqual(['a']);
  });
});

test('a target named by a folder in it is the whole repository', async () => {
  putTree(target, { 'd/x': 'x\n' });
  git(target, 'add', '-A');
  git(target, 'commit', '-q', '-m', 'd');
  git(sandbox, 'pull', '-q');
  putTree(sandbox, { 'd/x': 'X\n', g: 'G\n' });
  const published = await reviews.publishFrom({
    target: path.join(target, 'd'),
    source: { kind: 'sandbox', folder: path.join(sandbox, 'd') },
  });
  const { id, hunks } = must(published);
  expect(hunks.map(({ file, status }) => `${file} ${status}`)).toEqual(['d/x pending', 'g pending']);
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  expect(readTree(target)).toMatchObject({ 'd/x': 'X\n', g: 'G\n' });
});

describe('several of them', () => {
  test('two AIs with the same hunk: accepting one, the other is already applied', async () => {
    const second = tracked(makeFolder());
    git(second, 'clone', '-q', target, '.');
    for (const folder of [sandbox, second]) putTree(folder, { f: lines({ 9: 'same\n' }) });
    putTree(second, { f: lines({ 9: 'same\n', 22: 'more\n' }) });
    const [one, other] = [await publish(), await publish(second)];
    expect(one.id).not.toBe(other.id);
    must(await reviews.decide({ suggestion: one.id, hunk: 'all', action: 'accept' }));
    const statuses = async () =>
      must(await reviews.service.show({ suggestion: other.id, file: null })).hunks.map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(['already_applied', 'pending']);
    must(await reviews.decide({ suggestion: other.id, hunk: 'all', action: 'accept' }));
    expect(readText(target, 'f')).toBe(lines({ 9: 'same\n', 22: 'more\n' }));
    expect(readText(sandbox, 'f')).toBe(lines({ 9: 'same\n' }));
  });

  test('overlapping ones: the rest moves along, overlaps become conflicts that say why', async () => {
    const second = tracked(makeFolder());
    git(second, 'clone', '-q', target, '.');
    putTree(sandbox, { f: lines({ 4: 'one\nand a line more\n' }) });
    putTree(second, { f: lines({ 4: 'two\n', 20: 'twenty\n' }) });
    const one = must(
      await reviews.publishFrom({
        target,
        description: 'Change line four\n\nand more',
        source: { kind: 'sandbox', folder: sandbox },
      }),
    );
    const other = await publish(second);
    must(await reviews.decide({ suggestion: one.id, hunk: 'all', action: 'accept' }));
    const shown = must(await reviews.service.show({ suggestion: other.id, file: null }));
    expect(shown.hunks.map(({ status }) => status)).toEqual(['conflict', 'pending']);
    // A reader of the old state must look again before accepting all of it.
    expect(
      await reviews.decide({ suggestion: other.id, hunk: 'all', action: 'accept', revision: other.revision }),
    ).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(shown.hunks[0]?.reason).toMatch(/\S.* Hunks of "Change line four" were accepted in this file\.$/);
    must(await reviews.decide({ suggestion: other.id, hunk: shown.hunks[1]?.id ?? '', action: 'accept' }));
    expect(readText(target, 'f')).toBe(lines({ 4: 'one\nand a line more\n', 20: 'twenty\n' }));
    must(await reviews.step({ suggestion: one.id, hunk: 'all' }, 'undo'));
    expect(readText(target, 'f')).toBe(lines({ 20: 'twenty\n' }));
    must(await reviews.decide({ suggestion: other.id, hunk: shown.hunks[0]?.id ?? '', action: 'accept' }));
    expect(readText(target, 'f')).toBe(lines({ 4: 'two\n', 20: 'twenty\n' }));
  });

  test('publishing twice gives one suggestion', async () => {
    putTree(sandbox, { n: 'n\n' });
    const { id } = await publish();
    expect((await publish()).id).toBe(id);
  });
});

describe('parts of a change', () => {
  const work = {
    f: lines({ 3: 'three\n', 14: 'fourteen\n', 25: 'twentyfive\n' }),
    'src/a.ts': 'a\n',
    'src/b.ts': 'b\n',
    g: 'G\n',
  };

  test.each<[string, Filter, string[]]>([
    ['files', { files: ['src/**'] }, ['src/a.ts', 'src/b.ts']],
    ['exclude', { exclude: ['**/*.ts', 'f'] }, ['g']],
    ['both', { files: ['src/**'], exclude: ['**/b.*'] }, ['src/a.ts']],
    [
      'lines of one file, the others whole',
      { lines: [{ file: 'f', first: 15, last: 15 }] },
      ['f', 'g', 'src/a.ts', 'src/b.ts'],
    ],
    ['lines that no hunk touches', { files: ['f', 'g'], lines: [{ file: 'f', first: 19, last: 20 }] }, ['g']],
    [
      'lines of a new file',
      { files: ['src/a.ts'], lines: [{ file: 'src/a.ts', first: 1, last: 1 }] },
      ['src/a.ts'],
    ],
  ])('%s', async (_name, filter, files) => {
    putTree(sandbox, work);
    expect((await publish(sandbox, filter)).files.toSorted()).toEqual(files);
  });

  test.each<[string, Filter]>([
    ['no file', { files: ['nothing/**'] }],
    ['all excluded', { exclude: ['**'] }],
    ['no line', { files: ['f'], lines: [{ file: 'f', first: 19, last: 20 }] }],
  ])('%s: nothing requested has changed', async (_name, filter) => {
    putTree(sandbox, work);
    const message = 'There is nothing to review. No file or line that was asked for has changed.';
    expect(await attempt(sandbox, filter)).toMatchObject({ ok: false, error: { message } });
  });

  test('some hunks of a file are accepted and rejected as if they were all; notes stay at their hunks', async () => {
    putTree(sandbox, work);
    const { id, hunks } = await publish(sandbox, {
      files: ['f'],
      lines: [{ file: 'f', first: 15, last: 26 }],
      notes: { 'f:1': 'the first that is offered', f: 'all of them' },
    });
    expect(hunks.map(({ note }) => note)).toEqual(['the first that is offered', 'all of them']);
    must(await reviews.decide({ suggestion: id, hunk: hunks[0]?.id ?? '', action: 'reject' }));
    must(await reviews.decide({ suggestion: id, hunk: hunks[1]?.id ?? '', action: 'accept' }));
    expect(readText(target, 'f')).toBe(lines({ 25: 'twentyfive\n' }));
    expect(readText(sandbox, 'f')).toBe(lines({ 3: 'three\n', 25: 'twentyfive\n' }));
    expect(readTree(sandbox)).toMatchObject({ 'src/a.ts': 'a\n', g: 'G\n' });
  });
});
