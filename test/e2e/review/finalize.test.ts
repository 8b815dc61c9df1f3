/** Finalizing with a commit: HEAD gets the accepted hunks, the index and the working tree keep the user's changes. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, patchTo, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const lines = (change: Readonly<Record<number, string>>) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');
const base = lines({});

let root = '';
let state = '';
let reviews: TestReviews;

beforeEach(() => {
  root = makeRepository({ f: base, gone: 'g\n', old: base });
  git(root, 'config', 'user.name', 't');
  git(root, 'config', 'user.email', 't@example.com');
  state = makeFolder();
  reviews = openTestReviews(state);
});
afterEach(() => {
  reviews.close();
  for (const folder of [root, state]) removeTree(folder);
});

const finalize = (suggestion: string) => reviews.finish({ suggestion, how: 'finalize', commit: true });

test('only accepted hunks; staged and unstaged edits of the same file stay', async () => {
  const patch = patchTo(root, { f: lines({ 3: 'accepted\n', 11: 'not decided\n', 20: 'modified\n' }) });
  putTree(root, { f: lines({ 27: 'staged by the user\n' }) });
  git(root, 'add', 'f');
  putTree(root, { f: lines({ 15: 'unstaged\n', 27: 'staged by the user\n' }) });
  const { id, hunks } = must(await reviews.publish(root, patch));
  must(await reviews.decide({ suggestion: id, hunk: hunks[0]?.id ?? '', action: 'accept' }));
  const region = Buffer.from(
    lines({ 20: 'mine instead\n' }).split('\n').slice(17, 24).join('\n').concat('\n'),
  );
  must(
    await reviews.decide({
      suggestion: id,
      hunk: hunks[2]?.id ?? '',
      action: 'modify',
      modified: { kind: 'text', base64: region.toString('base64') },
    }),
  );
  const onDisk = readText(root, 'f');
  const { commit } = must(await finalize(id));
  expect(git(root, 'rev-parse', 'HEAD').trim()).toBe(commit);
  expect(git(root, 'show', 'HEAD:f')).toBe(lines({ 3: 'accepted\n', 20: 'mine instead\n' }));
  expect(
    git(root, 'diff', '--cached', '-U0', '--no-color')
      .split('\n')
      .filter((line) => /^[+-]\w/.test(line)),
  ).toEqual(['-line 27', '+staged by the user']);
  expect(
    git(root, 'diff', '-U0', '--no-color')
      .split('\n')
      .filter((line) => /^[+-]\w/.test(line)),
  ).toEqual(['-line 15', '+unstaged']);
  expect(readText(root, 'f')).toBe(onDisk);
});

test('new, deleted and renamed files; the tree is clean afterwards', async () => {
  const patch = patchTo(
    root,
    { new: 'n\n', gone: null, old: null, 'd/moved': lines({ 3: 'and edited\n' }) },
    '-M',
  );
  const { id } = must(await reviews.publish(root, patch));
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  must(await finalize(id));
  expect(git(root, 'status', '--porcelain')).toBe('');
  expect(git(root, 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual([
    'd/moved',
    'f',
    'new',
  ]);
});

test('refused, with nothing done, if the user has staged the same lines', async () => {
  const patch = patchTo(root, { f: lines({ 3: 'accepted\n' }) });
  const { id } = must(await reviews.publish(root, patch));
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  putTree(root, { f: lines({ 3: 'staged by the user\n' }) });
  git(root, 'add', 'f');
  putTree(root, { f: lines({ 3: 'accepted\n' }) });
  const before = git(root, 'rev-parse', 'HEAD') + git(root, 'ls-files', '-s');
  expect(await finalize(id)).toMatchObject({ ok: false, error: { code: 'refused' } });
  expect(git(root, 'rev-parse', 'HEAD') + git(root, 'ls-files', '-s')).toBe(before);
});

test('the author’s description enters the history as shown, with no hidden characters', async () => {
  const patch = Buffer.from(patchTo(root, { f: lines({ 3: 'x\n' }) })).toString('base64');
  const description = 'Title \u001b[2J\u202e\n\nmore\u200b';
  const source = { kind: 'patch', patch } as const;
  const { id } = must(await reviews.publishFrom({ target: root, source, description }));
  must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
  must(await finalize(id));
  const message = Buffer.from(git(root, 'log', '-1', '--format=%B'), 'latin1').toString('utf8');
  expect(message.trim()).toBe('Title ␛[2J<202E>\n\nmore<200B>');
});

test('with nothing accepted there is nothing to commit', async () => {
  const { id } = must(await reviews.publish(root, patchTo(root, { f: lines({ 3: 'x\n' }) })));
  expect(await finalize(id)).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/nothing to commit/) },
  });
});

test('a suggestion that lost its patch says so, blocks no other, and can be discarded', async () => {
  const patch = patchTo(root, { f: lines({ 3: 'accepted\n' }) });
  const { id } = must(await reviews.publish(root, patch));
  reviews.close();
  rmSync(path.join(state, 'blobs'), { recursive: true });
  reviews = openTestReviews(state);
  const other = must(await reviews.publish(root, patchTo(root, { gone: 'h\n' })));
  expect(await reviews.service.show({ suggestion: id, mask: null } as never)).toMatchObject({
    ok: false,
    error: {
      code: 'internal',
      message: expect.stringContaining('is lost'),
      hint: expect.stringContaining('discard'),
    },
  });
  expect(await reviews.finish({ suggestion: id, how: 'finalize' })).toMatchObject({ ok: false });
  must(await reviews.finish({ suggestion: id, how: 'discard' }));
  expect(reviews.openRecords()).toEqual([other.id]);
});
