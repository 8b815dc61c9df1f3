import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise } from './normalise.ts';

describe('normalise', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['line ends', 'a\r\nb\rc\n', 'a\nb\nc'],
    ['tabs and printable text stay', '\ta  b ~ü漢🙂\u2028', '\ta  b ~ü漢🙂\u2028'],
    ['trailing blanks stay, newlines go', 'a  \n\n\n', 'a  '],
    ['paste end, 7-bit', 'a\u001b[201~b', 'ab'],
    ['paste end, 8-bit', 'a\u009b201~b', 'ab'],
    ['paste end with leading zeros', 'a\u001b[0201~b', 'ab'],
    ['a frame inside a frame', 'a\u001b[20\u001b[201~1~b', 'ab'],
    ['escape sequences lose their escape', '\u001b[31mred', '[31mred'],
    ['delete, backspace, interrupt, NUL', 'a\u007fb\bc\u0003d\0e', 'abcde'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ];
  it.each(cases)('%s', (_name, text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it('changes nothing the second time, and leaves no control character', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('\u001b', '[', '2', '0', '1', '~', '\r', '\n', '\t', 'a', '\u009b', '漢'),
    });
    fc.assert(
      fc.property(nasty, (text) => {
        const once = normalise(text);
        expect(normalise(once)).toBe(once);
        expect(once).toMatch(/^[\t\n\u0020-\u007e\u00a0-\uffff]*$/);
        expect(once.endsWith('\n')).toBe(false);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
