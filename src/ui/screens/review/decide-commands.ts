/** Commands that decide: accept, reject, modify, comment, split, take back, end. What they expect shows at once. */
import type { Hunk, LineRange } from '../../../protocol/review.ts';
import type { AppState } from '../../commands/app-state.ts';
import type { Effect } from '../../commands/effect.ts';
import { done, type Facts, type Handler, type Handlers, type Outcome, say } from '../../commands/handler.ts';
import { count } from '../../plan/time.ts';
import type { ReviewAct } from '../../ports.ts';
import { bodyStart, linesAt, rowOfLine } from './diff-layout.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import { editableText } from './modify.ts';
import { changeReview, moveToHunk } from './moves.ts';
import { type HunkStatus, isOpen, markedIndex, statusOf } from './state.ts';

/** A command on the open suggestion; without one it says so. */
export const onFrame =
  (run: (state: AppState, facts: Facts, frame: ReviewFrame) => Outcome): Handler =>
  (state, facts) => {
    const frame = reviewFrame(state, facts);
    if (frame !== null) return run(state, facts, frame);
    const words =
      state.review.suggestion === null ? 'No suggestion is open' : 'The suggestion is still being read';
    return say(state, facts, 'info', words);
  };

function acting(frame: ReviewFrame, act: ReviewAct, what: string, hunks: readonly string[] = []): Effect {
  return { kind: 'review', suggestion: frame.suggestion.id, act, what, hunks };
}

/** The state that already shows what the hunks will be. */
function expecting(state: AppState, hunks: readonly string[], status: HunkStatus): AppState {
  const expected = { ...state.review.expected };
  for (const id of hunks) expected[id] = status;
  return changeReview(state, { expected, anchor: null });
}

const EXPECTED = { accept: 'accepted', reject: 'rejected' } as const;
const GERUNDS = { accept: 'Accepting', reject: 'Rejecting' } as const;

const decide = (action: 'accept' | 'reject'): Handler =>
  onFrame((state, facts, frame) => {
    const { hunk } = frame.segment;
    const merge = action === 'accept' ? mergeOf(facts, hunk) : null;
    if (merge !== null) return askToMerge(state, frame, hunk);
    if (statusOf(state.review, hunk) === EXPECTED[action]) return done(toNextOpen(state, frame));
    const next = toNextOpen(expecting(state, [hunk.id], EXPECTED[action]), frame);
    return done(
      next,
      acting(frame, { kind: 'decide', hunk: hunk.id, action }, `${GERUNDS[action]} the hunk`, [hunk.id]),
    );
  });

/** The three-way merge of a hunk that fits nowhere, where there is one without a conflict. */
function mergeOf(facts: Facts, hunk: Hunk): 'clean' | null {
  const { conflict } = facts.review;
  return hunk.status === 'conflict' && conflict?.hunk === hunk.id && conflict.sides.conflicts === 0
    ? 'clean'
    : null;
}

function askToMerge(state: AppState, frame: ReviewFrame, hunk: Hunk): Outcome {
  const act: ReviewAct = { kind: 'modify', hunk: hunk.id, modified: { kind: 'merge' } };
  return ask(state, 'The hunk does not fit as it is. Take the three-way merge, which has no conflict?', [
    acting(frame, act, 'Merging', [hunk.id]),
  ]);
}

function ask(state: AppState, question: string, effects: readonly Effect[]): Outcome {
  return done({ ...state, overlay: { kind: 'confirm', question, effects } });
}

/** The cursor on the next hunk that is open, round the end; it stays where none is. */
export function toNextOpen(state: AppState, frame: ReviewFrame): AppState {
  const { hunks } = frame.suggestion;
  const from = frame.file.first + frame.segment.index;
  for (let step = 1; step < hunks.length; step += 1) {
    const hunk = hunks[(from + step) % hunks.length];
    if (hunk !== undefined && isOpen(statusOf(state.review, hunk))) return moveToHunk(state, hunk.id);
  }
  return state;
}

const decideFile = (action: 'accept' | 'reject'): Handler =>
  onFrame((state, facts, frame) => {
    const { file } = frame;
    const hunks = openHunks(state, file.hunks);
    if (hunks.length === 0) return say(state, facts, 'info', 'Every hunk of this file is decided already');
    const act: ReviewAct = { kind: 'decide', hunk: 'all', action, file: file.name };
    const next = toNextOpen(expecting(state, hunks, EXPECTED[action]), frame);
    return done(next, acting(frame, act, `${GERUNDS[action]} ${file.name}`, hunks));
  });

