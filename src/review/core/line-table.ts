/** Finds where a text's lines begin. Only LF ends a line: a lone CR, a form feed or U+2028 is content. */
import { runAtOnce, type Steps } from '../../lib/steps.ts';
import { LF, sameRange } from './bytes.ts';

export interface LineTable {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** `starts[i]` is the offset of line `i`; `starts[count]` is the end of the text. A line includes its LF. */
  readonly starts: Uint32Array;
}

export const lineTable = (bytes: Uint8Array): LineTable => runAtOnce(lineTableSteps(bytes));

/** The same in steps, for long texts. */
export function* lineTableSteps(bytes: Uint8Array): Steps<LineTable> {
  const starts = yield* lineStartSteps(bytes);
  return { bytes, count: starts.length - 1, starts };
}

/** The offset of line `line`; the end of the text from `count` on. */
export const lineStart = (table: LineTable, line: number): number => table.starts[line] ?? table.bytes.length;

/** The bytes of lines `[from, to)` without a copy. */
export function lineRange(table: LineTable, from: number, to: number): Uint8Array {
  return table.bytes.subarray(lineStart(table, from), lineStart(table, to));
}

/** The lines of several texts as small integers. Equal lines have equal numbers across the texts. */
export class LineInterner {
  readonly #tables: LineTable[] = [];
  #slots = new Int32Array(4096).fill(-1);
  #tableOf = new Uint8Array(2048);
  #lineOf = new Uint32Array(2048);
  #hashOf = new Uint32Array(2048);
  #size = 0;

  /** The number of distinct lines. */
  get size(): number {
    return this.#size;
  }

  /** One number per line of `table`. An interner takes at most 255 texts. */
  add(table: LineTable): Int32Array {
    const tableIndex = this.#tables.push(table) - 1;
    const ids = new Int32Array(table.count);
    for (let line = 0; line < table.count; line += 1) ids[line] = this.#idOf(tableIndex, table, line);
    return ids;
  }

  /** The number of line `[start, end)` of `bytes`; -1 if no text has it. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashRange(bytes, start, end);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? -1;
      if (id < 0 || (this.#hashOf[id] === hash && this.#isLine(id, bytes, start, end - start))) return id;
    }
  }

  #idOf(tableIndex: number, table: LineTable, line: number): number {
    const start = lineStart(table, line);
    const end = lineStart(table, line + 1);
    const hash = hashRange(table.bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = this.#slots[slot] ?? -1;
      if (id < 0) break;
      if (this.#hashOf[id] === hash && this.#isLine(id, table.bytes, start, end - start)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.#size;
    this.#size += 1;
    this.#reserve();
    this.#slots[slot] = id;
    this.#tableOf[id] = tableIndex;
    this.#lineOf[id] = line;
    this.#hashOf[id] = hash;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #isLine(id: number, bytes: Uint8Array, start: number, length: number): boolean {
    const table = this.#tables[this.#tableOf[id] ?? 0];
    if (table === undefined) return false;
    const line = this.#lineOf[id] ?? 0;
    const at = lineStart(table, line);
    return lineStart(table, line + 1) - at === length && sameRange(table.bytes, at, bytes, start, length);
  }

  #reserve(): void {
    if (this.#size <= this.#lineOf.length) return;
    const length = this.#lineOf.length * 2;
    const tableOf = new Uint8Array(length);
    const lineOf = new Uint32Array(length);
    const hashOf = new Uint32Array(length);
    tableOf.set(this.#tableOf);
    lineOf.set(this.#lineOf);
    hashOf.set(this.#hashOf);
    this.#tableOf = tableOf;
    this.#lineOf = lineOf;
    this.#hashOf = hashOf;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#size; id += 1) {
      let slot = (this.#hashOf[id] ?? 0) & mask;
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

/** FNV-1a over bytes `[start, end)`, mixed so that the low bits can serve as a slot. */
function hashRange(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  hash ^= hash >>> 15;
  return hash >>> 0;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const NO_WORDS = new Int32Array(0);

/** `bytes` as whole words, without the remainder; empty if they cannot be viewed as words. */
function wordsOf(bytes: Uint8Array): Int32Array {
  if (!IS_LITTLE_ENDIAN || bytes.byteOffset % 4 !== 0) return NO_WORDS;
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
}

/** Average bytes per line in most texts, for the initial allocation. */
const LINE_BYTES = 16;
/** Words scanned before the next capacity check: the list must not grow inside the loop. */
const BLOCK_WORDS = 4_096;
const WORDS_A_STEP = 64 * BLOCK_WORDS;

/** Line starts: 0, the offset after each LF, and the end of the text, once. */
export const lineStartsOf = (bytes: Uint8Array): Uint32Array => runAtOnce(lineStartSteps(bytes));

function* lineStartSteps(bytes: Uint8Array): Steps<Uint32Array> {
  const words = wordsOf(bytes);
  const { length } = bytes;
  let starts = new Uint32Array(Math.trunc(length / LINE_BYTES) + 2);
  let count = length === 0 ? 0 : 1;
  for (let from = 0; from < words.length; from += BLOCK_WORDS) {
    const to = Math.min(words.length, from + BLOCK_WORDS);
    starts = withRoom(starts, count + 4 * (to - from));
    count = collect(bytes, words, { from, to }, starts, count);
    if (to % WORDS_A_STEP === 0) yield;
  }
  const rest = words.length * 4;
  starts = withRoom(starts, count + length - rest + 1);
  for (let at = rest; at < length; at += 1) if (bytes[at] === LF) starts[count++] = at + 1;
  // No line begins after the final line end.
  if (count === 0 || starts[count - 1] !== length) starts[count++] = length;
  // A list kept for long should not hold unused capacity.
  return starts.length > 2 * count ? starts.slice(0, count) : starts.subarray(0, count);
}

/** Appends these words' line starts after the first `count`; returns the new count. */
function collect(
  bytes: Uint8Array,
  words: Int32Array,
  { from, to }: { readonly from: number; readonly to: number },
  starts: Uint32Array,
  count: number,
): number {
  let next = count;
  for (let word = from; word < to; word += 1) {
    const others = (words[word] as number) ^ 0x0a0a0a0a;
    // May wrongly report the byte after a hit, so hits are checked byte by byte.
    if (((others - 0x01010101) & ~others & 0x80808080) === 0) continue;
    const at = word << 2;
    if (bytes[at] === LF) starts[next++] = at + 1;
    if (bytes[at + 1] === LF) starts[next++] = at + 2;
    if (bytes[at + 2] === LF) starts[next++] = at + 3;
    if (bytes[at + 3] === LF) starts[next++] = at + 4;
  }
  return next;
}

function withRoom(numbers: Uint32Array<ArrayBuffer>, room: number): Uint32Array<ArrayBuffer> {
  if (room <= numbers.length) return numbers;
  const grown = new Uint32Array(room * 2);
  grown.set(numbers);
  return grown;
}
