/** The Review screen's viewing commands: movement, panes, sides, search, copying. */

import { widthOf } from '../../lib/width.ts';
import type { Hunk } from '../../protocol/review.ts';
import { isOpen } from '../../review/desk/desk.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
import { createMatcher, findNext } from '../kit/search.ts';
import { onFrame } from './acting.ts';
import { startCommentOnLines } from './comment-commands.ts';
import { commitWith, decideCommands, finish } from './decide-commands.ts';
import { PUBLISH_LINE } from './empty.ts';
import { foldKeyOf } from './folds.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import { TWO_SIDES_MIN_COLUMNS } from './layout.ts';
import { hunkCommands, lineCommands, startLines } from './line-commands.ts';
import { WHOLE_LINE_MAX_CHARACTERS } from './long-line.ts';
import { keptLook, lookCommands } from './look-commands.ts';
import {
  done,
  type ReviewFacts,
  type ReviewHandler,
  type ReviewHandlers,
  type ReviewModel,
  type ReviewOutcome,
  say,
} from './model.ts';
import {
  changeReview,
  closeReview,
  hunkBeside,
  markSuggestion,
  moveToHunk,
  moveToRow,
  openReview,
  toFile,
} from './moves.ts';
import { linesAt, rowOfLine } from './segment.ts';
import { openStartMenu, startRange } from './start-menu.ts';
import { byProject, listedSuggestions, markedIndex, statusOf } from './state.ts';
import { nextScope, toDraft, turnFollow } from './turn-commands.ts';

/** Cells to shift a long line by. */
const SHIFT_CELLS = 8;
/** The most that a long line can be shifted; to see more, copy it. */
const SHIFT_MAX_CELLS = 200_000;

const rows = (delta: (frame: ReviewFrame) => number): ReviewHandler =>
  onFrame((state, _facts, frame) => done(moveToRow(state, frame, frame.row + delta(frame))));

const page = ({ height }: ReviewFrame) => Math.max(1, height - 1);
/** Half a page stays in the file: a jump over its end would leave it unread. */
const within = (frame: ReviewFrame, delta: number) =>
  Math.max(-frame.row, Math.min(delta, frame.layout.rows - 1 - frame.row)) || Math.sign(delta);

const diffMoves: ReviewHandlers = {
  ...moveCommands((by) => rows((frame) => within(frame, by(page(frame), 0)))),
  'move/first': rows((frame) => -frame.row),
  'move/last': rows((frame) => frame.layout.rows - 1 - frame.row),
};

const files = (to: (frame: ReviewFrame) => number): ReviewHandler =>
  onFrame((state, _facts, frame) => done(toFile(state, frame, to(frame))));

const fileMoves: ReviewHandlers = moveCommands((rows) =>
  files(({ fileIndex, height, files: all }) => fileIndex + rows(height, all.length)),
);

const mark =
  (delta: MoveRows): ReviewHandler =>
  (state, facts) =>
    done(
      markSuggestion(
        state,
        facts,
        delta(Math.max(1, state.size.rows - 5), listedSuggestions(state.review, facts.review).length),
      ),
    );

const listMoves: ReviewHandlers = moveCommands(mark);

const toHunk = (step: 1 | -1): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const id = hunkBeside(frame, step);
    if (id !== null) return done(moveToHunk(state, id));
    return say(state, facts, 'info', step > 0 ? 'This is the last hunk' : 'This is the first hunk');
  });

/** The next undecided hunk in this direction, wrapping around; or the first one of another file. */
const toOpen = (step: 1 | -1, where: 'hunk' | 'file'): ReviewHandler =>
  onFrame((state, facts, frame) => {
    const { hunks } = frame.shown;
    const isWanted = (hunk: Hunk | undefined) => hunk !== undefined && isOpen(statusOf(state.review, hunk));
    if (where === 'file') {
      const { files: all, fileIndex } = frame;
      const found = findNext(all.length, fileIndex, step, (at) => all[at]?.hunks.some(isWanted) === true);
      const hunk = all[found]?.hunks.find(isWanted);
      if (hunk === undefined || found === fileIndex)
        return say(state, facts, 'info', 'No other file has an undecided hunk');
      return done(moveToHunk(state, hunk.id));
    }
    const from = frame.file.first + frame.segment.index;
    const { oneRow } = frame.layout;
    const isElsewhere = (hunk: Hunk | undefined) =>
      isWanted(hunk) && !(hunk !== undefined && oneRow?.includes(hunk));
    const hunk = hunks[findNext(hunks.length, from, step, (index) => isElsewhere(hunks[index]))];
    if (hunk === undefined) return say(state, facts, 'info', 'Every hunk is decided');
    return done(moveToHunk(state, hunk.id));
  });

const switchPane: ReviewHandler = (state) =>
  done(changeReview(state, { focus: state.review.focus === 'files' ? 'diff' : 'files', anchor: null }));

