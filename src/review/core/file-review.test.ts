import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  must,
  testDiff,
  testHash,
  testImage,
  testReview,
  textOf,
} from '../../../test/helpers/review-subject.ts';
import type { FileReview } from './file-review.ts';
import { joinParts, splitLines } from './split.ts';

const ids = (review: FileReview) => review.changes.map((change) => change.id);
const idAt = (review: FileReview, i: number) => ids(review)[i] ?? 'none';
const accept = (review: FileReview, ...which: number[]) =>
  must(review.decide(new Set(which.map((i) => idAt(review, i))), 'accept'));
const acceptAll = (review: FileReview) => must(review.decide(new Set(ids(review)), 'accept'));
const undo = (review: FileReview, i: number) => must(review.step(new Set([idAt(review, i)]), 'undo'));
const statuses = (review: FileReview) => review.view().map((view) => view.status);

/** Decides on lines `first-last` of the only hunk's body. */
function takeLines(review: FileReview, first: number, last: number): FileReview {
  const root = review.subject.changes[0]?.id ?? 'none';
  const cut = must(splitLines(review, root, { first, last }, testHash));
  return must(cut.review.decide(new Set(cut.selected), 'accept'));
}

describe('any subset in any order gives the same text', () => {
  const base = 'a\nb\nc\nd1\nd2\nd3\nd\ne\nf\ng1\ng2\ng3\ng\nh\ni\n';
  const want = 'a\nB1\nB2\nB3\nc\nd1\nd2\nd3\nd\nE\nf\ng1\ng2\ng3\ng\nH1\nH2\ni\n';
  const review = () => testReview(testDiff(base, want, 1), base);

  test('first then third equals third then first', () => {
    const middleLeft = 'a\nB1\nB2\nB3\nc\nd1\nd2\nd3\nd\ne\nf\ng1\ng2\ng3\ng\nH1\nH2\ni\n';
    expect(textOf(accept(accept(review(), 0), 2))).toBe(middleLeft);
    expect(textOf(accept(accept(review(), 2), 0))).toBe(middleLeft);
  });

  test('undoing the first and the third leaves exactly the second', () => {
    const rest = undo(undo(acceptAll(review()), 0), 2);
    expect(textOf(rest)).toBe('a\nb\nc\nd1\nd2\nd3\nd\nE\nf\ng1\ng2\ng3\ng\nh\ni\n');
    expect(statuses(rest)).toEqual(['pending', 'accepted', 'pending']);
  });

  test('redo restores it', () => {
    const undone = undo(acceptAll(review()), 1);
    expect(textOf(must(undone.step(new Set([idAt(undone, 1)]), 'redo')))).toBe(want);
  });
});

