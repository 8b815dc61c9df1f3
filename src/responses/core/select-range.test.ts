import { expect, test } from 'vitest';
import { parseTurnRange, selectTurns } from './select-range.ts';

test.each([
  ['1:3', { start: 1, end: 3 }],
  ['3:1', { start: 1, end: 3 }],
  ['2', { start: 2, end: 2 }],
  [':2', { start: 1, end: 2 }],
  ['2:', { start: 2, end: Number.POSITIVE_INFINITY }],
])('%s', (text, range) => {
  expect(parseTurnRange(text)).toEqual({ ok: true, value: range });
});

test.each(['', ':', '0', '0:2', '1:0', 'a', '-1', '1:2:3', '1.5'])('%j is refused', (text) => {
  const parsed = parseTurnRange(text);
  expect(parsed.ok ? parsed.value : parsed.error.code).toBe('invalid');
});

test('counts from the newest', () => {
  expect(selectTurns(['newest', 'middle', 'oldest'], { start: 2, end: Number.POSITIVE_INFINITY })).toEqual([
    'middle',
    'oldest',
  ]);
  expect(selectTurns(['newest'], { start: 2, end: 5 })).toEqual([]);
});
