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

test('folds a lockfile to one row with its line counts; z shows all of it, and folds it again', async () => {
  const ui = await open('web/package-lock.json', ...Array.from({ length: 40 }, () => LOCK));
  expect(ui.screen()).toMatch(/40 hunks +\+80 -40 +folded; z unfolds +◌40/);
  expect(ui.screen()).not.toContain('new-pin');
  await ui.type('z');
  expect(ui.screen().match(/new-pin/g)?.length).toBeGreaterThan(1);
  await ui.type('z');
  expect(ui.screen()).not.toContain('new-pin');
});

test('shows remarks common to all hunks of a row once, even unfolded, and each comment', async () => {
  const warnings = [{ kind: 'runs', text: 'It runs by itself' }] as const;
  const comments = [{ id: 'c', text: 'Why this?', lines: null, place: null, quote: '' }];
  const hunks = ['', 'Not the same', 'Not the same'].map((reason, at) =>
    testHunk(`h${at}`, {
      file: 'go.sum',
      diff: LOCK,
      warnings: [...warnings],
      reason: reason || null,
      comments: reason === '' ? [] : comments,
    }),
  );
  const review = fakeReview({ suggestions: [testSuggestion({ hunks, notes: [] })], isRead: true });
  const ui = await driveUi(fakeUi({ review }));
  await ui.type('2');
  expect(ui.screen().match(/It runs by itself/g)).toHaveLength(1);
  expect(ui.screen().match(/Not the same/g)).toHaveLength(1);
  expect(ui.screen().match(/you: Why this\?/g)).toHaveLength(2);
  await ui.type('z');
  expect(ui.screen()).toContain('+ more');
  expect(ui.screen().match(/It runs by itself/g)).toHaveLength(1);
});

test('a row has one decision, one mark and one step; a search opens it', async () => {
  const hunks = ['a.ts', 'go.sum', 'go.sum', 'go.sum', 'z.ts'].map((file, at) =>
    testHunk(`h${at}`, { file, diff: LOCK.replace('more', `of ${at}`) }),
  );
  const review = fakeReview({ suggestions: [testSuggestion({ hunks, notes: [] })], isRead: true });
  const ui = await driveUi(fakeUi({ review }), { size: { columns: 80, rows: 40 } });
  await ui.type('2n');
  expect(ui.screen()).toContain('3 hunks  +6 -3  folded; z unfolds');
  await ui.type('n');
  expect(ui.screen()).toContain('of 4');
  await ui.type('p]');
  expect(ui.screen()).toContain('of 4');
  await ui.type('pm');
  expect(ui.screen()).toContain('z unfolds the file first');
  await ui.type(' ');
  expect(ui.screen()).toContain('of 4');
  await ui.type('pr');
  expect(review.intents.at(-1)).toMatchObject({ kind: 'reject_file', hunk: 'h1' });
  expect(ui.screen()).toContain('of 4');
  await ui.type('/of 2\r');
  expect(ui.screen()).toContain('+ of 2');
  expect(ui.screen()).toContain('2 of 3');
});

test('any hunk can be folded', async () => {
  const ui = await open('a.ts', LOCK, LOCK.replace('new-pin', 'other'));
  await ui.type('jjz');
  expect(ui.screen()).not.toContain('new-pin');
  expect(ui.screen()).toContain('other');
});

test('W folds hunks that change only whitespace', async () => {
  const ui = await open('a.ts', BLANKS, LOCK);
  expect(ui.screen()).not.toContain('folded');
  await ui.type('W');
  expect(ui.screen()).toContain('+1 -1  whitespace only, folded; z unfolds');
  expect(ui.screen()).toContain('new-pin');
  await ui.type('z');
  expect(ui.screen()).not.toContain('folded; z');
});

test.each([
  ['create', 'A'],
  ['delete', 'D'],
  ['rename', 'R'],
] as const)('a file with a %s hunk shows %s', async (kind, sign) => {
  const hunks = [
    testHunk('h', { file: 'a.ts', diff: LOCK, kind }),
    testHunk('i', { file: 'b.ts', diff: LOCK }),
  ];
  const review = fakeReview({ suggestions: [testSuggestion({ hunks, notes: [] })], isRead: true });
  const ui = await driveUi(fakeUi({ review }));
  await ui.type('2');
  expect(ui.screen()).toMatch(new RegExp(`a\\.ts +\\+2 -1 ${sign} ◌1`));
  expect(ui.screen()).toMatch(/b\.ts +\+2 -1 ◌1/);
});

test('a file shows its changed lines and hunk counts, never over its name', async () => {
  const ui = await open('src/deep/inside/a-very-long-name.ts', ...Array.from({ length: 11 }, () => LOCK));
  expect(ui.screen()).toMatch(/a-very-long-name\.ts +\+22 -11 ◌11/);
  expect(ui.rows()[1]).toContain('decided  +22 -11');
});
