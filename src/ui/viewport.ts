/**
 * Draws the screen area straight to the terminal, between the rows that Ink draws: only what changed, a scrolled
 * part by the terminal's own scrolling. Going through Ink's whole-frame diff costs several times as much per key.
 * Leaves the cursor where it was; remembers what is on the screen until it is told to forget.
 */

/** The part of a terminal's write side that is used. */
export interface ViewportOutput {
  write: (text: string) => unknown;
}

export interface Viewport {
  /** Makes the rows from screen row `top` (0 is the first) show `rows`, painted and at most as wide as the screen. */
  readonly draw: (rows: readonly string[], top: number) => void;
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
  let shown: readonly string[] | null = null;
  let shownTop = 0;
  return {
    draw: (rows, top) => {
      const known = shown !== null && shownTop === top && shown.length === rows.length ? shown : null;
      const scroll = known === null ? null : findScroll(known, rows);
      const before = known === null || scroll === null ? known : scrolled(known, scroll);
      const changed: string[] = [];
      rows.forEach((row, index) => {
        if (before === null || before[index] !== row) changed.push(rowSequence(row, top + index));
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

/** Erases before it writes: behind a row as wide as the screen the cursor still stands on the last cell. */
function rowSequence(row: string, line: number): string {
  return `\u001b[${line + 1};1H\u001b[K${row}`;
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

function scrolled(rows: readonly string[], { first, last, by }: Scroll): readonly string[] {
  return rows.map((row, index) => {
    if (index < first || index > last) return row;
    const from = index + by;
    return from < first || from > last ? '' : (rows[from] ?? '');
  });
}

function scrollSequence({ first, last, by }: Scroll, top: number): string {
  const region = `\u001b[${top + first + 1};${top + last + 1}r`;
  return `${region}\u001b[${Math.abs(by)}${by > 0 ? 'S' : 'T'}\u001b[r`;
}
