import { expect, test } from 'vitest';
import { must, testDiff, testReview } from '../../../test/helpers/review-subject.ts';
import { fileTexts, TEXT_MAX_BYTES } from './file-texts.ts';

const before = 'a\nb\nc\nd1\nd2\nd3\nd\ne\nf\n';
const after = 'a\nB\nc\nd1\nd2\nd3\nd\nE\nf\n';
const review = () => testReview(testDiff(before, after, 1), before);
const all = (action: 'accept' | 'reject') => {
  const open = review();
  return must(open.decide(new Set(open.changes.map(({ id }) => id)), action));
};

test('both texts are the same regardless of decisions', () => {
  for (const one of [review(), all('accept'), all('reject')])
    expect(fileTexts(one)).toEqual({ before, after });
});

test('a file that is created or deleted has one text', () => {
  expect(fileTexts(testReview(testDiff(null, 'new\n'), null))).toEqual({ before: '', after: 'new\n' });
  expect(fileTexts(testReview(testDiff('old\n', null), 'old\n'))).toEqual({ before: 'old\n', after: null });
});

test('a hunk that does not fit leaves the text before', () => {
  const other = before.replace('b', 'x');
  expect(fileTexts(testReview(testDiff(before, after, 1), other))).toEqual({ before: other, after: null });
});

test('sends nothing of binary and very long files', () => {
  const [within, beyond] = [TEXT_MAX_BYTES, TEXT_MAX_BYTES + 1].map((size) => `${'x'.repeat(size - 1)}\n`);
  const textsOf = (text = '') => fileTexts(testReview(testDiff('a\n', 'b\n'), text)).before;
  expect(textsOf(within)).toBe(within);
  expect(textsOf(beyond)).toBeNull();
  expect(textsOf('a\n\0')).toBeNull();
});
