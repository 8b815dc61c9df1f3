import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { graphemesOf, padEnd, sliceCells, truncate, widthOf } from './width.ts';

describe('widthOf', () => {
  it('agrees with string-width on every character of the basic plane', () => {
    const wrong: string[] = [];
    for (let code = 0x20; code < 0xd800; code += 1) {
      const text = String.fromCharCode(code);
      // Escape sequences and controls are not measured: `sanitize` runs first.
      if (code >= 0x7f && code <= 0xa0) continue;
      if (widthOf(text) !== stringWidth(text)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['plain', 5],
    ['漢字', 4],
    ['한글', 4],
    ['a漢b', 4],
    ['👩‍👩‍👧', 2],
    ['e\u0301', 1],
    ['か\u3099', 2],
    ['', 0],
  ])('%s takes %i cells', (text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });
});

describe('graphemesOf', () => {
  it('splits like the segmenter', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    const piece = fc.constantFrom(
      'a',
      'é',
      '漢',
      '한',
      'か',
      '゛',
      '\u3099',
      'ー',
      'Ａ',
      '\u0301',
      '👩‍👧',
      '─',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(graphemesOf(text)).toEqual(Array.from(segmenter.segment(text), (part) => part.segment));
      }),
      { seed: 21 },
    );
  });
});

describe('cutting', () => {
  it('never splits a character', () => {
    expect(sliceCells('漢字', 3)).toBe('漢');
    expect(truncate('漢字漢', 5)).toBe('漢字…');
    expect(truncate('abc', 3)).toBe('abc');
    expect(truncate('abc', 0)).toBe('');
    expect(padEnd('漢', 4)).toBe('漢  ');
  });
});
