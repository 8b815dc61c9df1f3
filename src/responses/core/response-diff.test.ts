import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { diffResponses, MARKS_MAX_TOKENS } from './response-diff.ts';

/** Puts `[…]` around marked text. */
const show = (before: string, after: string) =>
  diffResponses(before, after).rows.map(({ kind, text, marks }) => {
    let shown = text;
    for (const [start, end] of marks.toReversed())
      shown = `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`;
    return `${{ same: ' ', added: '+', removed: '-' }[kind]}${shown}`;
  });

describe('diffResponses', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['equal', 'a\nb', 'a\nb', [' a', ' b']],
    ['first response', '', 'a', ['+a']],
    ['an inserted line', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a removed line', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['a word changed', 'the old parser', 'the new parser', ['-the [old] parser', '+the [new] parser']],
    ['words added', 'use a flush', 'use a big flush', ['-use a flush', '+use a [big ]flush']],
    ['CJK changed', '原因是缺少刷新', '原因是没有刷新', ['-原因是[缺少]刷新', '+原因是[没有]刷新']],
    [
      'a line replaced by another',
      'the old parser',
      'something else',
      ['-the old parser', '+something else'],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(show(before, after)).toEqual(expected);
  });

  it('holds every line of both responses, numbered', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b b', 'c', '', '漢'), { maxLength: 15 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { rows, added, removed } = diffResponses(before, after);
        const side = (key: 'before' | 'after') => rows.filter((row) => row[key] !== null);
        const lines = (of: string) => (of === '' ? [] : of.split('\n'));
        expect(side('before').map((row) => row.text)).toEqual(lines(before));
        expect(side('after').map((row) => row.text)).toEqual(lines(after));
        expect(side('after').map((row) => row.after)).toEqual(lines(after).map((_, at) => at));
        expect(added - removed).toBe(lines(after).length - lines(before).length);
      }),
      { seed: 61 },
    );
  });

  it('compares only the ends of lines beyond its budget, and says so', () => {
    const rows = Math.ceil(MARKS_MAX_TOKENS / 10);
    const long = (word: string) =>
      Array.from({ length: rows }, (_, row) => `row ${row} has ${word} in it`).join('\n');
    const [before, after] = [long('this'), long('that')];
    expect(cpuMsOf(() => diffResponses(before, after))).toBeLessThan(2000);
    const diff = diffResponses(before, after);
    expect(diff.marked).toBe(false);
    expect(diff.rows).toHaveLength(2 * rows);
    const markedAt = (index: number) =>
      diff.rows.at(index)?.marks.map(([start, end]) => diff.rows.at(index)?.text.slice(start, end));
    expect(markedAt(rows)).toEqual(['that']);
    expect(markedAt(-1)).toEqual(['at']);
  });
});
