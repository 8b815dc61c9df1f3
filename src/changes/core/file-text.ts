/** The text of one side of a file, as bytes or as text; comparisons of two such texts. Pure. */
import {
  type ByteString,
  CR,
  fromLatin1,
  isBinary as holdsNul,
  LF,
  sameBytes,
} from '../../review/core/bytes.ts';
import { isUniformCrlf, withCrlf, withLf } from '../../review/core/line-ends.ts';
import { FILE_TEXT_MAX_BYTES, type FileText } from './turn-edits.ts';

/** Exact text, as the bytes of its UTF-8; absent beyond the bound. */
export const exactText = (text: string): FileText | undefined => exactBytes(new TextEncoder().encode(text));

/** Exact bytes; absent beyond the bound. */
export function exactBytes(bytes: Uint8Array): FileText | undefined {
  return bytes.length > FILE_TEXT_MAX_BYTES ? undefined : { bytes };
}

/** Text that the recording program converted to LF line ends; absent beyond the bound. */
export function normalisedText(text: string): FileText | undefined {
  return text.length > FILE_TEXT_MAX_BYTES ? undefined : { text, normalised: true };
}

/** The bytes; for a normalised text, its bytes with LF. */
export function bytesOf(side: FileText): Uint8Array {
  return 'bytes' in side ? side.bytes : new TextEncoder().encode(side.text);
}

/** Whether both texts are the same, ignoring line ends if one side has lost them. */
export function sameText(a: FileText, b: FileText): boolean {
  if ('bytes' in a && 'bytes' in b) return sameBytes(a.bytes, b.bytes);
  return sameBytes(withLf(bytesOf(a)), withLf(bytesOf(b)));
}

/** The lines with their line ends, one character per byte. */
export function linesOf(side: FileText): readonly string[] {
  const bytes = bytesOf(side);
  // Splitting a large file byte by byte would take longer than everything else together.
  return splitLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

export const splitLines = (text: ByteString): readonly ByteString[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export const bytesOfLines = (lines: readonly string[]): Uint8Array => fromLatin1(lines.join(''));

/** The line ends of a file. `mixed`: several kinds; `none`: there is no line end. */
function endsOf(bytes: Uint8Array): 'lf' | 'crlf' | 'mixed' | 'none' {
  if (!bytes.includes(LF)) return 'none';
  if (!bytes.includes(CR)) return 'lf';
  return isUniformCrlf(bytes) ? 'crlf' : 'mixed';
}

/** Restores the line ends of a text converted to LF from its source file; keeps LF if those are unknown or mixed. */
export function withEndsOf(file: FileText | undefined, text: string): FileText | undefined {
  const ends = file !== undefined && 'bytes' in file ? endsOf(file.bytes) : 'mixed';
  if (ends === 'mixed') return normalisedText(text);
  const bytes = new TextEncoder().encode(text);
  return exactBytes(ends === 'crlf' ? withCrlf(bytes) : bytes);
}

/** The text with LF in place of its line ends; null when it is not UTF-8. */
export function lfText(side: FileText): string | null {
  if ('text' in side) return side.text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(withLf(side.bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

/** Whether the bytes are binary. */
export function isBinary(side: FileText | undefined): boolean {
  return side !== undefined && 'bytes' in side && holdsNul(side.bytes);
}
