/** What the commands of the Review screen share: the open suggestion in hand, an act as an effect, a question before it. */

import { count } from '../kit/time.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import type { ReviewEffect, ReviewModel } from './model.ts';
import { done, type ReviewFacts, type ReviewHandler, type ReviewOutcome, say } from './model.ts';
import type { ReviewAct } from './port.ts';

/** A command on the open suggestion; without one it says so. */
export const onFrame =
  (run: (state: ReviewModel, facts: ReviewFacts, frame: ReviewFrame) => ReviewOutcome): ReviewHandler =>
  (state, facts) => {
    const frame = reviewFrame(state, facts);
    if (frame !== null) return run(state, facts, frame);
    const words =
      state.review.suggestion === null ? 'No suggestion is open' : 'The suggestion is still being read';
    return say(state, facts, 'info', words);
  };

/** The same for what is about all its hunks: it waits until they are read. */
export const onWhole = (
  run: (state: ReviewModel, facts: ReviewFacts, frame: ReviewFrame) => ReviewOutcome,
): ReviewHandler =>
  onFrame((state, facts, frame) =>
    facts.review.isReading
      ? say(state, facts, 'info', `${count(frame.suggestion.hunkCount, 'hunk')} are still being read`)
      : run(state, facts, frame),
  );

/** An act on the open suggestion; `hunks` show already what is expected of them. */
export function acting(
  frame: ReviewFrame,
  act: ReviewAct,
  what: string,
  hunks: readonly string[] = [],
): ReviewEffect {
  return { kind: 'review', suggestion: frame.suggestion.id, act, what, hunks };
}

/** A question; the effects run after a yes. */
export function ask(state: ReviewModel, question: string, effects: readonly ReviewEffect[]): ReviewOutcome {
  return done({ ...state, overlay: { kind: 'confirm', question, effects } });
}

/** What is done, as it begins. */
export const GERUNDS = { accept: 'Accepting', reject: 'Rejecting' } as const;
