/** Shared by the Review screen's commands: the open suggestion, and intents for the reviewer's desk. */

import type { Intent } from '../../protocol/intent.ts';
import { type Desk, nextOpen } from '../../review/desk/desk.ts';
import { planIntent } from '../../review/desk/plan.ts';
import type { HunkStatus } from '../kit/tally.ts';
import { count } from '../kit/time.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import {
  done,
  type ReviewEffect,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewModel,
  type ReviewOutcome,
  say,
} from './model.ts';
import { changeReview, moveToHunk } from './moves.ts';
import { statusOf } from './state.ts';

/** A command on the open suggestion, or a message that there is none. */
export const onFrame =
  (run: (state: ReviewModel, facts: ReviewFacts, frame: ReviewFrame) => ReviewOutcome): ReviewHandler =>
  (state, facts) => {
    const frame = reviewFrame(state, facts);
    if (frame !== null) return run(state, facts, frame);
    return say(state, facts, 'info', facts.review.problem?.message ?? 'No suggestion is open');
  };

/** The same for commands on all its hunks: waits until all are read. */
export const onAllHunks = (
  run: (state: ReviewModel, facts: ReviewFacts, frame: ReviewFrame) => ReviewOutcome,
): ReviewHandler =>
  onFrame((state, facts, frame) =>
    facts.review.isReading
      ? say(state, facts, 'info', `${count(frame.suggestion.hunkCount, 'hunk')} are still loading`)
      : run(state, facts, frame),
  );

/** The hunk under the cursor, as part of an intent. */
export function onHunk({ review }: ReviewModel, { segment: { hunk } }: ReviewFrame) {
  return { hunk: hunk.id, seen: statusOf(review, hunk) };
}

/** An intent on the open suggestion. */
export function intending(
  frame: ReviewFrame,
  intent: Intent,
  what: string,
  more: { readonly hunks?: readonly string[]; readonly confirmed?: number } = {},
): ReviewEffect {
  const { hunks = [], confirmed = null } = more;
  return { kind: 'review', suggestion: frame.suggestion.id, intent, confirmed, what, hunks };
}

/** Predicts and shows what the host's desk will make of an intent, and sends it: typed-ahead keys find the cursor. */
export function intend(
  state: ReviewModel,
  facts: ReviewFacts,
  frame: ReviewFrame,
  { intent, what }: { readonly intent: Intent; readonly what: string },
): ReviewOutcome {
  const plan = planIntent(deskOf(state, frame), intent, {
    reviewer: { client: HERE, mark: frame.segment.hunk.id },
    id: HERE,
    confirmed: null,
    nameOf: () => HERE,
    mergeConflicts: mergeConflicts(facts, frame.segment.hunk.id),
    viewed: facts.review.viewed,
  });
  switch (plan.kind) {
    case 'say': {
      const next = goTo(state, frame, plan.mark);
      return plan.words === null ? done(next) : say(next, facts, 'info', plan.words);
    }
    case 'ask': {
      // The host asks, since it knows what was done with other reviews.
      if (intent.kind === 'finish') return done(state, intending(frame, intent, what));
      const { revision } = frame.suggestion;
      const enter = isEnd(intent) ? 'no' : 'yes';
      return ask(state, plan.question, [intending(frame, intent, what, { confirmed: revision })], enter);
    }
    // The host knows best why it refuses: it has looked at the files.
    case 'refuse':
      return done(state, intending(frame, intent, what));
    case 'act': {
      const hunks = Object.keys(plan.statuses);
      const next = goTo(expecting(state, plan.statuses), frame, plan.mark);
      return done(next, intending(frame, intent, what, { hunks }));
    }
  }
}

/** The reviewer's client name. */
const HERE = 'here';

/** The desk as the screen knows it; only the host knows what can be undone. */
function deskOf({ review }: ReviewModel, { suggestion }: ReviewFrame): Desk {
  return {
    suggestion: suggestion.id,
    revision: suggestion.revision,
    end: null,
    hunks: suggestion.hunks,
    inFlight: [{ id: HERE, client: HERE, statuses: review.expected }],
    done: [],
    undone: [],
  };
}

/** Conflicts in a three-way merge; null if there is no merge, or it is not read yet. */
function mergeConflicts({ review: { conflict } }: ReviewFacts, hunk: string): number | null {
  return conflict?.hunk === hunk ? conflict.sides.conflicts : null;
}

/** The state that shows the expected statuses of hunks. */
export function expecting(state: ReviewModel, statuses: Readonly<Record<string, HunkStatus>>): ReviewModel {
  return changeReview(state, { expected: { ...state.review.expected, ...statuses }, anchor: null });
}

/** Moves the cursor to the marked hunk, or to the next open one if the filter hides it. */
function goTo(state: ReviewModel, frame: ReviewFrame, mark: string | null): ReviewModel {
  const here = frame.segment.hunk.id;
  if (mark === null || mark === here) return state;
  const isShown = frame.shown.hunks.some(({ id }) => id === mark);
  const shown = isShown ? mark : nextOpen({ ...deskOf(state, frame), hunks: frame.shown.hunks }, here);
  return shown === null || shown === here ? state : moveToHunk(state, shown);
}

/** A question; the effects run after a yes. `enter`: the answer that Enter gives. */
export function ask(
  state: ReviewModel,
  question: string,
  effects: readonly ReviewEffect[],
  enter: 'yes' | 'no' = 'yes',
): ReviewOutcome {
  return done({ ...state, overlay: { kind: 'confirm', question, effects, enter } });
}

export const isEnd = ({ kind }: Intent) => kind === 'finish' || kind === 'commit' || kind === 'discard';

/** Words for a pending decision. */
export const GERUNDS = { accept: 'Accepting', reject: 'Rejecting' } as const;
