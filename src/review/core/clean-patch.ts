/** Makes a patch readable that came through a terminal or a clipboard; changes nothing else in it. */
import type { Steps } from '../../lib/steps.ts';
import { ESC, LF } from './bytes.ts';

/** `ESC [ … m` and `ESC [ K`, the two sequences that git writes. */
function colourEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== ESC || bytes[at + 1] !== 0x5b) return at;
  let end = at + 2;
  while (end < bytes.length && isParameter(bytes[end] ?? 0)) end += 1;
  return bytes[end] === 0x6d || bytes[end] === 0x4b ? end + 1 : at;
}

const isParameter = (byte: number) => (byte >= 0x30 && byte <= 0x39) || byte === 0x3b;

/** Escapes or bytes checked between two pauses. */
const ESCAPES_AT_ONCE = 50_000;
const BYTES_AT_ONCE = 1024 * 1024;

/** Whether the structure itself is coloured. An escape inside a content line belongs to the file and stays. */
function* isColoured(bytes: Uint8Array): Steps<boolean> {
  let seen = 0;
  for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at)) {
    const begin = at;
    const isFirst = at === 0 || bytes[at - 1] === LF;
    for (let next = colourEnd(bytes, at); next > at; next = colourEnd(bytes, at)) {
      at = next;
      seen += 1;
      if (seen % ESCAPES_AT_ONCE === 0) yield;
    }
    if (at === begin) {
      at += 1;
      seen += 1;
      if (seen % ESCAPES_AT_ONCE === 0) yield;
    } else if (isFirst) {
      const start = String.fromCharCode(...bytes.subarray(at, at + 5));
      if (/^(?:diff |--- |\+\+\+ |@@ )/.test(start)) return true;
    }
  }
  return false;
}

/** `bytes` without colours if the diff's structure itself is coloured. */
export function* withoutColours(bytes: Uint8Array): Steps<{ bytes: Uint8Array; changed: boolean }> {
  if (!bytes.includes(ESC) || !(yield* isColoured(bytes))) return { bytes, changed: false };
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let pauseAt = BYTES_AT_ONCE;
  for (let at = 0; at < bytes.length; ) {
    if (at >= pauseAt) {
      pauseAt = at + BYTES_AT_ONCE;
      yield;
    }
    const end = colourEnd(bytes, at);
    if (end > at) {
      at = end;
      continue;
    }
    out[length] = bytes[at] ?? 0;
    length += 1;
    at += 1;
  }
  return { bytes: out.subarray(0, length), changed: true };
}

/** `bytes` with a final LF, so that every line of a body is complete. */
export function withFinalNewline(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0 || bytes[bytes.length - 1] === LF) return bytes;
  const whole = new Uint8Array(bytes.length + 1);
  whole.set(bytes);
  whole[bytes.length] = LF;
  return whole;
}
