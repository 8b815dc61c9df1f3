import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonEnds, WordMarker } from './word-marks.ts';

test.each<[name: string, one: string, other: string, prefix: number, suffix: number]>([
  ['the middle differs', 'abXcd', 'abYYcd', 2, 2],
  ['one is a prefix of the other', 'abc', 'abcd', 3, 0],
  ['a repeated character counts once', 'aa', 'aaa', 2, 0],
  ['half an emoji is not in common', 'a\u{1f600}b', 'a\u{1f601}b', 1, 1],
  ['nor is the other half', 'a\u{1f600}', 'a\u{1fa00}', 1, 0],
  ['nothing', 'abc', 'xyz', 0, 0],
  ['empty', '', 'a', 0, 0],
])('commonEnds: %s', (_, one, other, prefix, suffix) => {
  expect(commonEnds(one, other)).toEqual({ prefix, suffix });
});

test('marks what differs between the common ends of any two texts, and splits no character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}', '\u{1f601}', '\u{1fa00}') });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const { prefix, suffix } = commonEnds(one, other);
      expect(prefix + suffix).toBeLessThanOrEqual(Math.min(one.length, other.length));
      expect(one.slice(0, prefix)).toBe(other.slice(0, prefix));
      expect(one.slice(one.length - suffix)).toBe(other.slice(other.length - suffix));
      for (const part of [one.slice(0, prefix), one.slice(one.length - suffix)])
        expect(part.isWellFormed()).toBe(true);
    }),
    { seed: 3 },
  );
});

test('marks a line of too many words between its ends, unless the lines have nothing in common', () => {
  const words = 'word '.repeat(2_000);
  const marker = new WordMarker(100);
  expect(marker.mark(`${words}old ${words}`, `${words}new ${words}`)).toEqual({
    before: [[10_000, 10_003]],
    after: [[10_000, 10_003]],
  });
  expect(marker.mark(`a${words}`, `b${'other '.repeat(4_000)}c`)).toEqual({ before: [], after: [] });
});
