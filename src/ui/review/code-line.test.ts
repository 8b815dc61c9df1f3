import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { rowPlainText, rowWidth } from '../kit/row.ts';
import { createTheme } from '../kit/theme/theme.ts';
import {
  type CodeLine,
  planCodeLine,
  planWrappedLine,
  WRAPPED_LINE_MAX_ROWS,
  wrapCodeLine,
} from './code-line.ts';

const THEME = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });
const line = (text: string, fields: Partial<CodeLine> = {}): CodeLine => ({
  text,
  marks: [],
  colors: [],
  role: 'added',
  markRole: 'added-word',
  showBlanks: true,
  ...fields,
});
const drawn = (text: string, width: number, shift = 0) =>
  rowPlainText(planCodeLine(line(text), shift, width, THEME));

describe('planCodeLine', () => {
  it.each([
    ['a\tb', 'a→  b'],
    ['end  ', 'end··'],
    ['crlf\r', 'crlf␍'],
    ['no\u00a0break', 'no<00A0>break'],
    ['zero\u200bwidth', 'zero<200B>width'],
    ['\u202eevil', '<202E>evil'],
    ['漢字', '漢字'],
  ])('shows the hidden characters in %j', (text, expected) => expect(drawn(text, 40)).toBe(expected));

  it('marks a cut line, and shows the rest when it is shifted', () => {
    expect(drawn('abcdefghij', 5)).toBe('abcd…');
    expect(drawn('abcdefghij', 5, 5)).toBe('fghij');
    expect(drawn('漢字漢字', 5)).toBe('漢字…');
    expect(drawn('漢字漢字', 5, 1)).toBe(' 字…');
  });

  it('marks the words that differ', () => {
    const row = planCodeLine(line('let b = 1', { marks: [[4, 5]] }), 0, 40, THEME);
    expect(row.map(({ text, role }) => [text, role])).toEqual([
      ['let ', 'added'],
      ['b', 'added-word'],
      [' = 1', 'added'],
    ]);
  });

  it('never takes more cells than it has', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 20 }),
        (text, width, shift) => {
          expect(rowWidth(planCodeLine(line(text), shift, width, THEME))).toBeLessThanOrEqual(width);
        },
      ),
      { seed: 11, numRuns: 500 },
    );
  });

  it('scans only the visible part of a line of five million characters', () => {
    const long = 'é'.repeat(5_000_000);
    const ms = cpuMsOf(() => {
      for (let at = 0; at < 100; at += 1) drawn(long, 80, at);
    });
    expect(ms).toBeLessThan(1_000);
  });
});

describe('colours', () => {
  const colored = (text: string, fields: Partial<CodeLine>) =>
    planCodeLine(line(text, fields), 0, 40, THEME).map((part) => [part.text, part.role]);

  it('colour text between unstyled text, and changed words override them', () => {
    const colors = [
      [0, 3, 'syntax-keyword'],
      [8, 9, 'syntax-number'],
    ] as const;
    const expected = [
      ['let', 'syntax-keyword'],
      [' ', 'added'],
      ['b', 'added-word'],
      [' = ', 'added'],
      ['1', 'syntax-number'],
      [';', 'added'],
    ];
    expect(colored('let b = 1;', { colors, marks: [[4, 5]] })).toEqual(expected);
    expect(colored('let b = 1;é', { colors, marks: [[4, 5]] }).slice(0, -1)).toEqual(expected.slice(0, -1));
  });

  it('change nothing but roles', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.uniqueArray(fc.nat(60), { maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        (text, bounds, width) => {
          const at = [...bounds].sort((a, b) => a - b);
          const colors = at.slice(1).map((end, index) => [at[index] ?? 0, end, 'syntax-string'] as const);
          const plain = rowPlainText(planCodeLine(line(text), 0, width, THEME));
          expect(rowPlainText(planCodeLine(line(text, { colors }), 0, width, THEME))).toBe(plain);
        },
      ),
      { seed: 12, numRuns: 300 },
    );
  });
});

describe('wrapping', () => {
  const rows = (text: string, width: number) =>
    wrapCodeLine(text, width).map((_, row) => rowPlainText(planWrappedLine(line(text), row, width, THEME)));

  it.each([
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['', 4, ['']],
    ['漢字漢', 5, ['漢字', '漢']],
    ['ab  ', 3, ['ab·', '·']],
    ['abc\td', 4, ['abc→', 'd']],
    ['let name = value;', 10, ['let name ', '= value;']],
    ['für name = "wert";', 10, ['für name ', '= "wert";']],
    ['a https://example.org', 10, ['a https://', 'example.or', 'g']],
    ['漢字 漢字 漢', 9, ['漢字 ', '漢字 漢']],
  ])('wraps %j to rows of %i', (text, width, expected) => expect(rows(text, width)).toEqual(expected));

  it('loses no character and never takes more cells than it has', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 8, max: 30 }),
        (text, width) => {
          const shown = rows(text, width);
          expect(shown.join('')).toBe(drawn(text, 10_000));
          for (const [row] of shown.entries()) {
            expect(rowWidth(planWrappedLine(line(text), row, width, THEME))).toBeLessThanOrEqual(width);
          }
        },
      ),
      { seed: 13, numRuns: 300 },
    );
  });

  it('stops at a bound, and marks the line as cut', () => {
    const within = 'x'.repeat(WRAPPED_LINE_MAX_ROWS * 10);
    expect(rows(within, 10)).toHaveLength(WRAPPED_LINE_MAX_ROWS);
    expect(rows(within, 10).at(-1)).toBe('x'.repeat(10));
    const beyond = rows(`${within}y`, 10);
    expect(beyond).toHaveLength(WRAPPED_LINE_MAX_ROWS);
    expect(beyond.at(-1)).toBe(`${'x'.repeat(9)}…`);
  });
});
