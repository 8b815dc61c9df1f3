import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseBoundedJson } from './bounded-json.ts';

const LIMITS = { maxDepth: 3, maxValues: 10, maxMembers: 4 };
const WIDE = { maxDepth: 100, maxValues: 100_000, maxMembers: 100_000 };
const messageOf = (text: string, limits = LIMITS) => {
  const parsed = parseBoundedJson(text, limits);
  return parsed.ok ? 'taken' : parsed.error.message;
};

describe('the limits', () => {
  it.each([
    ['[[[1]]]', 'taken'],
    ['[[[[1]]]]', 'Invalid JSON: it is nested more than 3 deep.'],
    ['{"a":{"b":{"c":{}}}}', 'Invalid JSON: it is nested more than 3 deep.'],
    ['[1,2,3,4]', 'taken'],
    ['[1,2,3,4,5]', 'Invalid JSON: an array or an object in it has more than 4 members.'],
    ['{"a":1,"a":1,"a":1,"a":1,"a":1}', 'Invalid JSON: an array or an object in it has more than 4 members.'],
    ['[[1,2,3],[1,2,3]]', 'taken'],
    ['[[1,2,3],[1,2,3],[1,2,3]]', 'Invalid JSON: it holds more than 10 values.'],
    ['["[[[[[[", ",,,,,,,", "\\"[[[[", "\\\\"]', 'taken'],
  ])('%s: %s', (text, message) => expect(messageOf(text)).toBe(message));

  it.each(['', '{', ']', '"', '"\\"', '{"a":1,}', '[1', ']]]]', 'nonsense'])(
    'reports bad JSON as such: %s',
    (text) => expect(messageOf(text)).toMatch(/^Invalid JSON: ./),
  );
});

it('accepts what JSON.parse accepts, with the same value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseBoundedJson(text, WIDE)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
    { seed: 7, numRuns: 500 },
  );
});

/** How many characters the scan looks at. */
function looksAt(text: string): number {
  let count = 0;
  const spy = vi.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (
    this: string,
    at: number,
  ) {
    count += 1;
    return Buffer.from(this[at] ?? '', 'utf16le').readUInt16LE();
  });
  try {
    parseBoundedJson(text, { maxDepth: 64, maxValues: 100_000, maxMembers: 20_000 });
  } finally {
    spy.mockRestore();
  }
  return count;
}

const SIZE = 20_000;

it.each([
  ['brackets', '['.repeat(SIZE)],
  ['keys', `{${Array.from({ length: SIZE / 8 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ['one key, again and again', `{${Array.from({ length: SIZE / 7 }, () => '"aB":1').join(',')}}`],
  ['escaped quotes', `"${'\\"'.repeat(SIZE / 2)}"`],
  ['backslashes', `"${'\\'.repeat(SIZE)}`],
  ['quotes', '"'.repeat(SIZE)],
  ['strings of backslashes', `"${'\\'.repeat(100)}" `.repeat(SIZE / 100)],
  ['a number', '9'.repeat(SIZE)],
])('scans no character more than twice: %s', (_, text) => {
  expect(looksAt(text)).toBeLessThanOrEqual(2 * text.length);
});
