/** Commands that change only how a suggestion is displayed: seen marks, filter, context, wrapping, opening the file. */

import { isOpen } from '../../review/desk/desk.ts';
import { findNext } from '../kit/search.ts';
import { STATUS_WORDS } from '../kit/tally.ts';
import { count } from '../kit/time.ts';
import { intend, onFrame } from './acting.ts';
import { WRAPPED_FILE_MAX_LINES } from './diff-layout.ts';
import { passes } from './files.ts';
import { foldKeyOf } from './folds.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import {
  done,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewHandlers,
  type ReviewModel,
  say,
} from './model.ts';
import { changeReview, moveToHunk } from './moves.ts';
import { linesAt, rowOfLine } from './segment.ts';
import { type ReviewFilter, statusOf } from './state.ts';

/** Lines of context that a key adds or removes on either side. */
const CONTEXT_STEP_LINES = 10;
/** Most lines that the host returns. */
const CONTEXT_MAX_LINES = 980;

/** Marks as seen and goes to the next unseen hunk, or marks as unseen. */
const toggleSeen = onFrame((state, facts, frame) => {
  const hunk = frame.segment.hunk.id;
  const hunks = frame.layout.oneRow?.map(({ id }) => id) ?? [hunk];
  const viewed = !hunks.every((id) => facts.review.viewed.has(id));
  const intent = { kind: 'view', hunk, viewed } as const;
  const seen = viewed ? new Set([...facts.review.viewed, ...hunks]) : facts.review.viewed;
  const known = { ...facts, review: { ...facts.review, viewed: seen } };
  const next = intend(state, known, { ...frame, suggestion: frame.shown }, { intent, what: '' });
  return done(next.state, { kind: 'mark-seen', hunks, isSeen: viewed });
});

/** In the order of cycling. */
export const FILTER_WORDS: Readonly<Record<ReviewFilter, string>> = {
  ...STATUS_WORDS,
  conflict: 'in conflict',
  unseen: 'unseen',
  new: 'new since your last round',
};

/** Goes to the next filter that a hunk passes, and after the last one back to all hunks. */
const turnFilter = (step: 1 | -1): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { hunks } = frame.suggestion;
    const { expected, filter } = state.review;
    const { viewed } = facts.review;
    const rounds = [null, ...(Object.keys(FILTER_WORDS) as ReviewFilter[])];
    const amountOf = (wanted: ReviewFilter | null) =>
      wanted === null
        ? hunks.length
        : hunks.filter((hunk) => passes(hunk, wanted, { expected, viewed })).length;
    const found = findNext(
      rounds.length,
      rounds.indexOf(filter),
      step,
      (at) => amountOf(rounds[at] ?? null) > 0,
    );
    const next = rounds[found] ?? null;
    const changed = changeReview(state, { filter: next, anchor: null });
    const words = next === null ? 'All hunks' : `Only hunks that are ${FILTER_WORDS[next]}`;
    return say(changed, facts, 'info', `${words}: ${count(amountOf(next), 'hunk')}`);
  });

/** Shows only what is new since the reader's last decision or comment, or everything again. */
const toggleNew: ReviewHandler = onFrame((state, facts, { suggestion }) => {
  if (state.review.filter === 'new')
    return say(changeReview(state, { filter: null, anchor: null }), facts, 'info', 'All hunks');
  const fresh = suggestion.hunks.filter(({ isNew }) => isNew === true).length;
  if (fresh === 0) return say(state, facts, 'info', 'Nothing is new since your last round');
  const words = `Only hunks that are ${FILTER_WORDS.new}: ${count(fresh, 'hunk')}`;
  return say(changeReview(state, { filter: 'new', anchor: null }), facts, 'info', words);
});

/** Opens the file in the editor, at the cursor's line or the hunk's first changed line. */
const editFile = onFrame((state, _facts, frame) => {
  const { hunk } = frame.segment;
  return done(state, {
    kind: 'edit-file',
    suggestion: frame.suggestion.id,
    hunk: hunk.id,
    offset: offsetOf(state, frame),
  });
});

