/** The only writer of the terminal: writes changes to Ink's lines and to rectangles, scrolling if possible. */

import { isNarrow } from '../../lib/width.ts';
import type { Region } from './layout.ts';
import type { CursorCell, PaintedRow, Size } from './row.ts';

/** The part of a terminal's write side that we use. */
export interface ScreenOutput {
  write: (text: string) => unknown;
}

/** A part of the screen, in cells from the top left corner. Its rows must not be wider. */
export interface Rectangle extends Omit<Region, 'rows'> {
  readonly rows: readonly PaintedRow[];
}

const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
const SHOW_CURSOR = '\u001b[?25h';
const HIDE_CURSOR = '\u001b[?25l';
const ERASE_REST = '\u001b[K';
const WRAP_OFF = '\u001b[?7l';
const WRAP_ON = '\u001b[?7h';

/** From this many rows on, the terminal is asked to hold an update back until complete. */
const SYNCHRONIZED_FROM_ROWS = 4;

/** A screen row: Ink's line, and parts of rectangles over it, from left to right. */
interface ScreenRow {
  readonly line: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly x: number;
  readonly columns: number;
  readonly row: PaintedRow;
}

export class ScreenWriter {
  readonly #output: ScreenOutput;
  readonly #schedule: (flush: () => void) => void;
  readonly #rectangles = new Map<object, Rectangle>();
  #size: Size = { columns: 0, rows: 0 };
  #lines: readonly string[] = [];
  #cursor: CursorCell | null = null;
  /** Null: unknown. */
  #shown: readonly ScreenRow[] | null = null;
  #shownCursor: CursorCell | null = null;
  #isRequested = false;
  #isPaused = false;

  /** `schedule` runs the next flush soon; all changes until then are written together. */
  constructor(output: ScreenOutput, schedule: (flush: () => void) => void) {
    this.#output = output;
    this.#schedule = schedule;
  }

  resize(size: Size): void {
    this.#size = size;
    this.forget();
  }

  /** Sets Ink's frame: one line per row, empty where rectangles are. */
  setLines(lines: readonly string[]): void {
    this.#lines = lines;
    this.#request();
  }

  /** Puts rows over the lines; null removes them. `owner` identifies the rectangle. */
  setRectangle(owner: object, rectangle: Rectangle | null): void {
    if (rectangle === null) this.#rectangles.delete(owner);
    else this.#rectangles.set(owner, rectangle);
    this.#request();
  }

  /** Null hides the cursor. */
  setCursor(cell: CursorCell | null): void {
    this.#cursor = cell;
    this.#request();
  }

  /** The screen no longer shows what was written, so the next frame is written in full. */
  forget(): void {
    this.#shown = null;
    this.#shownCursor = null;
    this.#request();
  }

  /** Stops writing while another program has the terminal. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#request();
  }

  #request(): void {
    if (this.#isRequested || this.#isPaused) return;
    this.#isRequested = true;
    this.#schedule(() => this.flush());
  }

  /** Writes all changes since the last time, now. */
  flush(): void {
    this.#isRequested = false;
    if (this.#isPaused) return;
    const rows = this.#compose();
    const written = updateRows(this.#shown, rows, this.#size.columns);
    const cursor = this.#cursorSequence(written.sequence !== '' || this.#shown === null);
    this.#shown = rows;
    this.#shownCursor = this.#cursor;
    if (written.sequence === '' && cursor === '') return;
    const isLarge = written.count >= SYNCHRONIZED_FROM_ROWS;
    this.#output.write(
      `${isLarge ? BEGIN_UPDATE : ''}${written.sequence}${cursor}${isLarge ? END_UPDATE : ''}`,
    );
  }

  #compose(): readonly ScreenRow[] {
    const parts: Part[][] = Array.from({ length: this.#size.rows }, () => []);
    for (const { x, y, columns, rows } of this.#rectangles.values()) {
      rows.forEach((row, index) => void parts[y + index]?.push({ x, columns, row }));
    }
    return parts.map((inRow, y) => ({
      line: this.#lines[y] ?? '',
      parts: inRow.length < 2 ? inRow : inRow.toSorted((one, other) => one.x - other.x),
    }));
  }

  /** Writing moves the cursor, so a visible cursor is put back. */
  #cursorSequence(hasWritten: boolean): string {
    const [before, now] = [this.#shownCursor, this.#cursor];
    if (now === null) return before === null && this.#shown !== null ? '' : HIDE_CURSOR;
    const isThere = before !== null && before.x === now.x && before.y === now.y && !hasWritten;
    if (isThere) return '';
    return `${moveTo(now.x, now.y)}${before === null ? SHOW_CURSOR : ''}`;
  }
}

const moveTo = (x: number, y: number): string => `\u001b[${y + 1};${x + 1}H`;

function updateRows(shown: readonly ScreenRow[] | null, rows: readonly ScreenRow[], columns: number) {
  const known = shown !== null && shown.length === rows.length ? shown : null;
  const scroll = known === null ? null : findScroll(known.map(rowKey), rows.map(rowKey));
  const before = known === null || scroll === null ? known : scrolled(known, scroll);
  const changed: string[] = [];
  rows.forEach((row, y) => {
    const sequence = rowSequence(row, before?.[y], y, columns);
    if (sequence !== '') changed.push(sequence);
  });
  return {
    sequence: (scroll === null ? '' : scrollSequence(scroll)) + changed.join(''),
    count: scroll === null ? changed.length : SYNCHRONIZED_FROM_ROWS,
  };
}

function rowSequence(row: ScreenRow, was: ScreenRow | undefined, y: number, columns: number): string {
  if (was === undefined || was.line !== row.line || !isSameLayout(was.parts, row.parts))
    return wholeRow(row, y);
  const pairs = row.parts.flatMap((part, index) => {
    const old = was.parts[index];
    return old === undefined || old.row.whole === part.row.whole ? [] : [{ part, old }];
  });
  const isAlone = row.line === '' && row.parts.length === 1;
  // A character that this terminal draws wider than calculated has overwritten its neighbours.
  if (!isAlone && pairs.some(({ part, old }) => !isSure(part.row.spans) || !isSure(old.row.spans)))
    return wholeRow(row, y);
  return pairs.map(({ part, old }) => partSequence(part, old, y, columns)).join('');
}

function isSameLayout(before: readonly Part[], now: readonly Part[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ x, columns }, index) => x === now[index]?.x && columns === now[index].columns)
  );
}

