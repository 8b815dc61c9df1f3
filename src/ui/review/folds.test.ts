import { expect, test } from 'vitest';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';

const LOCK = '@@ -1,2 +1,3 @@\n a\n-old-pin\n+new-pin\n+more\n';
const BLANKS = '@@ -1,2 +1,2 @@\n-\tif (x) {\n+  if (x) {\n same\n';

async function open(file: string, ...diffs: readonly string[]) {
  const hunks = diffs.map((diff, at) => testHunk(`h${at}`, { file, diff }));
  const review = fakeReview({ suggestions: [testSuggestion({ hunks, notes: [] })], isRead: true });
  const ui = await driveUi(fakeUi({ review }));
  await ui.type('2');
  return ui;
}

test('a lockfile is folded to its headers, with its lines counted; z shows all of it, and folds it again', async () => {
  const ui = await open('web/package-lock.json', LOCK, LOCK.replace('@@ -1', '@@ -9'));
  expect(ui.screen()).toContain('+2 -1  folded; z unfolds');
  expect(ui.screen()).not.toContain('new-pin');
  await ui.type('z');
  expect(ui.screen().match(/new-pin/g)).toHaveLength(2);
  await ui.type('z');
  expect(ui.screen()).not.toContain('new-pin');
});

test('what the attributes say of a file goes before its name', async () => {
  const hunks = ['a.ts', 'yarn.lock'].map((file) =>
    testHunk(file, { file, diff: LOCK.replace('new-pin', `of ${file}`), isGenerated: file === 'a.ts' }),
  );
  const review = fakeReview({ suggestions: [testSuggestion({ hunks, notes: [] })], isRead: true });
  const ui = await driveUi(fakeUi({ review }));
  await ui.type('2');
  expect(ui.screen()).not.toContain('of a.ts');
  await ui.type('n');
  expect(ui.screen()).toContain('of yarn.lock');
});

test('any hunk folds by itself', async () => {
  const ui = await open('a.ts', LOCK, LOCK.replace('new-pin', 'other'));
  await ui.type('jjz');
  expect(ui.screen()).not.toContain('new-pin');
  expect(ui.screen()).toContain('other');
});

test('hunks of whitespace alone are folded with W, and only they', async () => {
  const ui = await open('a.ts', BLANKS, LOCK);
  expect(ui.screen()).not.toContain('folded');
  await ui.type('W');
  expect(ui.screen()).toContain('+1 -1  whitespace only, folded; z unfolds');
  expect(ui.screen()).toContain('new-pin');
  await ui.type('z');
  expect(ui.screen()).not.toContain('folded; z');
});

test('a file says how many lines change and counts its hunks, never over its name', async () => {
  const ui = await open('src/deep/inside/a-very-long-name.ts', ...Array.from({ length: 11 }, () => LOCK));
  expect(ui.screen()).toMatch(/a-very-long-name\.ts +\+22 -11 ◌11/);
  expect(ui.rows()[1]).toContain('decided  +22 -11');
});
