/** What became of a decision: what was only expected is dropped, undo learns of it, and the reader is told. Pure. */
import type { Result } from '../../lib/result.ts';
import type { Hunk } from '../../protocol/review.ts';
import { count } from '../kit/time.ts';
import { stepped, toNextOpen } from './decide-commands.ts';
import { reviewFrame } from './frame.ts';
import { nameHunks } from './hunk-names.ts';
import type { ReviewAction } from './keys.ts';
import type { ReviewEffect, ReviewModel } from './model.ts';
import { done, type ReviewFacts, type ReviewOutcome, say } from './model.ts';
import { changeReview, moveToHunk } from './moves.ts';
import type { ReviewAct } from './port.ts';
import { isOpen, openSuggestion, statusOf } from './state.ts';

type ActEffect = Extract<ReviewEffect, { kind: 'review' }>;

/** Decisions that are kept for undo. */
export const DONE_MAX = 10_000;

/** The state after an act, and what is said about it. */
export function afterAct(
  state: ReviewModel,
  facts: ReviewFacts,
  effect: ActEffect,
  result: Result<readonly Hunk[]>,
): ReviewOutcome {
  const confirmed = withoutExpected(state, effect.hunks);
  if (!result.ok) return sayWhyNot(withStepBack(confirmed, effect.act), facts, effect, result.error);
  const hunks = result.value;
  const next = onward(remember(confirmed, effect.act, hunks), facts, effect.act);
  const words = wordsFor(next, facts, effect.act, hunks);
  if (words !== null) return say(next, facts, 'ok', words);
  // What went wrong before this has been dealt with.
  return done(next.toast?.tone === 'error' ? { ...next, toast: null } : next);
}

function withoutExpected(state: ReviewModel, hunks: readonly string[]): ReviewModel {
  if (hunks.length === 0) return state;
  const dropped = new Set(hunks);
  const kept = Object.entries(state.review.expected).filter(([id]) => !dropped.has(id));
  return changeReview(state, { expected: Object.fromEntries(kept) });
}

/** A step that was refused can be asked for again. */
function withStepBack(state: ReviewModel, act: ReviewAct): ReviewModel {
  if ((act.kind !== 'undo' && act.kind !== 'redo') || act.hunk === 'all') return state;
  return stepped(state, act.hunk, act.kind === 'undo' ? 'redo' : 'undo');
}

function sayWhyNot(
  state: ReviewModel,
  facts: ReviewFacts,
  { act }: ActEffect,
  { message, hint }: { readonly message: string; readonly hint?: string },
): ReviewOutcome {
  const key = (action: ReviewAction) => facts.keyOf(action) ?? 'the palette';
  const isOnHunk = (act.kind === 'decide' && act.hunk !== 'all') || act.kind === 'modify';
  // Who refused knows best what helps.
  const helps =
    hint === undefined && isOnHunk
      ? ` ${key('review/modify')} edits the text, ${key('review/reject')} rejects it.`
      : '';
  const next = isOnHunk ? moveToHunk(state, act.hunk) : state;
  const hunks = openSuggestion(state.review, facts.review)?.hunks ?? [];
  const named = nameHunks(message, hunks, 'hunk' in act ? act.hunk : null);
  const sentence = /[.!?]$/.test(named) ? named : `${named}.`;
  return say(next, facts, 'error', `${sentence}${hint === undefined ? '' : ` ${hint}`}${helps}`);
}

/** What undo and redo take next; a split hunk is left for the part that was meant. */
function remember(state: ReviewModel, act: ReviewAct, hunks: readonly Hunk[]): ReviewModel {
  const ids = new Set(hunks.map(({ id }) => id));
  const without = (list: readonly string[]) => list.filter((id) => !ids.has(id));
  const { done: decided } = state.review;
  switch (act.kind) {
    case 'decide':
    case 'modify': {
      const next = changeReview(state, { done: [...without(decided), ...ids].slice(-DONE_MAX), undone: [] });
      if (act.kind === 'modify') return withEdited(next, act);
      return act.lines === undefined ? next : toFirst(next, hunks);
    }
    case 'undo':
      return act.hunk === 'all'
        ? changeReview(state, { done: [], undone: [...ids].slice(-DONE_MAX) })
        : state;
    case 'redo':
      return state;
    case 'split':
    case 'join':
      return toFirst(state, hunks);
    case 'comment':
    case 'finish':
      return state;
  }
}

