/**
 * Finds line ends four bytes at a time: in a text of short lines a search for each, or a look at every byte, is most
 * of what reading it costs.
 */
import { LF } from './bytes.ts';

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const NO_WORDS = new Int32Array(0);

/** `bytes` in whole words; none where they cannot be looked at so. What is left over at the end is not in them. */
function wordsOf(bytes: Uint8Array): Int32Array {
  if (!IS_LITTLE_ENDIAN || bytes.byteOffset % 4 !== 0) return NO_WORDS;
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
}

/** Bytes of a line in most texts: room for so many lines is made at first. */
const LINE_BYTES = 16;
/** Words that are looked at before it is asked whether there is room: the list must not change inside the loop. */
const BLOCK_WORDS = 4_096;

/** Where lines begin: 0, then behind each LF, then the end of the text, once. */
export function lineStartsOf(bytes: Uint8Array): Uint32Array {
  const words = wordsOf(bytes);
  const { length } = bytes;
  let starts = new Uint32Array(Math.trunc(length / LINE_BYTES) + 2);
  let count = length === 0 ? 0 : 1;
  for (let from = 0; from < words.length; from += BLOCK_WORDS) {
    const to = Math.min(words.length, from + BLOCK_WORDS);
    starts = withRoom(starts, count + 4 * (to - from));
    count = collect(bytes, words, { from, to }, starts, count);
  }
  const rest = words.length * 4;
  starts = withRoom(starts, count + length - rest + 1);
  for (let at = rest; at < length; at += 1) if (bytes[at] === LF) starts[count++] = at + 1;
  // Behind the last line end no further line begins.
  if (count === 0 || starts[count - 1] !== length) starts[count++] = length;
  // What is kept for long should not keep room for lines that there are not.
  return starts.length > 2 * count ? starts.slice(0, count) : starts.subarray(0, count);
}

/** Puts the line starts of these words behind the first `count`; gives how many there are then. */
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
    // It may be wrong about the byte behind a hit: which bytes are hits is looked at one by one.
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
