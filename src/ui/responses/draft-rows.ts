/** The draft in rows: where the cursor is on the screen, moving by what is seen, keeping it in view. Pure. */
import {
  compareRows,
  moveRows,
  offsetAt,
  positionOf,
  type RowPosition,
  type SpansOf,
  scrollTo,
} from '../../lib/text-layout.ts';
import { reduceDraft } from '../../responses/core/draft.ts';
import { draftRegion, draftWidth } from './frames.ts';
import type { ResponsesFacts, ResponsesModel } from './model.ts';

/** Rows kept in view above and below the cursor. */
const MARGIN_ROWS = 1;

interface DraftFrame {
  readonly spansOf: SpansOf;
  readonly height: number;
}

/** How the draft is laid out now. */
export function draftFrame(state: ResponsesModel, facts: ResponsesFacts): DraftFrame {
  const region = draftRegion(state, facts);
  return { spansOf: facts.spansAt(draftWidth(region)), height: Math.max(1, region.rows) };
}

function cursorPlace(
  state: ResponsesModel,
  spansOf: SpansOf,
): { readonly at: RowPosition; readonly column: number } | null {
  const { draft, cursor } = state.draft;
  const line = draft.lines[cursor.line];
  if (line === undefined) return null;
  const { row, column } = positionOf(line.text, spansOf(line), cursor.offset);
  return { at: { line: cursor.line, row }, column };
}

/** Moves the cursor by rows as they are seen; the column that was aimed for is kept over shorter rows. */
export function moveDraftRows(state: ResponsesModel, facts: ResponsesFacts, delta: number): ResponsesModel {
  const { spansOf } = draftFrame(state, facts);
  const place = cursorPlace(state, spansOf);
  if (place === null) return state;
  const { draftAim } = state.responses;
  const column = draftAim !== null && draftAim.cursor === state.draft.cursor ? draftAim.column : place.column;
  const { lines } = state.draft.draft;
  const target = moveRows(lines, spansOf, place.at, delta);
  const line = lines[target.line];
  if (line === undefined) return state;
  const offset = offsetAt(line.text, spansOf(line), { row: target.row, column });
  const draft = reduceDraft(state.draft, { type: 'draft/cursor', cursor: { line: target.line, offset } });
  return { ...state, draft, responses: { ...state.responses, draftAim: { cursor: draft.cursor, column } } };
}

/** The window moved by rows; the cursor comes along only as far as it must to stay in view. */
export function scrollDraft(state: ResponsesModel, facts: ResponsesFacts, rows: number): ResponsesModel {
  const { spansOf, height } = draftFrame(state, facts);
  const { lines } = state.draft.draft;
  const place = cursorPlace(state, spansOf);
  if (place === null) return state;
  const top = moveRows(lines, spansOf, state.responses.draftTop, rows);
  const last = moveRows(lines, spansOf, top, height - 1 - MARGIN_ROWS);
  const first = top.line === 0 && top.row === 0 ? top : moveRows(lines, spansOf, top, MARGIN_ROWS);
  const isAbove = compareRows(place.at, first) < 0;
  const scrolled: ResponsesModel = { ...state, responses: { ...state.responses, draftTop: top } };
  if (!isAbove && compareRows(place.at, last) <= 0) return scrolled;
  return placeDraftCursor(scrolled, facts, isAbove ? first : last, place.column);
}

/** The cursor on a row as it is seen, in the column or at the row's end before it. */
export function placeDraftCursor(
  state: ResponsesModel,
  facts: ResponsesFacts,
  { line, row }: RowPosition,
  column: number,
): ResponsesModel {
  const { spansOf } = draftFrame(state, facts);
  const at = state.draft.draft.lines[line];
  if (at === undefined) return state;
  const offset = offsetAt(at.text, spansOf(at), { row, column });
  const draft = reduceDraft(state.draft, { type: 'draft/cursor', cursor: { line, offset } });
  return draft === state.draft ? state : { ...state, draft };
}

/** The window scrolled so that the cursor is in it; the same state when it is. */
export function settleDraft(state: ResponsesModel, facts: ResponsesFacts): ResponsesModel {
  const { lines } = state.draft.draft;
  const { spansOf, height } = draftFrame(state, facts);
  const { draftTop } = state.responses;
  const place = cursorPlace(state, spansOf);
  const top = place === null ? FIRST_ROW : settledTop(lines, spansOf, place.at, { top: draftTop, height });
  if (top.line === draftTop.line && top.row === draftTop.row) return state;
  return { ...state, responses: { ...state.responses, draftTop: top } };
}

const FIRST_ROW: RowPosition = { line: 0, row: 0 };

function settledTop(
  lines: ResponsesModel['draft']['draft']['lines'],
  spansOf: SpansOf,
  cursor: RowPosition,
  { top, height }: { readonly top: RowPosition; readonly height: number },
): RowPosition {
  const line = lines[Math.min(top.line, lines.length - 1)];
  const rows = line === undefined ? 1 : spansOf(line).length;
  const valid: RowPosition = { line: Math.min(top.line, lines.length - 1), row: Math.min(top.row, rows - 1) };
  return scrollTo(lines, spansOf, cursor, { top: valid, height, margin: MARGIN_ROWS });
}
