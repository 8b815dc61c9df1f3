import { describe, expect, it } from 'vitest';
import { testHunk } from '../../../test/helpers/review-fakes.ts';
import { readHunk } from './hunk-doc.ts';
import { editableText, withEndOf } from './modify.ts';

const DIFF = '@@ -9,4 +9,4 @@\n a\n-b\n+B\n c\n-d\n+D\n e\n';

function check(fields: Parameters<typeof testHunk>[1], index: number) {
  const hunk = testHunk('h', { diff: DIFF, ...fields });
  return editableText(hunk, readHunk(hunk), index, null);
}

describe('editableText', () => {
  it('is the new side of a whole hunk with context, opened at the line of the cursor', () => {
    expect(check({}, 2)).toEqual({ ok: true, value: { text: 'a\nB\nc\nD\ne\n', line: 2 } });
    expect(check({}, 6)).toMatchObject({ value: { line: 5 } });
  });

  it('is the text between the first and last change of a part', () => {
    expect(check({ parent: 'root' }, 0)).toEqual({ ok: true, value: { text: 'B\nc\nD\n', line: 1 } });
  });

  it('has no line end if the file has none', () => {
    const diff = '@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n';
    expect(check({ diff }, 0)).toMatchObject({ value: { text: 'b' } });
  });

  it.each([
    [{ diff: '@@ -1 +1 @@\n-a\n+\ufffd\n' }, 'not UTF-8'],
    [{ kind: 'mode', diff: 'old mode 100644\nnew mode 100755\n' }, 'no lines to edit'],
    [{ status: 'conflict' }, 'not been loaded'],
  ] as const)('refuses text that an editor would corrupt (%#)', (fields, words) => {
    const refused = check(fields, 0);
    expect(refused.ok ? '' : refused.error.message).toContain(words);
  });

  it('is the merge for a hunk in conflict', () => {
    const hunk = testHunk('h', { status: 'conflict' });
    const sides = { base: '', yours: '', yoursLine: 1, suggested: '', merged: 'both\n', conflicts: 1 };
    expect(editableText(hunk, readHunk(hunk), 0, { hunk: 'h', sides })).toMatchObject({
      value: { text: 'both\n' },
    });
  });
});

describe('withEndOf', () => {
  it.each([
    ['a\n', 'b', 'b\n'],
    ['a\n', 'b\n', 'b\n'],
    ['a', 'b\n', 'b'],
    ['a', 'b\n\n', 'b\n'],
    ['a\n', '', ''],
    ['', 'b', 'b'],
  ])('%j edited to %j is %j', (before, edited, after) => expect(withEndOf(before, edited)).toBe(after));
});
