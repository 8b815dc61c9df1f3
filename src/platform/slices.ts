/**
 * Long work in slices: whoever goes through thousands of things pauses between two of them when the slice is used up,
 * so that the process answers others meanwhile.
 */

import type { Steps } from '../lib/steps.ts';

/** Much less than a person notices; a pause costs some microseconds. */
const SLICE_MS = 10;

export class Slices {
  #began = performance.now();
  /** Of several that share these slices, one a turn of the event loop goes on. */
  #turn: Promise<void> = Promise.resolve();

  /** The slice is used up: time for a `pause`. */
  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Drives `steps`, which yield between two pieces of work, to their end; gives what they return. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }

  /** Lets everything else that waits go first, when the slice is used up. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    this.#turn = this.#turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    await this.#turn;
    this.#began = performance.now();
  }
}
