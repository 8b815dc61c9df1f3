/**
 * One client connection without its socket: bytes in, lines out. Finds line ends, overlong lines and invalid text, and
 * knows whether the connection may be closed. Uses no socket and no clock.
 */
import { type ByteLine, ByteLines } from '../../lib/line-splitter.ts';

export type ConnectionEvent =
  | { readonly kind: 'line'; readonly text: string }
  /** The line passed the limit; its bytes are gone. */
  | { readonly kind: 'overlong' }
  /** The line is not valid UTF-8: an offset in it would mean nothing. */
  | { readonly kind: 'malformed' };

export class Connection {
  readonly #lines: ByteLines;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The unfinished line was already reported as overlong. */
  #isReported = false;
  #inputEnded = false;
  #pending = 0;

  constructor(options: { readonly maxLineBytes: number }) {
    this.#lines = new ByteLines(options.maxLineBytes);
  }

  /** Takes bytes from the peer and returns the complete lines. Skips empty lines. */
  push(chunk: Uint8Array): readonly ConnectionEvent[] {
    const events = this.#lines.push(chunk).flatMap((line) => this.#eventsOf(line));
    if (this.#lines.isTooLong && !this.#isReported) {
      this.#isReported = true;
      events.push({ kind: 'overlong' });
    }
    return events;
  }

  /** The peer will send nothing more; an unfinished last line counts as a line. */
  end(): readonly ConnectionEvent[] {
    this.#inputEnded = true;
    const bytes = this.#lines.pending();
    return bytes === null ? [] : this.#eventsOf({ kind: 'line', bytes });
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

  #eventsOf(line: ByteLine): ConnectionEvent[] {
    if (line.kind === 'skipped') {
      const isReported = this.#isReported;
      this.#isReported = false;
      return isReported ? [] : [{ kind: 'overlong' }];
    }
    try {
      const text = this.#decoder.decode(line.bytes);
      return text.trim() === '' ? [] : [{ kind: 'line', text }];
    } catch {
      // A fatal decoder throws for invalid UTF-8.
      return [{ kind: 'malformed' }];
    }
  }
}
