/** The unit of change: these lines of a text are replaced by those bytes. Positions decide, so no order of decisions matters. */
import { CR, concatBytes, LF, lineEndAt } from './bytes.ts';
import { type LineTable, lineRange, lineStart } from './line-table.ts';

export interface Piece {
  /** Lines `[start, end)` of the base go; equal for an insertion before line `start`. */
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
  /** Which of several insertions at the same place comes first. */
  readonly order: number;
}

/** By position; an insertion stands before the line that it names. */
export function comparePieces(a: Piece, b: Piece): number {
  return a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || a.order - b.order;
}

/** How many lines `text` has; a last line without a line end counts. */
export function countLines(text: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    at = lineEndAt(text, at);
  }
  return count;
}

const CRLF = Uint8Array.of(CR, LF);
const JUST_LF = Uint8Array.of(LF);

/** The line end of this text: that of its first line. */
function lineEndOf(base: LineTable): Uint8Array {
  const end = lineStart(base, 1);
  return end >= 2 && base.bytes[end - 1] === LF && base.bytes[end - 2] === CR ? CRLF : JUST_LF;
}

/** The text that `base` becomes with sorted, separate `pieces`. A line without a line end gets one unless it is the last. */
export function replay(base: LineTable, pieces: readonly Piece[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let open = false;
  const push = (part: Uint8Array) => {
    if (part.length === 0) return;
    if (open) parts.push(lineEndOf(base));
    parts.push(part);
    open = part[part.length - 1] !== LF;
  };
  let line = 0;
  for (const piece of pieces) {
    push(lineRange(base, line, piece.start));
    push(piece.text);
    line = Math.max(line, piece.end);
  }
  push(lineRange(base, line, base.count));
  return concatBytes(parts);
}
