/** The text of one edit as it goes into its file: with the file's line ends, BOM and end. Bytes in, bytes out. */
import { CR, concatBytes, LF } from '../../review/core/bytes.ts';
import { type LineTable, lineRange, lineStart } from '../../review/core/line-table.ts';
import type { Piece } from '../../review/core/piece.ts';

const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);
const NOTHING = new Uint8Array(0);

/** A checked edit: lines `[start, end)` from 0, and its text as the model wrote it. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edit as a piece of `base`, byte for byte as it will be written. */
export function pieceOf(base: LineTable, edit: LineEdit, order: number): Piece {
  const { start, end } = edit;
  const text = withLineEnds(edit.text, endingAt(base, edit));
  const plain = { start, end, text: withEnd(base, edit, text), order };
  return keepBom(base, keepOpenEnd(base, plain));
}

/** The line end around the edit: of the first replaced line, else of the line before it, else of the next. */
function endingAt(base: LineTable, { start, end }: LineEdit): '\n' | '\r\n' {
  const candidates = end > start ? [start, start - 1] : [start - 1, start];
  for (const line of candidates) {
    const ending = lineEnding(base, line);
    if (ending !== null) return ending;
  }
  return lineEnding(base, 0) ?? '\n';
}

function lineEnding(base: LineTable, line: number): '\n' | '\r\n' | null {
  if (line < 0 || line >= base.count) return null;
  const end = lineStart(base, line + 1);
  if (base.bytes[end - 1] !== LF) return null;
  return end - lineStart(base, line) >= 2 && base.bytes[end - 2] === CR ? '\r\n' : '\n';
}

function withLineEnds(text: string, ending: '\n' | '\r\n'): string {
  const plain = text.replace(/\r\n/g, '\n').replace(/^\uFEFF/, '');
  return ending === '\n' ? plain : plain.replace(/\n/g, '\r\n');
}

/** Ends every line of the text, so that the next line stays separate. */
function withEnd(base: LineTable, edit: LineEdit, text: string): Uint8Array {
  if (text === '') return NOTHING;
  return new TextEncoder().encode(text.endsWith('\n') ? text : `${text}${endingAt(base, edit)}`);
}

function keepOpenEnd(base: LineTable, piece: Piece): Piece {
  const isOpen = base.count > 0 && base.bytes[base.bytes.length - 1] !== LF;
  if (!isOpen || piece.end < base.count || piece.text.length === 0) return piece;
  const cut = piece.text[piece.text.length - 2] === CR ? 2 : 1;
  const text = piece.text.subarray(0, piece.text.length - cut);
  if (piece.start < base.count) return { ...piece, text };
  // After an unterminated last line: it gets a line end, and so becomes part of the change.
  const ending = new TextEncoder().encode(endingAt(base, { start: piece.start, end: piece.end, text: '' }));
  const last = lineRange(base, base.count - 1, base.count);
  return { ...piece, start: base.count - 1, text: concatBytes([last, ending, text]) };
}

/** A byte order mark stays the first bytes of its file. */
function keepBom(base: LineTable, piece: Piece): Piece {
  const hasBom = BOM.every((byte, i) => base.bytes[i] === byte);
  if (!hasBom || piece.start > 0 || base.count === 0) return piece;
  if (piece.end > 0 && piece.text.length > 0) return { ...piece, text: concatBytes([BOM, piece.text]) };
  // The new first line takes the mark over, or gives it away.
  const next = lineRange(base, piece.end, piece.end + 1);
  const rest = piece.end === 0 ? next.subarray(BOM.length) : next;
  return { ...piece, end: Math.min(base.count, piece.end + 1), text: concatBytes([BOM, piece.text, rest]) };
}
