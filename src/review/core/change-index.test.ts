import { expect, it } from 'vitest';
import { testDiff, testReview } from '../../../test/helpers/review-subject.ts';
import type { FileReview } from './file-review.ts';

const lines = (word: string) =>
  Array.from({ length: 2_000 }, (_, i) => (i % 10 === 0 ? `${word} ${i}\n` : `line ${i}\n`)).join('');

/** Decides on all hunks one by one, and counts how often the list of changes is iterated meanwhile. */
function decideEach(review: FileReview) {
  const { changes } = review.subject;
  let walks = 0;
  const counted = new Proxy(changes, {
    get: (target, name, receiver) => {
      if (name === 'filter' || name === Symbol.iterator) walks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  Object.assign(review.subject, { changes: counted });
  let now = review;
  for (const { id } of changes) {
    const next = now.decide(new Set([id]), 'accept');
    if (!next.ok) throw new Error(next.error.message);
    now = next.value;
  }
  return { now, walks, count: changes.length };
}

it('deciding on one of many hunks does not iterate over all of them', () => {
  const review = testReview(testDiff(lines('old'), lines('new')), lines('old'));
  const { now, walks, count } = decideEach(review);
  expect(count).toBe(200);
  expect(walks).toBeLessThan(10);
  expect(Buffer.from(now.image()?.bytes ?? []).toString('latin1')).toBe(lines('new'));
});

it('the standings are still known after a hunk was taken out again', () => {
  const text = 'a\nb\nc\n';
  const review = testReview(testDiff(text, 'a\nB\nc\n'), text);
  const [change] = review.changes;
  const id = new Set([change?.id ?? '']);
  const step = (from: FileReview, action: 'accept' | 'reject') => {
    const next = from.decide(id, action);
    if (!next.ok) throw new Error(next.error.message);
    return next.value;
  };
  const back = step(step(review, 'accept'), 'reject');
  expect(back.view().map(({ status }) => status)).toEqual(['rejected']);
  expect(step(back, 'accept').image()?.bytes).toEqual(step(review, 'accept').image()?.bytes);
});
