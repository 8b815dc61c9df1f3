/** An intent's outcome: drops expectations, moves the cursor where the desk says, tells the reader. Pure. */
import type { Result } from '../../lib/result.ts';
import type { IntentPaint, IntentResult } from '../../protocol/intent.ts';
import { ask, expecting, isEnd } from './acting.ts';
import { nameHunks } from './hunk-names.ts';
import type { ReviewAction } from './keys.ts';
import {
  done,
  type ReviewEffect,
  type ReviewFacts,
  type ReviewModel,
  type ReviewOutcome,
  say,
} from './model.ts';
import { changeReview, moveToHunk } from './moves.ts';
import { hunkToExplain, openSuggestion } from './state.ts';
import { toDraft } from './turn-commands.ts';

type IntentEffect = Extract<ReviewEffect, { kind: 'review' }>;

/** The state with an intent's expected result. The cursor has moved already if it was planned here. */
export function paintIntent(state: ReviewModel, effect: IntentEffect, paint: IntentPaint): ReviewModel {
  if (state.review.suggestion !== effect.suggestion) return state;
  const { expected } = state.review;
  const isNew = Object.entries(paint.statuses).some(([id, status]) => expected[id] !== status);
  const next = isNew ? expecting(state, paint.statuses) : state;
  const { kind } = effect.intent;
  const isPlannedThere = kind === 'undo' || kind === 'redo' || kind === 'undo_all';
  return isPlannedThere ? goTo(next, paint.mark) : next;
}

/** The state after an intent, with its message. */
export function afterIntent(
  state: ReviewModel,
  facts: ReviewFacts,
  effect: IntentEffect,
  result: Result<IntentResult>,
): ReviewOutcome {
  if (effect.intent.kind !== 'comment') return outcomeOf(state, facts, effect, result);
  const { count, draftOf } = state.review.saying;
  const isMade = result.ok && result.value.kind === 'done';
  const isWaiting = isMade && count > 1;
  const saying = { count: Math.max(0, count - 1), draftOf: isWaiting ? draftOf : null };
  const outcome = outcomeOf(changeReview(state, { saying }), facts, effect, result);
  if (draftOf === null || !isMade || isWaiting) return outcome;
  const { screen, review, overlay } = state;
  // Do not take away a reader who has moved on.
  if (screen !== 'review' || review.suggestion !== draftOf || overlay !== null) return outcome;
  const { state: next, effects } = toDraft(outcome.state, facts);
  return { state: next, effects: [...outcome.effects, ...effects] };
}

function outcomeOf(
  state: ReviewModel,
  facts: ReviewFacts,
  effect: IntentEffect,
  result: Result<IntentResult>,
): ReviewOutcome {
  const next = withoutExpected(state, effect.hunks);
  if (!result.ok) return sayWhyNot(next, facts, effect, result.error);
  const { value } = result;
  switch (value.kind) {
    case 'refused':
      return sayWhyNot(next, facts, effect, value.problem ?? { message: 'Nothing was done', hint: null });
    case 'asked': {
      if (value.ways !== undefined) return askHow(next, facts, effect, value);
      const enter = effect.intent.kind === 'accept' ? 'yes' : 'no';
      return ask(
        next,
        value.question ?? 'Go on?',
        [{ ...effect, hunks: [], confirmed: value.revision }],
        enter,
      );
    }
    case 'said':
      return value.words === null ? done(next) : say(next, facts, 'info', value.words);
    case 'done':
      return sayDone(onward(next, effect, value), facts, effect, value);
  }
}

/** Asks whether to finish, and in which way: the last one used, or with a key another one. */
function askHow(
  state: ReviewModel,
  facts: ReviewFacts,
  effect: IntentEffect,
  { ways = [], revision }: IntentResult,
): ReviewOutcome {
  const key = facts.keyOf('confirm/other', ['confirm']);
  const [first, ...others] = ways.map(({ sync, question }) => ({
    question: key === null ? question : `${question} ${key}: another way.`,
    effects: [{ ...effect, intent: { kind: 'finish' as const, sync }, hunks: [], confirmed: revision }],
  }));
  if (first === undefined) return done(state);
  return done({ ...state, overlay: { kind: 'confirm', ...first, others, enter: 'no' } });
}

function withoutExpected(state: ReviewModel, hunks: readonly string[]): ReviewModel {
  if (hunks.length === 0) return state;
  const dropped = new Set(hunks);
  const kept = Object.entries(state.review.expected).filter(([id]) => !dropped.has(id));
  return changeReview(state, { expected: Object.fromEntries(kept) });
}

