/**
 * Splits a growing stream of bytes into lines, on LF only (U+2028 and CR stay inside a line). Keeps the
 * half-written last line, drops a line beyond the cap without holding it. No I/O: bytes in, lines out.
 */

/** One line of a file, or the place of one that was too long to hold. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'skipped'; readonly bytes: number };

/** The one byte that ends a line. */
export const LF = 0x0a;

export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #keepBlank: boolean;
  /** The bytes after the last LF, as they came; empty while a long line is being skipped. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #skippedBytes = 0;

  /** `keepBlank`: empty lines are lines too. */
  constructor(maxLineBytes: number, keepBlank = false) {
    this.#maxLineBytes = maxLineBytes;
    this.#keepBlank = keepBlank;
  }

  /** The lines that `chunk` completes. Empty ones are left out unless kept. The chunk is not kept. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.#hold(chunk.subarray(from, at));
      const line = this.#take();
      if (line !== null) lines.push(line);
      from = at + 1;
    }
    this.#hold(chunk.subarray(from));
    return lines;
  }

  /** The unfinished last line as text; null when there is none or it is beyond the cap. */
  pendingText(): string | null {
    return this.#pendingBytes === 0 ? null : decode(concat(this.#pending, this.#pendingBytes));
  }

  /** Counts bytes of the unfinished line that were dropped elsewhere because it is beyond the cap. */
  skip(bytes: number): void {
    this.#skippedBytes += bytes;
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#skippedBytes > 0 || this.#pendingBytes + bytes.length > this.#maxLineBytes) {
      this.#skippedBytes += this.#pendingBytes + bytes.length;
      this.#pending = [];
      this.#pendingBytes = 0;
      return;
    }
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
  }

  #take(): Line | null {
    if (this.#skippedBytes > 0) {
      const bytes = this.#skippedBytes;
      this.#skippedBytes = 0;
      return { kind: 'skipped', bytes };
    }
    const text = this.pendingText();
    this.#pending = [];
    this.#pendingBytes = 0;
    if (text === null) return this.#keepBlank ? { kind: 'line', text: '' } : null;
    return { kind: 'line', text };
  }
}

/** The same split for bytes that are whole: what stands before the first LF, and the lines after it. */
export function splitAfterFirst(
  bytes: Uint8Array,
  keepBlank: boolean,
): {
  readonly head: Uint8Array;
  readonly lines: readonly Line[];
} {
  const first = bytes.indexOf(LF);
  if (first === -1) return { head: bytes, lines: [] };
  const lines: Line[] = [];
  let from = first + 1;
  while (from <= bytes.length) {
    const at = bytes.indexOf(LF, from);
    const end = at === -1 ? bytes.length : at;
    if (end > from || keepBlank) lines.push({ kind: 'line', text: decode(bytes.subarray(from, end)) });
    from = end + 1;
  }
  return { head: bytes.subarray(0, first), lines };
}

/** UTF-8 to text; a broken sequence becomes U+FFFD and a BOM stays, as the bytes say. */
export function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const only = pieces[0];
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length);
}