function openHunks(state: AppState, hunks: readonly Hunk[]): readonly string[] {
  return hunks.filter((hunk) => isOpen(statusOf(state.review, hunk))).map(({ id }) => id);
}

/** All that is open; the revision that was seen goes along, so that nobody's decision meanwhile is run over. */
const decideAll = (action: 'accept' | 'reject'): Handler =>
  onFrame((state, facts, frame) => {
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

const modify = (as: 'text' | 'diff'): Handler =>
  onFrame((state, facts, frame) => {
    const { hunk } = frame.segment;
    const { doc } = frame.segment;
    const [index = 0] = linesAt(frame.segment, frame.row - frame.segment.start, frame.layout.sides);
    if (!hunk.diffComplete) return say(state, facts, 'warn', partlyReadWords(hunk));
    const edited =
      as === 'text'
        ? editableText(hunk, doc, index, facts.review.conflict, state.review.edited[hunk.id])
        : { ok: true as const, value: { text: hunk.diff, line: index + 2 } };
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

function partlyReadWords({ kind }: Hunk): string {
  return kind === 'text'
    ? 'This hunk is not read to its end, or has lines too long to edit here; accept or reject it'
    : `This ${kind} is not read to its end yet`;
}

const PART_NOT_READ = 'The lines of this part are still being read; press the key again';
const PART_BETWEEN = 'Lines of another part of the hunk lie between these; select fewer';

/** Lines as decisions count them: those of a part by the hunk that it was split from. In words why not. */
function inWholeHunk(facts: Facts, hunk: Hunk, { first, last }: LineRange): LineRange | string {
  if (hunk.parent === null) return { first, last };
  const { part } = facts.review;
  if (part?.hunk !== hunk.id) return PART_NOT_READ;
  const [from, to] = [part.numbers[first - 1], part.numbers[last - 1]];
  if (from === undefined || to === undefined) return PART_NOT_READ;
  // A range is decided on as a whole: it must not reach into what was split off.
  if (part.others.some((number) => number >= from && number <= to)) return PART_BETWEEN;
  return { first: from, last: to };
}

/** Lines of the body that are selected; null where the selection holds none. */
export function selectedLines(frame: ReviewFrame, anchor: number): LineRange | null {
  const { segment } = frame;
  const at = frame.row - segment.start;
  const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
  const bodies: number[] = [];
  for (let row = Math.max(first, bodyStart(segment)); row <= last; row += 1) {
    for (const index of linesAt(segment, row, 'one')) bodies.push(segment.doc.lines[index]?.body ?? 0);
  }
  const known = bodies.filter((body) => body > 0);
  const [from] = known;
  const to = known.at(-1);
  return from === undefined || to === undefined ? null : { first: from, last: to };
}

const onLines = (run: (state: AppState, frame: ReviewFrame, lines: LineRange) => Outcome): Handler =>
  onFrame((state, facts, frame) => {
    const { anchor } = state.review;
    const lines = anchor === null ? null : selectedLines(frame, anchor);
    if (lines === null) return say(state, facts, 'info', 'No line of the hunk is selected');
    const counted = inWholeHunk(facts, frame.segment.hunk, lines);
    return typeof counted === 'string'
      ? say(state, facts, 'info', counted)
      : run(changeReview(state, { anchor: null }), frame, counted);
  });

const decideLines = (action: 'accept' | 'reject'): Handler =>
  onLines((state, frame, lines) => {
    const { hunk } = frame.segment;
    const act: ReviewAct = { kind: 'decide', hunk: hunk.id, action, lines };
    return done(state, acting(frame, act, `${GERUNDS[action]} ${lineWords(lines)}`));
  });

function lineWords({ first, last }: LineRange): string {
  return count(last - first + 1, 'line');
}

const split = onFrame((state, facts, frame) => {
  const { segment, layout } = frame;
  const [index = 0] = linesAt(segment, frame.row - segment.start, layout.sides);
  const shown = changeAround(segment.doc.lines, index);
  if (shown === null) return say(state, facts, 'warn', `A ${segment.hunk.kind} has no lines to split`);
  const lines = inWholeHunk(facts, segment.hunk, shown);
  if (typeof lines === 'string') return say(state, facts, 'info', lines);
  return done(
    state,
    acting(frame, { kind: 'split', hunk: segment.hunk.id, lines }, `Splitting at ${lineWords(lines)}`),
  );
});

/** The run of changed lines at `index`, or the next one after it. */
function changeAround(lines: ReviewFrame['segment']['doc']['lines'], index: number): LineRange | null {
  const isChanged = (at: number) => lines[at]?.op === 'added' || lines[at]?.op === 'removed';
  let first = index;
  while (first < lines.length && !isChanged(first)) first += 1;
  if (first === lines.length) return null;
  let last = first;
  while (isChanged(first - 1)) first -= 1;
  while (isChanged(last + 1)) last += 1;
  return { first: lines[first]?.body ?? 1, last: lines[last]?.body ?? 1 };
}

/** Moved at once, confirmed or not: the next press takes the one before it. A refusal moves it back. */
export function stepped(state: AppState, id: string, step: 'undo' | 'redo'): AppState {
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

const undoAll = onFrame((state, _facts, frame) =>
  ask(state, 'Take back every decision on this suggestion?', [
    acting(frame, { kind: 'undo', hunk: 'all' }, 'Taking back every decision'),
  ]),
);

const join = onFrame((state, facts, frame) => {
  const { hunk } = frame.segment;
  if (hunk.parent === null) return say(state, facts, 'info', 'This hunk was not split');
  return done(state, acting(frame, { kind: 'join', hunk: hunk.parent }, 'Joining'));
});

const finish = onFrame((state, _facts, frame) => {
  const open = openHunks(state, frame.suggestion.hunks).length;
  const rest = open === 0 ? '' : ` ${count(open, 'hunk')} ${open === 1 ? 'stays' : 'stay'} undecided.`;
  return ask(state, `Complete the review? What was accepted stays.${rest}`, [
    acting(frame, { kind: 'finish', how: 'finalize' }, 'Completing'),
  ]);
});

const discard: Handler = (state, facts) => {
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

/** What was written about the hunk goes out. */
export function acceptComment(state: AppState, facts: Facts, hunk: string, comment: string): Outcome {
  const closed: AppState = { ...state, overlay: null };
  const { suggestion } = state.review;
  if (comment.trim() === '' || suggestion === null) return say(closed, facts, 'info', 'No comment was made');
  const act: ReviewAct = { kind: 'comment', hunk, comment, lines: null };
  return done(closed, { kind: 'review', suggestion, act, what: 'Commenting', hunks: [] });
}

const comment = onFrame((state, _facts, frame) =>
  done({ ...state, overlay: { kind: 'prompt', query: '', hunk: frame.segment.hunk.id } }),
);

export const decideCommands: Handlers = {
  'review/accept': decide('accept'),
  'review/reject': decide('reject'),
  'review/modify': modify('text'),
  'review/modify-diff': modify('diff'),
  'review/comment': comment,
  'review/accept-file': decideFile('accept'),
  'review/reject-file': decideFile('reject'),
  'review/accept-all': decideAll('accept'),
  'review/reject-all': decideAll('reject'),
  'review/undo-all': undoAll,
  'review/discard': discard,
  'edit/undo': undo,
  'edit/redo': redo,
};

export const hunkCommands: Handlers = {
  'review/split': split,
  'review/join': join,
  'review/finish': finish,
};

export const lineCommands: Handlers = {
  'review/accept': decideLines('accept'),
  'review/reject': decideLines('reject'),
  'review/split': onLines((state, frame, lines) =>
    done(
      state,
      acting(
        frame,
        { kind: 'split', hunk: frame.segment.hunk.id, lines },
        `Splitting at ${lineWords(lines)}`,
      ),
    ),
  ),
  'visual/leave': (state) => done(changeReview(state, { anchor: null })),
};

/** Lines are selected from here on; header and notes are no lines. */
export const startLines: Handler = onFrame((state, facts, frame) => {
  const { segment, layout } = frame;
  if (!segment.doc.lines.some(({ body }) => body > 0))
    return say(state, facts, 'info', 'There are no lines to select here');
  const at = frame.row - segment.start;
  const [index = 0] = linesAt(segment, at, layout.sides);
  const row = rowOfLine(segment, index, 'one');
  return done(changeReview(state, { anchor: row, cursor: { hunk: segment.hunk.id, row } }));
});
