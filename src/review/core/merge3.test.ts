import { expect, test } from 'vitest';
import { testReview } from '../../../test/helpers/review-subject.ts';
import { fromLatin1, latin1 } from './bytes.ts';
import { explain } from './explain.ts';
import { lineTable } from './line-table.ts';
import { merge3 } from './merge3.ts';

const table = (text: string) => lineTable(fromLatin1(text));

test.each([
  ['changes in different places', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n', 0],
  ['the same edit twice', 'a\nb\n', 'a\nB\n', 'a\nB\n', 'a\nB\n', 0],
  ['only ours', 'a\n', 'b\n', 'a\n', 'b\n', 0],
  ['only theirs', 'a\n', 'a\n', 'b\n', 'b\n', 0],
  [
    'the same line',
    'a\nb\n',
    'a\nX\n',
    'a\nY\n',
    'a\n<<<<<<< yours\nX\n||||||| base\nb\n=======\nY\n>>>>>>> suggested\n',
    1,
  ],
  [
    'insertions at one place',
    'a\n',
    'a\nX\n',
    'a\nY\n',
    'a\n<<<<<<< yours\nX\n||||||| base\n=======\nY\n>>>>>>> suggested\n',
    1,
  ],
])('%s', (_, base, ours, theirs, text, conflicts) => {
  const merge = merge3(table(base), table(ours), table(theirs));
  expect(latin1(merge.text)).toBe(text);
  expect(merge.conflicts).toBe(conflicts);
});

test('explains a conflict by its three sides, located where the lines moved to', () => {
  const review = testReview('--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n', 'x\ny\na\nmine\nc\n', {
    unmoved: false,
  });
  const [change] = review.changes;
  const explanation = change === undefined ? null : explain(change, review.table() ?? table(''));
  expect(explanation).toMatchObject({ window: { start: 2, end: 5 }, conflicts: 1 });
  expect(latin1(explanation?.yours ?? fromLatin1(''))).toBe('a\nmine\nc\n');
});
