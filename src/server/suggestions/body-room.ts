/** Limits the memory for incomplete requests. */

/** The memory for incomplete bodies, of all clients together. */
export class BodyRoom {
  #leftBytes: number;

  constructor(bytes: number) {
    this.#leftBytes = bytes;
  }

  /** Reserves that many bytes until they are given back; false if they do not fit. */
  take(bytes: number): boolean {
    if (bytes > this.#leftBytes) return false;
    this.#leftBytes -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#leftBytes += bytes;
  }
}

/** One client's share of that memory, for messages that are not complete. */
export class HeldBytes {
  readonly #room: BodyRoom;
  #bytes = 0;
  #since = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** Reserves that many more bytes; false if they do not fit. */
  take(bytes: number, now: number): boolean {
    if (!this.#room.take(bytes)) return false;
    if (this.#bytes === 0) this.#since = now;
    this.#bytes += bytes;
    return true;
  }

  /** Gives bytes back; without a number, all of them. */
  give(bytes = this.#bytes): void {
    const given = Math.min(bytes, this.#bytes);
    this.#room.give(given);
    this.#bytes -= given;
  }

  /** How long bytes have been held, in ms; 0 if none are. */
  heldMs(now: number): number {
    return this.#bytes === 0 ? 0 : now - this.#since;
  }

  /** Restarts that time: the client had to wait for us. */
  excuse(now: number): void {
    this.#since = now;
  }
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly room: BodyRoom;
}
