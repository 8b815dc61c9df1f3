/** Reads a file line by line in limited memory, whatever its size and the length of its lines. */
import { StringDecoder } from 'node:string_decoder';
import { streamRegular } from '../platform/regular-file.ts';

/** A larger file has no map. */
const MAPPED_MAX_BYTES = 4 * 1024 * 1024 * 1024;
/** How much of a line is kept; the rest of a longer one is skipped. */
export const MAX_LINE_CHARS = 128 * 1024;

/** Calls `push` for each line, counted from 1, without its line end; returns their number. Rejects on I/O errors. */
export async function readLines(file: string, push: (line: string, number: number) => void): Promise<number> {
  const decoder = new StringDecoder('utf8');
  let held = '';
  let number = 0;
  const give = (line: string): void => {
    number++;
    const end = line.endsWith('\r') ? line.length - 1 : line.length;
    push(line.slice(0, Math.min(end, MAX_LINE_CHARS)), number);
  };
  const take = (text: string): void => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      give(held + text.slice(start, end));
      held = '';
      start = end + 1;
    }
    if (held.length <= MAX_LINE_CHARS) held += text.slice(start);
  };
  for await (const chunk of streamRegular(file, { maxBytes: MAPPED_MAX_BYTES }))
    take(decoder.write(chunk as Buffer));
  take(decoder.end());
  if (held !== '') give(held);
  return number;
}
