/** A line of a file as cells, with hidden characters, word marks and syntax. Makes only the cells in view. Pure. */
import { drawnCharacters } from '../../lib/drawn-characters.ts';
import { graphemesOf, widthOf } from '../../lib/width.ts';
import type { MarkedRange } from '../../lib/word-marks.ts';
import { type Row, type Span, span } from '../kit/row.ts';
import type { Ground, Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';

const TAB_STOP_CELLS = 4;
/** Characters read per visible cell: enough for joined emoji, and a bound for a hostile line. */
const CHARACTERS_PER_CELL = 12;
/** Most rows of a wrapped line; an ellipsis marks the rest. */
export const WRAPPED_LINE_MAX_ROWS = 200;

const PLAIN_TEXT = /^[\u0020-\u007e]*$/;

/** `[start, end)` of a line with its own role. A line's ranges ascend and do not overlap. */
export type ColorRange = readonly [start: number, end: number, role: Role];

export interface CodeLine {
  readonly text: string;
  readonly marks: readonly MarkedRange[];
  readonly colors: readonly ColorRange[];
  readonly role: Role;
  /** The role of marked words on a line without a ground; on a ground, marked words have their own. */
  readonly markRole: Role;
  readonly ground?: { readonly line: Ground; readonly word: Ground };
  /** Changed lines show TABs and trailing blanks, since these are often the change. */
  readonly showBlanks: boolean;
  /** Only these characters, in UTF-16 offsets: a row of a wrapped line. */
  readonly part?: { readonly from: number; readonly to: number };
}

/** Cells `[shift, shift + width)` of a line; ellipses mark what is beyond. */
export function planCodeLine(line: CodeLine, shift: number, width: number, theme: Theme): Row {
  if (width <= 0) return [];
  const { from, to } = partOf(line);
  const isPlain = PLAIN_TEXT.test(line.text.slice(from, Math.min(to, from + readAhead(shift + width))));
  if (!isPlain || line.text.endsWith(' ')) return cellsOf(line, shift, width, theme);
  if (to - from <= shift + width) return piecesOf(line, from + shift, to);
  const shown = piecesOf(line, from + shift, from + shift + width - 1);
  const { role, ground } = shown.at(-1) ?? line;
  return [...shown, span(theme.glyphs.ellipsis, role, typeof ground === 'object' ? ground.line : ground)];
}

const partOf = ({ text, part }: CodeLine) => part ?? { from: 0, to: text.length };

/** Characters to read to fill this many cells and one more. */
const readAhead = (cells: number) => (cells + 1) * CHARACTERS_PER_CELL;

/** Where each row begins when a line is wrapped to `width` cells: after a blank if one is near. */
export function wrapCodeLine(text: string, width: number): readonly number[] {
  const cells = Math.max(1, width);
  const read = text.slice(0, WRAPPED_LINE_MAX_ROWS * cells * CHARACTERS_PER_CELL);
  if (PLAIN_TEXT.test(read)) return wrapPlain(read, cells);
  const starts = [0];
  let column = 0;
  let offset = 0;
  let blank = { offset: 0, column: 0 };
  for (const { raw, shown } of drawnCharacters(text, 0, read.length)) {
    const needed = cellsOfDrawn(shown, column);
    if (column > 0 && column + needed > cells) {
      if (starts.length === WRAPPED_LINE_MAX_ROWS) break;
      const isNear = blank.column * 2 > cells;
      starts.push(isNear ? blank.offset : offset);
      column -= isNear ? blank.column : column;
      blank = { offset, column: 0 };
    }
    column += raw === '\t' ? cellsOfDrawn(raw, column) : needed;
    offset += raw.length;
    if (raw === ' ' || raw === '\t') blank = { offset, column };
  }
  return starts;
}

/** The same if each character takes one cell. */
function wrapPlain(text: string, cells: number): readonly number[] {
  const starts = [0];
  for (let at = 0; text.length - at > cells && starts.length < WRAPPED_LINE_MAX_ROWS; ) {
    const blank = text.lastIndexOf(' ', at + cells - 1) + 1;
    at = (blank - at) * 2 > cells ? blank : at + cells;
    starts.push(at);
  }
  return starts;
}

/** Row `row` of a wrapped line. */
export function planWrappedLine(line: CodeLine, row: number, width: number, theme: Theme): Row {
  const starts = wrapCodeLine(line.text, width);
  const from = starts[row];
  if (from === undefined) return [];
  const to = starts[row + 1] ?? line.text.length;
  return planCodeLine({ ...line, part: { from, to } }, 0, width, theme);
}

/** `[from, to)` of a plain line, one span per run of one style. */
function piecesOf(line: CodeLine, from: number, to: number): Span[] {
  if (to <= from) return [span('', line.role, line.ground?.line)];
  const spans: Span[] = [];
  for (let at = from; at < to; ) {
    const run = runAt(at, line);
    const end = Math.min(run.end, to);
    spans.push(span(line.text.slice(at, end), run.role, run.ground));
    at = end;
  }
  return spans;
}

interface Run {
  readonly role: Role;
  readonly ground: Ground | undefined;
  /** Where the style may change next. */
  readonly end: number;
}

/** The style at an offset. */
function runAt(at: number, { marks, colors, role, markRole, ground }: CodeLine): Run {
  const mark = rangeAt(at, marks);
  const color = rangeAt(at, colors);
  const end = Math.min(mark.end, color.end);
  if (mark.found !== null)
    return ground === undefined
      ? { role: markRole, ground, end: mark.end }
      : { role: color.found?.[2] ?? role, ground: ground.word, end };
  return { role: color.found?.[2] ?? role, ground: ground?.line, end };
}

/** The range that covers an offset, and where it ends or the next one begins. */
function rangeAt<R extends readonly [start: number, end: number, ...rest: unknown[]]>(
  at: number,
  ranges: readonly R[],
): { readonly found: R | null; readonly end: number } {
  for (const range of ranges) {
    if (at < range[0]) return { found: null, end: range[0] };
    if (at < range[1]) return { found: range, end: range[1] };
  }
  return { found: null, end: Number.POSITIVE_INFINITY };
}

function cellsOf(line: CodeLine, shift: number, width: number, theme: Theme): Row {
  const { from, to } = partOf(line);
  const end = Math.min(to, from + readAhead(shift + width));
  const blanksFrom = line.showBlanks ? line.text.trimEnd().length : line.text.length;
  const inked = (shown: string, cells: number, isTrailing: boolean): string => {
    if (shown === '\t') return (line.showBlanks ? theme.glyphs.arrow : ' ') + ' '.repeat(cells - 1);
    if (shown === '\n') return '';
    return shown === ' ' && isTrailing ? theme.glyphs.space : shown;
  };
  const row = new RowBuilder(line.ground?.line);
  let column = 0;
  let offset = from;
  let run = runAt(from, line);
  for (const { raw, shown } of drawnCharacters(line.text, from, end)) {
    if (offset >= run.end) run = runAt(offset, line);
    const cells = cellsOfDrawn(shown, column);
    const next = column + cells;
    if (next > shift + width) return row.cut(theme.glyphs.ellipsis, column === next ? 0 : 1, width);
    if (column >= shift) row.add(inked(shown, cells, offset >= blanksFrom), run);
    else if (next > shift) row.add(' '.repeat(next - shift), run);
    column = next;
    offset += raw.length;
  }
  return end < to ? row.cut(theme.glyphs.ellipsis, 1, width) : row.spans;
}

/** The sign of a trailing blank is as wide as the blank. */
function cellsOfDrawn(shown: string, column: number): number {
  if (shown === '\t') return TAB_STOP_CELLS - (column % TAB_STOP_CELLS);
  return shown === '\n' ? 0 : widthOf(shown);
}

/** Collects cells; neighbours of the same style become one span. */
class RowBuilder {
  readonly spans: Span[] = [];
  readonly #ground: Ground | undefined;
  #width = 0;

  constructor(ground: Ground | undefined) {
    this.#ground = ground;
  }

  add(text: string, { role, ground }: Pick<Run, 'role' | 'ground'>): void {
    const last = this.spans.at(-1);
    if (last?.role === role && last.ground === ground)
      this.spans[this.spans.length - 1] = { ...last, text: last.text + text };
    else this.spans.push(span(text, role, ground));
    this.#width += widthOf(text);
  }

  /** The row with a final ellipsis, which replaces the last cell if there is no free one. */
  cut(ellipsis: string, cells: number, width: number): Row {
    if (cells === 0) return this.spans;
    const end = span(ellipsis, 'dim', this.#ground);
    if (this.#width < width) return [...this.spans, end];
    const last = this.spans.at(-1);
    if (last === undefined) return [];
    const kept = graphemesOf(last.text).slice(0, -1).join('');
    return [...this.spans.slice(0, -1), { ...last, text: kept }, end];
  }
}
