/**
 * Lays out lines of text in rows of terminal cells: wrapping with hanging indent, TAB stops, offset ↔ column. Works
 * line by line and never counts the rows of a whole text, so 20,000 lines scroll as fast as 20. Offsets are UTF-16
 * offsets into the raw line; `rowText` draws a row and sanitizes it.
 */
import { type Drawn, drawnCharacters } from './drawn-characters.ts';
import { widthOf } from './width.ts';

/** A TAB advances to the next multiple of this, counted from the left edge of the row. */
const TAB_STOP_CELLS = 4;
/** A narrower column gets no hanging indent. */
const HANGING_MIN_WIDTH_CELLS = 12;

/** Printable ASCII: one cell, one code unit, one grapheme each. */
const ASCII = /^[\u0020-\u007e]*$/;
/** What the later rows of a line are indented by: blanks, then list bullet, number or quote sign. */
const HANGING = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)])\s+)?/;

/** One row of a wrapped line: `[start, end)` of its text, drawn from column `indent` on. */
export interface RowSpan {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** A row in a list of lines: number `row` of the spans of line `line`. */
export interface RowPosition {
  readonly line: number;
  readonly row: number;
}

/** A line as the layout sees it; the object is the key of the cache, so a changed line must be a new object. */
export interface LaidOutLine {
  readonly text: string;
}

export type SpansOf = (line: LaidOutLine) => readonly RowSpan[];

/**
 * Breaks `text` into rows of at most `width` cells: at blanks if possible, beside wide characters, else inside the
 * word, never inside a grapheme. Blanks at a break hang over the edge of the row before it. A caller that shows a
 * cursor after the last character passes one cell less than it has.
 */
export function wrapLine(text: string, width: number): readonly RowSpan[] {
  const cells = Math.max(1, Math.floor(width));
  const isAscii = ASCII.test(text);
  if (isAscii && text.length <= cells) return [{ start: 0, end: text.length, indent: 0 }];
  return new RowBreaker(text, cells).run();
}

/** A row as drawn: indented, TABs expanded, sanitized; blanks beyond `width` are cut. */
export function rowText(text: string, span: RowSpan, width = Number.POSITIVE_INFINITY): string {
  const part = text.slice(span.start, span.end);
  const indent = ' '.repeat(span.indent);
  if (ASCII.test(part)) return (indent + part).slice(0, width);
  let drawn = indent;
  let column = span.indent;
  for (const { shown } of drawnCharacters(text, span.start, span.end)) {
    const cells = cellsOf(shown, column);
    if (column + cells > width && isBlank(shown)) break;
    drawn += shown === '\t' ? ' '.repeat(cells) : shown;
    column += cells;
  }
  return drawn;
}

/** Row and column of `offset`. The end of a row belongs to the next row, if there is one. */
export function positionOf(
  text: string,
  spans: readonly RowSpan[],
  offset: number,
): { row: number; column: number } {
  let row = spans.findIndex((span) => offset < span.end);
  if (row < 0) row = spans.length - 1;
  const span = spans[row];
  if (span === undefined) return { row: 0, column: 0 };
  return {
    row,
    column: measure(text, { column: span.indent, from: span.start, to: Math.max(span.start, offset) }),
  };
}

/** The offset of the grapheme that covers `column` of a row; beyond the text, the row's end. */
export function offsetAt(
  text: string,
  spans: readonly RowSpan[],
  at: { row: number; column: number },
): number {
  const row = Math.min(Math.max(0, at.row), spans.length - 1);
  const span = spans[row];
  if (span === undefined) return 0;
  let column = span.indent;
  let offset = span.start;
  let last = span.start;
  for (const { raw, shown } of drawnCharacters(text, span.start, span.end)) {
    const next = column + cellsOf(shown, column);
    if (next > at.column) return offset;
    last = offset;
    column = next;
    offset += raw.length;
  }
  return row === spans.length - 1 ? offset : last;
}

/** Part of a line in UTF-16 offsets, and the column of its first character. */
interface Placed {
  readonly column?: number;
  readonly from?: number;
  readonly to?: number;
}

/** The column after `[from, to)` of a line. */
export function measure(line: string, { column = 0, from = 0, to = line.length }: Placed = {}): number {
  if (ASCII.test(line.slice(from, to))) return column + to - from;
  let end = column;
  for (const { shown } of drawnCharacters(line, from, to)) end += cellsOf(shown, end);
  return end;
}

/** A `SpansOf` for each width. It caches the rows of each line object for as long as the object lives. */
export function createLineWrapper(): (width: number) => SpansOf {
  const kept = new WeakMap<LaidOutLine, { readonly width: number; readonly spans: readonly RowSpan[] }>();
  return (width) => (line) => {
    const hit = kept.get(line);
    if (hit !== undefined && hit.width === width) return hit.spans;
    const spans = wrapLine(line.text, width);
    kept.set(line, { width, spans });
    return spans;
  };
}

/** The position `delta` rows from `from` (negative: up), within the text. Lays out only the lines that it passes. */
export function moveRows(
  lines: readonly LaidOutLine[],
  spansOf: SpansOf,
  from: RowPosition,
  delta: number,
): RowPosition {
  let { line, row } = from;
  let left = Math.abs(delta);
  while (left > 0) {
    const count = rowCount(lines, spansOf, line);
    const room = delta > 0 ? count - 1 - row : row;
    if (left <= room) return { line, row: delta > 0 ? row + left : row - left };
    const next = delta > 0 ? line + 1 : line - 1;
    if (next < 0 || next >= lines.length) return { line, row: delta > 0 ? Math.max(0, count - 1) : 0 };
    left -= room + 1;
    line = next;
    row = delta > 0 ? 0 : rowCount(lines, spansOf, next) - 1;
  }
  return { line, row };
}

/** The rows in a window of `height` rows from `top` on. */
export function visibleRows(
  lines: readonly LaidOutLine[],
  spansOf: SpansOf,
  top: RowPosition,
  height: number,
): readonly RowPosition[] {
  const rows: RowPosition[] = [];
  for (let line = top.line; line < lines.length && rows.length < height; line += 1) {
    const count = rowCount(lines, spansOf, line);
    for (let row = line === top.line ? top.row : 0; row < count && rows.length < height; row += 1) {
      rows.push({ line, row });
    }
  }
  return rows;
}

export interface Window {
  readonly top: RowPosition;
  readonly height: number;
  /** Rows of context to keep above and below the target where there is room. */
  readonly margin: number;
}

/** The top row that shows `target` with the least scrolling; the same object if it is already in view. */
export function scrollTo(
  lines: readonly LaidOutLine[],
  spansOf: SpansOf,
  target: RowPosition,
  window: Window,
): RowPosition {
  const margin = Math.max(0, Math.min(window.margin, Math.floor((window.height - 1) / 2)));
  const highest = moveRows(lines, spansOf, target, -margin);
  if (compareRows(highest, window.top) < 0) return highest;
  const lowest = moveRows(lines, spansOf, target, margin);
  const top = moveRows(lines, spansOf, lowest, -(window.height - 1));
  return compareRows(top, window.top) > 0 ? top : window.top;
}

/** Negative if `a` is above `b`. */
export const compareRows = (a: RowPosition, b: RowPosition): number => a.line - b.line || a.row - b.row;

function rowCount(lines: readonly LaidOutLine[], spansOf: SpansOf, line: number): number {
  const at = lines[line];
  return at === undefined ? 0 : spansOf(at).length;
}

const isBlank = (grapheme: string): boolean => grapheme === ' ' || grapheme === '\t';

function cellsOf(shown: string, column: number): number {
  return shown === '\t' ? TAB_STOP_CELLS - (column % TAB_STOP_CELLS) : widthOf(shown);
}

function hangingIndent(text: string, width: number): number {
  if (width < HANGING_MIN_WIDTH_CELLS) return 0;
  const indent = measure(HANGING.exec(text)?.[0] ?? '');
  return indent * 2 <= width ? indent : 0;
}

/** The state of one greedy wrap. */
class RowBreaker {
  readonly #text: string;
  readonly #width: number;
  readonly #hanging: number;
  readonly #rows: RowSpan[] = [];
  #start = 0;
  #indent = 0;
  #column = 0;
  /** The last offset at which the next row may begin; `#start` if this row has none. */
  #breakAt = 0;

