import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareRows,
  createLineWrapper,
  measure,
  moveRows,
  offsetAt,
  positionOf,
  rowText,
  scrollTo,
  visibleRows,
  wrapLine,
} from './text-layout.ts';
import { graphemesOf, widthOf } from './width.ts';

const rows = (text: string, width: number) => wrapLine(text, width).map((span) => rowText(text, span, width));

describe('wrapLine', () => {
  it.each([
    ['', 5, ['']],
    ['short', 5, ['short']],
    ['two words', 5, ['two ', 'words']],
    ['two words', 3, ['two', 'wor', 'ds']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['ab  cd', 2, ['ab', 'cd']],
    ['漢字漢字', 5, ['漢字', '漢字']],
    ['a漢b', 2, ['a', '漢', 'b']],
    ['ok 👩‍👩‍👧 end', 5, ['ok 👩‍👩‍👧', 'end']],
    ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['- the item goes on', 14, ['- the item ', '  goes on']],
    ['  12. the item goes', 16, ['  12. the item ', '      goes']],
    ['> a quote of more', 12, ['> a quote of', '  more']],
    ['\tx', 12, ['    x']],
    ['a\tb', 12, ['a   b']],
    ['red\u001b[0m', 20, ['red␛[0m']],
    ['zero\u200bwidth', 20, ['zero<200B>width']],
  ])('%j in %i cells', (text, width, expected) => {
    expect(rows(text, width)).toEqual(expected);
  });

  it('covers the text without gap or overlap, fits the width, and keeps graphemes whole', () => {
    const piece = fc.constantFrom(
      'a',
      'word',
      ' ',
      '  ',
      '\t',
      '漢',
      '字',
      '👩‍👩‍👧',
      'e\u0301',
      '\u200b',
      '- ',
      '\u001b',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 2, max: 30 }), (pieces, width) => {
        const text = pieces.join('');
        const spans = wrapLine(text, width);
        const boundaries = new Set([0]);
        let offset = 0;
        for (const grapheme of graphemesOf(text)) {
          offset += grapheme.length;
          boundaries.add(offset);
        }
        let at = 0;
        for (const span of spans) {
          expect(span.start).toBe(at);
          at = span.end;
          expect(boundaries.has(span.end)).toBe(true);
          const inked = graphemesOf(text.slice(span.start, span.end)).filter(
            (grapheme) => grapheme.trim() !== '',
          );
          if (inked.length > 1) expect(widthOf(rowText(text, span, width))).toBeLessThanOrEqual(width);
        }
        expect(at).toBe(text.length);
      }),
      { seed: 11, numRuns: 400 },
    );
  });
});

describe('offset and column', () => {
  it('convert back to the same grapheme', () => {
    const piece = fc.constantFrom('a', 'word', ' ', '\t', '漢', '👩‍👩‍👧', 'e\u0301', '\u001b');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 3, max: 20 }), (pieces, width) => {
        const text = pieces.join('');
        const spans = wrapLine(text, width);
        let offset = 0;
        for (const grapheme of graphemesOf(text)) {
          expect(offsetAt(text, spans, positionOf(text, spans, offset))).toBe(offset);
          offset += grapheme.length;
        }
        expect(offsetAt(text, spans, positionOf(text, spans, offset))).toBe(offset);
      }),
      { seed: 12, numRuns: 400 },
    );
  });

  it('counts cells, indent and TAB stops', () => {
    const text = '- 漢字 and\tmore words';
    const spans = wrapLine(text, 12);
    expect(rows(text, 12)).toEqual(['- 漢字 and  ', '  more words'].map((row) => row.slice(0, 12)));
    expect(positionOf(text, spans, text.indexOf('字'))).toEqual({ row: 0, column: 4 });
    expect(positionOf(text, spans, text.indexOf('more'))).toEqual({ row: 1, column: 2 });
    expect(offsetAt(text, spans, { row: 0, column: 5 })).toBe(text.indexOf('字'));
    expect(offsetAt(text, spans, { row: 1, column: 99 })).toBe(text.length);
    expect(measure('\t漢')).toBe(6);
  });
});

describe('rows of many lines', () => {
  const lines = ['one', 'a long line here', '', 'end'].map((text) => ({ text }));
  const spansOf = createLineWrapper()(6);

  it('lists the rows that a window shows', () => {
    expect(visibleRows(lines, spansOf, { line: 1, row: 1 }, 4)).toEqual([
      { line: 1, row: 1 },
      { line: 1, row: 2 },
      { line: 2, row: 0 },
      { line: 3, row: 0 },
    ]);
  });

  it('moves as if it had counted all rows', () => {
    const all = visibleRows(lines, spansOf, { line: 0, row: 0 }, 99);
    for (let from = 0; from < all.length; from += 1) {
      for (let delta = -8; delta <= 8; delta += 1) {
        const start = all[from] ?? { line: 0, row: 0 };
        const to = all[Math.min(Math.max(0, from + delta), all.length - 1)];
        expect(moveRows(lines, spansOf, start, delta)).toEqual(to);
      }
    }
  });

  it('scrolls no further than needed', () => {
    const top = { line: 0, row: 0 };
    expect(scrollTo(lines, spansOf, { line: 1, row: 0 }, { top, height: 3, margin: 0 })).toBe(top);
    expect(scrollTo(lines, spansOf, { line: 1, row: 2 }, { top, height: 3, margin: 0 })).toEqual({
      line: 1,
      row: 0,
    });
    expect(
      scrollTo(lines, spansOf, { line: 0, row: 0 }, { top: { line: 3, row: 0 }, height: 3, margin: 1 }),
    ).toEqual(top);
    expect(compareRows({ line: 1, row: 2 }, { line: 2, row: 0 })).toBeLessThan(0);
  });

  it('wraps a line once per width, and only lines in view', () => {
    let asked = 0;
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      get text() {
        asked += 1;
        return `line ${index}`;
      },
    }));
    const spans = createLineWrapper()(40);
    for (let index = 0; index < 10; index += 1) {
      const top = scrollTo(
        many,
        spans,
        { line: 10_000, row: 0 },
        { top: { line: 0, row: 0 }, height: 20, margin: 2 },
      );
      visibleRows(many, spans, top, 20);
    }
    expect(asked).toBeLessThan(60);
  });
});
