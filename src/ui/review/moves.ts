/** Movement through a suggestion by rows, hunks and files, keeping the place valid and in view. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import { segmentAt } from './diff-layout.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import type { ReviewFacts, ReviewModel } from './model.ts';
import { byProject, listedSuggestions, markedIndex, openSuggestion, type ReviewState } from './state.ts';

/** Rows to keep in view above and below the cursor. */
const MARGIN_ROWS = 2;

/** The state with the Review screen changed. */
export function changeReview(state: ReviewModel, change: Partial<ReviewState>): ReviewModel {
  return { ...state, review: { ...state.review, ...change } };
}

/** Moves the cursor to a row of the file; beyond its ends, into the next file. */
export function moveToRow(state: ReviewModel, frame: ReviewFrame, row: number): ReviewModel {
  if (state.review.anchor !== null) {
    const inHunk = Math.max(0, Math.min(row, frame.segment.end - 1) - frame.segment.start);
    return changeReview(state, { cursor: { hunk: frame.segment.hunk.id, row: inHunk } });
  }
  if (row < 0 && frame.fileIndex > 0) return toFile(state, frame, frame.fileIndex - 1, 'last');
  if (row >= frame.layout.rows && frame.fileIndex < frame.files.length - 1) {
    return toFile(state, frame, frame.fileIndex + 1, 'first');
  }
  const at = Math.max(0, Math.min(row, frame.layout.rows - 1));
  const segment = segmentAt(frame.layout, at);
  if (segment === null) return state;
  return changeReview(state, { cursor: { hunk: segment.hunk.id, row: at - segment.start } });
}

/** Moves the cursor to a hunk's header, which goes to the top if the hunk does not fit otherwise. */
export function moveToHunk(state: ReviewModel, hunkId: string): ReviewModel {
  return changeReview(state, { cursor: { hunk: hunkId, row: 0 }, anchor: null, shift: 0 });
}

/** Moves the cursor to another file. */
export function toFile(
  state: ReviewModel,
  frame: ReviewFrame,
  index: number,
  where: 'first' | 'last' = 'first',
): ReviewModel {
  const file = frame.files[Math.max(0, Math.min(index, frame.files.length - 1))];
  const hunk = where === 'first' ? file?.hunks[0] : file?.hunks.at(-1);
  if (hunk === undefined) return state;
  const row = where === 'first' ? 0 : Number.MAX_SAFE_INTEGER;
  return changeReview(state, { cursor: { hunk: hunk.id, row }, anchor: null, shift: 0 });
}

/** The hunk `step` after the marked one (negative: before); null at the ends. */
export function hunkBeside({ file, segment, layout, shown }: ReviewFrame, step: 1 | -1): string | null {
  const last = layout.oneRow === null ? segment.index : file.hunks.length - 1;
  const at = file.first + (step > 0 ? last : segment.index) + step;
  return shown.hunks[at]?.id ?? null;
}

/** Makes suggestion, place and window valid after a change of data or size; the same state if they were. */
export function settleReview(state: ReviewModel, facts: ReviewFacts): ReviewModel {
  const settled = settleFollowed(settleChoice(state, facts), facts);
  const frame = reviewFrame(settled, facts);
  return frame === null ? settled : settleCursor(settled, frame);
}

/** If the newest is followed, goes to the last of the new hunks. */
function settleFollowed(state: ReviewModel, { review: view }: ReviewFacts): ReviewModel {
  const { followed } = state.review;
  const hunks = openSuggestion(state.review, view)?.hunks ?? [];
  const newest = followed === null ? undefined : hunks.findLast(({ id }) => !followed.has(id));
  if (newest === undefined) return state;
  return changeReview(moveToHunk(state, newest.id), { followed: idsOf(hunks) });
}

export const idsOf = (hunks: readonly Hunk[]): ReadonlySet<string> => new Set(hunks.map(({ id }) => id));

