/** The open suggestion on the screen: file, rows, region, for movement and drawing. */
import type { Suggestion } from '../../protocol/review.ts';
import { areaOf, type Region } from '../kit/layout.ts';
import { commentRowsOf } from './comment-box.ts';
import type { FileLayout } from './diff-layout.ts';
import type { ReviewFile } from './files.ts';
import { layoutReview, type ReviewLayout, TWO_SIDES_FROM_COLUMNS, TWO_SIDES_MIN_COLUMNS } from './layout.ts';
import type { ReviewFacts, ReviewModel } from './model.ts';
import { NO_MOVED } from './moved-blocks.ts';
import { leadOf, type Segment, type Sides } from './segment.ts';
import { openSuggestion, type ReviewCursor } from './state.ts';

export interface ReviewFrame {
  readonly suggestion: Suggestion;
  /** What passes the filter, which is also what hunks are counted in. */
  readonly shown: Suggestion;
  readonly files: readonly ReviewFile[];
  readonly fileIndex: number;
  readonly file: ReviewFile;
  readonly places: ReviewLayout;
  /** Where the diff is or would be. */
  readonly region: Region;
  readonly layout: FileLayout;
  /** The hunk under the cursor. */
  readonly segment: Segment;
  /** The cursor's row in the file. */
  readonly row: number;
  readonly height: number;
  /** Row of the hunk where its own lines begin. */
  readonly lead: number | null;
}

/** The open suggestion's frame; null if none is open or read. */
export function reviewFrame(state: ReviewModel, facts: ReviewFacts): ReviewFrame | null {
  const { review } = state;
  const suggestion = openSuggestion(review, facts.review);
  if (suggestion === null) return null;
  const { expected, filter } = review;
  const { viewed } = facts.review;
  const shown = facts.reviewDocs.filterHunks(suggestion, filter, { expected, viewed });
  const { files, fileOf } = facts.reviewDocs.groupFiles(shown);
  const hunkId = markedId(shown, review.cursor);
  const fileIndex = fileOf.get(hunkId) ?? 0;
  const file = files[fileIndex];
  if (file === undefined) return null;
  const full = areaOf(state.size);
  // A comment is written below its subject.
  const area = { ...full, rows: full.rows - commentRowsOf(state, facts) };
  const places = layoutReview(area, files.length, review.focus === 'diff');
  const region = places.diff ?? places.files ?? { x: 0, y: 1, columns: area.columns, rows: 1 };
  const layout = facts.reviewDocs.layoutFile({
    suggestion,
    file,
    columns: region.columns,
    sides: sidesAt(state, region.columns, file),
    isWrapped: review.isWrapped,
    expanded: review.expanded,
    view: facts.review,
    folds: review,
    // The first of many hunks are shown before the rest is read: the search would delay them and have to be repeated.
    moved: facts.review.isReading ? NO_MOVED : facts.reviewDocs.findMoved(suggestion),
  });
  const segment = layout.segments.find(({ hunk }) => hunk.id === hunkId) ?? layout.segments[0];
  if (segment === undefined) return null;
  const lead = leadOf(segment, layout.sides);
  const inHunk = segment.hunk.id === review.cursor?.hunk ? rowIn(review.cursor, lead) : 0;
  const row = Math.min(segment.start + inHunk, segment.end - 1);
  return {
    suggestion,
    shown,
    files,
    fileIndex,
    file,
    places,
    region,
    layout,
    segment,
    row,
    height: Math.max(1, region.rows),
    lead,
  };
}

/** The cursor's row in its hunk: rows added above the hunk's own lines push it down. */
function rowIn({ row, lead: before }: ReviewCursor, lead: number | null): number {
  if (before == null || lead === null || row < before) return row;
  return row + lead - before;
}

/** The hunk under the cursor; if it is gone, the first of its parts, or its replacement. */
function markedId({ hunks }: Suggestion, cursor: ReviewCursor | null): string {
  if (cursor === null) return hunks[0]?.id ?? '';
  const at = hunks[cursor.at ?? 0];
  if (at?.id === cursor.hunk || hunks.some(({ id }) => id === cursor.hunk)) return cursor.hunk;
  const part = hunks.find(({ parent }) => parent === cursor.hunk);
  return (part ?? hunks[Math.min(cursor.at ?? 0, hunks.length - 1)])?.id ?? '';
}

/** How many sides a diff of this width shows; a selection, a new and a deleted file are on one side. */
function sidesAt({ review }: ReviewModel, columns: number, { hunks }: ReviewFile): Sides {
  if (review.anchor !== null || columns < TWO_SIDES_MIN_COLUMNS) return 'one';
  const isOnOneSide = hunks.every(({ kind }) => kind === 'create' || kind === 'delete');
  return review.sides ?? (columns >= TWO_SIDES_FROM_COLUMNS && !isOnOneSide ? 'two' : 'one');
}
