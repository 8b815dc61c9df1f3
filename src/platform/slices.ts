/** Cuts long work into time slices: a loop pauses when its slice is used up, so that the process can answer others. */

import type { Steps } from '../lib/steps.ts';

/** Too short to notice; a pause costs some microseconds. */
const SLICE_MS = 10;

export class Slices {
  #began = performance.now();
  /** Of several loops that share these slices, one continues per turn of the event loop. */
  #turn: Promise<void> = Promise.resolve();

  /** Whether the slice is used up and it is time for a `pause`. */
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

  /** Lets other pending work run first when the slice is used up. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    this.#turn = this.#turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    await this.#turn;
    this.#began = performance.now();
  }
}
