/** Joining lines that a CLI wrapped: it may join too little, but never lose or reorder a character. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../lib/width.ts';
import { unwrap } from './unwrap.ts';

/** Wraps at blanks as the CLIs do: greedily, and cutting longer words. */
function wrap(text: string, cells: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (widthOf(longer) <= cells) {
      row = longer;
      continue;
    }
    if (row !== '') rows.push(row);
    row = word;
  }
  return [...rows, row];
}

describe('unwrap', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a paragraph', ['the quick brown fox', 'jumps over it'], ['the quick brown fox jumps over it']],
    ['short lines stay', ['one', 'two'], ['one', 'two']],
    [
      'a line with room for the next word stays',
      ['the quick brown', 'fox jumps'],
      ['the quick brown', 'fox jumps'],
    ],
    [
      'paragraphs stay apart',
      ['the quick brown fox', '', 'jumps over it'],
      ['the quick brown fox', '', 'jumps over it'],
    ],
    ['wide characters need no blank', ['日本語の文章もここに', 'あります'], ['日本語の文章もここにあります']],
    [
      'a list item with a hanging indent',
      ['- the quick brown', '  foxes jump'],
      ['- the quick brown foxes jump'],
    ],
    [
      'a list item that continues at the left',
      ['1. the quick browns', 'foxes jump'],
      ['1. the quick browns foxes jump'],
    ],
    [
      'a list item without a dot',
      [' 1 the quick browns', '   foxes jump'],
      [' 1 the quick browns foxes jump'],
    ],
    [
      'the next item is not a continuation',
      ['- the quick brown fox', '- jumps over it'],
      ['- the quick brown fox', '- jumps over it'],
    ],
    [
      'a heading stays a separate line',
      ['## the quick brown f', 'jumps over the dog'],
      ['## the quick brown f', 'jumps over the dog'],
    ],
    [
      'code is left alone',
      ['const a = call(1, 2);', 'const b = call(3, 4);'],
      ['const a = call(1, 2);', 'const b = call(3, 4);'],
    ],
    [
      'tables are left alone',
      ['│ the quick brown fo │', '│ jumps over it      │'],
      ['│ the quick brown fo │', '│ jumps over it      │'],
    ],
    [
      'fenced text is left alone',
      ['```', 'the quick brown fox', 'jumps over it', '```'],
      ['```', 'the quick brown fox', 'jumps over it', '```'],
    ],
    ['a cut word', ['https://example.com/', 'a/long/path'], ['https://example.com/a/long/path']],
  ])('%s', (_case, lines, expected) => {
    expect(unwrap(lines, 20)).toEqual({ lines: expected, reflowed: expected.length < lines.length });
  });

  it('undoes a greedy wrap of prose', () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    const prose = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(prose, fc.integer({ min: 12, max: 60 }), (text, cells) => {
        expect(unwrap(wrap(text, cells), cells).lines).toEqual([text]);
      }),
      { seed: 7 },
    );
  });

  it('never loses, adds or moves a character except white space', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ' ')),
      fc.constantFrom('', '- item', '  more', '日本語の文章', '```', '| a | b |', '1. one'),
    );
    const squeeze = (lines: readonly string[]) => lines.join('').replace(/\s+/gu, '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 4, max: 60 }), (lines, cells) => {
        expect(squeeze(unwrap(lines, cells).lines)).toBe(squeeze(lines));
      }),
      { seed: 11 },
    );
  });
});
