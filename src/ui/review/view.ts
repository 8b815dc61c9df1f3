/** The Review screen: the list of suggestions, or the open one's files and diff, in the regions that fit. Pure. */

import { folderName } from '../../lib/pane-names.ts';
import type { Suggestion } from '../../protocol/review.ts';
import { countToReview } from '../../protocol/to-review.ts';
import type { Region } from '../kit/layout.ts';
import { type Panes, widePane } from '../kit/pane.ts';
import { fitRow, foreign, type Row, rowWidth, type Size, span } from '../kit/row.ts';
import { planRule } from '../kit/rule.ts';
import { createMatcher } from '../kit/search.ts';
import { type Tally, tallyRow } from '../kit/tally.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { commentRowsOf, planCommentBox } from './comment-box.ts';
import { planReviewDiff } from './diff-view.ts';
import { planNoSuggestion } from './empty.ts';
import { firstLine, planReviewFiles, planSuggestions } from './files-view.ts';
import { type ReviewFrame, reviewFrame } from './frame.ts';
import { FILTER_WORDS } from './look-commands.ts';
import type { ReviewFacts, ReviewModel } from './model.ts';
import { sizeRow } from './sizes.ts';
import { byProject, listedSuggestions, markedIndex, statusOf } from './state.ts';

/** `list`: the suggestions, if none is open; `comment`: the comment box. */
export type ReviewPanes = Panes<'list' | 'title' | 'files' | 'diff' | 'comment'>;

const NOTHING: ReviewPanes = { list: null, title: null, files: null, diff: null, comment: null };

/** The panes that fit. */
export function planReview(state: ReviewModel, facts: ReviewFacts, area: Size, theme: Theme): ReviewPanes {
  const boxRows = commentRowsOf(state, facts);
  const main = planMain(state, facts, { ...area, rows: area.rows - boxRows }, theme);
  return boxRows === 0
    ? main
    : { ...main, comment: planCommentBox(state, facts, area.rows - boxRows, theme) };
}

function planMain(state: ReviewModel, facts: ReviewFacts, area: Size, theme: Theme): ReviewPanes {
  const frame = reviewFrame(state, facts);
  if (frame !== null) return planOpen(frame, state, facts, area, theme);
  const remark = listRemark(state, facts);
  const head = planRule([span('Review', 'title')], remark, area.columns, theme, true);
  const inner: Size = { columns: area.columns, rows: area.rows - 1 };
  const rows = listRows(state, facts, inner, theme);
  return { ...NOTHING, list: widePane(0, inner, { head, rows }) };
}

/** How many there are, of what kind, and the key that shows other projects' ones. */
function listRemark({ review }: ReviewModel, facts: ReviewFacts): Row {
  const listed = listedSuggestions(review, facts.review);
  const { own, others } = byProject(facts.review);
  if (own.length + others.length === 0) return [];
  const key = facts.keyOf('review/everywhere') ?? 'the palette';
  const isHidden = own.length > 0 && others.length > 0 && !review.isEverywhere;
  const found = review.listQuery === null ? [] : [foreign(` with "${review.listQuery}"`, 'dim')];
  const elsewhere = isHidden ? `, ${others.length} in other projects (${key})` : '';
  return [span(`${countToReview(listed)} to review`, 'dim'), ...found, span(elsewhere, 'dim')];
}

function listRows(state: ReviewModel, facts: ReviewFacts, size: Size, theme: Theme): readonly Row[] {
  const { suggestions, problem } = facts.review;
  if (suggestions.length === 0) return [[], ...planNoSuggestion(facts, size.columns)];
  if (state.review.suggestion === null) {
    const marked = markedIndex(state.review, facts.review);
    const listed = listedSuggestions(state.review, facts.review);
    if (listed.length === 0)
      return [[], [foreign(`  No suggestion has "${state.review.listQuery ?? ''}"`, 'dim')]];
    return planSuggestions(listed, marked, facts.now, size, theme);
  }
  const words =
    problem === null ? span('  Loading the suggestion', 'dim') : foreign(`  ${problem.message}`, 'warn');
  return [[], [words]];
}

function planOpen(
  frame: ReviewFrame,
  state: ReviewModel,
  facts: ReviewFacts,
  area: Size,
  theme: Theme,
): ReviewPanes {
  const { files, diff } = frame.places;
  const head = titleRow(frame, state, facts, area.columns, theme);
  const isStacked = files !== null && diff !== null && diff.x === 0;
  return {
    ...NOTHING,
    title: widePane(0, { columns: area.columns, rows: 0 }, { head, rows: [] }),
    files:
      files === null
        ? null
        : { region: files, head: null, rows: fileRows(frame, files, state, facts, theme), cursor: null },
    diff:
      diff === null
        ? null
        : {
            region: diff,
            head: isStacked ? diffRule(frame, state, area.columns, theme) : null,
            rows: diffRows(frame, state, facts, theme),
            cursor: null,
          },
  };
}

function fileRows(
  frame: ReviewFrame,
  region: Region,
  { review }: ReviewModel,
  facts: ReviewFacts,
  theme: Theme,
): readonly Row[] {
  return planReviewFiles(
    {
      files: frame.files,
      selected: frame.fileIndex,
      isFocused: review.focus === 'files',
      tallyOf: (hunks) => facts.reviewDocs.tally(review, hunks),
      isSeen: (hunk) => facts.review.viewed.has(hunk.id),
      sizeOf: facts.reviewDocs.sizes,
    },
    region,
    theme,
  );
}

