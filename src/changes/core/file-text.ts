/** Texts of one file side: as bytes, as text, and held against each other. Pure. */
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

/** Text whose line ends were made LF by the program that wrote it down; absent beyond the bound. */
export function normalisedText(text: string): FileText | undefined {
  return text.length > FILE_TEXT_MAX_BYTES ? undefined : { text, normalised: true };
}

/** The bytes; of a normalised text, those that it has with LF. */
export function bytesOf(side: FileText): Uint8Array {
  return 'bytes' in side ? side.bytes : new TextEncoder().encode(side.text);
}

/** Whether both are the same file; where one side has lost its line ends, apart from those. */
export function sameText(a: FileText, b: FileText): boolean {
  if ('bytes' in a && 'bytes' in b) return sameBytes(a.bytes, b.bytes);
  return sameBytes(withLf(bytesOf(a)), withLf(bytesOf(b)));
}

/** The lines with their ends, one character a byte. */
export function linesOf(side: FileText): readonly string[] {
  const bytes = bytesOf(side);
  // Byte by byte, the texts of a large file would take longer than everything else together.
  return splitLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

export const splitLines = (text: ByteString): readonly ByteString[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The bytes of these lines. */
export const bytesOfLines = (lines: readonly string[]): Uint8Array => fromLatin1(lines.join(''));

/** How the lines of a file end: `mixed` in several ways, `none`: there is no line end. */
function endsOf(bytes: Uint8Array): 'lf' | 'crlf' | 'mixed' | 'none' {
  if (!bytes.includes(LF)) return 'none';
  if (!bytes.includes(CR)) return 'lf';
  return isUniformCrlf(bytes) ? 'crlf' : 'mixed';
}

/**
 * A text whose line ends were made LF, with those of the file that it was made from. It stays without them where these
 * are not known, or of several kinds.
 */
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
