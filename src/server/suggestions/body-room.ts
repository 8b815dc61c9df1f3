/** How much of requests is held in memory before they are whole. */

/** The memory for bodies that are not whole yet, of all clients together. */
export class BodyRoom {
  #leftBytes: number;

  constructor(bytes: number) {
    this.#leftBytes = bytes;
  }

  /** Whether so many fit in; then they are in, until given back. */
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
