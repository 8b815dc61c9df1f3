import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must, testDiff, testReview } from '../../../test/helpers/review-subject.ts';
import { latin1 } from './bytes.ts';
import type { FileReview } from './file-review.ts';
import { sideText } from './hunk-body.ts';
import { lineRange, lineTable } from './line-table.ts';
import { modifiedRegion, surroundings } from './surroundings.ts';

const ALL = { above: 1000, below: 1000 };

function changeAt(review: FileReview, index: number) {
  const change = review.subject.changes[index];
  if (change === undefined) throw new Error(`no hunk ${index}`);
  return change;
}

function textBetween(review: FileReview, { start, end }: { start: number; end: number }): string {
  return latin1(lineRange(review.table() ?? lineTable(new Uint8Array(0)), start, end));
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`);
const edit = (base: readonly string[], at: readonly number[]) =>
  base.map((line, i) => (at.includes(i) ? `new ${i}\nand more\n` : line)).join('');

describe('surroundings', () => {
  it('extend to the neighbours and the ends of the file, and say how many more lines there are', () => {
    const base = lines(60);
    const review = testReview(testDiff(base.join(''), edit(base, [20, 40])), base.join(''));
    const found = surroundings(review, changeAt(review, 0), { above: 2, below: 100 });
    expect(found).toEqual({
      above: { start: 15, end: 17 },
      below: { start: 24, end: 37 },
      moreAbove: 15,
      moreBelow: 0,
    });
    expect(surroundings(review, changeAt(review, 1), ALL)?.below).toEqual({ start: 44, end: 60 });
  });

  it('follow a hunk to its place in a file that changed', () => {
    const base = lines(30);
    const moved = `mine\nmine too\n${base.join('')}`;
    const review = testReview(testDiff(base.join(''), edit(base, [10])), moved, { unmoved: false });
    const found = surroundings(review, changeAt(review, 0), { above: 1, below: 1 });
    expect(found && textBetween(review, found.above)).toBe('line 6\n');
    expect(found && textBetween(review, found.below)).toBe('line 14\n');
  });

  it('are omitted for a hunk that fits nowhere', () => {
    const base = lines(30);
    const gone = lines(10).join('');
    const review = testReview(testDiff(base.join(''), edit(base, [20])), gone, { unmoved: false });
    expect(surroundings(review, changeAt(review, 0), ALL)).toBeNull();
  });

  it('form the whole base together with the hunks, regardless of decisions', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(79), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        (at, context, taken) => {
          const base = lines(80);
          const patch = testDiff(base.join(''), edit(base, at), context);
          const start = testReview(patch, base.join(''));
          const ids = start.changes.filter((_, i) => taken[i]).map(({ id }) => id);
          const review = must(start.decide(new Set(ids), 'accept'));
          let text = '';
          review.subject.changes.forEach((change, index) => {
            const found = surroundings(review, change, ALL);
            if (found === null || change.body === null) throw new Error('no place');
            if (index === 0) text += textBetween(review, found.above);
            text += latin1(sideText(change.body, 'old')) + textBetween(review, found.below);
          });
          expect(text).toBe(base.join(''));
        },
      ),
      { seed: 11, numRuns: 200 },
    );
  });
});

describe('modifiedRegion', () => {
  it('is null at first, and later both texts of the region', () => {
    const base = lines(20);
    const review = testReview(testDiff(base.join(''), edit(base, [10])), base.join(''));
    const change = changeAt(review, 0);
    expect(modifiedRegion(review, change)).toBeNull();
    const mine = must(
      review.modify(change.id, [{ start: 10, end: 11, text: new TextEncoder().encode('mine\n'), order: 0 }]),
    );
    const region = modifiedRegion(mine, change);
    const around = (middle: string) => base.slice(7, 10).join('') + middle + base.slice(11, 14).join('');
    expect(region && latin1(region.suggested)).toBe(around('new 10\nand more\n'));
    expect(region && latin1(region.modified)).toBe(around('mine\n'));
    expect(region?.isOwn).toBe(true);
  });

  it('recognizes a text beyond the hunk, which cannot be edited in its place', () => {
    const base = lines(20);
    const review = testReview(testDiff(base.join(''), edit(base, [10])), base.join(''));
    const change = changeAt(review, 0);
    const far = { start: 1, end: 2, text: new TextEncoder().encode('far\n'), order: 0 };
    const region = modifiedRegion(must(review.modify(change.id, [far])), change);
    expect(region?.isOwn).toBe(false);
    expect(region && latin1(region.modified)).toContain('far\n');
  });
});
