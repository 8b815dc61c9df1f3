import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compose, reviewsOf, testEdit, textOf } from '../../../test/helpers/agent-proposals.ts';
import type { Change } from '../../review/core/change.ts';
import { ADDED, REMOVED } from '../../review/core/hunk-body.ts';
import { changedLines, isOversized, splitHunk } from './split-hunk.ts';

const LIMITS = { max_hunk_lines: 10, max_hunk_bytes: 400 };
const split = (change: Change) => (change.body === null ? null : splitHunk(change.body, LIMITS));

async function parts(old: string, neu: string) {
  const files = { 'f.md': old };
  const count = old.split('\n').length - 1;
  const edit = testEdit(files, {
    file_path: 'f.md',
    operation: 'replace',
    start_line: 1,
    end_line: count,
    new_text: neu,
  });
  const composed = compose(files, [edit]);
  if (!composed.ok) throw new Error(composed.faults[0]?.message);
  const [review] = await reviewsOf(composed.files, split);
  if (review === undefined) throw new Error('no file');
  return review;
}

const paragraph = (word: string, lines: number) =>
  Array.from({ length: lines }, (_, i) => `${word} ${i}`).join('\n');
const isLarge = (change: Change) =>
  change.body !== null && isOversized(change.body, change.picked ?? changedLines(change.body), LIMITS);

test('what is removed goes with the first of what takes its place', async () => {
  const review = await parts(`${paragraph('old', 4)}\n`, `${paragraph('x', 6)}\n\n${paragraph('y', 6)}\n`);
  const kinds = review.changes.map(({ body, picked }) => {
    const ops = [...(picked ?? [])].map((line) => body?.op(line));
    return [ops.filter((op) => op === REMOVED).length, ops.filter((op) => op === ADDED).length];
  });
  expect(kinds).toEqual([
    [4, 7],
    [0, 6],
  ]);
});

describe('a hunk that is too large', () => {
  it.each([
    ['fits at the bound', 'a\n', paragraph('x', 9), 1, 0],
    ['one line beyond it, and nowhere to cut', 'a\n', paragraph('x', 10), 1, 1],
    ['at blank lines', 'a\n', `${paragraph('x', 6)}\n\n${paragraph('y', 6)}\n\n${paragraph('z', 6)}\n`, 3, 0],
    ['at ends of sentences', 'a\n', `${paragraph('x', 6)}.\n${paragraph('y', 6)}.\n`, 2, 0],
    ['by bytes', 'a\n', `${'x'.repeat(300)}\n\n${'y'.repeat(300)}\n`, 2, 0],
    ['one long line is left as it is', 'a\n', `${'x'.repeat(500)}\n`, 1, 1],
    ['small paragraphs stay together', 'a\n', 'b\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n', 2, 0],
    [
      'both sides are cut',
      `${paragraph('a', 7)}\n\n${paragraph('b', 7)}\n`,
      `${paragraph('x', 2)}\n\n${paragraph('y', 2)}\n`,
      2,
      0,
    ],
  ])('%s', async (_, old, neu, count, large) => {
    const review = await parts(old, neu.endsWith('\n') ? neu : `${neu}\n`);
    expect(review.changes.length).toBe(count);
    expect(review.changes.filter(isLarge).length).toBe(large);
    expect(textOf(review.image()?.bytes)).toBe(neu.endsWith('\n') ? neu : `${neu}\n`);
  });

  it('is put together by its parts again, and taken apart by rejecting all of them', async () => {
    const text = fc.array(fc.constantFrom('', 'word', 'A sentence.', 'x'.repeat(120)), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (old, neu) => {
        const [before, after] = [old, neu].map((lines) => lines.map((line) => `${line}\n`).join(''));
        fc.pre(before !== after && before !== undefined && after !== undefined);
        const review = await parts(before ?? '', after ?? '');
        expect(textOf(review.image()?.bytes) ?? '').toBe(after);
        const ids = new Set(review.changes.map((change) => change.id));
        expect(ids.size).toBe(review.changes.length);
        const rejected = review.decide(ids, 'reject');
        expect(rejected.ok && textOf(rejected.value.image()?.bytes)).toBe(before);
        for (const change of review.changes) {
          const one = review.decide(new Set([change.id]), 'reject');
          const again = one.ok ? one.value.decide(new Set([change.id]), 'accept') : one;
          expect(again.ok && (textOf(again.value.image()?.bytes) ?? '')).toBe(after);
        }
      }),
      { seed: 23, numRuns: 200 },
    );
  });
});
