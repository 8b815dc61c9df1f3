import { describe, expect, it } from 'vitest';
import { fromLatin1, latin1 } from './bytes.ts';
import { formatHunk, verbatimHunk } from './format-diff.ts';
import { readBody } from './hunk-body.ts';
import { withCrlfHunks } from './line-ends.ts';
import { parsePatch } from './parse-patch.ts';
import type { Patch } from './patch-model.ts';

function read(header: string, body = ' a\n-b\n+c\n'): Patch {
  const parsed = parsePatch(fromLatin1(`--- a/f\n+++ b/f\n${header}\n${body}`));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

/** The header of the first hunk, regenerated and verbatim. */
function headers(patch: Patch, picked: ReadonlySet<number> | null = null): (string | null)[] {
  const [hunk] = patch.files[0]?.hunks ?? [];
  if (hunk === undefined) throw new Error('no hunk');
  const body = readBody(patch.bytes, hunk, patch.lineStarts);
  const [written] = new TextDecoder().decode(formatHunk(hunk, body, picked)).split('\n');
  return [written ?? '', verbatimHunk(hunk, body)?.header.trimEnd() ?? null];
}

describe('the header of a hunk', () => {
  it.each([
    ['the function that it is in', '@@ -4,2 +4,2 @@ int main(void)', '@@ -4,2 +4,2 @@ int main(void)'],
    ['nothing', '@@ -4,2 +4,2 @@', '@@ -4,2 +4,2 @@'],
    ['a blank alone', '@@ -4,2 +4,2 @@ ', '@@ -4,2 +4,2 @@'],
    ['what looks like a header', '@@ -4,2 +4,2 @@ @@ -1 +1 @@', '@@ -4,2 +4,2 @@ @@ -1 +1 @@'],
    ['UTF-8', '@@ -4,2 +4,2 @@ gr\u00c3\u00bc\u00c3\u009fe()', '@@ -4,2 +4,2 @@ grüße()'],
    ['bytes that are not UTF-8', '@@ -4,2 +4,2 @@ caf\u00e9', '@@ -4,2 +4,2 @@ caf\\xe9'],
    ['DOS text', '@@ -4,2 +4,2 @@ main\r', '@@ -4,2 +4,2 @@ main'],
    ['an endless text', `@@ -4,2 +4,2 @@ ${'x'.repeat(5000)}`, `@@ -4,2 +4,2 @@ ${'x'.repeat(199)}`],
    ['wrong counts', '@@ -4 +4 @@ main', '@@ -4,2 +4,2 @@ main'],
  ])('keeps %s', (_, header, expected) => {
    expect(headers(read(header))).toEqual([expected, expected]);
  });

  it('keeps its text for a part, and for a hunk whose lines were rewritten', () => {
    const patch = read('@@ -4,2 +4,2 @@ main');
    expect(headers(patch, new Set([1]))[0]).toBe('@@ -4,2 +4 @@ main');
    expect(headers(withCrlfHunks(patch, new Set(patch.files)))[0]).toBe('@@ -4,2 +4,2 @@ main');
  });

  it('has no text without numbers, and does not take a body line as its own', () => {
    const patch = read('@@ @@ main', ' a\n-@@ b\n+c\n');
    expect(headers(patch)[0]).toBe('@@ -0,2 +0,2 @@');
    expect(latin1(patch.bytes)).toContain('-@@ b');
  });
});

describe('a part of a hunk', () => {
  const lines = ' 1\n 2\n 3\n-4\n-5\n 6\n 7\n+8\n 9\n 10\n';
  const shown = (picked: readonly number[], contextLines: number) => {
    const patch = read('@@ -11,9 +21,8 @@', lines);
    const [hunk] = patch.files[0]?.hunks ?? [];
    if (hunk === undefined) throw new Error('no hunk');
    const body = readBody(patch.bytes, hunk, patch.lineStarts);
    return new TextDecoder().decode(formatHunk(hunk, body, new Set(picked), contextLines));
  };

  it('has that many lines around it, including what other parts remove but not what they add', () => {
    expect(shown([4], 2)).toBe('@@ -13,5 +23,4 @@\n 3\n 4\n-5\n 6\n 7\n');
    expect(shown([7], 2)).toBe('@@ -16,4 +26,5 @@\n 6\n 7\n+8\n 9\n 10\n');
    expect(shown([3, 7], 1)).toBe('@@ -13,6 +23,6 @@\n 3\n-4\n 5\n 6\n 7\n+8\n 9\n');
    expect(shown([7], 99).split('\n')[0]).toBe('@@ -11,9 +21,10 @@');
  });

  const drawn = (lines: string, picked: readonly number[]) => {
    const patch = read('@@ @@', lines);
    const [hunk] = patch.files[0]?.hunks ?? [];
    if (hunk === undefined) throw new Error('no hunk');
    const body = readBody(patch.bytes, hunk, patch.lineStarts);
    const text = new TextDecoder().decode(formatHunk(hunk, body, new Set(picked)));
    return text.split('\n').slice(1, -1).join('|');
  };

  it.each([
    ['an added line after the line that it replaces', '-a\n-b\n-c\n+A\n+B\n+C\n', [4], ' a| b|+B| c'],
    ['a pair in its place', '-a\n-b\n-c\n+A\n+B\n+C\n', [1, 4], ' a|-b|+B| c'],
    ['the rest in one run', '-a\n-b\n-c\n+A\n+B\n+C\n', [0, 1, 2, 3, 5], '-a|-b|-c|+A|+C'],
    ['two pairs around an unchanged line', '-a\n-b\n-c\n+A\n+B\n+C\n', [0, 2, 3, 5], '-a|+A| b|-c|+C'],
    ['an added line that replaces nothing after the line above', '-a\n+A\n+n\n \n', [2], ' a|+n| '],
    [
      'lines that share words after each other',
      '-one two\n-x\n+new\n+one 2\n+y\n',
      [3],
      ' one two|+one 2| x',
    ],
    ['what is above the first match above it', '-one two\n-x\n+new\n+one 2\n+y\n', [2], '+new| one two| x'],
    ['each of two blocks by itself', '-a\n-b\n+A\n+B\n k\n-c\n-d\n+C\n+D\n', [2, 7], ' a|+A| b| k| c|+C| d'],
    ['a whole block as written', '+x\n-y\n+z\n k\n-c\n+C\n', [0, 1, 2], '+x|-y|+z| k| c'],
  ])('draws %s', (_, lines, picked, expected) => {
    expect(drawn(lines, picked)).toBe(expected);
  });
});
