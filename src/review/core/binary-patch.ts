/** git's binary patches: base85 lines and, once inflated by the caller, deltas. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Steps } from '../../lib/steps.ts';
import { CR, LF, latin1, startsWithAt } from './bytes.ts';
import type { BinaryPart } from './patch-model.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
/** By byte; 85 for a byte that is not a digit. */
const VALUES = new Uint8Array(256).fill(85);
for (const [value, digit] of [...ALPHABET].entries()) VALUES[digit.charCodeAt(0)] = value;

/** The largest binary file accepted: its content is held, hashed and written in one piece. */
export const BINARY_MAX_BYTES = 16 * 1024 * 1024;
/** The limit for all binary files of a patch together. */
export const BINARIES_MAX_BYTES = 64 * 1024 * 1024;

/** Lines read between two pauses. */
const LINES_AT_ONCE = 10_000;

const broken = (why: string) =>
  fail('invalid', `The binary part of the patch is broken: ${why}.`, 'It may have been cut off.');

/** Reads `literal N` or `delta N` at `at`, and its reverse if there is one, in steps. */
export function* parseBinary(
  bytes: Uint8Array,
  at: number,
): Steps<Result<{ forward: BinaryPart; reverse: BinaryPart | null; end: number }>> {
  const forward = yield* parsePart(bytes, at);
  if (!forward.ok) return forward;
  if (forward.value === null) return broken('it has no data');
  const { part, end } = forward.value;
  const reverse = yield* parsePart(bytes, end);
  if (!reverse.ok) return reverse;
  return ok({ forward: part, reverse: reverse.value?.part ?? null, end: reverse.value?.end ?? end });
}

function* parsePart(
  bytes: Uint8Array,
  start: number,
): Steps<Result<{ part: BinaryPart; end: number } | null>> {
  let end = lineEnd(bytes, start);
  const header = /^(literal|delta) (\d{1,10})\r?\n$/.exec(latin1(bytes, start, Math.min(end, start + 40)));
  if (header === null) return ok(null);
  const size = Number(header[2]);
  const block = yield* findBlockEnd(bytes, end);
  // Five characters decode to four bytes.
  const deflated = new Uint8Array(Math.ceil(((block - end) * 4) / 5));
  let length = 0;
  for (let lines = 1; ; lines += 1) {
    if (lines % LINES_AT_ONCE === 0) yield;
    const at = end;
    if (at >= bytes.length) return broken('it ends in the middle');
    end = lineEnd(bytes, at);
    if (bytes[at] === LF || startsWithAt(bytes, at, '\r\n')) break;
    const decoded = decodeLine(bytes, at, lineTextEnd(bytes, end), { into: deflated, length });
    if (decoded === null) return broken('a line cannot be decoded');
    length = decoded;
  }
  const kind = header[1] === 'delta' ? 'delta' : 'literal';
  return ok({ part: { kind, size, deflated: deflated.subarray(0, length) }, end });
}

function lineEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LF, at);
  return end < 0 ? bytes.length : end + 1;
}

/** The end of the text of the line that ends at `end`. */
function lineTextEnd(bytes: Uint8Array, end: number): number {
  if (bytes[end - 1] !== LF) return end;
  return bytes[end - 2] === CR ? end - 2 : end - 1;
}

/** The end of a part's lines: an empty line or the end of the patch. */
function* findBlockEnd(bytes: Uint8Array, start: number): Steps<number> {
  let at = start;
  for (let lines = 1; at < bytes.length && bytes[at] !== LF && !startsWithAt(bytes, at, '\r\n'); lines += 1) {
    at = lineEnd(bytes, at);
    if (lines % LINES_AT_ONCE === 0) yield;
  }
  return at;
}

/** Decodes the line `[at, to)`: a length letter, then five characters per four bytes. Its end in `into`, or null. */
function decodeLine(
  bytes: Uint8Array,
  at: number,
  to: number,
  { into, length }: { readonly into: Uint8Array; readonly length: number },
): number | null {
  const letter = bytes[at] ?? 0;
  const count = letter >= 0x61 ? letter - 0x61 + 27 : letter - 0x41 + 1;
  if (count < 1 || count > 52 || to - at - 1 !== Math.ceil(count / 4) * 5) return null;
  const end = length + count;
  let out = length;
  for (let group = at + 1; group < to; group += 5) {
    let word = 0;
    for (let i = group; i < group + 5; i += 1) {
      const value = VALUES[bytes[i] ?? 0] ?? 85;
      if (value === 85) return null;
      word = word * 85 + value;
    }
    if (word > 0xffffffff) return null;
    for (let shift = 24; shift >= 0 && out < end; shift -= 8, out += 1) into[out] = word >>> shift;
  }
  return end;
}

/** `bytes` (deflated) as a `literal` part's lines, with header and closing empty line. */
export function formatLiteral(size: number, deflated: Uint8Array): string {
  const lines = [`literal ${size}`];
  for (let at = 0; at < deflated.length; at += 52) {
    const length = Math.min(52, deflated.length - at);
    let line = String.fromCharCode(length <= 26 ? 0x40 + length : 0x60 + length - 26);
    for (let i = 0; i < length; i += 4) {
      let word = 0;
      for (let k = 0; k < 4; k += 1) word = word * 256 + (i + k < length ? (deflated[at + i + k] ?? 0) : 0);
      let group = '';
      for (let k = 0; k < 5; k += 1) {
        group = ALPHABET.charAt(word % 85) + group;
        word = Math.floor(word / 85);
      }
      line += group;
    }
    lines.push(line);
  }
  return `${lines.join('\n')}\n\n`;
}

/** Applies an inflated git delta to `base`: copies and inserts, every range checked. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Result<Uint8Array> {
  const reader = { delta, at: 0 };
  const baseSize = readSize(reader);
  const resultSize = readSize(reader);
  if (baseSize !== base.length) return fail('refused', 'The binary change was made against other bytes.');
  if (resultSize > BINARY_MAX_BYTES) return broken('its result is too large');
  const out = new Uint8Array(resultSize);
  let length = 0;
  while (reader.at < delta.length) {
    const op = delta[reader.at] ?? 0;
    reader.at += 1;
    if (op === 0) return broken('an unknown instruction');
    const source = (op & 0x80) === 0 ? delta : base;
    const offset = (op & 0x80) === 0 ? reader.at : readFields(reader, op, 4);
    const size = (op & 0x80) === 0 ? op : readFields(reader, op >> 4, 3) || 0x10000;
    if (offset + size > source.length || length + size > resultSize) return broken('a range beyond the end');
    out.set(source.subarray(offset, offset + size), length);
    length += size;
    if ((op & 0x80) === 0) reader.at += size;
  }
  return length === resultSize ? ok(out) : broken('its result is too short');
}

interface DeltaReader {
  readonly delta: Uint8Array;
  at: number;
}

function readSize(reader: DeltaReader): number {
  let size = 0;
  for (let shift = 0; shift < 49; shift += 7) {
    const byte = reader.delta[reader.at] ?? 0;
    reader.at += 1;
    size += (byte & 0x7f) * 2 ** shift;
    if ((byte & 0x80) === 0) break;
  }
  return size;
}

/** Little-endian bytes; `flags` tells which are present. */
function readFields(reader: DeltaReader, flags: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i += 1) {
    if ((flags & (1 << i)) === 0) continue;
    value += (reader.delta[reader.at] ?? 0) * 2 ** (8 * i);
    reader.at += 1;
  }
  return value;
}
