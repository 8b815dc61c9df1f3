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

export interface BodyLimits {
  readonly maxBytes: number;
  readonly room: BodyRoom;
}
