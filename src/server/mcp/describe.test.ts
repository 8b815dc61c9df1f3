import { describe, expect, it } from 'vitest';
import { testHunk } from '../../../test/helpers/review-fakes.ts';
import type { Hunk, Suggestion } from '../../protocol/review.ts';
import { decisionSentences, describeHunks } from './describe.ts';

const hunk = (change: Partial<Hunk> = {}) =>
  testHunk('h', { file: 'f', diff: '@@ -1 +1 @@\n-a\n+b\n', ...change });

describe('hunks for an AI', () => {
  it('contain only relevant fields', () => {
    const said = { id: 'h', file: 'f', kind: 'text', status: 'pending', diff_complete: false };
    expect(describeHunks([hunk()], () => false)).toEqual([said]);
  });

  it('include comments with their lines', () => {
    const place = { side: 'new', first: 3, last: 4 } as const;
    const comments = [
      { text: 'all of it', lines: null, place: null, quote: '' },
      { text: 'these', lines: { first: 1, last: 2 }, place, quote: '-a\n+b\n' },
    ];
    expect(describeHunks([hunk({ comments })], () => true)[0]?.comments).toEqual([
      { text: 'all of it' },
      { text: 'these', lines: { first: 1, last: 2 }, file_lines: place, quote: '-a\n+b\n' },
    ]);
  });

  it('include diffs while there is room, and list the missing ones', () => {
    const long = hunk({ diff: 'x'.repeat(30_000) });
    const described = describeHunks([long, long, hunk(), long], () => true);
    expect(described.map((one) => 'diff' in one)).toEqual([true, true, false, false]);
    expect(described.map((one) => one.diff_complete)).toEqual([true, true, false, false]);
    expect(JSON.stringify(described).length).toBeLessThan(62_000);
  });

  it('include no diff that was not requested', () => {
    expect(describeHunks([hunk()], () => false)[0]).not.toHaveProperty('diff');
  });
});

it('a sentence reports each decision, and nothing else', () => {
  const comments = [{ text: 'no', lines: null, place: null, quote: '' }];
  const hunks = [hunk(), hunk({ status: 'conflict' }), hunk({ status: 'rejected', comments })];
  const suggestion = { hunks, hunkCount: 3, decidedCount: 1 } as unknown as Suggestion;
  expect(decisionSentences(suggestion)).toEqual([
    '[Suggestion Feedback] User rejected hunk in f. 2 hunks remaining. Comment: "no"',
  ]);
});
