import { describe, expect, it } from 'vitest';
import { readHunk } from './hunk-doc.ts';
import { readConflict, readModified, withSurroundings } from './shown-doc.ts';

const DIFF = '@@ -9,3 +9,4 @@\n a\n-let b = 1\n+const b = 1\n+more\n c\n';
const HUNK = { id: 'h', diff: DIFF };

describe('readConflict', () => {
  it('compares each side with the base, numbers it like its file, and has no line to decide on', () => {
    const sides = {
      base: 'a\nlet b = 1\n',
      yours: 'a\nlet b = 2\n',
      yoursLine: 31,
      suggested: 'let b = 1\nc',
      merged: '',
      conflicts: 1,
    };
    const doc = readConflict({ id: 'h', diff: DIFF }, sides);
    expect(doc.lines.map(({ op, text, before, after }) => [op, text, before, after])).toEqual([
      ['title', 'yours: from the base to the text there now', null, null],
      ['same', 'a', 9, 31],
      ['removed', 'let b = 1', 10, null],
      ['added', 'let b = 2', null, 32],
      ['title', 'suggested: from the base to the text it proposes', null, null],
      ['removed', 'a', 9, null],
      ['same', 'let b = 1', 10, 9],
      ['added', 'c', null, 10],
    ]);
    expect(doc.lines.every(({ body }) => body === 0)).toBe(true);
    expect(doc.marksOf(3)).toEqual([[8, 9]]);
  });

  it('says that a side equals the base', () => {
    const sides = { base: 'a\n', yours: 'a\n', yoursLine: 1, suggested: 'b\n', merged: '', conflicts: 0 };
    expect(readConflict({ id: 'h', diff: DIFF }, sides).lines[0]?.text).toContain('no difference');
  });
});

describe('readModified', () => {
  it('shows the modified text beside the suggested one, and the hunk with its own numbers below', () => {
    const doc = readModified(HUNK, readHunk(HUNK), {
      suggested: 'a\nconst b = 1\nc\n',
      result: 'a\nconst b = 2\nc\n',
      isOwnRegion: true,
    });
    expect(doc.lines.map(({ op, text, body }) => [op, text, body]).slice(0, 7)).toEqual([
      ['title', expect.stringContaining('yours'), 0],
      ['same', 'a', 0],
      ['removed', 'const b = 1', 0],
      ['added', 'const b = 2', 0],
      ['same', 'c', 0],
      ['title', 'suggested', 0],
      ['same', 'a', 1],
    ]);
    expect(doc.own).toEqual({ from: 6, count: 5 });
    expect(doc.marksOf(3)).toEqual([[10, 11]]);
  });
});

describe('withSurroundings', () => {
  const around = { above: ['w', 'x', 'y'], below: ['d', 'e'], moreAbove: 0, moreBelow: 7 };

  it('continues the numbers on both sides, and adds nothing to decide on', () => {
    const doc = withSurroundings(HUNK, readHunk(HUNK), around, 2);
    const shown = doc.lines.map(({ op, text, before, after, body }) => [op, text, before, after, body]);
    expect(shown.slice(0, 3)).toEqual([
      ['around', 'x', 7, 7, 0],
      ['around', 'y', 8, 8, 0],
      ['same', 'a', 9, 9, 1],
    ]);
    expect(shown.slice(-3)).toEqual([
      ['same', 'c', 11, 12, 5],
      ['around', 'd', 12, 13, 0],
      ['around', 'e', 13, 14, 0],
    ]);
    expect(doc.own).toEqual({ from: 2, count: 5 });
  });

  it('counts from a side without lines', () => {
    const hunk = { id: 'h', diff: '@@ -4,0 +5,2 @@\n+one\n+two\n' };
    const doc = withSurroundings(
      hunk,
      readHunk(hunk),
      { above: ['u'], below: ['v'], moreAbove: 0, moreBelow: 0 },
      1,
    );
    expect(doc.lines.map(({ before, after }) => [before, after])).toEqual([
      [4, 4],
      [null, 5],
      [null, 6],
      [5, 7],
    ]);
  });

  it('is the same document if there is nothing around', () => {
    const doc = readHunk(HUNK);
    expect(withSurroundings(HUNK, doc, { above: [], below: [], moreAbove: 0, moreBelow: 0 }, 9)).toBe(doc);
  });
});