/** Goes one step back: diff, files, the list if there are several suggestions, the first screen. */
export function backInReview(state: ReviewModel, facts: ReviewFacts): ReviewModel {
  if (state.review.anchor !== null) return changeReview(state, { anchor: null });
  if (state.review.focus === 'diff' && reviewFrame(state, facts) !== null)
    return changeReview(state, { focus: 'files' });
  if (state.review.focus === 'files' && facts.review.suggestions.length > 1) {
    // The only one of its project would reopen at once, so the list is that of all projects.
    const isAlone = listedSuggestions(state.review, facts.review).length === 1;
    return closeReview(isAlone ? changeReview(state, { isEverywhere: true, listQuery: null }) : state);
  }
  return { ...state, screen: 'responses' };
}

/** Never so far that nothing of the hunk is visible. */
const shift = (cells: number): ReviewHandler =>
  onFrame((state, facts, { layout, segment }) => {
    const key = facts.keyOf('review/wrap') ?? 'the palette';
    if (layout.isWrapped) return say(state, facts, 'info', `Long lines wrap; ${key} cuts them`);
    const longest = segment.doc.lines.reduce((most, { text }) => Math.max(most, text.length), 0);
    const most = Math.min(longest - SHIFT_CELLS, SHIFT_MAX_CELLS);
    const next = Math.max(0, Math.min(state.review.shift + cells, most));
    return done(changeReview(state, { shift: next }));
  });

const turnSides: ReviewHandler = onFrame((state, facts, frame) => {
  const { columns } = frame.region;
  const now = frame.layout.sides;
  if (now === 'one' && columns < TWO_SIDES_MIN_COLUMNS) {
    return say(
      state,
      facts,
      'info',
      `Both sides need ${TWO_SIDES_MIN_COLUMNS} columns; there are ${columns}`,
    );
  }
  const sides = now === 'one' ? 'two' : 'one';
  const next = moveToHunk(changeReview(state, { sides }), frame.segment.hunk.id);
  return done(next, keptLook(next));
});

const turnBlanks: ReviewHandler = (state, facts) => {
  const quietBlanks = !state.review.quietBlanks;
  const words = quietBlanks
    ? 'Whitespace-only changes are dimmed, such hunks folded; decisions still include them'
    : 'All changes are shown';
  return say(changeReview(state, { quietBlanks }), facts, 'info', words);
};

const copy: ReviewHandler = (state, facts) => {
  const frame = reviewFrame(state, facts);
  if (frame !== null) return done(state, { kind: 'copy', text: frame.segment.hunk.diff, what: 'the hunk' });
  if (facts.review.suggestions.length > 0) return done(state);
  return done(state, { kind: 'copy', text: PUBLISH_LINE, what: 'the line' });
};

const openSearch: ReviewHandler = (state) =>
  done({ ...state, overlay: { kind: 'prompt', query: '', sign: null, purpose: 'search' } });

/** Shows or hides the suggestions of other projects. */
const turnEverywhere: ReviewHandler = (state, facts) => {
  const { own, others } = byProject(facts.review);
  if (others.length === 0) return say(state, facts, 'info', 'No suggestion is waiting in another project');
  if (own.length === 0) return say(state, facts, 'info', 'No suggestion is waiting in this project');
  return done(changeReview(state, { isEverywhere: !state.review.isEverywhere }));
};

/** Clears the search first. */
const leaveList: ReviewHandler = (state) =>
  done(
    state.review.listQuery === null
      ? { ...state, screen: 'responses' }
      : changeReview(state, { listQuery: null }),
  );

/** Searches the open suggestion, or the list, for the typed text. */
export const acceptReviewSearch: ReviewHandler = (state, facts) => {
  const { overlay } = state;
  if (overlay?.kind !== 'prompt') return done(state);
  const { query } = overlay;
  const closed: ReviewModel = { ...state, overlay: null };
  if (overlay.purpose === 'range') return startRange(closed, facts, query);
  if (overlay.purpose === 'commit') return commitWith(closed, facts, query);
  if (state.review.suggestion === null)
    return done(changeReview(closed, { listQuery: query === '' ? null : query, marked: null }));
  if (query === '') return done(changeReview(closed, { query: null }));
  return toMatch(changeReview(closed, { query }), facts, 1);
};

