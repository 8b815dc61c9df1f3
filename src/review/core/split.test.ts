import { expect, test } from 'vitest';
import { must, testDiff, testHash, testReview, textOf } from '../../../test/helpers/review-subject.ts';
import { fromLatin1 } from './bytes.ts';
import { splitLines } from './split.ts';

test('parts do not inherit a text written for the whole hunk', () => {
  const base = 'a\nb\nc\n';
  const review = testReview(testDiff(base, 'a\nB\nmore\nc\n'), base);
  const [hunk] = review.changes;
  const id = hunk?.id ?? 'none';
  const modified = must(review.modify(id, [{ start: 1, end: 2, text: fromLatin1('mine\n'), order: 0 }]));
  const undone = must(modified.step(new Set([id]), 'undo'));
  const cut = must(splitLines(undone, id, { first: 4, last: 4 }, testHash)).review;
  for (const part of cut.changes) expect(cut.canStep(part.id, 'redo')).toBe(false);
  const accepted = must(cut.decide(new Set(cut.changes.map((part) => part.id)), 'accept'));
  expect(textOf(accepted)).toBe('a\nB\nmore\nc\n');
});
