/** Bytes of files, never decoded. A `ByteString` has one character per byte (latin1), as used for file names. */

export const LF = 0x0a;
export const CR = 0x0d;
export const ESC = 0x1b;

/** One character per byte. */
export type ByteString = string;

const EMPTY = new Uint8Array(0);

export const emptyBytes = (): Uint8Array => EMPTY;

/** The bytes `[start, end)`, one character each. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): ByteString {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', start, end);
}

export function fromLatin1(text: ByteString): Uint8Array {
  const bytes = new Uint8Array(text.length);
  Buffer.from(bytes.buffer).write(text, 'latin1');
  return bytes;
}

const ASCII = /^[\u0020-\u007e]*$/;

/** For people: valid UTF-8 as text, every other byte as `\xNN`. */
export function displayBytes(text: ByteString): string {
  if (ASCII.test(text)) return text;
  const bytes = fromLatin1(text);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return text.replace(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  }
}

export const utf8Bytes = (text: string): ByteString => latin1(new TextEncoder().encode(text));

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  if (a.byteOffset % 4 !== 0 || b.byteOffset % 4 !== 0) return sameRange(a, 0, b, 0, a.length);
  const count = a.length >>> 2;
  const words = new Int32Array(a.buffer, a.byteOffset, count);
  const others = new Int32Array(b.buffer, b.byteOffset, count);
  for (let i = 0; i < count; i += 1) if (words[i] !== others[i]) return false;
  return sameRange(a, count * 4, b, count * 4, a.length % 4);
}

/** Whether `length` bytes of `a` at `aAt` equal those of `b` at `bAt`. A range beyond an end is unequal. */
export function sameRange(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, length: number): boolean {
  if (aAt + length > a.length || bAt + length > b.length) return false;
  for (let i = 0; i < length; i += 1) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

/** Whether `bytes` at `at` begin with the ASCII text `prefix`. */
export function startsWithAt(bytes: Uint8Array, at: number, prefix: string): boolean {
  if (at + prefix.length > bytes.length) return false;
  for (let i = 0; i < prefix.length; i += 1) if (bytes[at + i] !== prefix.charCodeAt(i)) return false;
  return true;
}

/** Bytes checked one by one before a search: for short lines the call costs more than the check. */
const SHORT_LINE_BYTES = 96;

/** The end of the line that contains `at`: after its LF, or the end of the text. */
export function lineEndAt(bytes: Uint8Array, at: number): number {
  const near = Math.min(bytes.length, at + SHORT_LINE_BYTES);
  for (let i = at; i < near; i += 1) if (bytes[i] === LF) return i + 1;
  const end = near === bytes.length ? -1 : bytes.indexOf(LF, near);
  return end < 0 ? bytes.length : end + 1;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** How far git looks for a NUL. */
const BINARY_PROBE_BYTES = 8000;

/** Whether git would treat the bytes as binary: there is a NUL near the beginning. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
