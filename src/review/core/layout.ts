/** What formatters change and what they leave: two texts with the same words differ in nothing that anybody wrote. Pure. */
import { LF } from './bytes.ts';
import { type LineTable, lineRange } from './line-table.ts';

const [BACKTICK, QUOTE, APOSTROPHE] = [0x60, 0x22, 0x27];
/** White space, and the signs that formatters put and take: `,` and `;`. */
const DROPPED = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x2c, 0x3b]);

/** The text without its layout: no white space, no `,` and `;`, one kind of quotes. */
export function wordsOf(text: Uint8Array): Uint8Array {
  const words = new Uint8Array(text.length);
  let length = 0;
  for (const byte of text) {
    if (DROPPED.has(byte)) continue;
    words[length] = byte === APOSTROPHE || byte === BACKTICK ? QUOTE : byte;
    length += 1;
  }
  return words.subarray(0, length);
}

/** The table with the words of each line in the place of the line. */
export function wordTable(table: LineTable): LineTable {
  const bytes = new Uint8Array(table.bytes.length + table.count);
  const starts = new Uint32Array(table.count + 1);
  let at = 0;
  for (let line = 0; line < table.count; line += 1) {
    const words = wordsOf(lineRange(table, line, line + 1));
    bytes.set(words, at);
    at += words.length;
    bytes[at] = LF;
    at += 1;
    starts[line + 1] = at;
  }
  return { bytes: bytes.subarray(0, at), count: table.count, starts };
}