function sayWhyNot(
  state: ReviewModel,
  facts: ReviewFacts,
  { intent }: IntentEffect,
  { message, hint = null }: { readonly message: string; readonly hint?: string | null },
): ReviewOutcome {
  const key = (action: ReviewAction) => facts.keyOf(action) ?? 'the palette';
  const isOnHunk = intent.kind === 'accept' || intent.kind === 'reject' || intent.kind === 'modify';
  // Whoever refused knows best what helps.
  const helps =
    hint === null && isOnHunk
      ? ` ${key('review/modify')} edits the text, ${key('review/reject')} rejects it.`
      : '';
  const hunk = 'hunk' in intent ? intent.hunk : null;
  const next = isOnHunk ? goTo(state, hunk) : state;
  const hunks = openSuggestion(state.review, facts.review)?.hunks ?? [];
  const named = nameHunks(message, hunks, hunk);
  // Program output keeps its line breaks.
  const isOutput = named.includes('\n');
  const sentence = isOutput || /[.!?]$/.test(named) ? named : `${named}.`;
  const advice = hint === null ? '' : `${isOutput ? '\n' : ' '}${hint}`;
  return say(next, facts, 'error', `${sentence}${advice}${helps}`);
}

/** What was unknown at the key press: the part made from lines, or where the editor was left. */
function onward(state: ReviewModel, { intent }: IntentEffect, { mark, hunks }: IntentResult): ReviewModel {
  switch (intent.kind) {
    case 'accept':
    case 'reject':
      return intent.lines === null ? state : goTo(state, hunks[0]?.id ?? mark);
    case 'split':
    case 'join':
      return goTo(state, hunks[0]?.id ?? mark);
    case 'modify':
      return withEdited(state.review.cursor?.hunk === intent.hunk ? goTo(state, mark) : state, intent);
    default:
      return state;
  }
}

function withEdited(
  state: ReviewModel,
  { hunk, modified }: Extract<IntentEffect['intent'], { kind: 'modify' }>,
): ReviewModel {
  if (modified.kind !== 'text' || hunk === null) return state;
  const text = Buffer.from(modified.base64, 'base64').toString('utf8');
  return changeReview(state, { edited: { ...state.review.edited, [hunk]: text } });
}

function goTo(state: ReviewModel, hunk: string | null): ReviewModel {
  return hunk === null || state.review.cursor?.hunk === hunk ? state : moveToHunk(state, hunk);
}

/** A single hunk shows its sign; several hunks, and the end of the review, get a message. */
function sayDone(
  state: ReviewModel,
  facts: ReviewFacts,
  { intent }: IntentEffect,
  { words, complete, notes }: IntentResult,
): ReviewOutcome {
  const first = intent.kind === 'reject' ? howToSayWhy(state, facts, intent.hunk) : null;
  const isDecision = /^(accept|reject|modify)/.test(intent.kind);
  const isLast = complete && isDecision && !facts.review.isReading;
  const conclusion = isLast
    ? `${words ?? 'Every hunk is decided'}: ${lastStep(facts)}`
    : isEnd(intent)
      ? `${words}; ${facts.keyOf('review/reopen') ?? 'the palette'} reopens it`
      : words;
  const sentences = [
    ...(conclusion === null ? [] : [conclusion]),
    ...(first === null ? [] : [first]),
    ...notes,
  ];
  const all = sentences.map((sentence) => sentence.replace(/\.$/, '')).join('. ');
  if (all !== '') return say(state, facts, 'ok', all);
  // An earlier error is resolved, and this may undo an earlier success.
  const isStale = state.toast?.tone === 'error' || state.toast?.tone === 'ok';
  return done(isStale ? { ...state, toast: null } : state);
}

/** After the first rejected hunk: how to say why. */
function howToSayWhy(state: ReviewModel, facts: ReviewFacts, hunk: string | null): string | null {
  const { open } = facts.review;
  const reasons = open?.hunks.filter(({ status, comments }) => status === 'rejected' || comments.length > 0);
  if (reasons?.length !== 1 || hunkToExplain(state, facts.review)?.id !== hunk) return null;
  const key = facts.keyOf('review/say-why') ?? 'the palette';
  return `${open?.turns === undefined ? 'Rejected' : 'Taken back'}. ${key} says why`;
}

/** What remains once every hunk is decided; a proposal ends automatically once it is on disk. */
function lastStep({ review, keyOf }: ReviewFacts): string {
  const key = (action: ReviewAction) => keyOf(action) ?? 'the palette';
  return review.open?.write === 'on-save'
    ? `${key('agent/save')} writes it to the files`
    : `${key('review/finish')} finishes the review`;
}
