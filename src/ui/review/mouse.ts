/** The mouse on the Review screen: marks suggestions, files and rows, scrolls, selects lines. Decides nothing. Pure. */

import { areaOf } from '../kit/layout.ts';
import { menuTop } from '../kit/menu.ts';
import { type Cell, type Spot, within } from '../kit/mouse/spot.ts';
import { filesTop } from './files-view.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import { startLines } from './line-commands.ts';
import { done, type ReviewFacts, type ReviewModel, type ReviewOutcome } from './model.ts';
import { changeReview, markSuggestion, moveToRow, openReview, toFile } from './moves.ts';
import { listedSuggestions, markedIndex } from './state.ts';

/** What is in a cell of the screen area. */
export function reviewSpot(state: ReviewModel, facts: ReviewFacts, cell: Cell): Spot<ReviewOutcome> | null {
  const frame = reviewFrame(state, facts);
  if (frame === null) return state.review.suggestion === null ? listSpot(state, facts, cell) : null;
  const inFiles = within(frame.places.files, cell);
  if (inFiles !== null) return filesSpot(state, frame, inFiles);
  const inDiff = within(frame.places.diff, cell);
  return inDiff === null ? null : diffSpot(state, facts, frame, inDiff);
}

function listSpot(state: ReviewModel, facts: ReviewFacts, { y }: Cell): Spot<ReviewOutcome> {
  const suggestions = listedSuggestions(state.review, facts.review);
  const marked = markedIndex(state.review, facts.review);
  const index = y < 1 ? -1 : menuTop(marked, suggestions.length, areaOf(state.size).rows - 1) + y - 1;
  const at = suggestions[index];
  return {
    wheel: (rows) => done(markSuggestion(state, facts, Math.sign(rows))),
    press: () => {
      if (at === undefined) return done(state);
      return done(index === marked ? openReview(state, at.id) : changeReview(state, { marked: at.id }));
    },
  };
}

function filesSpot(state: ReviewModel, frame: ReviewFrame, { y }: Cell): Spot<ReviewOutcome> {
  const { files, fileIndex, places } = frame;
  const index = y < 0 ? -1 : filesTop(fileIndex, files.length, places.files?.rows ?? 1) + y;
  const focused = changeReview(state, { focus: 'files', anchor: null });
  return {
    wheel: (rows) => done(toFile(state, frame, fileIndex + Math.sign(rows))),
    press: () => {
      if (index < 0 || index >= files.length) return done(focused);
      if (index === fileIndex && state.review.focus === 'files')
        return done(changeReview(state, { focus: 'diff' }));
      return done(index === fileIndex ? focused : toFile(focused, frame, index));
    },
  };
}

function diffSpot(
  state: ReviewModel,
  facts: ReviewFacts,
  frame: ReviewFrame,
  { y }: Cell,
): Spot<ReviewOutcome> {
  const row = state.review.top + y;
  const isRow = y >= 0 && row < frame.layout.rows;
  return {
    wheel: (rows) => done(scrollDiff(state, frame, rows)),
    press: () => {
      const focused = changeReview(state, { focus: 'diff', anchor: null });
      return done(isRow ? moveToRow(focused, frame, row) : focused);
    },
    drag: () => {
      if (!isRow || state.review.focus !== 'diff') return done(state);
      const begun = state.review.anchor === null ? startLines(state, facts) : done(state);
      return done(moveToRow(begun.state, frame, row), ...begun.effects);
    },
  };
}

/** Rows between the cursor and the window's edges, so that settling does not move it back. */
const MARGIN_ROWS = 2;

/** Scrolls within the file; moves the cursor only as far as needed. */
function scrollDiff(state: ReviewModel, frame: ReviewFrame, rows: number): ReviewModel {
  const { layout, height, row } = frame;
  const top = Math.max(0, Math.min(state.review.top + rows, layout.rows - height));
  const margin = Math.min(MARGIN_ROWS, Math.floor((height - 1) / 2));
  const first = top === 0 ? 0 : top + margin;
  const last = Math.min(layout.rows - 1, top + height - 1 - margin);
  const scrolled = changeReview(state, { top });
  return row >= first && row <= last
    ? scrolled
    : moveToRow(scrolled, frame, Math.max(first, Math.min(row, last)));
}
