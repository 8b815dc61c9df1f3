/** Commands that decide on whole hunks: accept, reject, modify, take back, end. What they expect shows at once. */
import type { Hunk } from '../../protocol/review.ts';
import type { HunkStatus } from '../kit/tally.ts';
import { count } from '../kit/time.ts';
import { acting, ask, GERUNDS, onFrame, onWhole } from './acting.ts';
import { startComment } from './comment-commands.ts';
import type { ReviewFrame } from './frame.ts';
import type { ReviewModel } from './model.ts';
import {
  done,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewHandlers,
  type ReviewOutcome,
  say,
} from './model.ts';
import { editableText } from './modify.ts';
import { changeReview, moveToHunk } from './moves.ts';
import type { ReviewAct } from './port.ts';
import { linesAt } from './segment.ts';
import { isOpen, markedIndex, statusOf } from './state.ts';

/** The state that already shows what the hunks will be. */
function expecting(state: ReviewModel, hunks: readonly string[], status: HunkStatus): ReviewModel {
  const expected = { ...state.review.expected };
  for (const id of hunks) expected[id] = status;
  return changeReview(state, { expected, anchor: null });
}

const EXPECTED = { accept: 'accepted', reject: 'rejected' } as const;

const decide = (action: 'accept' | 'reject'): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { hunk } = frame.segment;
    const merge = action === 'accept' ? mergeOf(facts, hunk) : null;
    if (merge !== null) return askToMerge(state, frame, hunk);
    if (statusOf(state.review, hunk) === EXPECTED[action]) return done(toNextOpen(state, frame));
    const next = toNextOpen(expecting(state, [hunk.id], EXPECTED[action]), frame);
    const act: ReviewAct = { kind: 'decide', hunk: hunk.id, action };
    return done(next, acting(frame, act, `${GERUNDS[action]} the hunk`, [hunk.id]));
  });

/** The three-way merge of a hunk that fits nowhere, where there is one without a conflict. */
function mergeOf(facts: ReviewFacts, hunk: Hunk): 'clean' | null {
  const { conflict } = facts.review;
  return hunk.status === 'conflict' && conflict?.hunk === hunk.id && conflict.sides.conflicts === 0
    ? 'clean'
    : null;
}

function askToMerge(state: ReviewModel, frame: ReviewFrame, hunk: Hunk): ReviewOutcome {
  const act: ReviewAct = { kind: 'modify', hunk: hunk.id, modified: { kind: 'merge' } };
  return ask(state, 'The hunk does not fit as it is. Take the three-way merge, which has no conflict?', [
    acting(frame, act, 'Merging', [hunk.id]),
  ]);
}

/** The cursor on the next hunk that is open, round the end; it stays where none is. */
export function toNextOpen(state: ReviewModel, frame: ReviewFrame): ReviewModel {
  const { hunks } = frame.shown;
  const from = frame.file.first + frame.segment.index;
  for (let step = 1; step < hunks.length; step += 1) {
    const hunk = hunks[(from + step) % hunks.length];
    if (hunk !== undefined && isOpen(statusOf(state.review, hunk))) return moveToHunk(state, hunk.id);
  }
  return state;
}

/** What an agent proposed reaches the files by a save alone. */
const save = onFrame((state, facts, frame) => {
  const { write, target } = frame.suggestion;
  if (write !== 'on-save') return say(state, facts, 'info', 'Decisions on this are on disk at once');
  return done(state, { kind: 'save-project', root: target });
});

const decideFile = (action: 'accept' | 'reject'): ReviewHandler =>
  onWhole((state, facts, frame) => {
    const { file } = frame;
    const hunks = openHunks(state, file.hunks);
    if (hunks.length === 0) return say(state, facts, 'info', 'Every hunk of this file is decided already');
    const act: ReviewAct = { kind: 'decide', hunk: 'all', action, file: file.name };
    const next = toNextOpen(expecting(state, hunks, EXPECTED[action]), frame);
    return done(next, acting(frame, act, `${GERUNDS[action]} ${file.name}`, hunks));
  });

function openHunks(state: ReviewModel, hunks: readonly Hunk[]): readonly string[] {
  return hunks.filter((hunk) => isOpen(statusOf(state.review, hunk))).map(({ id }) => id);
}

/** All that is open; the revision that was seen goes along, so that nobody's decision meanwhile is run over. */
const decideAll = (action: 'accept' | 'reject'): ReviewHandler =>
  onWhole((state, facts, frame) => {
    const { suggestion } = frame;
    const open = openHunks(state, suggestion.hunks);
    if (open.length === 0) return say(state, facts, 'info', 'Every hunk is decided already');
    const { revision } = suggestion;
    const act: ReviewAct = { kind: 'decide', hunk: 'all', action, revision };
    const word = action === 'accept' ? 'Accept' : 'Reject';
    return ask(state, `${word} ${count(open.length, 'open hunk')}?`, [
      acting(frame, act, `${GERUNDS[action]} ${count(open.length, 'hunk')}`),
    ]);
  });

