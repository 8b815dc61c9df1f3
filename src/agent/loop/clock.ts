/** The time limit of an attempt; it pauses while the user is asked. */

/** Aborts `signal` when the time is up or the job is aborted. */
export class AttemptClock {
  readonly #controller = new AbortController();
  readonly #job: AbortSignal;
  readonly #now: () => number;
  readonly #onJobAbort = () => this.#controller.abort(this.#job.reason);
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #expired = false;

  constructor(limitMs: number, job: AbortSignal, now: () => number) {
    this.#leftMs = limitMs;
    this.#job = job;
    this.#now = now;
    if (job.aborted) this.#onJobAbort();
    job.addEventListener('abort', this.#onJobAbort, { once: true });
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time is up, and the job was not cancelled. */
  get isExpired(): boolean {
    return this.#expired && !this.#job.aborted;
  }

  /** Waits for `work` without counting the time. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#hold();
    try {
      return await work;
    } finally {
      this.#run();
    }
  }

  stop(): void {
    this.#hold();
    this.#job.removeEventListener('abort', this.#onJobAbort);
  }

  #run(): void {
    this.#startedAt = this.#now();
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#controller.abort();
    }, this.#leftMs);
  }

  #hold(): void {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (this.#now() - this.#startedAt));
  }
}