/** Erases before writing: after a row as wide as the screen, the cursor is still on the last cell. */
function wholeRow({ line, parts }: ScreenRow, y: number): string {
  const placed = parts.map(({ x, row }) => (x === 0 ? '' : moveTo(x, y)) + row.whole).join('');
  const back = line === '' || parts[0]?.x !== 0 ? '' : moveTo(0, y);
  const text = `${line}${back}${placed}`;
  const isKept = line === '' && parts.every(({ row }) => isSure(row.spans));
  // A character that this terminal draws wider than calculated must not overwrite the next row.
  return `${moveTo(0, y)}${ERASE_REST}${isKept ? text : `${WRAP_OFF}${text}${WRAP_ON}`}`;
}

/** Whether it is certain which cells these spans take. */
const isSure = (spans: PaintedRow['spans']): boolean => spans.every(({ text }) => isNarrow(text));

function partSequence({ x, columns, row }: Part, was: Part, y: number, screenColumns: number): string {
  const reachesEdge = x + columns >= screenColumns;
  const erase = (from: number) => (reachesEdge ? ERASE_REST : `\u001b[${columns - from}X`);
  const changed = changedPart(was.row, row, erase);
  if (changed === null) return `${moveTo(x, y)}${erase(0)}${WRAP_OFF}${row.whole}${WRAP_ON}`;
  return moveTo(x + changed.column, y) + changed.text;
}

/** The changed part of a row and its first cell; null if a character may be wider than calculated. */
function changedPart(was: PaintedRow, now: PaintedRow, erase: (from: number) => string) {
  const isSame = (at: number, of: number) => was.spans.at(at)?.painted === now.spans.at(of)?.painted;
  const most = Math.min(was.spans.length, now.spans.length);
  let head = 0;
  while (head < most && isSame(head, head)) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(-1 - tail, -1 - tail)) tail += 1;
  const middle = (row: PaintedRow) => row.spans.slice(head, row.spans.length - tail);
  const [before, old, fresh] = [now.spans.slice(0, head), middle(was), middle(now)];
  if (!isSure(before) || !isSure(old) || !isSure(now.spans.slice(head))) return null;
  const cells = (spans: PaintedRow['spans']) => spans.reduce((sum, { text }) => sum + text.length, 0);
  const column = cells(before);
  const paint = (spans: PaintedRow['spans']) => spans.map(({ painted }) => painted).join('');
  if (cells(old) === cells(fresh)) return { column, text: paint(fresh) };
  return { column, text: `${erase(column)}${paint(now.spans.slice(head))}` };
}

/** Rows `first` to `last` of the screen move up by `by` (down if negative). */
export interface Scroll {
  readonly first: number;
  readonly last: number;
  readonly by: number;
}

/** A scroll must save at least this many rows. */
const SCROLL_MIN_SAVED_ROWS = 3;
/** The longest scroll to try; half a page or more is redrawn. */
const SCROLL_MAX_ROWS = 12;

/** A terminal scrolls whole rows, with whatever is beside a document, so scrolling needs that to look the same. */
function rowKey({ line, parts }: ScreenRow): string {
  let key = line;
  for (const { x, columns, row } of parts) key += `\n${x} ${columns} ${row.whole}`;
  return key;
}

/** The scroll that makes `before` most similar to `after`; null if none saves enough. */
export function findScroll(before: readonly string[], after: readonly string[]): Scroll | null {
  const first = after.findIndex((row, index) => row !== before[index]);
  if (first === -1) return null;
  const last = after.findLastIndex((row, index) => row !== before[index]);
  const unmoved = countEqual(before, after, { first, last, by: 0 });
  let best: Scroll | null = null;
  let bestSaved = SCROLL_MIN_SAVED_ROWS - 1;
  for (let distance = 1; distance <= Math.min(SCROLL_MAX_ROWS, last - first); distance += 1) {
    for (const by of [distance, -distance]) {
      const saved = countEqual(before, after, { first, last, by }) - unmoved;
      if (saved > bestSaved) {
        bestSaved = saved;
        best = { first, last, by };
      }
    }
  }
  return best;
}

function countEqual(
  before: readonly string[],
  after: readonly string[],
  { first, last, by }: Scroll,
): number {
  let equal = 0;
  for (let index = first; index <= last; index += 1) {
    const from = index + by;
    if (from >= first && from <= last && after[index] === before[from]) equal += 1;
  }
  return equal;
}

const BLANK: ScreenRow = { line: '', parts: [] };

function scrolled(rows: readonly ScreenRow[], { first, last, by }: Scroll): readonly ScreenRow[] {
  return rows.map((row, index) => {
    if (index < first || index > last) return row;
    const from = index + by;
    return from < first || from > last ? BLANK : (rows[from] ?? BLANK);
  });
}

function scrollSequence({ first, last, by }: Scroll): string {
  const region = `\u001b[${first + 1};${last + 1}r`;
  return `${region}\u001b[${Math.abs(by)}${by > 0 ? 'S' : 'T'}\u001b[r`;
}
