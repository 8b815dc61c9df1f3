/** Simultaneous decisions: one write per file, an answer for each, nothing lost. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const HUNKS = 100;
const EVERY = 20;

let folders: string[] = [];
let reviews: TestReviews;

beforeEach(() => {
  folders = [makeFolder(), makeFolder(), makeFolder()];
  reviews = openTestReviews(folders[2] ?? '');
});
afterEach(() => {
  reviews.close();
  for (const folder of folders) removeTree(folder);
});

const text = (isChanged: (hunk: number) => boolean) =>
  Array.from({ length: HUNKS * EVERY }, (_, i) => {
    const isEdited = i % EVERY === 9 && isChanged((i - 9) / EVERY);
    return `${isEdited ? 'edited' : 'line'} ${i}\n`;
  }).join('');
const base = text(() => false);

/** Two files with a hundred hunks each, published; the hunks of the first come before those of the second. */
async function publish() {
  const [from = '', to = ''] = folders;
  putTree(from, { a: base, b: base });
  putTree(to, { a: text(() => true), b: text(() => true) });
  return must(await reviews.publishFrom({ target: from, source: { kind: 'folders', from, to } }));
}

const log = () =>
  readFileSync(path.join(folders[2] ?? '', 'feedback.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { hunk_id: string; action: string; applied: boolean });

test('a hundred decisions at once: each is answered with its own hunk, logged alone, and in the file', async () => {
  const { id: suggestion, hunks, revision } = await publish();
  const some = hunks.filter((hunk) => hunk.file === 'a');
  const wanted = some.map(({ id }, i) => ({ id, action: i % 3 === 0 ? 'reject' : 'accept' }) as const);
  const answers = await Promise.all(
    wanted.map(({ id: hunk, action }) => reviews.decide({ suggestion, hunk, action })),
  );
  expect(answers.map((answer) => must(answer).hunks.map(({ id, status }) => [id, status]))).toEqual(
    wanted.map(({ id, action }) => [[id, `${action}ed`]]),
  );
  expect(readText(folders[0] ?? '', 'a')).toBe(text((i) => i % 3 !== 0));
  expect(log()).toMatchObject(
    wanted.map(({ id: hunk_id, action }) => ({ hunk_id, action, applied: action === 'accept' })),
  );
  const after = must(await reviews.service.show({ suggestion, file: null }));
  expect(after).toMatchObject({ decidedCount: HUNKS, revision: revision + 1 });
});

test('they cost one write per file, and requests in between keep their place', async () => {
  const { id: suggestion, hunks } = await publish();
  const decide = (hunk: string, action: 'accept' | 'reject' = 'accept') =>
    reviews.decide({ suggestion, hunk, action });
  const [first = '', second = '', ...rest] = hunks.filter((hunk) => hunk.file === 'a').map(({ id }) => id);
  const [, taken, , shown] = await Promise.all([
    decide(first),
    reviews.step({ suggestion, hunk: first }, 'undo'),
    decide(second),
    reviews.service.show({ suggestion, file: 'a' }),
    ...rest.map((hunk) => decide(hunk)),
  ]);
  expect(must(taken).hunks).toMatchObject([{ status: 'pending' }]);
  expect(must(shown).hunks.map(({ status }) => status)).toEqual([
    'pending',
    'accepted',
    ...rest.map(() => 'pending'),
  ]);
  expect(readText(folders[0] ?? '', 'a')).toBe(text((i) => i !== 0));
  // Published, two decisions and a step between them; all the others were one.
  expect(must(await reviews.service.show({ suggestion, file: null })).revision).toBe(5);
});

test('one that does not fit is refused alone; two on one hunk count as two', async () => {
  const { id: suggestion, hunks } = await publish();
  const of = (name: string) => hunks.filter((hunk) => hunk.file === name).map(({ id }) => id);
  const [a = '', gone = '', b = ''] = of('a');
  const edited = base.replace(`line ${EVERY + 9}\n`, 'mine\n');
  putTree(folders[0] ?? '', { a: edited });
  const decide = (hunk: string, action: 'accept' | 'reject' = 'accept') =>
    reviews.decide({ suggestion, hunk, action });
  const answers = await Promise.all([
    decide(a),
    decide(gone),
    decide('nobody'),
    decide(of('b')[0] ?? ''),
    decide(b),
    decide(b, 'reject'),
  ]);
  expect(answers.map((answer) => (answer.ok ? answer.value.hunks[0]?.status : answer.error.code))).toEqual([
    'accepted',
    'refused',
    'not_found',
    'accepted',
    'accepted',
    'rejected',
  ]);
  expect(readText(folders[0] ?? '', 'a')).toBe(edited.replace('line 9\n', 'edited 9\n'));
  expect(readText(folders[0] ?? '', 'b')).toBe(text((i) => i === 0));
});

test('a file that cannot be written: each of them says so, and nothing is decided', async () => {
  const { id: suggestion, hunks } = await publish();
  const some = hunks.filter((hunk) => hunk.file === 'a').slice(0, 3);
  putTree(folders[0] ?? '', { a: null, 'a/in-the-way': 'x' });
  const answers = await Promise.all(
    some.map(({ id: hunk }) => reviews.decide({ suggestion, hunk, action: 'accept' })),
  );
  expect(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual([
    'refused',
    'refused',
    'refused',
  ]);
  expect(must(await reviews.service.show({ suggestion, file: null })).decidedCount).toBe(0);
});