/** The diff's own rule, if the files are above it. */
function diffRule(frame: ReviewFrame, { review }: ReviewModel, columns: number, theme: Theme): Row {
  const title = [foreign(frame.file.name, 'title')];
  return planRule(title, placeRemark(frame), columns, theme, review.focus === 'diff');
}

function titleRow(
  frame: ReviewFrame,
  state: ReviewModel,
  facts: ReviewFacts,
  columns: number,
  theme: Theme,
): Row {
  const { suggestion, places } = frame;
  const tally = tallyOfAll(suggestion, state, facts);
  const total = tally.accepted + tally.rejected + tally.open + tally.conflict;
  const decided = tally.accepted + tally.rejected;
  const name = firstLine(suggestion);
  const fate = tallyRow(tally, theme, 'all');
  // The counts stay whole; the title is cut.
  const room = Math.max(TITLE_MIN_CELLS, columns - rowWidth(fate) - TITLE_EDGE_CELLS);
  const shownName = name === '' ? '(no description)' : name;
  const isFiltered = frame.shown !== suggestion && state.review.filter !== null;
  const filter = isFiltered
    ? ` ${theme.glyphs.separator} only ${FILTER_WORDS[state.review.filter ?? 'unseen']}`
    : '';
  const follows = state.review.followed === null ? '' : ` ${theme.glyphs.separator} follows`;
  const short: Row = [span(` ${decided}/${total}${filter}${follows}`, 'dim')];
  const long: Row = [
    span(` ${theme.glyphs.separator} ${decided}/${total} decided${filter}${follows}`, 'dim'),
  ];
  const isShort = places.files === null || columns < LONG_TITLE_MIN_COLUMNS;
  const head: Row = isShort
    ? [foreign(places.files === null ? frame.file.name : shownName, 'title')]
    : [
        span('Review', 'title'),
        foreign(` ${shownName}`, 'strong'),
        span(` ${theme.glyphs.separator} `, 'dim'),
        foreign(folderName(suggestion.target), 'dim'),
      ];
  // The size of hunks that are not read yet is unknown.
  const lines = facts.review.isReading ? [] : sizeRow(facts.reviewDocs.sizes(suggestion.hunks));
  const counted: Row = lines.length === 0 ? long : [...long, span('  '), ...lines];
  const hasRoom = room - rowWidth(counted) >= NAME_BEFORE_LINES_CELLS;
  const tail = isShort ? short : hasRoom ? counted : long;
  const title: Row = [...fitRow(head, room - rowWidth(tail), theme), ...tail];
  // If files are above the diff or alone, this rule is theirs, and the diff has its own.
  const isOfFiles = places.files !== null && (places.diff === null || places.diff.x === 0);
  return planRule(title, fate, columns, theme, (state.review.focus === 'files') === isOfFiles);
}

/** Hunks that are not read yet count as open. */
function tallyOfAll({ hunks, hunkCount }: Suggestion, state: ReviewModel, facts: ReviewFacts): Tally {
  const tally = facts.reviewDocs.tally(state.review, hunks);
  return facts.review.isReading ? { ...tally, open: tally.open + hunkCount - hunks.length } : tally;
}

/** Cells around title and counts in a rule. */
const TITLE_EDGE_CELLS = 7;
/** Below this width, only the name and two numbers are shown. */
const LONG_TITLE_MIN_COLUMNS = 60;
const TITLE_MIN_CELLS = 12;
/** Lines are counted only if this much remains for what precedes. */
const NAME_BEFORE_LINES_CELLS = 30;

function placeRemark({ layout, row, height }: ReviewFrame): Row {
  if (layout.rows <= height) return [];
  return [span(`${Math.round(((row + 1) / layout.rows) * 100)} %`, 'dim')];
}

function diffRows(frame: ReviewFrame, state: ReviewModel, facts: ReviewFacts, theme: Theme): readonly Row[] {
  const { review } = state;
  const isFocused = review.focus === 'diff';
  return planReviewDiff(
    {
      layout: frame.layout,
      top: review.top,
      height: frame.height,
      cursor: isFocused ? frame.row : null,
      selection: review.anchor === null ? null : selectedRows(frame, review.anchor),
      line: {
        shift: review.shift,
        quietBlanks: review.quietBlanks,
        isWrapped: frame.layout.isWrapped,
      },
      foldKey: facts.keyOf('review/fold') ?? 'the palette',
      colorsOf: (hunk) => facts.colorsOf(facts.reviewDocs.hunkDoc(frame.suggestion.id, hunk)),
      isSeen: (hunk) => facts.review.viewed.has(hunk.id),
      statusOf: (hunk) => statusOf(review, hunk),
      tallyOf: (hunks) => facts.reviewDocs.tally(review, hunks),
      sizeOf: facts.reviewDocs.sizes,
      matcher: review.query === null ? null : createMatcher(review.query),
    },
    frame.region.columns,
    theme,
  );
}

function selectedRows(frame: ReviewFrame, anchor: number): { readonly first: number; readonly last: number } {
  const other = frame.segment.start + anchor;
  return { first: Math.min(other, frame.row), last: Math.max(other, frame.row) };
}
