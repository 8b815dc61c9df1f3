/**
 * Long work in slices: whoever goes through thousands of things pauses between two of them when the slice is used up,
 * so that the process answers others meanwhile.
 */

/** Much less than a person notices; a pause costs some microseconds. */
const SLICE_MS = 10;

export class Slices {
  #began = performance.now();

  /** The slice is used up: time for a `pause`. */
  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Lets everything else that waits go first, when the slice is used up. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
