/** Splits bytes into lines at LF only. Keeps the unfinished last line; drops lines beyond the cap. No I/O. */

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'skipped'; readonly bytes: number };

/** The line as bytes, valid until the next `push`. */
export type ByteLine =
  | { readonly kind: 'line'; readonly bytes: Uint8Array }
  | { readonly kind: 'skipped'; readonly length: number };

/** The only byte that ends a line. */
export const LF = 0x0a;

/** Lines as bytes, for callers that decode only a few of them. */
export class ByteLines {
  readonly #maxLineBytes: number;
  /** Copies of the bytes after the last LF; empty while an overlong line is skipped. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #skippedBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The unfinished line already exceeds the cap. */
  get isTooLong(): boolean {
    return this.#skippedBytes > 0;
  }

  /** The lines that `chunk` completes. The chunk is not kept. */
  push(chunk: Uint8Array): ByteLine[] {
    const lines: ByteLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      lines.push(this.#take(chunk.subarray(from, at)));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (rest.length > 0 && this.#fits(rest)) {
      this.#pending.push(Uint8Array.from(rest));
      this.#pendingBytes += rest.length;
    }
    return lines;
  }

  /** The unfinished last line; null if there is none or it exceeds the cap. */
  pending(): Uint8Array | null {
    return this.#pendingBytes === 0 ? null : concat(this.#pending);
  }

  /** Counts bytes of the unfinished line that the caller dropped because the line exceeds the cap. */
  skip(bytes: number): void {
    this.#skippedBytes += bytes;
  }

  /** Whether the line still fits with these bytes; if not, the rest of it is skipped. */
  #fits(bytes: Uint8Array): boolean {
    if (this.#skippedBytes === 0 && this.#pendingBytes + bytes.length <= this.#maxLineBytes) return true;
    this.#skippedBytes += this.#pendingBytes + bytes.length;
    this.#forget();
    return false;
  }

  #take(end: Uint8Array): ByteLine {
    if (end.length > 0 || this.#skippedBytes > 0) {
      if (!this.#fits(end)) {
        const length = this.#skippedBytes;
        this.#skippedBytes = 0;
        return { kind: 'skipped', length };
      }
    }
    const bytes = this.#pendingBytes === 0 ? end : concat([...this.#pending, end]);
    this.#forget();
    return { kind: 'line', bytes };
  }

  #forget(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** Lines as text. */
export class LineSplitter {
  readonly #lines: ByteLines;
  readonly #keepBlank: boolean;

  /** `keepBlank`: also return empty lines. */
  constructor(maxLineBytes: number, keepBlank = false) {
    this.#lines = new ByteLines(maxLineBytes);
    this.#keepBlank = keepBlank;
  }

  /** The unfinished line already exceeds the cap. */
  get isTooLong(): boolean {
    return this.#lines.isTooLong;
  }

  /** The lines that `chunk` completes. Empty ones are left out unless kept. The chunk is not kept. */
  push(chunk: Uint8Array): Line[] {
    return this.#lines.push(chunk).flatMap((line): Line[] => {
      if (line.kind === 'skipped') return [{ kind: 'skipped', bytes: line.length }];
      if (line.bytes.length === 0 && !this.#keepBlank) return [];
      return [{ kind: 'line', text: decode(line.bytes) }];
    });
  }

  /** The unfinished last line as text; null if there is none or it exceeds the cap. */
  pendingText(): string | null {
    const bytes = this.#lines.pending();
    return bytes === null ? null : decode(bytes);
  }

  /** Counts bytes of the unfinished line that the caller dropped because the line exceeds the cap. */
  skip(bytes: number): void {
    this.#lines.skip(bytes);
  }
}

/** Splits complete bytes into the part before the first LF and the lines after it. */
export function splitAfterFirst(
  bytes: Uint8Array,
  keepBlank: boolean,
): { readonly head: Uint8Array; readonly lines: readonly Line[] } {
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

/** UTF-8 to text; a broken sequence becomes U+FFFD, and a BOM is kept. */
export function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Joins the pieces; a single one is not copied. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
