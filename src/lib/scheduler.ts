/** Merges requests for the same work: one run at a time, one waiting, `minGapMs` apart. The only debounce. */

/** The timers that the scheduler uses; a test passes its own. */
export interface Timers {
  readonly now: () => number;
  readonly set: (run: () => void, delayMs: number) => unknown;
  readonly clear: (handle: unknown) => void;
}

export interface SchedulerOptions {
  /** Minimum time between the starts of two runs. */
  readonly minGapMs: number;
  readonly run: () => Promise<void>;
  /** Called when a run throws; the scheduler continues. */
  readonly onError: (error: unknown) => void;
  readonly timers: Timers;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  #lastStart = Number.NEGATIVE_INFINITY;
  #running = false;
  #wanted = false;
  #handle: unknown = null;
  #stopped = false;
  readonly #waiters: (() => void)[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** A run is in progress or requested. */
  get isBusy(): boolean {
    return this.#running || this.#handle !== null;
  }

  /** Resolves when the current run ends or the scheduler stops; at once if there is no run. */
  async ended(): Promise<void> {
    if (this.isBusy) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Requests a run. Requests made before it starts are merged. */
  request(): void {
    if (this.#stopped) return;
    this.#wanted = true;
    this.#arm();
  }

  /** Starts no further run; one in progress runs to its end. */
  stop(): void {
    this.#stopped = true;
    if (this.#handle !== null) this.#options.timers.clear(this.#handle);
    this.#handle = null;
    this.#tellWaiters();
  }

  #tellWaiters(): void {
    for (const tell of this.#waiters.splice(0)) tell();
  }

  #arm(): void {
    if (this.#running || this.#handle !== null || !this.#wanted || this.#stopped) return;
    const wait = Math.max(0, this.#lastStart + this.#options.minGapMs - this.#options.timers.now());
    this.#handle = this.#options.timers.set(() => void this.#start(), wait);
  }

  async #start(): Promise<void> {
    this.#handle = null;
    this.#wanted = false;
    this.#running = true;
    this.#lastStart = this.#options.timers.now();
    try {
      await this.#options.run();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#running = false;
      this.#tellWaiters();
      this.#arm();
    }
  }
}
