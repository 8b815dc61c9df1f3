import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestReviews, type TestReviews } from '../../test/helpers/review-service.ts';
import { countToReview } from '../protocol/to-review.ts';
import { countWaitingReviews } from '../store/waiting-reviews.ts';

const ONE = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');
const PATCH = `--- a/one
+++ b/one
@@ -2,3 +2,3 @@
 line 1
-line 2
+two
 line 3
@@ -20,3 +20,3 @@
 line 19
-line 20
+twenty
 line 21
--- a/two
+++ b/two
@@ -1,2 +1,2 @@
 x
-y
+Y
`;
const TWO = 'x\ny\n';
const [NEW_ONE, NEW_TWO] = [ONE.replace('line 2\n', 'two\n').replace('line 20\n', 'twenty\n'), 'x\nY\n'];

let root: string;
let reviews: TestReviews;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'copane-counts-'));
  mkdirSync(path.join(root, 'target'));
  reviews = openTestReviews(path.join(root, 'state'));
  put({ one: ONE, two: TWO });
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, 'target', name), text);
}

async function publish(): Promise<{ suggestion: string; ids: readonly string[] }> {
  const published = await reviews.publish(path.join(root, 'target'), PATCH);
  if (!published.ok) throw new Error(published.error.message);
  return { suggestion: published.value.id, ids: published.value.hunks.map(({ id }) => id) };
}

/** What a suggestion's reader sees, and what each list says after someone looked at it. */
async function counts(suggestion: string, file: string | null = null) {
  const shown = await reviews.service.show({ suggestion, file });
  const listed = reviews.service.list({ target: null, ended: false });
  if (!shown.ok || !listed.ok) throw new Error('not shown');
  const [summary] = listed.value;
  const open = shown.value.hunks.filter(({ status }) => status === 'pending' || status === 'conflict').length;
  expect(shown.value).toMatchObject({ status: summary?.status, decidedCount: summary?.decidedCount });
  if (file === null) expect(open).toBe(shown.value.hunkCount - shown.value.decidedCount);
  const toReview = countToReview(listed.value);
  expect(countWaitingReviews(path.join(root, 'state', 'copane.db'))).toBe(toReview);
  return [summary?.decidedCount, summary?.status, toReview];
}

it('follow the target: a hunk taken out by hand is open in every list', async () => {
  const { suggestion, ids } = await publish();
  for (const hunk of ids.slice(0, 2)) await reviews.decide({ suggestion, hunk, action: 'accept' });
  expect(await counts(suggestion)).toEqual([2, 'partial', 1]);
  put({ one: ONE });
  expect(await counts(suggestion, 'two')).toEqual([2, 'partial', 1]);
  expect(await counts(suggestion, 'one')).toEqual([0, 'pending', 1]);
  put({ one: NEW_ONE });
  expect(await counts(suggestion)).toEqual([2, 'partial', 1]);
  await reviews.step({ suggestion, hunk: ids[0] ?? '' }, 'undo');
  expect(await counts(suggestion)).toEqual([1, 'partial', 1]);
});

it('count an already applied hunk as done, and only once when it is accepted', async () => {
  put({ two: NEW_TWO });
  const { suggestion, ids } = await publish();
  expect(await counts(suggestion)).toEqual([1, 'partial', 1]);
  await reviews.decide({ suggestion, hunk: ids[2] ?? '', action: 'accept' });
  expect(await counts(suggestion)).toEqual([1, 'partial', 1]);
  await reviews.decide({ suggestion, hunk: 'all', action: 'reject' });
  expect(await counts(suggestion)).toEqual([3, 'complete', 0]);
});

it('are announced once: a second look is not news', async () => {
  const { suggestion } = await publish();
  put({ one: NEW_ONE });
  await counts(suggestion);
  const shown = await reviews.service.show({ suggestion, file: null });
  const again = await reviews.service.show({ suggestion, file: null });
  expect(shown.ok && again.ok && again.value.revision).toBe(shown.ok && shown.value.revision);
});
