/**
 * Splits a stream of bytes into lines, whatever the chunks: a character cut in two by a chunk stays whole.
 * Holds at most one line; a longer one ends the decoding, since nothing after it can be trusted.
 */

const LF = 0x0a;

export type DecodedLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too_long' };

export class LineDecoder {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #heldBytes = 0;
  #broken = false;

  /** `maxBytes` counts the line without its line feed. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a chunk; gives the lines that it completes. After `too_long` there is nothing more. */
  push(chunk: Uint8Array): readonly DecodedLine[] {
    const decoded: DecodedLine[] = [];
    let start = 0;
    while (!this.#broken) {
      const end = chunk.indexOf(LF, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      if (this.#heldBytes + piece.length > this.#maxBytes) {
        this.#broken = true;
        this.#parts = [];
        decoded.push({ kind: 'too_long' });
        break;
      }
      this.#parts.push(piece);
      this.#heldBytes += piece.length;
      if (end === -1) break;
      decoded.push({ kind: 'line', text: this.#take() });
      start = end + 1;
    }
    return decoded;
  }

  /** What stands after the last line feed, at the end of the stream; null when nothing does. */
  end(): string | null {
    return this.#broken || this.#heldBytes === 0 ? null : this.#take();
  }

  #take(): string {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#heldBytes = 0;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }
}
