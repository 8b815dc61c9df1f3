/** Chooses the part of a very long line to wrap: its change, not the thousands of characters before. Pure. */
import { count } from '../../lib/count.ts';
import type { MarkedRange } from '../../lib/word-marks.ts';
import type { ColorRange } from './code-line.ts';

/** A longer line is wrapped in part; if not wrapped, it is scrolled sideways as a whole. */
export const WHOLE_LINE_MAX_CHARACTERS = 2_000;
/** Characters shown on either side of the change. */
const BESIDE_CHARACTERS = 1_000;

/** The shown part of a line. */
export interface ShownLine {
  readonly text: string;
  /** Ranges in `text` that say what is omitted before and after. */
  readonly leftOut: readonly ColorRange[];
  /** Converts ranges of the line to ranges of `text`. */
  readonly at: <R extends readonly [start: number, end: number, ...rest: unknown[]]>(
    ranges: readonly R[],
  ) => R[];
}

/** The whole line, or `[from, to)` of a long one with some context, between notes on what is omitted. */
export function showLine(text: string, part: MarkedRange | null): ShownLine {
  if (part === null || text.length <= WHOLE_LINE_MAX_CHARACTERS)
    return { text, leftOut: [], at: (ranges) => [...ranges] };
  const from = boundary(text, Math.max(0, part[0] - BESIDE_CHARACTERS));
  const to = boundary(text, Math.min(text.length, part[1] + BESIDE_CHARACTERS));
  const words = (characters: number) => (characters === 0 ? '' : `<${count(characters, 'more character')}>`);
  const [head, tail] = [words(from), words(text.length - to)];
  const shown = head + text.slice(from, to) + tail;
  const moved = head.length - from;
  const leftOut: readonly ColorRange[] = [
    [0, head.length, 'dim'],
    [shown.length - tail.length, shown.length, 'dim'],
  ];
  return {
    text: shown,
    leftOut: leftOut.filter(([start, end]) => end > start),
    at: (ranges) =>
      ranges.flatMap((range) => {
        const [start, end, ...rest] = range;
        if (end <= from || start >= to) return [];
        return [
          [Math.max(start, from) + moved, Math.min(end, to) + moved, ...rest] as unknown as typeof range,
        ];
      }),
  };
}

/** Never between the halves of a character. */
function boundary(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}
