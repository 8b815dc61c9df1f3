/** Movement in a response by rows, pages, parts and matches. Pure; costs only the rows it passes. */
import { compareRows, moveRows, type RowPosition, scrollTo } from '../../lib/text-layout.ts';
import type { NotedLayout, PieceRow } from './answer-notes.ts';
import type { ResponsesFacts } from './model.ts';
import type { ReadingDoc } from './reading-doc.ts';
import { placeIn, type ReadingPlace, type ResponsesState, selectedTurn } from './state.ts';

/** The response with its notes, its layout, and how much of it is in view. */
export interface ReadingFrame extends NotedLayout {
  readonly doc: ReadingDoc;
  readonly height: number;
}

/** Rows to keep in view above and below the cursor. */
const MARGIN_ROWS = 2;

export type ReadingMove =
  | { readonly by: 'rows'; readonly count: number }
  | { readonly by: 'pages'; readonly count: number }
  | { readonly by: 'part'; readonly count: 1 | -1 }
  | { readonly to: 'first' }
  | { readonly to: 'last' }
  | { readonly to: 'line'; readonly line: number };

/** The place after a move. */
export function moveReading(place: ReadingPlace, move: ReadingMove, frame: ReadingFrame): ReadingPlace {
  if (frame.doc.lines.length === 0) return place;
  const cursor = target(clampPlace(place, frame), move, frame);
  return settle({ ...place, cursor, atEnd: 'to' in move && move.to === 'last' }, frame);
}

/** Scrolls by rows; moves the cursor only as far as needed to keep it in view. */
export function scrollReading(place: ReadingPlace, rows: number, frame: ReadingFrame): ReadingPlace {
  const { doc, spansOf, height } = frame;
  if (doc.lines.length === 0) return place;
  const valid = clampPlace(place, frame);
  const end = lastRow(frame);
  const lowest = moveRows(doc.lines, spansOf, end, -(Math.max(1, height) - 1));
  const moved = moveRows(doc.lines, spansOf, valid.top, rows);
  const top = compareRows(moved, lowest) > 0 ? lowest : moved;
  const cursor = inWindow(valid.cursor, top, frame);
  return { ...valid, top, cursor, atEnd: false };
}

function inWindow(
  cursor: RowPosition,
  top: RowPosition,
  { doc, spansOf, height }: ReadingFrame,
): RowPosition {
  const margin = Math.min(MARGIN_ROWS, Math.floor((height - 1) / 2));
  const isTop = top.line === 0 && top.row === 0;
  const first = moveRows(doc.lines, spansOf, top, isTop ? 0 : margin);
  const last = moveRows(doc.lines, spansOf, top, Math.max(0, height - 1 - margin));
  if (compareRows(cursor, first) < 0) return first;
  return compareRows(cursor, last) > 0 ? last : cursor;
}

function target(place: ReadingPlace, move: ReadingMove, frame: ReadingFrame): RowPosition {
  const { lines, partStarts } = frame.doc;
  if ('to' in move) {
    if (move.to === 'first') return { line: 0, row: 0 };
    if (move.to === 'last') return lastRow(frame);
    const wanted = move.line;
    return { line: Math.max(0, Math.min(wanted, lines.length - 1)), row: 0 };
  }
  if (move.by === 'part') {
    const { line } = place.cursor;
    const next =
      move.count > 0
        ? partStarts.find((start) => start > line)
        : partStarts.findLast((start) => start < line);
    return next === undefined ? place.cursor : { line: next, row: 0 };
  }
  const rows = move.by === 'pages' ? Math.trunc(move.count * Math.max(1, frame.height - 1)) : move.count;
  return moveRows(lines, frame.spansOf, place.cursor, rows);
}

/** Makes the place valid after the text grew or the width changed. The same object if it was. */
export function settleReading(place: ReadingPlace, frame: ReadingFrame): ReadingPlace {
  if (frame.doc.lines.length === 0) return place;
  const valid = clampPlace(place, frame);
  return settle(valid.atEnd ? { ...valid, cursor: lastRow(frame) } : valid, frame);
}

function settle(place: ReadingPlace, frame: ReadingFrame): ReadingPlace {
  const { doc, spansOf, height } = frame;
  const top = scrollTo(doc.lines, spansOf, place.cursor, { top: place.top, height, margin: MARGIN_ROWS });
  // A window beyond the end would show emptiness where text would fit.
  const lowest = moveRows(doc.lines, spansOf, lastRow(frame), -(Math.max(1, height) - 1));
  const kept = compareRows(top, lowest) > 0 ? lowest : top;
  return compareRows(kept, place.top) === 0 ? place : { ...place, top: kept };
}

function clampPlace(place: ReadingPlace, frame: ReadingFrame): ReadingPlace {
  const cursor = clampRow(place.cursor, frame);
  const top = clampRow(place.top, frame);
  const last = frame.doc.lines.length - 1;
  const anchor = place.anchor === null ? null : Math.min(place.anchor, last);
  if (cursor === place.cursor && top === place.top && anchor === place.anchor) return place;
  return { ...place, cursor, top, anchor };
}

function clampRow(position: RowPosition, { doc, spansOf }: ReadingFrame): RowPosition {
  const line = Math.min(position.line, doc.lines.length - 1);
  const at = doc.lines[line];
  const rows = at === undefined ? 1 : spansOf(at).length;
  const row = line === position.line ? Math.min(position.row, rows - 1) : rows - 1;
  return line === position.line && row === position.row ? position : { line, row };
}

function lastRow({ doc, spansOf }: ReadingFrame): RowPosition {
  const line = doc.lines.length - 1;
  const at = doc.lines[line];
  return { line: Math.max(0, line), row: at === undefined ? 0 : spansOf(at).length - 1 };
}

/** The content of the cursor's row. */
export function rowAtCursor(place: ReadingPlace, { doc, rowsOf }: ReadingFrame): PieceRow | null {
  const line = doc.lines[place.cursor.line];
  return line === undefined ? null : (rowsOf(line)[place.cursor.row] ?? null);
}

/** The selected lines, inclusive; null if nothing is selected. */
export function selectedLines(place: ReadingPlace): { readonly first: number; readonly last: number } | null {
  if (place.anchor === null) return null;
  return {
    first: Math.min(place.anchor, place.cursor.line),
    last: Math.max(place.anchor, place.cursor.line),
  };
}

/** The part under the cursor as a range of lines. */
export function partAt(doc: ReadingDoc, line: number): { readonly first: number; readonly last: number } {
  const index = Math.max(
    0,
    doc.partStarts.findLastIndex((start) => start <= line),
  );
  const next = doc.partStarts[index + 1];
  return {
    first: doc.partStarts[index] ?? 0,
    // The blank line that joins two parts belongs to neither.
    last: next === undefined ? doc.lines.length - 1 : next - 2,
  };
}

/** The marked response and its selected lines; null if there are none. */
export function responseInView(
  responses: ResponsesState,
  { view, docs }: Pick<ResponsesFacts, 'view' | 'docs'>,
): { readonly response: string | null; readonly selection: string | null } {
  const turn = selectedTurn(responses, view.turns);
  if (turn === null) return { response: null, selection: null };
  const range = selectedLines(placeIn(responses, turn.id));
  const lines = range === null ? null : docs(turn).raw.slice(range.first, range.last + 1);
  return { response: turn.response, selection: lines?.join('\n') ?? null };
}