/** Closes a suggestion that is gone; opens the only one. */
function settleChoice(state: ReviewModel, facts: ReviewFacts): ReviewModel {
  const { review } = state;
  const { suggestions } = facts.review;
  const isThere = suggestions.some(({ id }) => id === review.suggestion);
  const heir = isThere ? undefined : suggestions.find(({ replaces }) => replaces === review.suggestion);
  // A review of the same source replaced it: the reader stays at the hunk.
  if (heir !== undefined) {
    const { cursor, commitMessage, followed } = review;
    const of = commitMessage.of === review.suggestion ? heir.id : commitMessage.of;
    return changeReview(openReview(state, heir.id), {
      cursor,
      followed,
      commitMessage: { ...commitMessage, of },
    });
  }
  if (review.suggestion !== null && isThere) return state;
  const listed = listedSuggestions(review, facts.review);
  // Those of other projects are only listed: a reader here does not mean to decide on them.
  const [only] = byProject(facts.review).own;
  const isChoice = listed.length !== 1 || review.listQuery !== null;
  if (state.screen === 'review' && only !== undefined && !isChoice) {
    return openReview(state, only.id);
  }
  return review.suggestion === null ? state : closeReview(state);
}

/** Opens a suggestion at its first hunk. */
export function openReview(state: ReviewModel, id: string): ReviewModel {
  return changeReview(state, {
    suggestion: id,
    marked: id,
    focus: 'diff',
    cursor: null,
    top: 0,
    shift: 0,
    anchor: null,
    expected: {},
    edited: {},
    expanded: {},
    folded: {},
    filter: null,
    followed: null,
    rejected: null,
  });
}

/** Shows the list of suggestions. */
export function closeReview(state: ReviewModel): ReviewModel {
  return changeReview(state, { suggestion: null, focus: 'suggestions', cursor: null, anchor: null });
}

function settleCursor(state: ReviewModel, frame: ReviewFrame): ReviewModel {
  const { review } = state;
  const cursor = {
    hunk: frame.segment.hunk.id,
    row: frame.row - frame.segment.start,
    at: frame.file.first + frame.segment.index,
    start: frame.segment.start,
    lead: frame.lead,
  };
  const before = review.cursor;
  const isSame = before?.hunk === cursor.hunk;
  const top = windowTop(frame, review.top + (isSame ? cursor.start - (before.start ?? cursor.start) : 0));
  const isMoved =
    !isSame ||
    before.row !== cursor.row ||
    before.at !== cursor.at ||
    before.start !== cursor.start ||
    before.lead !== cursor.lead;
  if (!isMoved && top === review.top) return state;
  // A selection belongs to the hunk in which it was made.
  const anchor = isSame ? review.anchor : null;
  return changeReview(state, { cursor: isMoved ? cursor : review.cursor, top, anchor });
}

function windowTop({ layout, row, height, segment }: ReviewFrame, top: number): number {
  const margin = Math.min(MARGIN_ROWS, Math.floor((height - 1) / 2));
  const most = Math.max(0, layout.rows - height);
  // On a header, show as much of its hunk as fits.
  const wanted = row === segment.start ? Math.min(segment.end - 1, row + height - 1) : row + margin;
  const least = Math.min(wanted, layout.rows - 1) - height + 1;
  const highest = Math.max(0, row - (row === segment.start ? 0 : margin));
  return Math.max(0, Math.min(Math.max(Math.min(top, highest), least), most));
}

/** What is in view; null on another screen: keep what was read. */
export function followedPlace({ screen, review }: Pick<ReviewModel, 'screen' | 'review'>): {
  readonly suggestion: string | null;
  readonly hunk: string | null;
  readonly context: number;
} | null {
  if (screen !== 'review') return null;
  const hunk = review.cursor?.hunk ?? null;
  return { suggestion: review.suggestion, hunk, context: review.expanded[hunk ?? ''] ?? 0 };
}

/** Marks another suggestion in the list. */
export function markSuggestion(state: ReviewModel, facts: ReviewFacts, delta: number): ReviewModel {
  const suggestions = listedSuggestions(state.review, facts.review);
  const at = Math.max(0, Math.min(markedIndex(state.review, facts.review) + delta, suggestions.length - 1));
  return changeReview(state, { marked: suggestions[at]?.id ?? null });
}
