import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestReviews, type TestReviews } from '../../test/helpers/review-service.ts';
import type { Result } from '../lib/result.ts';
import type { CommandParams } from '../protocol/command.ts';
import { COMMENTS_MAX } from './records/threads.ts';

const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`);
const BASE = lines.join('');

let root: string;
let target: string;
let reviews: TestReviews;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'copane-version-'));
  target = path.join(root, 'target');
  mkdirSync(target);
  reviews = openTestReviews(path.join(root, 'state'));
  writeFileSync(path.join(target, 'f'), BASE);
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
});

/** A patch of `f` that replaces lines with these words, based on the unchanged text. */
function patchOf(edits: Readonly<Record<number, string>>, file = 'f'): string {
  const hunks = Object.entries(edits).map(([number, text]) => {
    const at = Number(number);
    const around = (from: number, to: number) => lines.slice(from, to).map((line) => ` ${line}`);
    const body = [...around(at - 4, at - 1), `-${lines[at - 1]}`, `+${text}\n`, ...around(at, at + 3)];
    return `@@ -${at - 3},7 +${at - 3},7 @@\n${body.join('')}`;
  });
  return `--- a/${file}\n+++ b/${file}\n${hunks.join('')}`;
}

function got<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

type Publish = Partial<CommandParams<'review/publish'>>;
const offer = (edits: Readonly<Record<number, string>>, more: Publish = {}) =>
  reviews.publishFrom({
    target,
    source: { kind: 'patch', patch: Buffer.from(patchOf(edits)).toString('base64') },
    author: 'ai',
    ...more,
  });
const shown = async (suggestion: string) => got(await reviews.service.show({ suggestion, file: null }));
const text = () => readFileSync(path.join(target, 'f'), 'utf8');
const withEdits = (edits: Readonly<Record<number, string>>) =>
  lines.map((line, at) => (edits[at + 1] === undefined ? line : `${edits[at + 1]}\n`)).join('');

/** Each hunk's status, by the word that it adds. */
async function states(suggestion: string): Promise<Record<string, string>> {
  const { hunks } = await shown(suggestion);
  return Object.fromEntries(
    hunks.map(({ diff, status, version }) => {
      const word = /^\+(.*)$/m.exec(diff)?.[1] ?? '';
      return [word, version === undefined ? status : `${status} since ${version}`];
    }),
  );
}

async function decide(suggestion: string, word: string, action: 'accept' | 'reject'): Promise<string> {
  const { hunks } = await shown(suggestion);
  const hunk = hunks.find(({ diff }) => diff.includes(`+${word}\n`))?.id ?? '';
  got(await reviews.decide({ suggestion, hunk, action, comment: `on ${word}` }));
  return hunk;
}

it('keeps decisions on unchanged hunks, and marks new ones', async () => {
  const { id } = got(await offer({ 5: 'five', 15: 'fifteen', 25: 'twentyfive' }));
  const five = await decide(id, 'five', 'accept');
  await decide(id, 'fifteen', 'reject');
  const next = got(
    await offer(
      { 5: 'five', 15: 'fifteen', 25: 'better', 35: 'thirtyfive' },
      { updates: id, description: 'again' },
    ),
  );
  expect(next).toMatchObject({ id, version: 2, description: 'again', status: 'partial', decidedCount: 2 });
  expect(next.notes).toEqual(['Version 2: 2 hunks new or changed, 1 gone, 2 as before.']);
  expect(await states(id)).toEqual({
    five: 'accepted',
    fifteen: 'rejected',
    better: 'pending since 2',
    thirtyfive: 'pending since 2',
  });
  expect(next.hunks.find((hunk) => hunk.id === five)?.comments).toMatchObject([{ text: 'on five' }]);
  await decide(id, 'better', 'accept');
  expect(text()).toBe(withEdits({ 5: 'five', 25: 'better' }));
  got(await reviews.step({ suggestion: id, hunk: five }, 'undo'));
  expect(text()).toBe(withEdits({ 25: 'better' }));
  expect(got(await offer({ 5: 'five', 25: 'better' }, { updates: id })).version).toBe(3);
  expect(await states(id)).toEqual({ five: 'pending', better: 'accepted since 2' });
});

it('leaves an accepted hunk in the file if the next version lacks it, and says so', async () => {
  const { id } = got(await offer({ 5: 'five', 15: 'fifteen' }));
  await decide(id, 'five', 'accept');
  await decide(id, 'fifteen', 'reject');
  const next = got(await offer({ 15: 'fifteen', 25: 'new' }, { updates: id }));
  expect(next.notes).toContain('1 accepted hunk of an earlier version stays in the files.');
  expect(await states(id)).toEqual({ fifteen: 'rejected', new: 'pending since 2' });
  await decide(id, 'new', 'accept');
  expect(text()).toBe(withEdits({ 5: 'five', 25: 'new' }));
});

/** Five context lines above the hunk instead of three. */
const wider = (patch: string) =>
  patch
    .replace('-2,7 +2,7 @@\n', '-1,8 +1,8 @@\n line 1\n')
    .replace('-12,7 +12,7 @@\n', '-10,9 +10,9 @@\n line 10\n line 11\n');

it.each<[string, { first: number; last: number }, string, object]>([
  [
    'the remaining line',
    { first: 4, last: 4 },
    patchOf({ 5: 'cinq' }),
    { lines: { first: 4, last: 4 }, quote: '-line 5' },
  ],
  [
    'of several, the remaining ones',
    { first: 5, last: 7 },
    patchOf({ 5: 'cinq' }),
    { lines: { first: 6, last: 7 }, quote: ' line 6\n line 7' },
  ],
  [
    'a line that is gone',
    { first: 5, last: 5 },
    patchOf({ 5: 'cinq' }),
    { lines: null, place: null, quote: '+five' },
  ],
  [
    'a line that is now further down',
    { first: 4, last: 4 },
    wider(patchOf({ 5: 'cinq' })),
    { lines: { first: 5, last: 5 }, quote: '-line 5' },
  ],
  [
    'the line of the same hunk',
    { first: 5, last: 5 },
    wider(patchOf({ 5: 'five' })),
    { lines: { first: 6, last: 6 }, quote: '+five' },
  ],
  [
    'a line below the same hunk',
    { first: 10, last: 10 },
    wider(patchOf({ 5: 'five' })),
    { lines: null, place: { side: 'new', first: 10, last: 10 }, quote: ' line 10' },
  ],
])('keeps a comment on lines with them: %s', async (_, lines, patch, said) => {
  const { id, hunks } = got(await offer({ 5: 'five', 25: 'twentyfive' }));
  const ref = { suggestion: id, hunk: hunks[0]?.id ?? '' };
  got(await reviews.desk().comment({ ...ref, comment: 'why?', lines }, { client: 'c' } as never));
  got(await reviews.service.reply({ ...ref, text: 'done', to: null, author: null }));
  const source = { kind: 'patch', patch: Buffer.from(patch).toString('base64') } as const;
  const next = got(await offer({}, { source, updates: id }));
  expect(next.hunks[0]?.comments).toMatchObject([
    { text: 'why?', ...said },
    { text: 'done', by: 'author', ...said },
  ]);
});

it('repeats the comments on a hunk that is gone', async () => {
  const { id } = got(await offer({ 5: 'five', 25: 'twentyfive' }));
  await decide(id, 'five', 'reject');
  const next = got(await offer({ 25: 'twentyfive' }, { updates: id }));
  expect(next.notes).toContain('A comment was on a hunk that is gone: on five');
});

it.each([
  ['of the hunk that replaces it', 'cinq', false],
  ['of the same hunk', 'five', false],
  ['of the same hunk in a new place', 'five', true],
])('keeps a comment on a part of a split hunk, on lines %s', async (_, word, isPlacedAnew) => {
  const { id, hunks } = got(await offer({ 5: 'five', 25: 'twentyfive' }));
  const desk = reviews.desk();
  const [split] = hunks.map(({ id: hunk }) => ({ suggestion: id, hunk }));
  if (split === undefined) throw new Error('no hunk');
  const by = { client: 'c' } as never;
  got(await desk.split({ ...split, first: 4, last: 4 }, by));
  const part = (await shown(id)).hunks.find(({ diff }) => diff.includes('+five\n'));
  const comment = { suggestion: id, hunk: part?.id ?? '', comment: 'cinq?', lines: null };
  got(await desk.comment(comment, by));
  // An accepted hunk that is gone makes the file be placed again.
  if (isPlacedAnew) await decide(id, 'twentyfive', 'accept');
  const next = got(await offer(isPlacedAnew ? { 5: word } : { 5: word, 25: 'twentyfive' }, { updates: id }));
  expect(next.hunks.flatMap(({ comments }) => comments)).toMatchObject([{ text: 'cinq?' }]);
});

it('accepts what the user wrote meanwhile', async () => {
  const { id } = got(await offer({ 15: 'fifteen' }));
  await decide(id, 'fifteen', 'accept');
  writeFileSync(path.join(target, 'f'), `mine\n${text()}`);
  got(await offer({ 15: 'fifteen', 25: 'new' }, { updates: id }));
  await decide(id, 'new', 'accept');
  expect(text()).toBe(`mine\n${withEdits({ 15: 'fifteen', 25: 'new' })}`);
});

it('is the same version if nothing has changed', async () => {
  const { id } = got(await offer({ 5: 'five' }));
  const again = got(await offer({ 5: 'five' }, { updates: id }));
  expect(again).toMatchObject({ id, revision: 1 });
  expect(again.version).toBeUndefined();
});

it.each<[string, Publish, string]>([
  ['of another author', { author: 'other' }, 'Suggestion not found'],
  ['of a missing suggestion', { updates: 'none' }, 'Suggestion not found'],
  ['for another folder', { target: tmpdir() }, 'is for'],
])('is refused %s', async (_, more, words) => {
  const { id } = got(await offer({ 5: 'five' }));
  const refused = await offer({ 5: 'other' }, { updates: id, ...more });
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } });
  expect(await states(id)).toEqual({ five: 'pending' });
});

it('is refused once the suggestion has ended', async () => {
  const { id } = got(await offer({ 5: 'five' }));
  got(await reviews.finish({ suggestion: id, how: 'discard' }));
  expect(await offer({ 5: 'other' }, { updates: id })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('discarded') },
  });
  expect(await offer({ 5: 'other' }, { updates: id, author: 'other' })).toMatchObject({
    ok: false,
    error: { code: 'not_found', message: `Suggestion not found: ${id}` },
  });
});

it('shows suggestions about one file as a stack, and names the lower one that conflicts', async () => {
  const first = got(await offer({ 5: 'five' }, { description: 'first' }));
  const second = got(await offer({ 6: 'six', 25: 'x' }, { description: 'second' }));
  const entry = (place: number, { id }: { id: string }, description: string) => ({
    place,
    id,
    description,
    status: 'pending',
    author: 'ai',
  });
  const stack = [entry(1, first, 'first'), entry(2, second, 'second')];
  expect((await shown(first.id)).stack).toEqual(stack);
  expect((await shown(second.id)).stack).toEqual(stack);
  // Based on a text that already has the first one.
  const onTop = patchOf({ 7: 'seven' }).replace(' line 5\n', ' five\n');
  const third = got(
    await offer({}, { source: { kind: 'patch', patch: Buffer.from(onTop).toString('base64') } }),
  );
  expect(third.hunks).toMatchObject([
    { status: 'conflict', reason: expect.stringContaining('Decide on "first" first') },
  ]);
  const other = await offer(
    {},
    { source: { kind: 'patch', patch: Buffer.from(onTop).toString('base64') }, author: 'other' },
  );
  expect(got(other).hunks[0]?.reason).toContain('Decide on another suggestion first');
  await decide(first.id, 'five', 'accept');
  expect(await states(third.id)).toEqual({ seven: 'pending' });
});

it('refuses a comment beyond the limit of a hunk', async () => {
  const { id, hunks } = got(await offer({ 5: 'five' }));
  const wanted = { suggestion: id, hunk: hunks[0]?.id ?? '', lines: null };
  const say = (comment: string) => reviews.desk().comment({ ...wanted, comment }, { client: 'c' } as never);
  for (let i = 0; i < COMMENTS_MAX; i += 1) got(await say(`number ${i}`));
  expect(await say('one more')).toMatchObject({ ok: false, error: { code: 'limit' } });
  expect((await shown(id)).hunks[0]?.comments).toHaveLength(COMMENTS_MAX);
});

it('shows replies of the author below the comment that they answer', async () => {
  const { id, hunks } = got(await offer({ 5: 'five', 15: 'fifteen' }));
  const ref = { suggestion: id, hunk: hunks[0]?.id ?? '' };
  expect(await reviews.service.reply({ ...ref, text: 'early', to: null, author: null })).toMatchObject({
    error: { message: 'There is no comment on this hunk to reply to.' },
  });
  const say = async (comment: string, range: { first: number; last: number } | null = null) =>
    got(await reviews.desk().comment({ ...ref, comment, lines: range }, { client: 'c' } as never));
  await say('why?');
  await say('and here?', { first: 4, last: 5 });
  got(await reviews.service.reply({ ...ref, text: 'here: because', to: null, author: null }));
  got(await reviews.service.reply({ ...ref, text: 'because', to: 1, author: null }));
  const { hunk, revision } = got(
    await reviews.service.reply({ ...ref, text: 'and so on', to: 2, author: null }),
  );
  expect(hunk.comments).toMatchObject([
    { text: 'why?', lines: null },
    { text: 'because', by: 'author', lines: null },
    { text: 'and so on', by: 'author', lines: null },
    { text: 'and here?' },
    { text: 'here: because', by: 'author', lines: { first: 4, last: 5 } },
  ]);
  expect((await shown(id)).revision).toBe(revision);
  expect((await shown(id)).hunks[0]?.comments).toEqual(hunk.comments);
  expect(await reviews.service.reply({ ...ref, text: 'x', to: 9, author: null })).toMatchObject({
    error: { message: 'There is no comment 9: this hunk has 5.' },
  });
  got(await reviews.desk().split({ ...ref, first: 4, last: 4 }, { client: 'c' } as never));
  const part = { suggestion: id, hunk: (await shown(id)).hunks[0]?.id ?? '' };
  const own = { ...part, comment: 'on the part', lines: null };
  got(await reviews.desk().comment(own, { client: 'c' } as never));
  expect(await reviews.service.reply({ ...part, text: 'x', to: 8, author: null })).toMatchObject({
    error: { message: 'There is no comment 8: this hunk has 6.' },
  });
});

/** Offers a new file `n`. */
function offerNew(words: string, mode: string, updates: string | null = null) {
  const head = `diff --git a/n b/n\nnew file mode ${mode}\n--- /dev/null\n+++ b/n\n`;
  const body = `@@ -0,0 +1,${words.split('\n').length - 1} @@\n${words.replace(/^(?=.)/gm, '+')}`;
  return reviews.publishFrom({
    target,
    source: { kind: 'patch', patch: Buffer.from(head + body).toString('base64') },
    author: 'ai',
    updates,
  });
}

it.each([
  ['other text', 'one\nTWO\n', '100644', /already exists at its path/],
  ['more text', 'one\ntwo\nthree\n', '100644', /already exists at its path/],
  ['the executable bit', 'one\ntwo\n', '100755', /not executable/],
])('conflicts with an accepted new file where it has %s', async (_, words, mode, reason) => {
  const { id, hunks } = got(await offerNew('one\ntwo\n', '100644'));
  got(await reviews.decide({ suggestion: id, hunk: hunks[0]?.id ?? '', action: 'accept' }));
  const next = got(await offerNew(words, mode, id));
  expect(next.hunks).toMatchObject([
    { status: 'conflict', reason: expect.stringMatching(reason), version: 2 },
  ]);
  expect(next.status).toBe('pending');
  expect(readFileSync(path.join(target, 'n'), 'utf8')).toBe('one\ntwo\n');
});
