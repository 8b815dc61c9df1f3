/** The unit of change: bytes that replace lines of a text. Only positions count, not the order of decisions. */
import { CR, concatBytes, LF, lineEndAt } from './bytes.ts';
import { type LineTable, lineRange, lineStart } from './line-table.ts';

export interface Piece {
  /** Lines `[start, end)` of the base are removed; equal for an insertion before line `start`. */
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
  /** The order among insertions at the same place. */
  readonly order: number;
}

/** By position; an insertion comes before the line it names. */
export function comparePieces(a: Piece, b: Piece): number {
  return a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || a.order - b.order;
}

/** The number of lines in `text`; a last line without a line end counts. */
export function countLines(text: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    at = lineEndAt(text, at);
  }
  return count;
}

const CRLF = Uint8Array.of(CR, LF);
const JUST_LF = Uint8Array.of(LF);

/** The text's line end: that of its first line. */
function lineEndOf(base: LineTable): Uint8Array {
  const end = lineStart(base, 1);
  return end >= 2 && base.bytes[end - 1] === LF && base.bytes[end - 2] === CR ? CRLF : JUST_LF;
}

/** `base` with sorted, separate `pieces` applied. A line without a line end gets one unless it is the last. */
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
