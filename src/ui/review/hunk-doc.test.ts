import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHunk } from './hunk-doc.ts';

const DIFF =
  '@@ -9,4 +9,5 @@\n a\n-let b = 1\n+const b = 1\n+more\n c\n-end\n\\ No newline at end of file\n+end\n';

describe('readHunk', () => {
  it('numbers both sides and the body', () => {
    const { lines, ranges, numberCells } = readHunk({ id: 'h', diff: DIFF });
    expect(ranges).toBe('9,4 → 9,5');
    expect(numberCells).toBe(2);
    expect(
      lines.map(({ op, before, after, body, isOpenEnd }) => [op, before, after, body, isOpenEnd]),
    ).toEqual([
      ['same', 9, 9, 1, false],
      ['removed', 10, null, 2, false],
      ['added', null, 10, 3, false],
      ['added', null, 11, 4, false],
      ['same', 11, 12, 5, false],
      ['removed', 12, null, 6, true],
      ['added', null, 13, 7, false],
    ]);
  });

  it('puts corresponding lines side by side and marks the words that differ', () => {
    const doc = readHunk({ id: 'h', diff: DIFF });
    expect(doc.pairs('words').map(({ left, right }) => [left, right])).toEqual([
      [0, 0],
      [1, 2],
      [-1, 3],
      [4, 4],
      [5, 6],
    ]);
    expect(doc.marksOf(1)).toEqual([[0, 3]]);
    expect(doc.marksOf(2)).toEqual([[0, 5]]);
    expect(doc.marksOf(3)).toEqual([]);
  });

  it('puts an edited line beside its new version, below comments added above it', () => {
    const added = '+// One.\n+// Two.\n+function load(path, limit) {\n+  check(limit);';
    const doc = readHunk({ id: 'h', diff: `@@ -1,2 +1,4 @@\n-function load(path) {\n-  old();\n${added}\n` });
    expect(doc.pairs('words').map(({ left, right }) => [left, right])).toEqual([
      [-1, 2],
      [-1, 3],
      [0, 4],
      [1, 5],
    ]);
    expect(doc.marksOf(4)).toEqual([[18, 25]]);
    expect([doc.marksOf(1), doc.marksOf(5), doc.marksOf(2)]).toEqual([[], [], []]);
  });

  it('marks the changed part of a line of 200,000 characters', () => {
    const [head, tail] = ['a'.repeat(150_000), 'z'.repeat(50_000)];
    const doc = readHunk({ id: 'h', diff: `@@ -1 +1,2 @@\n-${head}1${tail}\n+// new\n+${head}22${tail}\n` });
    expect(doc.marksOf(0)).toEqual([[150_000, 150_001]]);
    expect(doc.marksOf(2)).toEqual([[150_000, 150_002]]);
  });

  it('recognizes changes of only blanks', () => {
    const doc = readHunk({ id: 'h', diff: '@@ -1,2 +1,2 @@\n-\tif (x) {\n-a\n+  if (x)  {\n+b\n' });
    expect([0, 1, 2, 3].map(doc.isBlankChange)).toEqual([true, false, true, false]);
  });

  it('describes a change without lines in words', () => {
    const doc = readHunk({ id: 'h', diff: 'rename from a\nrename to b\n' });
    expect(doc.ranges).toBe('');
    expect(doc.lines.map(({ op, text, body }) => [op, text, body])).toEqual([
      ['words', 'rename from a', 0],
      ['words', 'rename to b', 0],
    ]);
  });

  it('keeps a carriage return and a line that looks like a header', () => {
    const { lines } = readHunk({ id: 'h', diff: '@@ -1 +1,2 @@\n-@@ -1 +1 @@\r\n+--- a\n++++ b\n' });
    expect(lines.map(({ text }) => text)).toEqual(['@@ -1 +1 @@\r', '--- a', '+++ b']);
  });

  it('shows every line exactly once, on one side or both', () => {
    const body = fc.array(fc.constantFrom(' x', '-old', '+new', ' ', '+', '- \\'), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(body, (rows) => {
        const doc = readHunk({ id: 'h', diff: `@@ -1,9 +1,9 @@\n${rows.join('\n')}\n` });
        for (const pairing of ['words', 'place'] as const) {
          const pairs = doc.pairs(pairing);
          const shown = pairs.flatMap(({ left, right }) => (left === right ? [left] : [left, right]));
          const known = shown.filter((index) => index >= 0).sort((a, b) => a - b);
          expect(known).toEqual(doc.lines.map((_, index) => index));
          const unread = readHunk({ id: 'h', diff: doc.diff });
          expect([unread.lineCount, unread.pairCount(pairing)]).toEqual([doc.lines.length, pairs.length]);
        }
        expect(doc.lines.map(({ body: number }) => number)).toEqual(rows.map((_, index) => index + 1));
      }),
      { seed: 7 },
    );
  });
});
