import { expect, it } from 'vitest';
import { testHunk } from '../../../test/helpers/review-fakes.ts';
import type { Hunk } from '../../protocol/review.ts';
import { turnNotes } from './review-notes.ts';

const DIFF = '@@ -10,3 +10,3 @@\n one\n-two\n+TWO\n three\n';
const hunk = (change: Partial<Hunk>) => testHunk('h', { file: 'src/a.ts', diff: DIFF, ...change });

it('says nothing about what was kept without comment', () => {
  expect(turnNotes([hunk({ status: 'accepted' }), hunk({})])).toEqual([]);
});

it('tells the AI what was rejected, where, and why', () => {
  const comments = [{ text: 'Names stay lower case.', place: null, quote: '', lines: null }] as never;
  expect(turnNotes([hunk({ status: 'rejected', comments })])).toEqual([
    [
      'src/a.ts:11 I took this back; do not put it in again:',
      '> -two',
      '> +TWO',
      'Names stay lower case.',
    ].join('\n'),
  ]);
});

it('quotes the lines of a comment, and the beginning of a long hunk', () => {
  const comments = [
    { text: 'Why?', place: { side: 'new', first: 12, last: 12 }, quote: '+TWO', lines: null },
  ] as never;
  const long = `@@ -1,0 +1,8 @@\n${Array.from({ length: 8 }, (_, i) => `+${i}\n`).join('')}`;
  expect(turnNotes([hunk({ comments }), hunk({ file: 'b', status: 'rejected', diff: long })])).toEqual([
    ['src/a.ts:12', '> +TWO', 'Why?'].join('\n'),
    [
      'b:1 I took this back; do not put it in again:',
      ...[0, 1, 2, 3, 4, 5].map((i) => `> +${i}`),
      '> … 2 more lines',
    ].join('\n'),
  ]);
});
