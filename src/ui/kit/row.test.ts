import { describe, expect, it } from 'vitest';
import {
  fillRows,
  fitRow,
  foreign,
  markCells,
  padRow,
  paintRow,
  type Row,
  rowPlainText,
  rowWidth,
  sideBySide,
  span,
  spread,
  wrapWords,
} from './row.ts';
import { createTheme } from './theme/theme.ts';

const text = (row: Row) => rowPlainText(row);
const theme = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });

describe('rows', () => {
  it.each([
    ['plain', 'plain'],
    ['a\tb\nc', 'a b c'],
    ['bell \u0007 esc \u001b[31m', 'bell ␇ esc ␛[31m'],
    ['\u202eevil', '<202E>evil'],
    ['zero\u200bwidth', 'zero<200B>width'],
  ])('foreign text %j is drawn as %j', (input, expected) => {
    expect(foreign(input).text).toBe(expected);
  });

  it.each([
    [5, 'abcde'],
    [4, 'abc…'],
    [1, '…'],
    [0, ''],
  ])('cuts to %i cells', (columns, expected) => {
    expect(text(fitRow([span('ab'), span('cde', 'dim')], columns, theme))).toBe(expected);
  });

  it('never splits a wide character', () => {
    const row = fitRow([span('漢字漢字')], 6, theme);
    expect(text(row)).toBe('漢字…');
    expect(rowWidth(padRow(row, 8))).toBe(8);
  });

  it('keeps the right side when the left must shrink', () => {
    expect(text(spread([span('a long left side')], [span('right')], 12, theme))).toBe('a lon… right');
    expect(text(spread([span('left')], [], 12, theme))).toBe('left');
    expect(text(spread([span('left')], [span('far too long')], 8, theme)).length).toBe(8);
  });

  it('cuts nothing in plain mode', () => {
    const plain = createTheme({ ...theme.options, plain: true });
    expect(text(fitRow([span('abcde')], 2, plain))).toBe('abcde');
    expect(text(spread([span('a long left side')], [span('right')], 12, plain))).toBe(
      'a long left side, right',
    );
    expect(text(spread([span('left')], [], 2, plain))).toBe('left');
  });

  it('marks cells across spans', () => {
    const marked = markCells([span('ab', 'dim'), span('漢c')], 1, 4, 'match');
    expect(marked).toEqual([span('a', 'dim'), span('b', 'match'), span('漢', 'match'), span('c')]);
  });

  it('fills, cuts and joins', () => {
    expect(fillRows([[], [], []], 2)).toHaveLength(2);
    expect(fillRows([[]], 3)).toHaveLength(3);
    expect(sideBySide([[span('a')]], [[span('b')], [span('c')]], 3, span('|')).map(text)).toEqual([
      'a  |b',
      '   |c',
    ]);
  });

  it.each([
    ['one two three', ['one two', 'three']],
    ['', []],
    ['one', ['one']],
    ['the /usr/local/bin path', ['the', '/usr/local', '/bin path']],
    ['日本語の文章です', ['日本語の文', '章です']],
    ['a 日本語の文章', ['a 日本語の', '文章']],
    ['🙂🙂🙂🙂🙂🙂', ['🙂🙂🙂🙂🙂', '🙂']],
  ])('breaks %j into rows without loss', (sentence, rows) => {
    expect(wrapWords(sentence, 10).map(text)).toEqual(rows);
  });
});

describe('themes', () => {
  const look = (depth: 'none' | '16' | '256' | 'truecolor', background: 'dark' | 'light' = 'dark') =>
    paintRow([span('x', 'changed')], createTheme({ depth, background, ascii: false, plain: false }));

  it.each([
    ['none', '\u001b[4mx\u001b[24m'],
    ['16', '\u001b[3m\u001b[33mx\u001b[39m\u001b[23m'],
    ['256', '\u001b[3m\u001b[38;5;179mx\u001b[39m\u001b[23m'],
    ['truecolor', '\u001b[3m\u001b[38;2;215;175;95mx\u001b[39m\u001b[23m'],
  ] as const)('%s', (depth, expected) => {
    expect(look(depth)).toBe(expected);
  });

  it('is darker on a light background', () => {
    expect(look('256', 'light')).toContain('38;5;94');
  });

  it('writes no escape sequence in plain mode, and no colour without colours', () => {
    const plain = createTheme({ depth: 'none', background: 'dark', ascii: true, plain: true });
    expect(paintRow([span('x', 'error'), span('y', 'cursor')], plain)).toBe('xy');
    expect(look('none')).not.toMatch(/\[[0-9;]*3[0-9]/);
  });
});
