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

/** The room that one client takes for what is not whole yet. */
export class HeldBytes {
  readonly #room: BodyRoom;
  #bytes = 0;
  #since = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** Whether so many more fit in. */
  take(bytes: number, now: number): boolean {
    if (!this.#room.take(bytes)) return false;
    if (this.#bytes === 0) this.#since = now;
    this.#bytes += bytes;
    return true;
  }

  give(bytes = this.#bytes): void {
    const given = Math.min(bytes, this.#bytes);
    this.#room.give(given);
    this.#bytes -= given;
  }

  /** For how long; 0 while nothing is held. */
  heldMs(now: number): number {
    return this.#bytes === 0 ? 0 : now - this.#since;
  }

  /** Its client had to wait for us. */
  excuse(now: number): void {
    this.#since = now;
  }
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly room: BodyRoom;
}
