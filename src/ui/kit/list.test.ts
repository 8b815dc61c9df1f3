import { expect, it } from 'vitest';
import { wrapEntries } from './list.ts';
import { span } from './row.ts';

const entries = ['> 1 of 3: explain the parser', '  2 of 3: ok', '  3 of 3: 漢字漢字漢字漢字'].map((text) => [
  span(text),
]);
const texts = (marked: number, columns: number, rows: number) =>
  wrapEntries(entries, marked, { columns, rows }).map((row) => row.map(({ text }) => text).join(''));

it('shows every entry in full, over as many rows as it needs', () => {
  expect(texts(0, 16, 9)).toEqual([
    '> 1 of 3:',
    '  explain the',
    '  parser',
    '  2 of 3: ok',
    '  3 of 3: 漢字漢',
    '  字漢字漢字',
  ]);
});

it('keeps the marked entry in view', () => {
  expect(texts(1, 16, 4).at(-1)).toBe('  2 of 3: ok');
  expect(texts(2, 16, 3)).toEqual(['  2 of 3: ok', '  3 of 3: 漢字漢', '  字漢字漢字']);
  expect(texts(2, 16, 1)).toEqual(['  3 of 3: 漢字漢']);
});
