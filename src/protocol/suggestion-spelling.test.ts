import { describe, expect, it } from 'vitest';
import { bothSpellings, readEitherSpelling } from './suggestion-spelling.ts';

describe('what goes out', () => {
  it('has both spellings of every name, of its own names only', () => {
    expect(bothSpellings({ hunk_id: 'a', plain: 1, states: { x_y: 1 }, gone: undefined })).toEqual({
      hunk_id: 'a',
      hunkId: 'a',
      plain: 1,
      states: { x_y: 1 },
    });
  });
});

describe('what comes in', () => {
  it.each([
    ['camelCase', { suggestionId: 'a', hunkId: 'b' }],
    ['snake_case', { suggestion_id: 'a', hunk_id: 'b' }],
    ['one of each', { suggestionId: 'a', hunk_id: 'b' }],
    ['nested', { data: { suggestionId: 'a', hunk_id: 'b' } }],
    ['nested and beside it', { hunkId: 'b', data: { suggestion_id: 'a', hunk_id: 'not this' } }],
    ['both, and they disagree', { suggestion_id: 'a', suggestionId: 'not this', hunk_id: 'b' }],
    ['both, the other way round', { suggestionId: 'not this', suggestion_id: 'a', hunk_id: 'b' }],
    ['with a list for data', { suggestion_id: 'a', hunk_id: 'b', data: [1] }],
    ['with null for data', { suggestion_id: 'a', hunk_id: 'b', data: null }],
  ])('%s', (_, message) => {
    expect({ ...readEitherSpelling(message) }).toEqual({ suggestion_id: 'a', hunk_id: 'b' });
  });

  it('makes no prototype of what it is given', () => {
    const fields = readEitherSpelling(JSON.parse('{"__proto__":{"action":"accept"}}'));
    expect(fields.action).toBeUndefined();
  });
});
