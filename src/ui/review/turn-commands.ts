/** Commands in a review of an AI's answer: its scope, and sending reasons back to the AI. */

import type { Suggestion } from '../../protocol/review.ts';
import type { TurnRange } from '../../protocol/turn-range.ts';
import type { HunkStatus } from '../../review/desk/desk.ts';
import { onAllHunks, onFrame } from './acting.ts';
import { done, type ReviewHandler, type ReviewModel, say } from './model.ts';
import { changeReview, idsOf } from './moves.ts';
import { type ReviewState, statusOf } from './state.ts';

/** Rejected changes and all comments as notes in the draft. */
export const toDraft: ReviewHandler = onAllHunks((state, _facts, { suggestion }) => {
  const { saying } = state.review;
  // A comment being sent is a reason, too.
  if (saying.count > 0) return done(changeReview(state, { saying: { ...saying, draftOf: suggestion.id } }));
  // A decision counts before it is confirmed.
  const hunks = suggestion.hunks.map((hunk) => ({ ...hunk, status: statusOf(state.review, hunk) }));
  return done(state, { kind: 'to-draft', hunks, since: suggestion.turns?.from ?? null });
});

/** Whether there is something to tell the AI about its answer's changes. */
export function hasReasons(review: ReviewState, open: Suggestion | null): boolean {
  if (open?.turns === undefined) return false;
  return open.hunks.some((hunk) => hunk.comments.length > 0 || isTakenBack(statusOf(review, hunk)));
}

const isTakenBack = (status: HunkStatus) => status === 'rejected' || status === 'modified';

/** Cycles: this answer, from it on, the whole session, all since the last commit. */
export const nextScope: ReviewHandler = onFrame((state, facts, { suggestion }) => {
  const { id, turns, target } = suggestion;
  const { widened } = state.review;
  const open = (next: ReviewModel, scopes: readonly (TurnRange | null)[]) => {
    const wishes = scopes.map((scope) => ({ left: id, target, turns: scope, label: labelOf(scope) }));
    return done(next, { kind: 'review-scope', scopes: wishes });
  };
  if (turns !== undefined) {
    const isSame = widened?.from.session.sessionId === turns.session.sessionId;
    const from = isSame && (turns.from === null || widened.from.from === turns.from) ? widened.from : turns;
    const narrow = turns.from === null && from.from !== null ? [from] : [];
    const next = from === widened?.from ? state : changeReview(state, { widened: { from, all: null } });
    return open(next, [wider(turns), ...narrow]);
  }
  return widened === null || widened.all !== id
    ? say(state, facts, 'info', 'Only what an answer of the AI changed has scopes')
    : open(state, [widened.from]);
});

/** While the AI works, its changes join the review; this turns automatic display of the newest on or off. */
export const turnFollow: ReviewHandler = onFrame((state, facts, { suggestion }) => {
  if (suggestion.turns === undefined)
    return say(state, facts, 'info', 'Only what an answer of the AI changed grows while it works');
  const isOn = state.review.followed === null;
  const words = isOn ? 'The newest change comes into view' : 'The view stays where you are';
  const followed = isOn ? idsOf(suggestion.hunks) : null;
  return say(changeReview(state, { followed }), facts, 'info', words);
});

function wider({ session, from, to }: TurnRange): TurnRange | null {
  if (from === null) return null;
  return { session, from: to === null ? null : from, to: null };
}

function labelOf(turns: TurnRange | null): string {
  if (turns === null) return 'all changes since the last commit';
  if (turns.from === null) return 'what the whole session changed';
  if (turns.to === null) return 'what was changed from this answer on';
  return turns.from === turns.to ? 'what this answer changed' : 'what these answers changed';
}
