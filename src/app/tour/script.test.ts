import { diffLines } from 'diff';
import { expect, test } from 'vitest';
import { TOUR_BANNER, tourAnswer, tourNext, tourOffer, tourReply, tourWithoutReview } from './script.ts';
import { TOUR_BASE, TOUR_WORK } from './tour-review.ts';

test('says that it is scripted', () => {
  expect(TOUR_BANNER.join('\n')).toContain('SCRIPTED AI, not a real one');
});

test('repeats the received prompt, without the markers', () => {
  const prompt = '### PROMPT 2026-01-02 03:04:05\n\nwhat about CRLF?\n\n### END PROMPT';
  const answer = tourAnswer(prompt, 2);
  expect(answer).toContain('I received 1 line,');
  expect(answer).toContain('  what about CRLF?');
  expect(answer).not.toContain('### ');
});

test.each([
  ['ask', /type a question here/],
  ['note', /press Ctrl\+a, then o.* Enter opens .* o writes .* s shows .* Enter sends/],
  ['review', /Ctrl\+a, then o.* press 2.* a accepts .* r rejects .* Enter and y finish/],
  ['done', /Ctrl\+D leaves/],
] as const)('shows the next step: %s', (step, words) => {
  expect(tourNext(step, 'Ctrl+a')).toMatch(words);
});

test('fits into a companion of 62 columns, two of them its gutter', () => {
  const said = [
    ...TOUR_BANNER,
    tourAnswer('q', 1),
    tourOffer({ folder: '/f', sandbox: '/s', hunks: 2 }),
    tourReply('', 'finalized'),
  ].join('\n');
  expect(said.split('\n').filter((line) => line.length > 60)).toEqual([]);
});

test('offers two separate changes, and says that they are an example', () => {
  expect(diffLines(TOUR_BASE, TOUR_WORK).filter(({ added }) => added)).toHaveLength(2);
  const offer = tourOffer({ folder: '/tmp/x/parser', sandbox: '/state/x/tour', hunks: 2 });
  expect(offer).toMatch(/by heart/);
  expect(offer).toMatch(/throw-away/);
  expect(offer).toContain('/state/x/tour');
});

test('reports the decisions, and the end of the review', () => {
  expect(tourReply('[Suggestion Feedback] one\n[Suggestion Feedback] two', null)).toBe(
    'I was told:\n\n  [Suggestion Feedback] one\n  [Suggestion Feedback] two\n',
  );
  expect(tourReply('', 'finalized')).toMatch(/^The review is complete\./);
  expect(tourReply('', 'discarded')).toMatch(/^The suggestion was discarded\./);
  expect(tourReply('', null)).toBe('');
  expect(tourWithoutReview('git is not installed.')).toMatch(
    /git is not installed\.\n\nThat is the whole loop/,
  );
});
