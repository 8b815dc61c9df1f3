/** One key cycles through the scopes of what an answer changed. */
import { expect, it } from 'vitest';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';

const session = { cli: 'pi', path: '/s', sessionId: 's' } as const;
const other = { cli: 'pi', path: '/z', sessionId: 'z' } as const;
const nameOf = (turns: TurnRange | null) => {
  if (turns === null) return 'working tree';
  const whose = turns.session.sessionId === 's' ? '' : `${turns.session.sessionId}: `;
  return `${whose}${turns.from ?? 'first'} to ${turns.to ?? 'newest'}`;
};
const review = (turns: TurnRange | null) =>
  testSuggestion({
    id: nameOf(turns),
    description: `Review of ${nameOf(turns)}`,
    hunks: [testHunk('a1', { file: 'a.ts' })],
    ...(turns && { turns }),
  });

it.each([
  [
    'an answer',
    { session, from: 't', to: 't' },
    ['t to newest', 'first to newest', 'working tree', 't to t'],
    'what this answer changed',
  ],
  [
    'an answer and all later ones',
    { session, from: 't', to: null },
    ['first to newest', 'working tree', 't to newest'],
    'what was changed from this answer on',
  ],
  [
    'several answers',
    { session, from: 't', to: 'u' },
    ['t to newest', 'first to newest', 'working tree', 't to u'],
    'what these answers changed',
  ],
])('starts from %s and cycles through all', async (_, turns, wanted, label) => {
  const fake = fakeReview({ suggestions: [review(turns)], isRead: true, scopeOf: review });
  const ui = await driveUi(fakeUi({ review: fake }));
  await ui.type('2');
  for (const scope of wanted) {
    await ui.type('T');
    await ui.settle();
    expect(ui.state().review.suggestion).toBe(scope);
    expect(ui.screen()).toContain(`Review of ${scope}`);
  }
  expect(ui.screen()).toContain(`Shown: ${label}`);
});

it('stays in the session of the open review, whatever was widened before', async () => {
  const suggestions = [
    review({ session, from: 't', to: 't' }),
    review({ session: other, from: null, to: null }),
  ];
  const ui = await driveUi(fakeUi({ review: fakeReview({ suggestions, isRead: true, scopeOf: review }) }));
  await ui.type('2\r');
  await ui.type('T');
  await ui.settle();
  expect(ui.state().review.suggestion).toBe('t to newest');
  await ui.type('qq');
  expect(ui.state().review.suggestion).toBe(null);
  await ui.type('j\r');
  for (const scope of ['z: first to newest', 'working tree', 'z: first to newest']) {
    await ui.settle();
    expect(ui.state().review.suggestion).toBe(scope);
    await ui.type('T');
  }
});

it('skips scopes without changes: a folder without git, nothing since the last commit', async () => {
  const fake = fakeReview({
    suggestions: [review({ session, from: 't', to: 't' })],
    isRead: true,
    scopeOf: (turns) => (turns === null ? null : review(turns)),
  });
  const ui = await driveUi(fakeUi({ review: fake }));
  await ui.type('2');
  for (const scope of ['t to newest', 'first to newest', 't to t', 't to newest']) {
    await ui.type('T');
    await ui.settle();
    expect(ui.state().review.suggestion).toBe(scope);
    if (scope === 't to t')
      expect(ui.screen()).toContain('Nothing is known of it. Shown: what this answer changed');
  }
});

it('has no scope for any other review', async () => {
  const fake = fakeReview({ suggestions: [review(null)], isRead: true, scopeOf: review });
  const ui = await driveUi(fakeUi({ review: fake }));
  await ui.type('2T');
  expect(ui.screen()).toContain('Only what an answer of the AI changed has scopes');
});
