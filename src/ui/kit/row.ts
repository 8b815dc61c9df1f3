/** A screen row as data: text spans with roles. `foreign` sanitizes; everything else is our own text. Pure. */
import { sanitize } from '../../lib/sanitize.ts';
import { rowText, wrapLine } from '../../lib/text-layout.ts';
import { graphemesOf, sliceCells, widthOf } from '../../lib/width.ts';
import type { Ground, Role } from './theme/role.ts';
import type { Theme } from './theme/theme.ts';

export interface Span {
  readonly text: string;
  readonly role: Role;
  /** Omitted: the terminal's own background. */
  readonly ground?: Ground;
}

export type Row = readonly Span[];

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal's cursor in the frame. */
export interface CursorCell {
  readonly x: number;
  readonly y: number;
}

/** Our own text. */
export function span(text: string, role: Role = 'text', ground?: Ground): Span {
  return ground === undefined ? { text, role } : { text, role, ground };
}

/** Outside text (prompts, titles, paths) on one row: sanitized, line ends and TABs as blanks. */
export function foreign(text: string, role: Role = 'text'): Span {
  return { text: sanitize(text).replace(/[\t\n]+/g, ' '), role };
}

/** Cells of a row. */
export function rowWidth(row: Row): number {
  let width = 0;
  for (const { text } of row) width += widthOf(text);
  return width;
}

/** The row cut to `columns`, ending in an ellipsis if cut. Not in plain mode, where the terminal wraps it. */
export function fitRow(row: Row, columns: number, { options, glyphs }: Theme): Row {
  return options.plain ? row : cutRow(row, columns, glyphs.ellipsis);
}

function cutRow(row: Row, columns: number, ellipsis: string): Row {
  if (rowWidth(row) <= columns) return row;
  if (columns <= 0) return [];
  const kept: Span[] = [];
  let left = columns - widthOf(ellipsis);
  for (const part of row) {
    const text = sliceCells(part.text, left);
    left -= widthOf(text);
    const cut = text.length < part.text.length;
    kept.push({ ...part, text: cut ? text + ellipsis : text });
    if (cut) break;
  }
  return kept;
}

/** `left` and `right` at the two edges; `left` is cut if needed. In plain mode one after the other, in full. */
export function spread(left: Row, right: Row, columns: number, theme: Theme): Row {
  if (theme.options.plain) return right.length === 0 ? left : [...left, span(', '), ...right];
  const tail = fitRow(right, columns, theme);
  const tailWidth = rowWidth(tail);
  const head = fitRow(left, Math.max(0, columns - tailWidth - (tailWidth === 0 ? 0 : 1)), theme);
  const gap = columns - rowWidth(head) - tailWidth;
  return tailWidth === 0 ? head : [...head, span(' '.repeat(Math.max(0, gap))), ...tail];
}

/** The row padded with blanks to exactly `columns`. */
export function padRow(row: Row, columns: number, role: Role = 'text', ground?: Ground): Row {
  const fitted = cutRow(row, columns, '…');
  const gap = columns - rowWidth(fitted);
  return gap <= 0 ? fitted : [...fitted, span(' '.repeat(gap), role, ground)];
}

export const rowPlainText = (row: Row): string => row.map(({ text }) => text).join('');

/** The row as a string with the theme's escape sequences. */
export function paintRow(row: Row, theme: Theme): string {
  let painted = '';
  for (const { text, role, ground } of row) painted += theme.paint(role, text, ground);
  return painted;
}

/** A painted row, whole and by spans, so that a part of it can be written. */
export interface PaintedRow {
  readonly whole: string;
  /** Each span's visible text, and its painted form, which resets its style at the end. */
  readonly spans: readonly { readonly text: string; readonly painted: string }[];
}

export const EMPTY_ROW: PaintedRow = { whole: '', spans: [] };

/** The output of `paintRow`, and its spans. */
export function paintSpans(row: Row, theme: Theme): PaintedRow {
  let whole = '';
  const spans = row.map(({ text, role, ground }) => {
    const painted = theme.paint(role, text, ground);
    whole += painted;
    return { text, painted };
  });
  return { whole, spans };
}

/** Exactly `height` rows: cut, or padded with empty rows. */
export function fillRows(rows: readonly Row[], height: number): readonly Row[] {
  if (rows.length >= height) return rows.length === height ? rows : rows.slice(0, Math.max(0, height));
  return [...rows, ...Array.from({ length: height - rows.length }, (): Row => [])];
}

/** Two columns side by side with a separator between them, row by row. */
export function sideBySide(
  left: readonly Row[],
  right: readonly Row[],
  leftColumns: number,
  separator: Span,
): readonly Row[] {
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, index) => [
    ...padRow(left[index] ?? [], leftColumns),
    separator,
    ...(right[index] ?? []),
  ]);
}

/** A paragraph of any text, indented by two cells on both sides; no row for an empty text. */
export function indented(text: string, columns: number, role: Role = 'dim'): readonly Row[] {
  return wrapWords(foreign(text).text, Math.max(10, columns - 4), role).map((row) => [span('  '), ...row]);
}

/** Breaks a sentence into rows of at most `columns`: at blanks, else beside wide characters or inside words. */
export function wrapWords(text: string, columns: number, role: Role = 'text'): readonly Row[] {
  if (text === '') return [];
  return wrapLine(text, columns).map((part) => [span(rowText(text, part, columns).trimEnd(), role)]);
}

/** Sets `role` on the cells `[from, to)` of a row: a search match, a cursor. */
export function markCells(row: Row, from: number, to: number, role: Role): Row {
  const marked: Span[] = [];
  let column = 0;
  for (const part of row) {
    let before = '';
    let inside = '';
    let after = '';
    for (const grapheme of graphemesOf(part.text)) {
      if (column < from) before += grapheme;
      else if (column < to) inside += grapheme;
      else after += grapheme;
      column += widthOf(grapheme);
    }
    if (before !== '') marked.push({ ...part, text: before });
    if (inside !== '') marked.push({ ...part, text: inside, role });
    if (after !== '') marked.push({ ...part, text: after });
  }
  return marked;
}
