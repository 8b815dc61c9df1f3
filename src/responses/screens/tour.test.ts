import { expect, it } from 'vitest';
import { tourScreen } from './tour.ts';

const RULE = '─'.repeat(59);

function read(...lines: readonly string[]) {
  const rows = lines.map((text) => ({ text, dim: [] }));
  const { state, composer } = tourScreen.read({
    rows,
    title: '',
    width: 60,
    cursorRow: null,
  });
  return [state, composer];
}

it.each([
  ['waits', ['an answer', '', 'Next: ask', RULE, '❯'], ['idle', { kind: 'empty' }]],
  ['holds a prompt', ['Next: ask', RULE, '❯ one', '  two'], ['idle', { kind: 'draft', text: 'one\ntwo' }]],
  ['answers', ['❯ one', '', 'The parser'], ['working', { kind: 'absent' }]],
  ['answers with a rule', ['❯ one', RULE, 'The parser'], ['working', { kind: 'absent' }]],
])('%s', (_name, lines, reading) => {
  expect(read(...lines)).toEqual(reading);
});

it('reads the answer above the input', () => {
  expect(tourScreen.extract(['', 'an answer', '', 'Next: ask', RULE, '❯'], 60).lines).toEqual(['an answer']);
});
