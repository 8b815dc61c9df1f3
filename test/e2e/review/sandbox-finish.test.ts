/** The end of a suggestion: commit, push, the index, the sandbox; and what the settings do automatically. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');

let target = '';
let state = '';
let remote = '';
let reviews: TestReviews;

beforeEach(() => {
  target = makeRepository({ f: lines(), g: 'g\n' });
  git(target, 'config', 'user.name', 't');
  git(target, 'config', 'user.email', 't@example.com');
  state = makeFolder();
  remote = makeFolder();
  reviews = openTestReviews(state);
});
afterEach(() => {
  reviews.close();
  for (const folder of [target, state, remote]) removeTree(folder);
});

const restart = (settings: Parameters<typeof openTestReviews>[1]) => {
  reviews.close();
  reviews = openTestReviews(state, settings);
};
const sandboxNamed = async (name: string) =>
  must(await reviews.service.sandboxes.create({ target, name, base: null })).folder;
const publish = async (folder: string) =>
  must(await reviews.publishFrom({ target, description: 'Numbers', source: { kind: 'sandbox', folder } }));
const inPlace = async () => must(await reviews.publishFrom({ target, source: { kind: 'working_tree' } }));
const decide = async (suggestion: string, hunk: string, action: 'accept' | 'reject') =>
  must(await reviews.decide({ suggestion, hunk, action }));
const idOf = (hunks: readonly { id: string; diff: string }[], text: string) =>
  hunks.find(({ diff }) => diff.includes(text))?.id ?? '';

describe('pushing', () => {
  const withRemote = () => {
    git(remote, 'init', '-q', '--bare');
    git(target, 'remote', 'add', 'origin', remote);
    git(target, 'push', '-q', '-u', 'origin', 'HEAD');
  };

  test('pushes the commit of the accepted hunks to the upstream branch', async () => {
    withRemote();
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n', 20: 'twenty\n' }) });
    const { id, hunks } = await publish(folder);
    await decide(id, idOf(hunks, '+three'), 'accept');
    const { commit, pushed, notes } = must(
      await reviews.finish({ suggestion: id, how: 'finalize', push: true }),
    );
    expect(notes).toEqual([]);
    expect(pushed).toMatch(/^origin /);
    expect(git(remote, 'rev-parse', 'HEAD').trim()).toBe(commit);
    expect(git(remote, 'show', 'HEAD:f')).toBe(lines({ 3: 'three\n' }));
  });

  test('without a remote: nothing is done at all', async () => {
    const folder = await sandboxNamed('ai');
    putTree(folder, { g: 'G\n' });
    const { id } = await publish(folder);
    await decide(id, 'all', 'accept');
    const head = git(target, 'rev-parse', 'HEAD');
    expect(await reviews.finish({ suggestion: id, how: 'finalize', push: true })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/nowhere to push/) },
    });
    expect(git(target, 'rev-parse', 'HEAD')).toBe(head);
    expect(must(await reviews.service.show({ suggestion: id, file: null })).status).toBe('complete');
  });

  test('a remote that refuses: committed, and reported', async () => {
    withRemote();
    const other = makeFolder();
    git(other, 'clone', '-q', remote, '.');
    putTree(other, { g: 'theirs\n' });
    git(other, 'commit', '-q', '-am', 'theirs');
    git(other, 'push', '-q');
    rmSync(other, { recursive: true });
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n' }) });
    const { id } = await publish(folder);
    await decide(id, 'all', 'accept');
    const { commit, pushed, notes } = must(
      await reviews.finish({ suggestion: id, how: 'finalize', push: true }),
    );
    expect([commit !== null, pushed]).toEqual([true, null]);
    expect(notes.join()).toMatch(/Committed, but not pushed/);
  });
});

describe('in place', () => {
  test('undecided hunks are not committed', async () => {
    putTree(target, { f: lines({ 3: 'three\n', 20: 'twenty\n' }), n: 'n\n' });
    const { id, hunks } = await inPlace();
    await decide(id, idOf(hunks, '+three'), 'accept');
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true }));
    expect(git(target, 'show', 'HEAD:f')).toBe(lines({ 3: 'three\n' }));
    expect(git(target, 'status', '--porcelain')).toBe(' M f\n?? n\n');
    expect(readText(target, 'f')).toBe(lines({ 3: 'three\n', 20: 'twenty\n' }));
  });

  test('staged when accepted, if configured; other staged changes of the file stay; undo unstages it', async () => {
    restart({ stageOnAccept: true });
    putTree(target, { f: lines({ 12: 'staged by me\n' }) });
    git(target, 'add', 'f');
    putTree(target, { f: lines({ 3: 'three\n', 12: 'staged by me\n', 25: 'mine\n' }), n: 'n\n', g: null });
    const { id, hunks } = await inPlace();
    const staged = () => git(target, 'show', ':f');
    const { notes } = await decide(id, idOf(hunks, '+three'), 'accept');
    expect(notes).toEqual([]);
    expect(staged()).toBe(lines({ 3: 'three\n', 12: 'staged by me\n' }));
    await decide(id, hunks.find(({ file }) => file === 'n')?.id ?? '', 'accept');
    await decide(id, hunks.find(({ file }) => file === 'g')?.id ?? '', 'accept');
    expect(git(target, 'diff', '--cached', '--name-status')).toBe('M\tf\nD\tg\nA\tn\n');
    must(await reviews.step({ suggestion: id, hunk: idOf(hunks, '+three') }, 'undo'));
    expect(staged()).toBe(lines({ 12: 'staged by me\n' }));
    expect(readText(target, 'f')).toBe(lines({ 3: 'three\n', 12: 'staged by me\n', 25: 'mine\n' }));
  });

  test('staged for one review only, on request', async () => {
    putTree(target, { g: 'G\n' });
    const [one, other] = [
      must(await reviews.publishFrom({ target, source: { kind: 'working_tree' }, stage: true })),
      await inPlace(),
    ];
    await decide(other.id, 'all', 'accept');
    expect(git(target, 'diff', '--cached', '--name-only')).toBe('');
    await decide(one.id, 'all', 'accept');
    expect(git(target, 'diff', '--cached', '--name-only')).toBe('g\n');
  });

  test('the staged text differs at the hunk: skipped, and reported', async () => {
    restart({ stageOnAccept: true });
    putTree(target, { f: lines({ 3: 'staged otherwise\n' }) });
    git(target, 'add', 'f');
    putTree(target, { f: lines({ 3: 'three\n' }) });
    const { id } = await inPlace();
    const { notes } = await decide(id, 'all', 'accept');
    expect(notes.join()).toMatch(/Not staged: f/);
    expect(git(target, 'show', ':f')).toBe(lines({ 3: 'staged otherwise\n' }));
  });
});

describe('automatically', () => {
  test('the last decision finalizes with a commit, if configured; not before', async () => {
    restart({ autoSync: true });
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n', 20: 'twenty\n' }) });
    const { id, hunks } = await publish(folder);
    const first = await decide(id, idOf(hunks, '+three'), 'accept');
    expect(first.suggestion.status).toBe('partial');
    const last = await decide(id, idOf(hunks, '+twenty'), 'reject');
    expect(last.suggestion.status).toBe('finalized');
    expect(last.notes.join()).toMatch(/Finalized: commit [0-9a-f]{10}/);
    expect(git(target, 'show', 'HEAD:f')).toBe(lines({ 3: 'three\n' }));
  });

  test('after a failure, the same decision tries again', async () => {
    restart({ autoSync: true, revertOnReject: true });
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n', 20: 'twenty\n' }) });
    const { id, hunks } = await publish(folder);
    await decide(id, idOf(hunks, '+twenty'), 'reject');
    putTree(target, { '.git/index.lock': '' });
    const again = () => decide(id, idOf(hunks, '+three'), 'accept');
    const first = await again();
    expect(first.notes.join()).toMatch(/Not finalized: Another git process holds the index/);
    rmSync(`${target}/.git/index.lock`);
    const last = await again();
    expect(last.notes.join()).toMatch(/Finalized: commit [0-9a-f]{10}/);
    expect(last.suggestion.status).toBe('finalized');
  });

  test('finalizing commits, if configured: not if nothing was accepted, nor outside a repository', async () => {
    restart({ commitOnFinalize: true });
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n' }), g: 'G\n' });
    const { id, hunks } = await publish(folder);
    await decide(id, idOf(hunks, '+three'), 'accept');
    const { commit } = must(await reviews.finish({ suggestion: id, how: 'finalize' }));
    expect(git(target, 'rev-parse', 'HEAD').trim()).toBe(commit);
    expect(git(target, 'show', '--name-only', '--format=', 'HEAD')).toBe('f\n');
    const other = await publish(folder);
    expect(must(await reviews.finish({ suggestion: other.id, how: 'finalize' })).commit).toBe(null);
    putTree(remote, { h: 'h\n' });
    const patch = Buffer.from('--- a/h\n+++ b/h\n@@ -1 +1 @@\n-h\n+H\n');
    const plain = must(await reviews.publish(remote, patch));
    await decide(plain.id, 'all', 'accept');
    expect(must(await reviews.finish({ suggestion: plain.id, how: 'finalize' })).commit).toBe(null);
    expect(readText(remote, 'h')).toBe('H\n');
  });

  test('rejecting all ends it without a commit; a failing commit leaves it open, and says so', async () => {
    restart({ autoSync: true });
    const head = git(target, 'rev-parse', 'HEAD');
    const [one, two] = [await sandboxNamed('one'), await sandboxNamed('two')];
    putTree(one, { g: 'G\n' });
    const rejected = await publish(one);
    expect((await decide(rejected.id, 'all', 'reject')).suggestion.status).toBe('finalized');
    putTree(two, { f: lines({ 3: 'three\n' }) });
    const { id } = await publish(two);
    putTree(target, { f: lines({ 3: 'staged by me\n' }) });
    git(target, 'add', 'f');
    putTree(target, { f: lines() });
    const { suggestion, notes } = await decide(id, 'all', 'accept');
    expect(suggestion.status).toBe('complete');
    expect(notes.join()).toMatch(/Not finalized/);
    expect(git(target, 'rev-parse', 'HEAD')).toBe(head);
  });
});

describe('the sandbox', () => {
  test('continues from the target, with undecided hunks as its work; a clone is not moved', async () => {
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n', 20: 'twenty\n' }) });
    git(folder, 'commit', '-q', '-am', 'work');
    const { id, hunks } = await publish(folder);
    await decide(id, idOf(hunks, '+three'), 'accept');
    const { commit, notes } = must(
      await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'rebase' }),
    );
    expect(notes).toEqual([]);
    expect(git(folder, 'rev-parse', 'HEAD').trim()).toBe(commit);
    expect(git(folder, 'diff', '--stat')).toMatch(/1 file changed, 1 insertion.*1 deletion/);
    expect(readText(folder, 'f')).toBe(lines({ 3: 'three\n', 20: 'twenty\n' }));
    putTree(remote, {});
    git(remote, 'clone', '-q', target, '.');
    putTree(remote, { g: 'G\n' });
    const clone = await publish(remote);
    await decide(clone.id, 'all', 'accept');
    const ended = must(
      await reviews.finish({ suggestion: clone.id, how: 'finalize', commit: true, sandbox: 'rebase' }),
    );
    expect(ended.notes.join()).toMatch(/not a sandbox made by copane/);
  });

  test('stays in place when both sides changed the same lines', async () => {
    const folder = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n' }), n: 'n\n' });
    const { id, hunks } = await publish(folder);
    await decide(id, hunks.find(({ file }) => file === 'n')?.id ?? '', 'accept');
    putTree(target, { f: lines({ 3: 'mine\n' }) });
    git(target, 'commit', '-q', '-am', 'mine');
    const head = git(folder, 'rev-parse', 'HEAD');
    const { notes } = must(
      await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'rebase' }),
    );
    expect(notes.join()).toMatch(/stays where it is: f/);
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(head);
    expect(readText(folder, 'f')).toBe(lines({ 3: 'three\n' }));
  });

  test('is removed, unless it has unpublished work', async () => {
    const [one, two] = [await sandboxNamed('one'), await sandboxNamed('two')];
    for (const folder of [one, two]) putTree(folder, { g: `${folder}\n` });
    const [first, second] = [await publish(one), await publish(two)];
    putTree(two, { later: 'l\n' });
    const gone = must(await reviews.finish({ suggestion: first.id, how: 'discard', sandbox: 'remove' }));
    expect(gone.notes).toEqual([]);
    expect(readText(one, 'g')).toBe(null);
    const kept = must(await reviews.finish({ suggestion: second.id, how: 'discard', sandbox: 'remove' }));
    expect(kept.notes.join()).toMatch(/never published: later/);
    expect(readText(two, 'later')).toBe('l\n');
  });
});
