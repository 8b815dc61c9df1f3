/** A text editor that grows with its text up to a bound, and uses the terminal's cursor. Pure. */
import {
  positionOf,
  type RowPosition,
  rowText,
  type SpansOf,
  scrollTo,
  visibleRows,
} from '../../lib/text-layout.ts';
import { type DraftAction, type DraftState, openDraft, reduceDraft } from '../../responses/core/draft.ts';
import type { EditorAction } from './keys/editor-keys.ts';
import { GUTTER_CELLS } from './layout.ts';
import { type CursorCell, type Row, span } from './row.ts';

/** A text being written: the draft, a comment, an instruction. */
export type EditorState = DraftState;

/** An editor without text. */
export const EMPTY_EDITOR: EditorState = openDraft();

/** The text in insert mode with the cursor at its end. */
export function editorOf(text: string): EditorState {
  const empty = reduceDraft(openDraft(), { type: 'draft/open', side: 'below' });
  return text === '' ? empty : reduceDraft(empty, { type: 'draft/paste', text });
}

/** The effects of insert mode's keys in every text editor. */
const INSERT_EDITS = {
  'insert/tab': { type: 'draft/type', text: '\t' },
  'insert/left': { type: 'draft/move', motion: 'left' },
  'insert/right': { type: 'draft/move', motion: 'right' },
  'insert/line-start': { type: 'draft/move', motion: 'line-start' },
  'insert/line-end': { type: 'draft/move', motion: 'line-end' },
  'insert/word': { type: 'draft/move', motion: 'word' },
  'insert/word-back': { type: 'draft/move', motion: 'word-back' },
  'insert/delete-back': { type: 'draft/erase', what: 'character-back' },
  'insert/delete': { type: 'draft/erase', what: 'character' },
  'insert/delete-word': { type: 'draft/erase', what: 'blank-word-back' },
  'insert/delete-to-end': { type: 'draft/erase', what: 'to-line-end' },
  'insert/delete-to-start': { type: 'draft/erase', what: 'to-line-start' },
  'insert/yank': { type: 'draft/yank-killed' },
} as const satisfies Partial<Record<EditorAction, DraftAction>>;

/** The commands of these keys, each made of its action. */
export const insertCommandsBy = <H>(command: (action: DraftAction) => H): Readonly<Record<string, H>> =>
  Object.fromEntries(Object.entries(INSERT_EDITS).map(([name, action]) => [name, command(action)]));

const FIRST: RowPosition = { line: 0, row: 0 };

interface RowBounds {
  readonly least: number;
  readonly most: number;
}

/** Rows that the text needs. */
export function editorRowCount(editor: DraftState, spansOf: SpansOf, { least, most }: RowBounds): number {
  let rows = 0;
  for (const line of editor.draft.lines) {
    rows += spansOf(line).length;
    if (rows >= most) break;
  }
  return Math.min(most, Math.max(least, rows));
}

/** The rows, scrolled to show the cursor. */
export function planEditor(
  editor: DraftState,
  spansOf: SpansOf,
  size: { readonly columns: number; readonly height: number },
): { readonly rows: readonly Row[]; readonly cursor: CursorCell } {
  const { lines } = editor.draft;
  const { cursor } = editor;
  const line = lines[cursor.line];
  const at = line === undefined ? { row: 0, column: 0 } : positionOf(line.text, spansOf(line), cursor.offset);
  const target = { line: cursor.line, row: at.row };
  const top = scrollTo(lines, spansOf, target, { top: FIRST, height: size.height, margin: 0 });
  const shown = visibleRows(lines, spansOf, top, size.height);
  const y = shown.findIndex(({ line: index, row }) => index === target.line && row === target.row);
  return {
    rows: shown.map((place) => textRow(lines, spansOf, place)),
    cursor: { x: Math.min(size.columns - 1, GUTTER_CELLS + at.column), y: Math.max(0, y) },
  };
}

/** A text's layout in a box of this width: one cell stays free for a cursor after the last character. */
export function editorSpans(
  columns: number,
  facts: { readonly spansAt: (width: number) => SpansOf },
): SpansOf {
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
