import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTheme } from '../theme/theme.ts';
import { type CodeLine, planCodeLine } from './code-line.ts';
import { rowPlainText, rowWidth } from './row.ts';

const THEME = createTheme({ depth: 'none', background: 'dark', ascii: false, plain: false });
const line = (text: string, fields: Partial<CodeLine> = {}): CodeLine => ({
  text,
  marks: [],
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
  ])('shows what is hidden in %j', (text, expected) => expect(drawn(text, 40)).toBe(expected));

  it('says where a line goes on, and shows the rest when it is pushed', () => {
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

  it('looks only at what is in view of a line of five million characters', () => {
    const long = 'é'.repeat(5_000_000);
    const started = performance.now();
    for (let at = 0; at < 100; at += 1) drawn(long, 80, at);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
