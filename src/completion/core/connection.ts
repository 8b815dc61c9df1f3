/**
 * One client connection without its socket: bytes in, lines out. Finds line ends, overlong lines and invalid text, and
 * knows whether the connection may be closed. Uses no socket and no clock.
 */

export type ConnectionEvent =
  | { readonly kind: 'line'; readonly text: string }
  /** The line passed the limit; its bytes are gone. */
  | { readonly kind: 'overlong' }
  /** The line is not valid UTF-8: an offset in it would mean nothing. */
  | { readonly kind: 'malformed' };

const NEWLINE = 0x0a;

export class Connection {
  readonly #maxLineBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #bytes = 0;
  /** Inside a line that was already reported as overlong. */
  #skipping = false;
  #inputEnded = false;
  #pending = 0;

  constructor(options: { readonly maxLineBytes: number }) {
    this.#maxLineBytes = options.maxLineBytes;
  }

  /** Takes bytes from the peer and returns the complete lines. Skips empty lines. */
  push(chunk: Uint8Array): readonly ConnectionEvent[] {
    const events: ConnectionEvent[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end), events);
      this.#finishLine(events);
      from = end + 1;
    }
    this.#keep(chunk.subarray(from), events);
    return events;
  }

  /** The peer will send nothing more; an unfinished last line counts as a line. */
  end(): readonly ConnectionEvent[] {
    const events: ConnectionEvent[] = [];
    this.#finishLine(events);
    this.#inputEnded = true;
    return events;
  }

  /** A request was accepted and will be answered or cancelled. */
  begin(): void {
    this.#pending += 1;
  }

  /** A request was answered or cancelled. */
  settle(): void {
    this.#pending -= 1;
  }

  get pending(): number {
    return this.#pending;
  }

  /** The peer has finished sending, and every request is answered. */
  get finished(): boolean {
    return this.#inputEnded && this.#pending === 0;
  }

  #keep(part: Uint8Array, events: ConnectionEvent[]): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxLineBytes) {
      this.#parts = [];
      this.#skipping = true;
      events.push({ kind: 'overlong' });
      return;
    }
    // The chunk belongs to the caller, who may reuse it.
    this.#parts.push(part.slice());
  }

  #finishLine(events: ConnectionEvent[]): void {
    if (!this.#skipping && this.#bytes > 0) {
      const text = this.#decode();
      if (text === null) events.push({ kind: 'malformed' });
      else if (text.trim() !== '') events.push({ kind: 'line', text });
    }
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
  }

  #decode(): string | null {
    const [first] = this.#parts;
    const whole = this.#parts.length === 1 && first ? first : this.#joined();
    try {
      return this.#decoder.decode(whole);
    } catch {
      // A fatal decoder throws for invalid UTF-8.
      return null;
    }
  }

  #joined(): Uint8Array {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}
