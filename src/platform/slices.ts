/** Cuts long work into time slices: a loop pauses at the end of its slice so that the process can respond to others. */

import type { Steps } from '../lib/steps.ts';

/** Too short to notice; a pause costs a few microseconds. */
const SLICE_MS = 10;

export class Slices {
  #began = performance.now();
  /** Of several loops that share these slices, one continues per turn of the event loop. */
  #turn: Promise<void> = Promise.resolve();

  /** Whether the slice is used up, so that it is time to `pause`. */
  get isOver(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Runs `steps`, which yield between pieces of work, to the end and returns their result. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.pause();
    }
  }

  /** If the slice is used up, lets other pending work run first. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    this.#turn = this.#turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    await this.#turn;
    this.#began = performance.now();
  }
}
