/**
 * Draws the screen area straight to the terminal, between the rows that Ink draws: only what changed of a row, a
 * scrolled part by the terminal's own scrolling. Going through Ink's whole-frame diff costs several times as much per key.
 * Leaves the cursor where it was; remembers what is on the screen until it is told to forget.
 */

import { isNarrow } from '../../lib/width.ts';
import type { PaintedRow } from './row.ts';

/** The part of a terminal's write side that is used. */
export interface ViewportOutput {
  write: (text: string) => unknown;
}

export interface Viewport {
  /** Makes the rows from screen row `top` (0 is the first) show `rows`, painted and at most as wide as the screen. */
  readonly draw: (rows: readonly PaintedRow[], top: number) => void;
  /** What was on the screen is no more: draw everything next time. */
  readonly forget: () => void;
}

const SAVE_CURSOR = '\u001b7';
const RESTORE_CURSOR = '\u001b8';
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
/** From this many rows on, an update is held back by the terminal until it is whole. */
const SYNCHRONIZED_FROM_ROWS = 4;

/** A scroll is only worth it where it saves at least this many rows. */
const SCROLL_MIN_SAVED_ROWS = 3;

/** Makes the writer of an area; nothing is known about the screen before the first `draw`. */
export function createViewport(output: ViewportOutput): Viewport {
  let shown: readonly PaintedRow[] | null = null;
  let shownTop = 0;
  return {
    draw: (rows, top) => {
      const known = shown !== null && shownTop === top && shown.length === rows.length ? shown : null;
      const scroll = known === null ? null : findScroll(known.map(wholeOf), rows.map(wholeOf));
      const before = known === null || scroll === null ? known : scrolled(known, scroll);
      const changed: string[] = [];
      rows.forEach((row, index) => {
        const was = before?.[index];
        if (was?.whole !== row.whole) changed.push(rowSequence(row, was, top + index));
      });
      shown = rows;
      shownTop = top;
      if (changed.length === 0 && scroll === null) return;
      const body = (scroll === null ? '' : scrollSequence(scroll, top)) + changed.join('');
      const isLarge = changed.length >= SYNCHRONIZED_FROM_ROWS || scroll !== null;
      output.write(
        `${isLarge ? BEGIN_UPDATE : ''}${SAVE_CURSOR}${body}${RESTORE_CURSOR}${isLarge ? END_UPDATE : ''}`,
      );
    },
    forget: () => {
      shown = null;
    },
  };
}

const wholeOf = ({ whole }: PaintedRow): string => whole;

const ERASE_REST = '\u001b[K';
const WRAP_OFF = '\u001b[?7l';
const WRAP_ON = '\u001b[?7h';

function rowSequence(row: PaintedRow, was: PaintedRow | undefined, line: number): string {
  const { column, text } = (was === undefined ? null : changedPart(was, row)) ?? wholeRow(row);
  return `\u001b[${line + 1};${column + 1}H${text}`;
}

/** Erases before it writes: behind a row as wide as the screen the cursor still stands on the last cell. */
function wholeRow(row: PaintedRow) {
  const text = `${ERASE_REST}${row.whole}`;
  // What this terminal thinks wider than we do must not run over the next row.
  return { column: 0, text: isSure(row.spans) ? text : `${WRAP_OFF}${text}${WRAP_ON}` };
}

/** Whether it is sure which cells these spans take. */
const isSure = (spans: PaintedRow['spans']): boolean => spans.every(({ text }) => isNarrow(text));

/**
 * What is to be written of a row, and from which cell on; null where a character before it or in it may be wider than
 * we think: then the row is written whole, so that nothing is left behind.
 */
function changedPart(was: PaintedRow, now: PaintedRow) {
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
  return { column, text: `${ERASE_REST}${paint(now.spans.slice(head))}` };
}

/** Rows `first` to `last` of the area move up by `by` (down when negative). */
export interface Scroll {
  readonly first: number;
  readonly last: number;
  readonly by: number;
}

/** The farthest scroll that is looked for: half a page and more is redrawn. */
const SCROLL_MAX_ROWS = 12;

/** The scroll that makes `before` most like `after`; null when none saves enough. */
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

const BLANK: PaintedRow = { whole: '', spans: [] };

function scrolled(rows: readonly PaintedRow[], { first, last, by }: Scroll): readonly PaintedRow[] {
  return rows.map((row, index) => {
    if (index < first || index > last) return row;
    const from = index + by;
    return from < first || from > last ? BLANK : (rows[from] ?? BLANK);
  });
}

function scrollSequence({ first, last, by }: Scroll, top: number): string {
  const region = `\u001b[${top + first + 1};${top + last + 1}r`;
  return `${region}\u001b[${Math.abs(by)}${by > 0 ? 'S' : 'T'}\u001b[r`;
}
