import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftEdit } from '../../protocol/agent.ts';
import { lineEdits } from './line-edits.ts';

/** The result of the edits on a text, by definition. */
function apply(before: string, edits: readonly DraftEdit[]): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const { operation, start_line = 1, end_line = 0, new_text } of edits.toReversed()) {
    lines.splice(start_line - 1, operation === 'insert' ? 0 : end_line - start_line + 1, new_text);
  }
  return lines.join('');
}

describe('lineEdits', () => {
  it.each([
    ['nothing', 'a\nb\n', 'a\nb\n', []],
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', [['replace', 2, 2, 'B\n']]],
    ['inserted lines', 'a\nb\n', 'a\nx\ny\nb\n', [['insert', 2, undefined, 'x\ny\n']]],
    ['lines at the end', 'a\n', 'a\nb\n', [['insert', 2, undefined, 'b\n']]],
    ['removed lines', 'a\nb\nc\nd\n', 'a\nd\n', [['delete', 2, 3, '']]],
    [
      'two places',
      'a\nb\nc\n',
      'A\nb\nC\n',
      [
        ['replace', 1, 1, 'A\n'],
        ['replace', 3, 3, 'C\n'],
      ],
    ],
    ['the whole text', 'a\nb\n', '', [['delete', 1, 2, '']]],
  ])('%s', (_, before, after, wanted) => {
    const edits = lineEdits('f', before, after);
    expect(edits.map((edit) => [edit.operation, edit.start_line, edit.end_line, edit.new_text])).toEqual(
      wanted,
    );
  });

  it('turns the old text into the new one, for any texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '', '}', 'x\r'), { maxLength: 30 })
      .chain((lines) =>
        fc.boolean().map((ended) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')),
      );
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, lineEdits('f', before, after))).toBe(after);
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });
});