const modify = (as: 'text' | 'diff'): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { hunk } = frame.segment;
    const { doc } = frame.segment;
    const [index = 0] = linesAt(frame.segment, frame.row - frame.segment.start, frame.layout.sides);
    if (!hunk.diffComplete) return say(state, facts, 'warn', partlyReadWords(hunk));
    const edited =
      as === 'text'
        ? editableText(hunk, doc, index, facts.review.conflict, madeText(state, facts, hunk))
        : { ok: true as const, value: { text: hunk.diff, line: Math.max(0, index - doc.own.from) + 2 } };
    if (!edited.ok) {
      const { message, hint } = edited.error;
      return say(state, facts, 'warn', `${message}. ${hint ?? ''}`);
    }
    return done(state, {
      kind: 'edit-hunk',
      suggestion: frame.suggestion.id,
      hunk: hunk.id,
      as,
      name: as === 'text' ? hunk.file : 'hunk.diff',
      ...edited.value,
    });
  });

/** What the reader made of the hunk: here a moment ago, or before, as it is read back. */
function madeText(state: ReviewModel, facts: ReviewFacts, hunk: Hunk): string | undefined {
  const { modified } = facts.review;
  const stored = modified?.hunk === hunk.id && modified.texts.isOwnRegion ? modified.texts.result : undefined;
  return state.review.edited[hunk.id] ?? stored;
}

function partlyReadWords({ kind }: Hunk): string {
  return kind === 'text'
    ? 'This hunk is not read to its end, or has lines too long to edit here; accept or reject it'
    : `This ${kind} is not read to its end yet`;
}

/** Moved at once, confirmed or not: the next press takes the one before it. A refusal moves it back. */
export function stepped(state: ReviewModel, id: string, step: 'undo' | 'redo'): ReviewModel {
  const { done: decided, undone } = state.review;
  const without = (list: readonly string[]) => list.filter((one) => one !== id);
  return step === 'undo'
    ? changeReview(state, { done: without(decided), undone: [...without(undone), id] })
    : changeReview(state, { done: [...without(decided), id], undone: without(undone) });
}

const undo = onFrame((state, facts, frame) => {
  const { hunk } = frame.segment;
  const isDecided = !isOpen(statusOf(state.review, hunk)) && hunk.status !== 'already_applied';
  const id = isDecided ? hunk.id : state.review.done.at(-1);
  if (id === undefined) return say(state, facts, 'info', 'No decision of yours to take back here');
  const left = stepped(state, id, 'undo');
  const next = expecting(id === hunk.id ? left : moveToHunk(left, id), [id], 'pending');
  return done(next, acting(frame, { kind: 'undo', hunk: id }, 'Taking back', [id]));
});

const redo = onFrame((state, facts, frame) => {
  const id = state.review.undone.at(-1);
  if (id === undefined) return say(state, facts, 'info', 'Nothing was taken back here');
  const left = stepped(state, id, 'redo');
  return done(moveToHunk(left, id), acting(frame, { kind: 'redo', hunk: id }, 'Doing it again', [id]));
});

const undoAll = onWhole((state, _facts, frame) =>
  ask(state, 'Take back every decision on this suggestion?', [
    acting(frame, { kind: 'undo', hunk: 'all' }, 'Taking back every decision'),
  ]),
);

const finish = onWhole((state, _facts, frame) => {
  const open = openHunks(state, frame.suggestion.hunks).length;
  const rest = open === 0 ? '' : ` ${count(open, 'hunk')} ${open === 1 ? 'stays' : 'stay'} undecided.`;
  return ask(state, `Complete the review? What was accepted stays.${rest}`, [
    acting(frame, { kind: 'finish', how: 'finalize' }, 'Completing'),
  ]);
});

const discard: ReviewHandler = (state, facts) => {
  const { review } = state;
  const marked = facts.review.suggestions[markedIndex(review, facts.review)];
  const id = review.suggestion ?? marked?.id;
  if (id === undefined) return say(state, facts, 'info', 'No suggestion is open');
  return ask(state, 'Discard this suggestion? What was accepted stays, the rest is dropped.', [
    {
      kind: 'review',
      suggestion: id,
      act: { kind: 'finish', how: 'discard' },
      what: 'Discarding',
      hunks: [],
    },
  ]);
};

export const decideCommands: ReviewHandlers = {
  'review/accept': decide('accept'),
  'review/reject': decide('reject'),
  'review/modify': modify('text'),
  'review/modify-diff': modify('diff'),
  'review/comment': startComment,
  'review/accept-file': decideFile('accept'),
  'review/reject-file': decideFile('reject'),
  'review/accept-all': decideAll('accept'),
  'review/reject-all': decideAll('reject'),
  'review/undo-all': undoAll,
  'review/discard': discard,
  'agent/save': save,
  'edit/undo': undo,
  'edit/redo': redo,
};

export const finishCommands: ReviewHandlers = { 'review/finish': finish };