/** Lines from the hunk's first change to the cursor. */
function offsetOf(state: ReviewModel, { segment, row, layout }: ReviewFrame): number {
  const [at] = linesAt(segment, row - segment.start, layout.sides);
  const { lines, own } = segment.doc;
  const first = lines.findIndex(({ body, op }) => body > 0 && op !== 'same');
  if (at === undefined || at < own.from || at >= own.from + own.count || first < 0) return 0;
  const absent = isOpen(statusOf(state.review, segment.hunk)) ? 'added' : 'removed';
  const [from, to] = at < first ? [at, first] : [first, at];
  const between = lines.slice(from, to).filter(({ op }) => op !== absent).length;
  return at < first ? -between : between;
}

const changeContext = (lines: number): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { hunk, doc } = frame.segment;
    if (doc.ranges === '') return say(state, facts, 'info', `A ${hunk.kind} has no lines around it`);
    if (statusOf(state.review, hunk) === 'conflict')
      return say(state, facts, 'info', 'A hunk in conflict has no place in the file');
    const before = state.review.expanded[hunk.id] ?? 0;
    const around = facts.review.around.get(hunk.id);
    // Never request again what is already there.
    const isAll = around !== undefined && around.moreAbove + around.moreBelow === 0;
    const most = isAll ? Math.max(around.above.length, around.below.length) : CONTEXT_MAX_LINES;
    const wanted = Math.max(0, Math.min(before + lines, most));
    if (lines > 0 && wanted <= before)
      return say(state, facts, 'info', 'There are no more lines up to the neighbouring hunks');
    return done(changeReview(state, { expanded: { ...state.review.expanded, [hunk.id]: wanted } }));
  });

/** Keeps the cursor on its line after a new layout. */
function onSameLine(state: ReviewModel, facts: ReviewFacts, before: ReviewFrame): ReviewModel {
  const after = reviewFrame(state, facts);
  const [line] = linesAt(before.segment, before.row - before.segment.start, before.layout.sides);
  if (after === null || line === undefined) return state;
  const row = rowOfLine(after.segment, line, after.layout.sides);
  return changeReview(state, { cursor: { hunk: after.segment.hunk.id, row } });
}

const toggleWrap = onFrame((state, facts, frame) => {
  const isWrapped = !state.review.isWrapped;
  const next = onSameLine(changeReview(state, { isWrapped, shift: 0 }), facts, frame);
  const lines = frame.layout.segments.reduce((sum, { doc }) => sum + doc.lineCount, 0);
  const words = `A file of more than ${WRAPPED_FILE_MAX_LINES} lines is not wrapped; > shows what stands to the right`;
  if (isWrapped && lines > WRAPPED_FILE_MAX_LINES) return say(next, facts, 'warn', words, keptLook(next));
  const key = facts.keyOf('review/wrap') ?? 'the palette';
  const message = isWrapped ? `Long lines wrap; ${key} cuts them` : 'Long lines are cut';
  return say(next, facts, 'info', message, keptLook(next));
});

/** Remembers for the next start how diffs are displayed. */
export const keptLook = ({ review: { sides, isWrapped } }: ReviewModel) =>
  ({ kind: 'keep-look', look: { sides, isWrapped } }) as const;

/** Shows only the header, with the cursor on it, or everything again. */
const toggleFold = onFrame((state, _facts, frame) => {
  const { hunk, isFolded } = frame.segment;
  const folded = { ...state.review.folded, [foldKeyOf(hunk)]: !isFolded };
  return done(changeReview(moveToHunk(state, hunk.id), { folded }));
});

export const lookCommands: ReviewHandlers = {
  'review/fold': toggleFold,
  'review/seen': toggleSeen,
  'review/filter': turnFilter(1),
  'review/filter-back': turnFilter(-1),
  'review/new': toggleNew,
  'review/edit-file': editFile,
  'review/more-context': changeContext(CONTEXT_STEP_LINES),
  'review/less-context': changeContext(-CONTEXT_STEP_LINES),
  'review/wrap': toggleWrap,
};
