import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../lib/steps.ts';
import { fromLatin1 } from './bytes.ts';
import { IdMaker, partOf } from './change.ts';
import { readBody } from './hunk-body.ts';
import { parsePatch } from './parse-patch.ts';
import { bodyLines, linesOfFile } from './shown-lines.ts';

const hash = () => '0123456789abcdef';

/** A patch's first hunk. */
function wholeHunk(text: string) {
  const patch = parsePatch(fromLatin1(text));
  if (!patch.ok) throw new Error(patch.error.message);
  const [hunk] = patch.value.files[0]?.hunks ?? [];
  if (hunk === undefined) throw new Error('no hunk');
  const body = readBody(patch.value.bytes, hunk, patch.value.lineStarts);
  return runAtOnce(new IdMaker(hash).makeHunk('f', 'text', hunk, body));
}

/** The part of `-a -b -c +A +B +C` with these body lines, from 0. */
function part(picked: readonly number[]) {
  const whole = wholeHunk('--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n-b\n-c\n+A\n+B\n+C\n');
  return partOf(whole, new Set(picked), hash);
}

describe('lines as shown', () => {
  it.each([
    ['an added line drawn above others', [4], { first: 3, last: 3 }, { first: 5, last: 5 }],
    ['lines in the order of the patch', [0, 1, 2, 3, 5], { first: 1, last: 4 }, { first: 1, last: 4 }],
    ['the last line', [0, 1, 2, 3, 5], { first: 5, last: 5 }, { first: 6, last: 6 }],
  ])('are lines of the body: %s', (_, picked, range, expected) => {
    expect(bodyLines(part(picked), range)).toEqual({ ok: true, value: expected });
  });

  it('finds them in a hunk of 200,000 lines', () => {
    const count = 200_000;
    const patch = `--- a/f\n+++ b/f\n@@ -0,0 +1,${count} @@\n${'+x\n'.repeat(count)}`;
    const range = { first: 1, last: count };
    expect(bodyLines(wholeHunk(patch), range)).toEqual({ ok: true, value: range });
  });

  it.each([
    ['others lie between them', [1, 4], { first: 2, last: 3 }, /are in between/],
    ['there are fewer', [4], { first: 3, last: 5 }, /4 are shown/],
    ['they end before they begin', [4], { first: 2, last: 1 }, /There are no lines 2-1/],
  ])('are refused if %s', (_, picked, range, words) => {
    const found = bodyLines(part(picked), range);
    expect(found.ok ? '' : found.error.message).toMatch(words);
  });
});

describe('lines of the file', () => {
  const hunk = wholeHunk('--- a/f\n+++ b/f\n@@ -10,4 +12,5 @@\n a\n-b\n+B\n+C\n d\n e\n');
  it.each([
    [
      { first: 12, last: 12 },
      { first: 1, last: 1 },
    ],
    [
      { first: 13, last: 14 },
      { first: 3, last: 4 },
    ],
    [
      { first: 16, last: 16 },
      { first: 6, last: 6 },
    ],
    [
      { first: 9, last: 11 },
      { first: -2, last: 0 },
    ],
    [
      { first: 11, last: 17 },
      { first: 0, last: 7 },
    ],
    [
      { first: 18, last: 20 },
      { first: 8, last: 10 },
    ],
  ])('%o are in the body and around it', (range, value) => {
    expect(linesOfFile(hunk, range)).toEqual({ ok: true, value });
  });

  it('are on both sides of a hunk that only removes', () => {
    const removing = wholeHunk('--- a/f\n+++ b/f\n@@ -5,2 +4,0 @@\n-a\n-b\n');
    expect(linesOfFile(removing, { first: 4, last: 4 })).toEqual({ ok: true, value: { first: 0, last: 0 } });
    expect(linesOfFile(removing, { first: 5, last: 6 })).toEqual({ ok: true, value: { first: 3, last: 4 } });
  });

  it('are refused if they end before they begin, or belong to another part', () => {
    expect(linesOfFile(hunk, { first: 3, last: 2 }).ok).toBe(false);
    expect(linesOfFile(part([0, 3]), { first: 1, last: 2 })).toMatchObject({
      error: { message: expect.stringMatching(/another part/) },
    });
  });
});