  constructor(text: string, width: number) {
    this.#text = text;
    this.#width = width;
    this.#hanging = hangingIndent(text, width);
  }

  run(): readonly RowSpan[] {
    let offset = 0;
    for (const character of drawnCharacters(this.#text)) {
      this.#place(character, offset);
      offset += character.raw.length;
    }
    this.#rows.push({ start: this.#start, end: this.#text.length, indent: this.#indent });
    return this.#rows;
  }

  #place({ raw, shown }: Drawn, offset: number): void {
    const blank = isBlank(shown);
    const inked = blank ? 0 : cellsOf(shown, this.#column);
    const isWide = inked > 1;
    if (isWide) this.#breakAt = offset;
    // Twice at most: an indented row may still have no room for this character after a word moved to it.
    while (!blank && offset > this.#start && this.#column + inked > this.#width) this.#break(offset);
    this.#column += blank ? cellsOf(shown, this.#column) : inked;
    if (blank || isWide) this.#breakAt = offset + raw.length;
  }

  #break(offset: number): void {
    const end = this.#breakAt > this.#start ? this.#breakAt : offset;
    this.#rows.push({ start: this.#start, end, indent: this.#indent });
    this.#start = end;
    this.#breakAt = end;
    this.#indent = this.#hanging;
    this.#column = measure(this.#text, { column: this.#indent, from: end, to: offset });
  }
}