function withEdited(
  state: ReviewModel,
  { hunk, modified }: Extract<ReviewAct, { kind: 'modify' }>,
): ReviewModel {
  if (modified.kind !== 'text') return state;
  return changeReview(state, { edited: { ...state.review.edited, [hunk]: modified.text } });
}

function toFirst(state: ReviewModel, hunks: readonly Hunk[]): ReviewModel {
  const [first] = hunks;
  return first === undefined ? state : moveToHunk(state, first.id);
}

/** The editor was open meanwhile: only now it is known that the hunk is done with. */
function onward(state: ReviewModel, facts: ReviewFacts, act: ReviewAct): ReviewModel {
  if (act.kind !== 'modify' || state.review.cursor?.hunk !== act.hunk) return state;
  const frame = reviewFrame(state, facts);
  return frame === null ? state : toNextOpen(state, frame);
}

/** One hunk speaks for itself by its sign; more of them, and the end of the review, are said. */
function wordsFor(
  state: ReviewModel,
  facts: ReviewFacts,
  act: ReviewAct,
  hunks: readonly Hunk[],
): string | null {
  switch (act.kind) {
    case 'finish':
      return act.how === 'finalize' ? 'Review completed' : 'Suggestion discarded';
    case 'comment':
      return 'Comment made';
    case 'split':
      return hunks.length > 1
        ? `Split into ${count(hunks.length, 'part')}`
        : `It is one change already; ${facts.keyOf('visual/start') ?? 'the palette'} selects some of its lines`;
    case 'join':
      return 'One hunk again';
    case 'undo':
    case 'redo':
      return act.hunk === 'all' ? stepWords(state, facts, hunks) : null;
    case 'decide':
    case 'modify': {
      const words = act.kind === 'decide' && act.hunk === 'all' ? manyWords(state, facts, act, hunks) : null;
      return isAllDecided(state, facts) ? `${words ?? 'Every hunk is decided'}: ${lastStep(facts)}` : words;
    }
  }
}

/** What is left to do once every hunk is decided; a proposal ends by itself when it is on disk. */
function lastStep({ review, keyOf }: ReviewFacts): string {
  const key = (action: ReviewAction) => keyOf(action) ?? 'the palette';
  return review.open?.write === 'on-save'
    ? `${key('agent/save')} writes it to the files`
    : `${key('review/finish')} completes the review`;
}

function stepWords(state: ReviewModel, facts: ReviewFacts, hunks: readonly Hunk[]): string {
  const stuck = openSuggestion(state.review, facts.review)?.hunks.filter(
    ({ status, reason }) => reason !== null && status !== 'conflict' && !isOpen(status),
  ).length;
  const rest =
    stuck === undefined || stuck === 0
      ? ''
      : `; ${count(stuck, 'hunk')} ${stuck === 1 ? 'stays' : 'stay'}, changed by somebody since`;
  return `${count(hunks.length, 'decision')} taken back${rest}`;
}

type DecideAct = Extract<ReviewAct, { kind: 'decide' }>;

function manyWords(state: ReviewModel, facts: ReviewFacts, act: DecideAct, hunks: readonly Hunk[]): string {
  const decided = hunks.filter((hunk) => !isOpen(hunk.status)).length;
  const left = openSuggestion(state.review, facts.review)?.hunks.filter(
    (hunk) => isOpen(hunk.status) && (act.file === undefined || act.file === hunk.file),
  ).length;
  const verb = act.action === 'reject' ? 'Rejected' : 'Accepted';
  const rest = left === undefined || left === 0 ? '' : `; ${count(left, 'hunk')} did not fit`;
  return `${verb} ${count(decided, 'hunk')}${rest}`;
}

function isAllDecided({ review }: ReviewModel, facts: ReviewFacts): boolean {
  const suggestion = facts.review.isReading ? null : openSuggestion(review, facts.review);
  return suggestion?.hunks.every((hunk) => !isOpen(statusOf(review, hunk))) === true;
}
