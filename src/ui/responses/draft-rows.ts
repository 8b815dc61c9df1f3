/** The draft in rows: the cursor's screen position, movement by visible rows, scrolling. Pure. */
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

/** Rows to keep in view above and below the cursor. */
const MARGIN_ROWS = 1;

interface DraftFrame {
  readonly spansOf: SpansOf;
  readonly height: number;
}

/** The draft's current layout. */
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

/** Moves the cursor by visible rows; shorter rows do not change the column it aims for. */
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

/** Scrolls by rows; moves the cursor only as far as needed to keep it in view. */
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

/** Puts the cursor on a visible row, at the column or at the row's end before it. */
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

/** Scrolls to the cursor; the same state if it is in view. */
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
