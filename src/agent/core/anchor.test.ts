import { expect, it } from 'vitest';
import { withoutNeighbours } from './anchor.ts';

const FILE = ['import os', '', 'def one():', '    return 1', '', 'def two():', '    return 2'];
const place = (start: number, end: number) => ({ start, end });

it.each([
  ['the lines above', 'def one():\n    return 1\n\ndef two(x):', place(5, 6), 'def two(x):'],
  ['the lines below', 'def one(x):\n    return 1', place(2, 3), 'def one(x):'],
])('removes %s from a new text that repeats them', (_name, newText, at, expected) => {
  expect(withoutNeighbours(newText, FILE, at)).toBe(expected);
});

it.each([
  ['one more blank line above', '\ndef two():', place(5, 6)],
  ['one more blank line below', 'def one():\n    return 1\n', place(2, 4)],
  ['lines within the place itself', 'def one():\n    return 1', place(2, 4)],
  ['other lines', 'def three():', place(5, 6)],
])('keeps %s', (_name, newText, at) => {
  expect(withoutNeighbours(newText, FILE, at)).toBe(newText);
});

it('keeps one more closing bracket', () => {
  expect(withoutNeighbours('b();\n}', ['a {', 'b', '}', '}'], place(1, 2))).toBe('b();\n}');
});
