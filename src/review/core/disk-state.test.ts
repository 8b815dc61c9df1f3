import { describe, expect, test } from 'vitest';
import { must, testDiff, testImage, testReview, textOf } from '../../../test/helpers/review-subject.ts';
import type { FileReview } from './file-review.ts';

const ids = (review: FileReview) => review.changes.map((change) => change.id);
const idAt = (review: FileReview, i: number) => ids(review)[i] ?? 'none';
const accept = (review: FileReview, ...which: number[]) =>
  must(review.decide(new Set(which.map((i) => idAt(review, i))), 'accept'));
const acceptAll = (review: FileReview) => must(review.decide(new Set(ids(review)), 'accept'));
const rejectAll = (review: FileReview) => must(review.decide(new Set(ids(review)), 'reject'));
const undo = (review: FileReview, i: number) => must(review.step(new Set([idAt(review, i)]), 'undo'));
const statuses = (review: FileReview) => review.view().map((view) => view.status);

describe('edits by the user in the meantime', () => {
  const base = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n';
  const want = 'a\nB\nc\nd\ne\nf\ng\nh\nI\nj\n';
  const edited = (review: FileReview, text: string) => review.withDisk(testImage(text));
  const started = () => accept(testReview(testDiff(base, want, 1), base), 0);

  test('leaves the review unchanged if nothing changed', () => {
    const review = started();
    expect(edited(review, textOf(review) ?? '')).toBe(review);
  });

  test('keeps lines elsewhere through accept and undo', () => {
    const review = accept(edited(started(), 'top\na\nB\nc\nd\nmine\ne\nf\ng\nh\ni\nj\n'), 1);
    expect(textOf(review)).toBe('top\na\nB\nc\nd\nmine\ne\nf\ng\nh\nI\nj\n');
    expect(textOf(undo(undo(review, 0), 1))).toBe('top\na\nb\nc\nd\nmine\ne\nf\ng\nh\ni\nj\n');
  });

  test('keeps a line of the user in a new file when the file is rejected', () => {
    const made = acceptAll(testReview(testDiff(null, 'agent 1\nagent 2\n'), null));
    expect(textOf(rejectAll(edited(made, 'agent 1\nmine\nagent 2\n')))).toBe('mine\n');
    expect(textOf(acceptAll(undo(edited(made, 'agent 1\nmine\nagent 2\n'), 0)))).toBe(
      'agent 1\nmine\nagent 2\n',
    );
  });

  test('refuses only the undo of accepted lines that were edited', () => {
    const review = edited(started(), 'a\nBB\nc\nd\ne\nf\ng\nh\ni\nj\n');
    expect(review.step(new Set([idAt(review, 0)]), 'undo')).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/edited since/) },
    });
    expect(textOf(accept(review, 1))).toBe('a\nBB\nc\nd\ne\nf\ng\nh\nI\nj\n');
  });

  test.each([
    ['spaces and indentation', 'if (x) {\n  const  y=1\n}\n', 'if (x) {\n\tconst y = 1;\n}\n'],
    ['one line broken into three', 'call(a, b)\n', 'call(\n  a,\n  b,\n)\n'],
    ['three lines joined into one', 'call(\n  a,\n  b,\n)\n', 'call(a, b);\n'],
    ['the kind of quotes', "say('it')\n", 'say("it");\n'],
  ])('undoes and redoes completely after a formatter has changed %s', (_, wrote, laidOut) => {
    for (const [top, tail, around] of [
      ['a\nb\n', 'c\nd\n', 'a\nb\n'],
      ['a\n  b\n', '  c\nd\n', 'a\nb\n'],
    ] as const) {
      const base2 = `${top}old\n${tail}`;
      const formatted = `${around}${laidOut}${tail}`;
      const taken = acceptAll(testReview(testDiff(base2, `${top}${wrote}${tail}`, 1), base2));
      const review = edited(taken, formatted);
      expect(statuses(review)).toEqual(['accepted']);
      const undone = undo(review, 0);
      expect(textOf(undone)).toBe(`${around}old\n${tail}`);
      expect(textOf(must(undone.step(new Set(ids(undone)), 'redo')))).toBe(formatted);
    }
  });

  test('keeps reformatted lines whose words were edited too, and says so', () => {
    const review = edited(started(), '  a\n  B2\n  c\nd\ne\nf\ng\nh\ni\nj\n');
    expect(review.step(new Set([idAt(review, 0)]), 'undo')).toMatchObject({
      ok: false,
      error: { hint: expect.stringMatching(/by hand/) },
    });
  });

  test('reopens a change that was taken out by hand', () => {
    expect(statuses(edited(started(), base))).toEqual(['pending', 'pending']);
  });

  test('does not overwrite anything when the file is deleted', () => {
    const review = started().withDisk(null);
    expect(review.image()).toBe(null);
    expect(statuses(review)).toEqual(['accepted', 'conflict']);
    expect(review.step(new Set([idAt(review, 0)]), 'undo').ok).toBe(false);
  });
});
