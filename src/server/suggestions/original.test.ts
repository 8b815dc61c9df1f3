import { describe, expect, it } from 'vitest';
import { testComment, testHunk } from '../../../test/helpers/review-fakes.ts';
import { encodeSuggestion } from '../../protocol/encode-suggestion.ts';
import type { Suggestion } from '../../protocol/review.ts';
import { readEitherSpelling, toOriginal } from './original.ts';

const SUGGESTION: Suggestion = {
  id: 's',
  description: 'd',
  status: 'partial',
  target: '/work',
  source: 'jj kkmp in /box',
  createdAt: 1,
  files: ['f'],
  hunkCount: 1,
  decidedCount: 1,
  revision: 2,
  inPlace: false,
  author: null,
  hunks: [
    testHunk('h', {
      file: 'f',
      diff: '@@ -3,2 +3,2 @@\n same\n-old\n+new\n',
      status: 'accepted',
      comments: [testComment('fine')],
    }),
  ],
  notes: [],
};

describe('messages to an original client', () => {
  it('have both spellings of every name, the states of hunks and their original lines', () => {
    const message = { success: true, suggestion: encodeSuggestion(SUGGESTION) };
    expect(toOriginal(message)).toMatchObject({
      success: true,
      suggestion: {
        id: 's',
        hunk_count: 1,
        hunkCount: 1,
        workingDirectory: '/work',
        jj_change_id: 'kkmp',
        jjChangeId: 'kkmp',
        hunkStates: { h: { reviewed: true, status: 'accepted', action: 'accepted', comment: 'fine' } },
        hunks: [
          {
            id: 'h',
            suggestionId: 's',
            comments: ['fine'],
            originalLines: ['same', 'old'],
            original_start_line: 3,
          },
        ],
      },
    });
  });

  it('have the payload of a response in data and beside it', () => {
    const data = { success: true, remaining_hunks: 1, suggestions: [] };
    const response = toOriginal({ type: 'response', id: '1', success: true, data });
    const both = { success: true, remaining_hunks: 1, remainingHunks: 1, suggestions: [] };
    expect(response).toEqual({ type: 'response', id: '1', ...both, data: both });
  });

  it('leave the data of an agent event unchanged', () => {
    const event = { type: 'tool.call.requested', session_id: 's', data: { arguments: { a_b: 1 } } };
    expect(toOriginal(event)).toEqual({ ...event, sessionId: 's' });
  });
});

describe('messages from a client', () => {
  it.each([
    ['camelCase', { suggestionId: 'a', hunkId: 'b' }],
    ['snake_case', { suggestion_id: 'a', hunk_id: 'b' }],
    ['one of each', { suggestionId: 'a', hunk_id: 'b' }],
    ['nested', { data: { suggestionId: 'a', hunk_id: 'b' } }],
    ['nested and beside it', { hunkId: 'b', data: { suggestion_id: 'a', hunk_id: 'not this' } }],
    ['both, and they disagree', { suggestion_id: 'a', suggestionId: 'not this', hunk_id: 'b' }],
    ['both, vice versa', { suggestionId: 'not this', suggestion_id: 'a', hunk_id: 'b' }],
    ['with a list for data', { suggestion_id: 'a', hunk_id: 'b', data: [1] }],
    ['with null for data', { suggestion_id: 'a', hunk_id: 'b', data: null }],
  ])('%s', (_, message) => {
    expect({ ...readEitherSpelling(message) }).toEqual({ suggestion_id: 'a', hunk_id: 'b' });
  });

  it('never change a prototype', () => {
    const fields = readEitherSpelling(JSON.parse('{"__proto__":{"action":"accept"}}'));
    expect(fields.action).toBeUndefined();
  });
});
