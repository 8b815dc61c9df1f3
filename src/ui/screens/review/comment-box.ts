/** Where a comment is written: below the diff, as high as its text, and no higher than half of the screen. Pure. */
import {
  positionOf,
  type RowPosition,
  rowText,
  type SpansOf,
  scrollTo,
  visibleRows,
} from '../../../lib/text-layout.ts';
import type { AppState, Picture } from '../../commands/app-state.ts';
import type { Facts } from '../../commands/handler.ts';
import { planRule } from '../../plan/chrome.ts';
import { areaOf, GUTTER_CELLS } from '../../plan/layout.ts';
import { foreign, type Row, span } from '../../plan/row.ts';
import type { Theme } from '../../theme/theme.ts';

/** Rows of text that there is room for at first. */
const TEXT_MIN_ROWS = 3;
const FIRST: RowPosition = { line: 0, row: 0 };

/** Rows of the box, its titled rule among them; 0 while no comment is written. */
export function commentRowsOf({ overlay, size }: AppState, facts: Pick<Facts, 'spansAt'>): number {
  if (overlay?.kind !== 'comment') return 0;
  const spansOf = spansIn(size.columns, facts);
  const most = Math.max(TEXT_MIN_ROWS, Math.floor(areaOf(size).rows / 2) - 1);
  let rows = 0;
  for (const line of overlay.editor.draft.lines) {
    rows += spansOf(line).length;
    if (rows >= most) break;
  }
  return 1 + Math.min(most, Math.max(TEXT_MIN_ROWS, rows));
}

/** The box as it is drawn. */
export function planCommentBox(state: AppState, facts: Facts, theme: Theme): Picture {
  const { overlay, size } = state;
  if (overlay?.kind !== 'comment') return { rows: [], cursor: null };
  const { lines } = overlay.editor.draft;
  const { cursor } = overlay.editor;
  const spansOf = spansIn(size.columns, facts);
  const height = commentRowsOf(state, facts) - 1;
  const line = lines[cursor.line];
  const at = line === undefined ? { row: 0, column: 0 } : positionOf(line.text, spansOf(line), cursor.offset);
  const target = { line: cursor.line, row: at.row };
  const top = scrollTo(lines, spansOf, target, { top: FIRST, height, margin: 0 });
  const shown = visibleRows(lines, spansOf, top, height);
  const rule = planRule(
    [span('Comment on '), foreign(overlay.where, 'title')],
    [],
    size.columns,
    theme,
    true,
  );
  const y = shown.findIndex(({ line: index, row }) => index === target.line && row === target.row);
  return {
    rows: [rule, ...shown.map((place) => textRow(lines, spansOf, place))],
    cursor: { x: Math.min(size.columns - 1, GUTTER_CELLS + at.column), y: 1 + Math.max(0, y) },
  };
}

function spansIn(columns: number, facts: Pick<Facts, 'spansAt'>): SpansOf {
  // One cell for the cursor after the last character.
  return facts.spansAt(Math.max(1, columns - GUTTER_CELLS - 1));
}

function textRow(
  lines: readonly { readonly text: string }[],
  spansOf: SpansOf,
  { line, row }: RowPosition,
): Row {
  const text = lines[line];
  const part = text === undefined ? undefined : spansOf(text)[row];
  return [
    span(' '.repeat(GUTTER_CELLS)),
    ...(text === undefined || part === undefined ? [] : [span(rowText(text.text, part))]),
  ];
}