function toMatch(state: ReviewModel, facts: ReviewFacts, step: 1 | -1): ReviewOutcome {
  const frame = reviewFrame(state, facts);
  const { query } = state.review;
  if (frame === null || query === null) return say(state, facts, 'info', 'No search yet. / searches.');
  const { hunks, id } = frame.shown;
  const matcher = createMatcher(query);
  const from = frame.file.first + frame.segment.index;
  const [index = -1] = linesAt(frame.segment, frame.row - frame.segment.start, frame.layout.sides);
  const inHunk = index - frame.segment.doc.own.from;
  for (let passed = 0; passed <= hunks.length; passed += 1) {
    const hunk = hunks[(from + step * passed + hunks.length * (passed + 1)) % hunks.length];
    if (hunk === undefined) continue;
    const isNamed =
      passed > 0 &&
      matcher.matches(
        `${hunk.file}\n${hunk.note ?? ''}\n${hunk.comments.map(({ text }) => text).join('\n')}`,
      );
    if (!isNamed && !matcher.matches(hunk.diff)) continue;
    const lines = facts.reviewDocs.hunkDoc(id, hunk).lines;
    const beyond = (index: number) => passed > 0 || (step > 0 ? index > inHunk : index < inHunk);
    const isMatch = (line: { readonly text: string }, index: number) =>
      beyond(index) && matcher.matches(line.text);
    const line = step > 0 ? lines.findIndex(isMatch) : lines.findLastIndex(isMatch);
    if (line < 0 && !isNamed) continue;
    const folded = { ...state.review.folded, [foldKeyOf(hunk)]: false };
    const moved = moveToHunk(changeReview(state, { folded }), hunk.id);
    const text = lines[line]?.text ?? '';
    if (text.length <= WHOLE_LINE_MAX_CHARACTERS) return done(toLine(moved, facts, line));
    // A wrapped line may omit the part with the match.
    const before = text.slice(0, matcher.places(text)[0]?.start ?? 0);
    const shift = Math.max(0, widthOf(before) - SHIFT_CELLS);
    const words = `The match is far to the right; ${facts.keyOf('review/wrap') ?? 'the palette'} wraps lines again`;
    return say(toLine(changeReview(moved, { isWrapped: false, shift }), facts, line), facts, 'info', words);
  }
  return say(state, facts, 'warn', `"${query}" is not in this suggestion`);
}

/** Moves the cursor to a line of its hunk; to the header for -1. */
function toLine(state: ReviewModel, facts: ReviewFacts, line: number): ReviewModel {
  const frame = reviewFrame(state, facts);
  if (frame === null || line < 0) return state;
  const row = rowOfLine(frame.segment, frame.segment.doc.own.from + line, frame.layout.sides);
  return changeReview(state, { cursor: { hunk: frame.segment.hunk.id, row } });
}

const shared: ReviewHandlers = {
  copy,
  'review/start': openStartMenu,
  'review/refresh': (state) => done(state, { kind: 'review-refresh', isQuiet: false }),
  'review/to-draft': toDraft,
  'review/scope': nextScope,
  'review/follow': turnFollow,
  'review/reopen': (state) => done(state, { kind: 'review-reopen' }),
};

const openCommands: ReviewHandlers = {
  ...shared,
  ...decideCommands,
  ...lookCommands,
  'review/sides': turnSides,
  'review/blanks': turnBlanks,
  'review/next-hunk': toHunk(1),
  'review/previous-hunk': toHunk(-1),
  'review/next-open': toOpen(1, 'hunk'),
  'review/previous-open': toOpen(-1, 'hunk'),
  'review/next-open-file': toOpen(1, 'file'),
  'review/previous-open-file': toOpen(-1, 'file'),
  'review/next-match': (state, facts) => toMatch(state, facts, 1),
  'review/previous-match': (state, facts) => toMatch(state, facts, -1),
  'search/open': openSearch,
  'focus/next': switchPane,
  'focus/previous': switchPane,
  'focus/back': (state, facts) => done(backInReview(state, facts)),
};

export const reviewCommands: ReviewHandlers = shared;

export const reviewListCommands: ReviewHandlers = {
  ...shared,
  ...listMoves,
  'review/discard': decideCommands['review/discard'],
  'review/everywhere': turnEverywhere,
  'search/open': openSearch,
  'focus/back': leaveList,
  'review/open': (state, facts) => {
    const chosen = listedSuggestions(state.review, facts.review)[markedIndex(state.review, facts.review)];
    return done(chosen === undefined ? state : openReview(state, chosen.id));
  },
};

export const reviewFilesCommands: ReviewHandlers = {
  ...openCommands,
  ...fileMoves,
  'review/open': (state) => done(changeReview(state, { focus: 'diff' })),
};

export const reviewDiffCommands: ReviewHandlers = {
  ...openCommands,
  ...hunkCommands,
  'review/finish': finish,
  ...diffMoves,
  'visual/start': startLines,
  'review/shift-right': shift(SHIFT_CELLS),
  'review/shift-left': shift(-SHIFT_CELLS),
};

export const reviewLinesCommands: ReviewHandlers = {
  ...diffMoves,
  ...lineCommands,
  'review/comment': startCommentOnLines,
  'review/shift-right': shift(SHIFT_CELLS),
  'review/shift-left': shift(-SHIFT_CELLS),
};
