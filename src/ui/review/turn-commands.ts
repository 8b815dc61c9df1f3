/** Commands of a review of what an AI's answer changed: its scope, and the reasons on their way back to the AI. */

import type { Suggestion } from '../../protocol/review.ts';
import { turnNotes } from '../../review/core/review-notes.ts';
import type { HunkStatus } from '../../review/desk/desk.ts';
import { onFrame, onWhole } from './acting.ts';
import { done, type ReviewEffect, type ReviewHandler, say } from './model.ts';
import { changeReview, idsOf } from './moves.ts';
import { type ReviewState, statusOf } from './state.ts';

/** What was taken back, and every comment, as notes of the draft. */
export const toDraft: ReviewHandler = onWhole((state, facts, { suggestion }) => {
  const { saying } = state.review;
  // A comment that is on its way is a reason, too.
  if (saying.count > 0) return done(changeReview(state, { saying: { ...saying, draftOf: suggestion.id } }));
  // A decision counts before it is confirmed.
  const hunks = suggestion.hunks.map((hunk) => ({ ...hunk, status: statusOf(state.review, hunk) }));
  const text = turnNotes(hunks);
  if (text === null) return say(state, facts, 'info', 'Nothing was taken back, and no comment was made');
  return done(state, { kind: 'to-draft', text });
});

/** There is something to tell the AI about what its answer changed. */
export function hasReasons(review: ReviewState, open: Suggestion | null): boolean {
  if (open?.turns === undefined) return false;
  return open.hunks.some((hunk) => hunk.comments.length > 0 || isTakenBack(statusOf(review, hunk)));
}

const isTakenBack = (status: HunkStatus) => status === 'rejected' || status === 'modified';

/** This answer, from it on, the whole session, all since the last commit, and again. */
export const nextScope: ReviewHandler = onFrame((state, facts, { suggestion }) => {
  const effect = scopeAfter(suggestion);
  return effect === null
    ? say(state, facts, 'info', 'Only what an answer of the AI changed has scopes')
    : done(state, effect);
});

/** While the AI works its changes come into the review; the newest comes into view by itself, or not. */
export const turnFollow: ReviewHandler = onFrame((state, facts, { suggestion }) => {
  if (suggestion.turns === undefined)
    return say(state, facts, 'info', 'Only what an answer of the AI changed grows while it works');
  const isOn = state.review.followed === null;
  const words = isOn ? 'The newest change comes into view' : 'The view stays where you are';
  const followed = isOn ? idsOf(suggestion.hunks) : null;
  return say(changeReview(state, { followed }), facts, 'info', words);
});

function scopeAfter({ turns, target }: Suggestion): ReviewEffect | null {
  if (turns === undefined) return null;
  const { session, from, to } = turns;
  if (from === null)
    return { kind: 'review-scope', target, turns: null, label: 'all changes since the last commit' };
  const wider = to === null ? null : from;
  const label = wider === null ? 'what the whole session changed' : 'what was changed from this answer on';
  return { kind: 'review-scope', target, turns: { session, from: wider, to: null }, label };
}
