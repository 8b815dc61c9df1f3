/** Locates a turn on a pane's screen by letters and digits only, since gutters, wraps and Markdown differ. Pure. */
import type { Turn } from '../../protocol/turn.ts';

/** A shorter text counts only if a row holds nothing else. */
const MIN_KEY = 8;
/** The length that is enough to recognize a text. */
const MAX_KEY = 40;

/** The letters and digits of a text, which no width and no Markdown renderer changes. */
export const lettersOf = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '');

/** A screen, prepared for many searches. */
export interface ShownText {
  readonly rows: readonly string[];
  readonly all: string;
}

/** The letters of a screen, row by row and as one text. */
export function shownText(rows: readonly string[]): ShownText {
  const letters = rows.map(lettersOf);
  return { rows: letters, all: letters.join('') };
}

/** The rows below the last row that begins with this text; null if there is none. */
export function rowsBelow(rows: readonly string[], text: string): readonly string[] | null {
  const { rows: letters, all } = shownText(rows);
  const key = lettersOf(text);
  if (key === '') return null;
  const ends = letters.map((_, at) => letters.slice(0, at + 1).join('').length);
  const first = letters.findLastIndex(
    (row, at) =>
      row !== '' &&
      (key.length < MIN_KEY ? row === key : all.startsWith(key.slice(0, MAX_KEY), ends[at - 1] ?? 0)),
  );
  if (first < 0) return null;
  const tail = key.slice(-MAX_KEY);
  const end = all.indexOf(tail, ends[first - 1] ?? 0) + tail.length;
  return rows.slice(ends.findIndex((passed) => passed >= end) + 1);
}

/** The lowest position of the turn's prompt or end of answer, in letters from the top; -1 if it is not visible. */
export function lowestShown(screen: ShownText, turn: Pick<Turn, 'prompt' | 'response'>): number {
  const lastLine = turn.response.trimEnd().split('\n').map(lettersOf).findLast(Boolean) ?? '';
  return Math.max(
    lowest(screen, lettersOf(turn.prompt).slice(0, MAX_KEY)),
    lowest(screen, lastLine.slice(-MAX_KEY)),
  );
}

function lowest({ rows, all }: ShownText, key: string): number {
  if (key === '') return -1;
  if (key.length >= MIN_KEY) return all.lastIndexOf(key);
  const row = rows.lastIndexOf(key);
  return row < 0 ? -1 : rows.slice(0, row).join('').length;
}