describe('decides on lines of a hunk', () => {
  test.each<[string, string | null, string, [number, number][], string]>([
    [
      'the middle pair of a block',
      'a\nb\nc\n',
      'A\nB\nC\n',
      [
        [2, 2],
        [5, 5],
      ],
      'a\nB\nc\n',
    ],
    [
      'an addition without the removal it replaces, at the end without a line end',
      'a\nb',
      'a\nB\n',
      [[3, 3]],
      'a\nb\nB\n',
    ],
    ['a removal without its addition there', 'a\nb', 'a\nB\n', [[2, 2]], 'a\n'],
    ['an addition without a line end', 'a\nb\n', 'a\nB', [[3, 3]], 'a\nb\nB'],
    ['CRLF where a line needs an end', 'a\r\nb', 'a\r\nB\r\n', [[3, 3]], 'a\r\nb\r\nB\r\n'],
    ['half of a new file', null, '1\n2\n3\n4\n', [[1, 2]], '1\n2\n'],
    [
      'both halves of a new file',
      null,
      '1\n2\n3\n4\n',
      [
        [1, 2],
        [3, 4],
      ],
      '1\n2\n3\n4\n',
    ],
    [
      'both halves, second first',
      null,
      '1\n2\n3\n4\n',
      [
        [3, 4],
        [1, 2],
      ],
      '1\n2\n3\n4\n',
    ],
    [
      'the addition similar to the second line',
      'one = 1\ntwo = 2\n',
      'two = 22\n',
      [[3, 3]],
      'one = 1\ntwo = 2\ntwo = 22\n',
    ],
  ])('%s', (_, base, want, ranges, expected) => {
    let review = testReview(testDiff(base, want), base);
    for (const [first, last] of ranges) review = takeLines(review, first, last);
    expect(textOf(review)).toBe(expected);
  });

  test('deletes the file when its last line is removed', () => {
    const review = testReview(testDiff('a\nb\n', null), 'a\nb\n');
    const half = takeLines(review, 1, 1);
    expect(textOf(half)).toBe('b\n');
    expect(textOf(takeLines(half, 2, 2))).toBe(null);
  });

  test('joins the parts of a hunk again', () => {
    const review = takeLines(
      takeLines(testReview(testDiff('a\nb\nc\n', 'A\nB\nC\n'), 'a\nb\nc\n'), 1, 3),
      4,
      6,
    );
    expect(review.changes).toHaveLength(2);
    const joined = must(joinParts(review, idAt(review, 0)));
    expect(ids(joined)).toEqual([review.subject.changes[0]?.id]);
    expect(textOf(joined)).toBe('A\nB\nC\n');
    expect(textOf(undo(joined, 0))).toBe('a\nb\nc\n');
  });

  test('does not join parts with different decisions', () => {
    const review = takeLines(testReview(testDiff('a\nb\n', 'A\nB\n'), 'a\nb\n'), 1, 1);
    expect(joinParts(review, idAt(review, 0))).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  test('refuses lines out of range and lines of context', () => {
    const review = testReview(testDiff('k\na\n', 'k\nb\n'), 'k\na\n');
    for (const [first, last] of [
      [0, 1],
      [2, 1],
      [1, 9],
      [1, 1],
    ] as const) {
      expect(splitLines(review, idAt(review, 0), { first, last }, testHash).ok).toBe(false);
    }
  });
});

describe('a target that has changed', () => {
  const patch = '--- a/f\n+++ b/f\n@@ -2,3 +2,3 @@\n if a\n-  x\n+  y\n end\n';
  const block = 'if a\n  x\nend\n';
  test.each<[string, string | null, string, RegExp | null]>([
    ['the only place with its lines', `u\nv\nw\n${block}`, 'pending', null],
    ['two places', `${block}mid\n${block}`, 'conflict', /more than once \(lines 1 and 5\)/],
    ['gone', 'q\n', 'conflict', /no longer in the file/],
    ['already there', 'q\nif a\n  y\nend\n', 'already_applied', null],
    ['the file is gone', null, 'conflict', /does not exist/],
    ['other line ends', 'q\r\nif a\r\n  x\r\nend\r\n', 'conflict', /CRLF/],
  ])('%s', (_, target, status, reason) => {
    const [view] = testReview(patch, target, { unmoved: false }).view();
    expect(view?.status).toBe(status);
    if (reason !== null) expect(view?.reason).toMatch(reason);
  });

  test('reports a byte order mark', () => {
    const [view] = testReview('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n', '\xef\xbb\xbfa\nb\n').view();
    expect(view).toMatchObject({ status: 'conflict', reason: expect.stringMatching(/BOM/) });
  });

  test('places an insertion without context only if nothing moved', () => {
    const diff = testDiff('1\n2\n3\n', '1\n2\nnew\n3\n', 0);
    expect(textOf(acceptAll(testReview(diff, '1\n2\n3\n')))).toBe('1\n2\nnew\n3\n');
    expect(statuses(testReview(diff, '0\n1\n2\n3\n', { unmoved: false }))).toEqual(['conflict']);
  });

  test('finds no place for text at the end when more text follows', () => {
    const diff = testDiff('1\n2\n', '1\n2\n3\n');
    expect(statuses(testReview(diff, '1\n2\nuser\n', { unmoved: false }))).toEqual(['conflict']);
  });

  test('answers at once for a start line of 10^9', () => {
    const [view] = testReview('--- a/f\n+++ b/f\n@@ -1000000000,1 +1,1 @@\n-zz\n+y\n', 'a\nb\n').view();
    expect(view).toMatchObject({
      status: 'conflict',
      reason: expect.stringMatching(/begins at line 1000000000/),
    });
  });
});

describe('hunks that exclude each other', () => {
  const patch =
    '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n l1\n-l2\n+X2\n l3\n@@ -2,3 +2,3 @@\n l2\n-l3\n+X3\n l4\n';
  const base = 'l1\nl2\nl3\nl4\n';

  test('refuses both at once', () => {
    const review = testReview(patch, base);
    const both = review.decide(new Set(ids(review)), 'accept');
    expect(both).toMatchObject({ ok: false, error: { message: expect.stringMatching(/overlaps/) } });
  });

  test('one of them, with the other in conflict until it is undone', () => {
    const one = accept(testReview(patch, base), 0);
    expect(statuses(one)).toEqual(['accepted', 'conflict']);
    expect(textOf(accept(undo(one, 0), 1))).toBe('l1\nl2\nX3\nl4\n');
  });
});

test('a hunk may have more pieces than a call can take as arguments', () => {
  const text = (every: (i: number) => string) => Array.from({ length: 300_000 }, (_, i) => every(i)).join('');
  const base = text(() => 'x\n');
  const want = text((i) => (i % 2 === 0 ? 'x\n' : 'y\n'));
  expect(textOf(accept(testReview(testDiff(base, want, 1), base), 0)) === want).toBe(true);
});

describe('whole files', () => {
  test('a creation does not overwrite a file', () => {
    expect(statuses(testReview(testDiff(null, 'x\n'), 'mine\n'))).toEqual(['conflict']);
    expect(statuses(testReview(testDiff(null, 'x\n'), 'x\n'))).toEqual(['already_applied']);
  });

  test('a deletion removes only the bytes that it names', () => {
    const diff = testDiff('a\nb\n', null);
    expect(textOf(acceptAll(testReview(diff, 'a\nb\n')))).toBe(null);
    expect(statuses(testReview(diff, 'a\nb\nuser\n'))).toEqual(['conflict']);
    expect(statuses(testReview(diff, null))).toEqual(['already_applied']);
  });

  test('creates and removes empty files', () => {
    const made = testReview('diff --git a/f b/f\nnew file mode 100755\nindex 0000000..e69de29\n', null);
    expect(made.image()).toBe(null);
    expect(acceptAll(made).image()).toMatchObject({ path: 'f', executable: true });
    const gone = testReview('diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n', '');
    expect(acceptAll(gone).image()).toBe(null);
  });

  test('a rename and its hunk are separate decisions', () => {
    const patch =
      'diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\nindex 1111111..2222222 100644\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n';
    const review = testReview(patch, 'a\n');
    expect(review.view().map((view) => view.change.kind)).toEqual(['rename', 'text']);
    expect(accept(review, 0).image()).toMatchObject({ path: 'n' });
    expect(textOf(accept(review, 0))).toBe('a\n');
    expect(accept(review, 1).image()).toMatchObject({ path: 'o' });
    expect(textOf(accept(review, 1))).toBe('b\n');
    expect(statuses(testReview(patch, 'a\n', { newPathProblem: 'taken' }))).toEqual(['conflict', 'pending']);
  });

  test('a hunk of a copy needs the copy', () => {
    const patch =
      'diff --git a/o b/n\nsimilarity index 90%\ncopy from o\ncopy to n\nindex 1111111..2222222 100644\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n';
    const review = testReview(patch, 'a\n');
    expect(review.decide(new Set([idAt(review, 1)]), 'accept')).toMatchObject({ ok: false });
    expect(review.view()[1]?.needs).toEqual([idAt(review, 0)]);
    expect(acceptAll(review).image()).toMatchObject({ path: 'n' });
    expect(textOf(acceptAll(review))).toBe('b\n');
  });

  test('a mode is a separate decision', () => {
    const review = testReview('diff --git a/f b/f\nold mode 100644\nnew mode 100755\n', 'a\n');
    expect(acceptAll(review).image()).toMatchObject({ executable: true });
    expect(undo(acceptAll(review), 0).image()).toMatchObject({ executable: false });
  });

  test('a file becomes a link in one change', () => {
    const patch =
      'diff --git a/f b/f\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n' +
      'diff --git a/f b/f\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+to\n\\ No newline at end of file\n';
    const review = testReview(patch, 'a\n');
    expect(review.changes.map((change) => change.kind)).toEqual(['symlink']);
    expect(acceptAll(review).image()).toMatchObject({ type: 'symlink' });
    expect(textOf(acceptAll(review))).toBe('to');
    expect(textOf(undo(acceptAll(review), 0))).toBe('a\n');
  });
});

describe('a review in place', () => {
  test('reject takes the change out, accept keeps it', () => {
    const base = 'a\nb\nc\nd\ne\nf\ng\n';
    const want = 'A\nb\nc\nd\ne\nf\nG\n';
    const review = testReview(testDiff(base, want, 1), base, { inPlace: true });
    expect(textOf(review)).toBe(want);
    expect(textOf(accept(review, 0))).toBe(want);
    const rejected = must(review.decide(new Set([idAt(review, 1)]), 'reject'));
    expect(textOf(rejected)).toBe('A\nb\nc\nd\ne\nf\ng\n');
    expect(textOf(undo(rejected, 1))).toBe(want);
  });
});

/** Texts with few distinct lines, so that equal lines and blocks are common. */
const textArb = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', '}', '', 'x\r', 'y\xe9'), { maxLength: 24 }), fc.boolean())
  .map(([lines, closed]) => (lines.length === 0 ? '' : lines.join('\n') + (closed ? '\n' : '')));

describe('properties', () => {
  test('accepting all gives the new text; rejecting or undoing all gives the old one', () => {
    fc.assert(
      fc.property(textArb, textArb, fc.nat(3), (base, want, context) => {
        fc.pre(base !== want);
        const review = testReview(testDiff(base, want, context), base);
        expect(textOf(acceptAll(review))).toBe(want);
        expect(textOf(must(review.decide(new Set(ids(review)), 'reject')))).toBe(base);
        let undone = acceptAll(review);
        for (const id of ids(review)) undone = must(undone.step(new Set([id]), 'undo'));
        expect(textOf(undone)).toBe(base);
      }),
      { seed: 1, numRuns: 400 },
    );
  });

  test('the order of decisions and undos does not matter; each line of a hunk can be decided alone', () => {
    fc.assert(
      fc.property(
        textArb,
        textArb,
        fc.array(fc.tuple(fc.nat(50), fc.constantFrom('take', 'undo')), { maxLength: 12 }),
        (base, want, steps) => {
          fc.pre(base !== want);
          let review = testReview(testDiff(base, want, 1), base);
          for (const root of review.subject.changes) {
            if (root.hunk === null) continue;
            for (let line = 1; line <= root.hunk.oldCount + root.hunk.newCount; line += 1) {
              const cut = splitLines(review, root.id, { first: line, last: line }, testHash);
              if (cut.ok) review = cut.value.review;
            }
          }
          for (const [at, step] of steps) {
            const id = ids(review)[at % ids(review).length] ?? '';
            const next =
              step === 'take' ? review.decide(new Set([id]), 'accept') : review.step(new Set([id]), 'undo');
            if (next.ok) review = next.value;
          }
          const accepted = review
            .view()
            .filter((view) => view.status === 'accepted')
            .map((view) => view.change.id);
          let direct =
            review.subject.changes.length === 0 ? review : testReview(testDiff(base, want, 1), base);
          for (const [root, parts] of review.state.parts) direct = direct.withParts(root, parts, new Map());
          expect(textOf(must(direct.decide(new Set(accepted), 'accept')))).toBe(textOf(review));
          expect(textOf(acceptAll(review))).toBe(want);
        },
      ),
      { seed: 2, numRuns: 300 },
    );
  });

  test('lines of the user survive any decisions before and after', () => {
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `line ${from + i}`);
    fc.assert(
      fc.property(
        fc.array(fc.nat(29), { maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(40), fc.nat(9)), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(9), fc.constantFrom('accept', 'reject', 'undo')), { maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(9), fc.constantFrom('accept', 'reject', 'undo')), { maxLength: 8 }),
        (edits, userLines, before, after) => {
          const lines = numbered(0, 30);
          const want = lines.flatMap((line, i) =>
            edits.includes(i)
              ? i % 3 === 0
                ? []
                : i % 3 === 1
                  ? [`agent ${i}`]
                  : [line, `agent ${i}`]
              : [line],
          );
          fc.pre(want.join() !== lines.join());
          const base = `${lines.join('\n')}\n`;
          let review = testReview(testDiff(base, `${want.join('\n')}\n`, 1), base);
          const run = (steps: readonly (readonly [number, string])[]) => {
            for (const [at, step] of steps) {
              const id = ids(review)[at % ids(review).length] ?? '';
              const next =
                step === 'undo'
                  ? review.step(new Set([id]), 'undo')
                  : review.decide(new Set([id]), step === 'accept' ? 'accept' : 'reject');
              if (next.ok) review = next.value;
            }
          };
          run(before);
          const disk = (textOf(review) ?? '').split('\n').slice(0, -1);
          for (const [i, [at, name]] of userLines.entries()) {
            disk.splice(Math.min(at, disk.length), 0, `user ${name} ${i}`);
          }
          const found = disk.map((line) => `${line}\n`).join('');
          review = review.withDisk(testImage(found));
          expect(textOf(review)).toBe(found);
          run(after);
          const users = (text: string) => text.split('\n').filter((line) => line.startsWith('user'));
          expect(users(textOf(review) ?? '')).toEqual(users(found));
          // Once everything possible is undone, the base with the user's lines in it remains.
          for (const id of ids(review)) {
            while (review.canStep(id, 'undo')) {
              const undone = review.step(new Set([id]), 'undo');
              if (!undone.ok) break;
              review = undone.value;
            }
          }
          const left = (textOf(review) ?? '')
            .split('\n')
            .filter((line) => !line.startsWith('user'))
            .join('\n');
          const frozen = review.view().some((view) => view.reason !== null && view.status === 'accepted');
          if (!frozen) expect(left).toBe(base);
        },
      ),
      { seed: 3, numRuns: 400 },
    );
  });
});
