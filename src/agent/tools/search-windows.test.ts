import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseWindows, windowsOf } from './search-windows.ts';

test.each([
  { matches: [10], max: 20, windows: [[8, 12]] },
  { matches: [1], max: 20, windows: [[1, 3]] },
  { matches: [10, 12], max: 20, windows: [[8, 14]] },
  { matches: [10, 15], max: 20, windows: [[8, 17]] },
  {
    matches: [10, 30],
    max: 20,
    windows: [
      [8, 12],
      [28, 32],
    ],
  },
  {
    matches: [1, 2, 3, 4, 5, 6],
    max: 5,
    windows: [
      [1, 5],
      [6, 8],
    ],
  },
  {
    matches: [4, 5],
    max: 1,
    windows: [
      [4, 4],
      [5, 5],
    ],
  },
])('$matches of at most $max lines', ({ matches, max, windows }) => {
  expect(windowsOf(matches, max).map((one) => [one.startLine, one.endLine])).toEqual(windows);
});

test('every match is in one window; windows are in order, apart, and within the limit', () => {
  const matches = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1 });
  fc.assert(
    fc.property(matches, fc.integer({ min: 1, max: 20 }), (unsorted, max) => {
      const sorted = unsorted.sort((a, b) => a - b);
      const windows = windowsOf(sorted, max);
      for (const match of sorted) {
        expect(windows.filter((one) => one.startLine <= match && match <= one.endLine)).toHaveLength(1);
      }
      windows.forEach((one, index) => {
        expect(one.endLine - one.startLine + 1).toBeLessThanOrEqual(max);
        expect(one.startLine).toBeGreaterThan(windows[index - 1]?.endLine ?? 0);
      });
    }),
    { seed: 7 },
  );
});

test('no file takes all the room', () => {
  const window = (line: number) => ({ startLine: line, endLine: line });
  const files = [
    { name: 'a', windows: [1, 2, 3, 4].map(window) },
    { name: 'b', windows: [1].map(window) },
    { name: 'c', windows: [1, 2].map(window) },
  ];
  const chosen = (limit: number) =>
    chooseWindows(files, limit).map(({ file, windows }) => `${file.name}${windows.length}`);
  expect(chosen(2)).toEqual(['a1', 'b1']);
  expect(chosen(4)).toEqual(['a2', 'b1', 'c1']);
  expect(chosen(100)).toEqual(['a4', 'b1', 'c2']);
});
