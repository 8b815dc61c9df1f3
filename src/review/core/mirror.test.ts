/** Compares a sandbox's file after random decisions with the result of the same decisions on its base. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must, testDiff, testHash, testReview, textOf } from '../../../test/helpers/review-subject.ts';
import { fromLatin1 } from './bytes.ts';
import type { FileReview } from './file-review.ts';
import { stateOf } from './file-state.ts';
import { mirrorFile } from './mirror.ts';
import { joinParts, splitLines } from './split.ts';

const stays = { undecided: 'stays', hash: testHash } as const;
const goes = { undecided: 'goes', hash: testHash } as const;

interface Act {
  readonly kind: 'accept' | 'reject' | 'modify' | 'undo' | 'redo' | 'split' | 'join';
  readonly hunk: number;
  readonly first: number;
  readonly count: number;
}

const actArbitrary: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('accept', 'reject', 'modify', 'undo', 'redo', 'split', 'join'),
  hunk: fc.nat(20),
  first: fc.integer({ min: 1, max: 8 }),
  count: fc.nat(3),
});

/** The review after one act; unchanged if the act is refused. */
function after(review: FileReview, { kind, hunk, first, count }: Act): FileReview {
  const leaf = review.changes[hunk % review.changes.length];
  if (leaf === undefined) return review;
  const next = (): { ok: boolean; value?: FileReview } => {
    switch (kind) {
      case 'accept':
      case 'reject':
        return review.decide(new Set([leaf.id]), kind);
      case 'undo':
      case 'redo':
        return review.step(new Set([leaf.id]), kind);
      case 'join':
        return joinParts(review, leaf.id);
      case 'split': {
        const cut = splitLines(review, leaf.id, { first, last: first + count }, testHash);
        return cut.ok ? { ok: true, value: cut.value.review } : cut;
      }
      case 'modify': {
        const place = review.place(leaf);
        if (place.kind !== 'pieces') return { ok: false };
        const pieces = place.pieces.map((piece) => ({ ...piece, text: fromLatin1(`mine ${first}\n`) }));
        return review.modify(leaf.id, pieces);
      }
    }
  };
  const done = next();
  return done.ok && done.value !== undefined ? done.value : review;
}

/** The target with everything that is not rejected; null if not all of it fits together. */
function wanted(review: FileReview): string | null {
  const open = review.changes.filter(({ id }) => stateOf(review.state, id).decision === 'pending');
  const all = review.decide(new Set(open.map(({ id }) => id)), 'accept');
  return all.ok ? textOf(all.value) : null;
}

const LINES = 30;
const lines = Array.from({ length: LINES }, (_, i) => `line ${i}\n`);
const base = lines.join('');

/** Lines replaced, removed and inserted in places. */
function edited(edits: readonly (readonly [number, number])[]): string {
  const at = new Map(edits);
  return lines
    .map((line, i) => {
      const how = at.get(i);
      if (how === undefined) return line;
      return ['', `new ${i}\n`, `${line}more ${i}\n`, `one ${i}\ntwo ${i}\n`][how % 4] ?? '';
    })
    .join('');
}

const editsArbitrary = fc.uniqueArray(fc.tuple(fc.nat(LINES - 1), fc.nat(3)), {
  minLength: 1,
  maxLength: 8,
  selector: ([line]) => line,
});

describe.each([
  ['an unchanged target', ''],
  ['a changed target', 'mine, on top\n'],
])('%s', (_name, top) => {
  test('after random decisions, the sandbox has all but rejected changes; following twice changes nothing', () => {
    fc.assert(
      fc.property(editsArbitrary, fc.array(actArbitrary, { minLength: 1, maxLength: 14 }), (edits, acts) => {
        const work = edited(edits);
        fc.pre(work !== base);
        const patch = testDiff(base, work, 1);
        let target = testReview(patch, top + base, { unmoved: top === '' });
        let source = testReview(patch, work === base ? '' : base, { inPlace: true });
        for (const act of acts) {
          target = after(target, act);
          const expected = wanted(target);
          if (expected === null) continue;
          const mirrored = mirrorFile(source, target, stays);
          expect(mirrored.left).toEqual([]);
          source = mirrored.review;
          expect(top + (textOf(source) ?? '')).toBe(expected);
          expect(mirrorFile(source, target, stays).ids).toEqual([]);
        }
        const rest = mirrorFile(source, target, goes);
        if (rest.left.length === 0) expect(top + (textOf(rest.review) ?? '')).toBe(textOf(target));
      }),
      { seed: 5, numRuns: 400 },
    );
  });
});

test('leaves a hunk whose lines were edited there, with the reason; the others follow', () => {
  const patch = testDiff(
    base,
    edited([
      [3, 1],
      [20, 1],
    ]),
    1,
  );
  const target = must(
    testReview(patch, base).decide(new Set(testReview(patch, base).changes.map(({ id }) => id)), 'reject'),
  );
  const there = edited([
    [3, 1],
    [20, 1],
  ]).replace('new 3\n', 'new 3, better\n');
  const source = testReview(patch, base, { inPlace: true }).withDisk({
    path: 'f',
    type: 'file',
    executable: false,
    bytes: fromLatin1(there),
  });
  const { review, left, ids } = mirrorFile(source, target, stays);
  expect(left).toEqual([{ id: target.changes[0]?.id, reason: expect.stringMatching(/edited/) }]);
  expect(ids).toEqual([target.changes[1]?.id]);
  expect(textOf(review)).toBe(there.replace('new 20\n', 'line 20\n'));
});
