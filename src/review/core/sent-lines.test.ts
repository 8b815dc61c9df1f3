import { describe, expect, it } from 'vitest';
import { must } from '../../../test/helpers/host-fakes.ts';
import { runAtOnce } from '../../lib/steps.ts';
import { fromLatin1, latin1 } from './bytes.ts';
import { formatFile } from './format-diff.ts';
import { lineTable } from './line-table.ts';
import { parsePatch } from './parse-patch.ts';
import * as steps from './sent-lines.ts';

const linesOf = (texts: readonly string[]) => runAtOnce(steps.linesOf(texts));
const withSentLines = (made: Uint8Array, sent: steps.SentLines) => runAtOnce(steps.withSentLines(made, sent));

const HEAD = 'diff --git a/f b/f\nindex 1..1 100644\n--- a/f\n+++ b/f\n';

/** The patch from one text to another, as made from the target's files. */
function made(before: string, after: string, context = 3): Uint8Array {
  const side = (text: string) => ({
    path: 'f',
    mode: 0o100644,
    table: lineTable(fromLatin1(text)),
    blob: '1',
  });
  return formatFile(side(before), side(after), context);
}

const BASE = 'a\nb\nc\nd\ne\nf\ng\n';

describe('a patch keeps the lines that were sent', () => {
  it.each<[string, readonly string[], string, string]>([
    ['all of them', [BASE, 'D'], BASE.replace('d', 'D'), '@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n'],
    ['none around', ['d', 'D'], BASE.replace('d', 'D'), '@@ -4 +4 @@\n-d\n+D\n'],
    ['some around', ['c\nd\ne', 'D'], BASE.replace('d', 'D'), '@@ -3,3 +3,3 @@\n c\n-d\n+D\n e\n'],
    [
      'those beyond an unsent one are dropped',
      ['b\nd', 'D'],
      BASE.replace('d', 'D'),
      '@@ -4 +4 @@\n-d\n+D\n',
    ],
    ['an insertion', ['X'], BASE.replace('d', 'X\nd'), '@@ -3,0 +4 @@\n+X\n'],
    ['a removal', ['d'], BASE.replace('d\n', ''), '@@ -4 +3,0 @@\n-d\n'],
    ['at the beginning', ['X'], `X\n${BASE}`, '@@ -0,0 +1 @@\n+X\n'],
    [
      'two places',
      ['b', 'B', 'e', 'E'],
      BASE.replace('b', 'B').replace('e', 'E'),
      '@@ -2 +2 @@\n-b\n+B\n@@ -5 +5 @@\n-e\n+E\n',
    ],
    [
      'the second after an insertion',
      ['X', 'e', 'E'],
      BASE.replace('b', 'X\nb').replace('e', 'E'),
      '@@ -1,0 +2 @@\n+X\n@@ -5 +6 @@\n-e\n+E\n',
    ],
    [
      'no line end',
      ['g', 'G'],
      BASE.replace('g\n', 'G'),
      '@@ -7 +7 @@\n-g\n+G\n\\ No newline at end of file\n',
    ],
    ['sent with other blanks', ['  d ', 'D'], BASE.replace('d', 'D'), '@@ -4 +4 @@\n-d\n+D\n'],
  ])('%s', (_, sent, after, hunks) => {
    const kept = must(withSentLines(made(BASE, after), linesOf(sent)));
    expect(latin1(kept)).toBe(HEAD + hunks);
  });

  it('of an unsent line without a line end, nothing is left', () => {
    const kept = latin1(must(withSentLines(made('a\nb', 'A\nb'), linesOf(['a', 'A']))));
    expect(kept).toBe(`${HEAD}@@ -1 +1 @@\n-a\n+A\n`);
  });

  it('of several files', () => {
    const both = Buffer.concat([made('a\nb\n', 'A\nb\n'), made('c\nd\n', 'c\nD\n')]);
    const kept = latin1(must(withSentLines(both, linesOf(['a', 'A', 'd', 'D']))));
    expect(kept).toBe(`${HEAD}@@ -1 +1 @@\n-a\n+A\n${HEAD}@@ -2 +2 @@\n-d\n+D\n`);
  });
});

it.each([
  ['removed', 'a\nb\n', 'a\n'],
  ['added', 'a\n', 'a\nb\n'],
])('an unsent line that is %s is refused', (_, before, after) => {
  expect(withSentLines(made(before, after), linesOf(['a']))).toMatchObject({ error: { code: 'refused' } });
});

it('an empty patch stays empty', () => {
  expect(must(withSentLines(new Uint8Array(0), linesOf([])))).toHaveLength(0);
});

it('the lines of a patch are those of its hunks', () => {
  const lines = runAtOnce(steps.linesOfPatch(must(parsePatch(made(BASE, BASE.replace('d', 'D'))))));
  expect([...lines].sort()).toEqual(['D', 'a', 'b', 'c', 'd', 'e', 'f', 'g']);
});
