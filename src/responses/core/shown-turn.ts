/**
 * Where a turn stands on a pane's screen, though its CLI draws it in its own way: by letters and digits alone, as
 * gutters, hard wraps and Markdown go between them. Pure; it decides nothing.
 */
import type { Turn } from '../../protocol/turn.ts';

/** Shorter texts could stand anywhere: they count only where a row holds nothing else. */
const MIN_KEY = 8;
/** So much of a text is enough to know it by. */
const MAX_KEY = 40;

const lettersOf = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '');

/** A screen, prepared for many questions. */
export interface ShownText {
  readonly rows: readonly string[];
  readonly all: string;
}

/** The letters of a screen, row by row and as one text. */
export function shownText(rows: readonly string[]): ShownText {
  const letters = rows.map(lettersOf);
  return { rows: letters, all: letters.join('') };
}

/** How far down the turn stands, its prompt or the end of its answer, in letters from the top; -1: it does not. */
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
