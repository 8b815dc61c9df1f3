import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must, testDiff, testHash, testReview, textOf } from '../../../test/helpers/review-subject.ts';
import { latin1 } from './bytes.ts';
import type { FileReview } from './file-review.ts';
import { ADDED, bodyLine, REMOVED, sideText } from './hunk-body.ts';
import { lineNow, placesIn } from './places.ts';
import { shownLines } from './shown-lines.ts';
import { splitLines } from './split.ts';

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`);
/** Replacements for a line: none, one, two, or one beside it. */
const SHAPES = [
  () => '',
  (i: number) => `new ${i}\n`,
  (i: number) => `new ${i}\nand ${i}\n`,
  (i: number) => `line ${i}\nand ${i}\n`,
];
const edit = (base: readonly string[], at: readonly number[]) =>
  base.map((line, i) => (at.includes(i) ? (SHAPES[i % 4]?.(i) ?? '') : line)).join('');

/** The rows of each run in `text`, and the lines on the hunk's side that it names. */
function compared(review: FileReview, text: string): { there: string[]; wanted: string[] }[] {
  const rows = text.split('\n');
  return placesIn(review, text).flatMap(({ change: { body, picked }, side, runs }) =>
    runs.map(({ first, last, row, count }) => {
      if (body === null) throw new Error('no lines');
      const shown = shownLines(body, picked).slice(first - 1, last);
      const own = shown.filter((line) => body.op(line) === (side === 'new' ? ADDED : REMOVED));
      return {
        there: rows.slice(row, row + count),
        wanted: own.map((line) => latin1(bodyLine(body, line)).trimEnd()),
      };
    }),
  );
}

describe('placesIn', () => {
  it('names rows with the lines of the hunk, despite decisions and edits elsewhere', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(79), { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom('accept', 'reject', null), { minLength: 8, maxLength: 8 }),
        fc.nat(80),
        fc.boolean(),
        (at, actions, mine, inPlace) => {
          const base = lines(80).join('');
          let review = testReview(testDiff(base, edit(lines(80), at), 1), base, { inPlace });
          for (const [i, { id }] of review.changes.entries()) {
            const action = actions[i];
            if (action) review = must(review.decide(new Set([id]), action));
          }
          const rows = (textOf(review) ?? '').split('\n');
          rows.splice(mine, 0, 'mine', 'mine too');
          for (const { there, wanted: side } of compared(review, rows.join('\n')))
            expect(there).toEqual(side);
          const edited = placesIn(review, rows.join('\n'));
          for (const [i, { runs }] of placesIn(review, null).entries()) {
            const [first, last] = [runs[0], runs.at(-1)];
            if (first === undefined || last === undefined) throw new Error('no runs in the file itself');
            const isTorn = first.row < mine && mine < last.row + last.count;
            if (!isTorn) expect(edited[i]?.runs).toHaveLength(runs.length);
          }
        },
      ),
      { seed: 4, numRuns: 300 },
    );
  });

  const BASE = '1\n2\n3\n4\n5\n6\n7\n8\n';
  const WANTED = '1\nII\n3\nIV\nIV b\n5\nVI\n7\n8\n';
  const rowsOf = (review: FileReview, text: string | null) =>
    placesIn(review, text).map(({ side, row, runs }) => [
      side,
      row,
      ...runs.map((run) => [run.row, run.count]),
    ]);

  it('places the parts of a split hunk beside each other', () => {
    const whole = testReview(testDiff(BASE, WANTED), BASE);
    const id = whole.changes[0]?.id ?? '';
    const { review } = must(splitLines(whole, id, { first: 5, last: 7 }, testHash));
    expect(rowsOf(review, null)).toEqual([
      ['old', 1, [1, 1], [5, 1]],
      ['old', 3, [3, 1]],
    ]);
    const accepted = must(review.decide(new Set([review.changes[1]?.id ?? '']), 'accept'));
    expect(rowsOf(accepted, '1\n2\n3\nIV\nIV b\n5\n6\n7\nmine\n8\n')).toEqual([
      ['old', 1, [1, 1], [6, 1]],
      ['new', 3, [3, 2]],
    ]);
    expect(placesIn(accepted, null)[1]?.runs).toMatchObject([{ first: 4, last: 6 }]);
  });

  it.each([
    ['not in a text with its line rewritten', '1\n2\n3\nmine\n5\n6\n7\n8\n', ['old', 1]],
    ['not in a text without it', 'x\n', ['old', 0]],
    ['in a text without a last line end', BASE.slice(0, -1), ['old', 1, [1, 1], [3, 1], [5, 1]]],
    [
      'with a byte order mark and CR LF',
      `\ufeff${BASE.replaceAll('\n', '\r\n')}`,
      ['old', 1, [1, 1], [3, 1], [5, 1]],
    ],
  ])('%s', (_, text, want) => {
    expect(rowsOf(testReview(testDiff(BASE, WANTED), BASE), text)).toEqual([want]);
  });

  it('places a hunk that touches a last line without its end', () => {
    const review = testReview(testDiff('1\n2\n3', '1\n2\nIII'), '1\n2\n3');
    for (const text of ['1\n2\n3\n', '1\n2\n3', 'mine\n1\n2\n3\n'])
      expect(rowsOf(review, text)[0]?.slice(2)).toEqual([[text.startsWith('m') ? 3 : 2, 1]]);
  });

  it('places thousands of hunks quickly in a text that differs everywhere', () => {
    const base = lines(20_000);
    const review = testReview(
      testDiff(base.join(''), base.map((line, i) => (i % 4 === 0 ? `new ${i}\n` : line)).join('')),
      base.join(''),
    );
    const text = base.map((line, i) => (i % 4 === 2 ? 'mine\n' : line)).join('');
    const start = performance.now();
    expect(placesIn(review, text).flatMap(({ runs }) => runs).length).toBeGreaterThan(1_000);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('compares only ASCII, since an editor shows every encoding as UTF-8', () => {
    const latin = (text: string) => text.replaceAll('3', 'z\xe9ro');
    const review = testReview(testDiff(latin(BASE), latin(WANTED)), latin(BASE));
    expect(rowsOf(review, latin(`mine\n${BASE}`))).toEqual([['old', 2, [2, 1], [4, 1], [6, 1]]]);
  });

  it('places no hunk that is already applied, conflicts or was modified', () => {
    const patch = testDiff(BASE, WANTED);
    const there = testReview(patch, `mine\n${WANTED}`, { unmoved: false });
    expect(rowsOf(there, null)).toEqual([['new', 2]]);
    const lost = testReview(patch, '1\nmine\n3\n', { unmoved: false });
    expect(rowsOf(lost, null)).toEqual([['old', 1]]);
    const modified = must(
      testReview(patch, BASE).modify(there.changes[0]?.id ?? '', [
        { start: 3, end: 4, text: new Uint8Array([0x78, 0x0a]), order: 0 },
      ]),
    );
    expect(rowsOf(modified, null)).toEqual([['new', 3]]);
  });
});
describe('lineNow', () => {
  it('returns the line of the first change in the decided file', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(79), { minLength: 1, maxLength: 8 }),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        (at, taken) => {
          const base = lines(80);
          const louder = base.map((line, i) => (at.includes(i) ? `new ${i}\nand more\n` : line)).join('');
          const start = testReview(testDiff(base.join(''), louder, 0), base.join(''));
          const ids = start.changes.filter((_, i) => taken[i]).map(({ id }) => id);
          const review = must(start.decide(new Set(ids), 'accept'));
          const now = (textOf(review) ?? '').split('\n');
          review.changes.forEach((change) => {
            if (change.body === null) throw new Error('no lines');
            const side = ids.includes(change.id) ? 'new' : 'old';
            const [first] = latin1(sideText(change.body, side)).split('\n');
            expect(now[lineNow(review, change)]).toBe(first);
          });
        },
      ),
      { seed: 12, numRuns: 200 },
    );
  });
});
