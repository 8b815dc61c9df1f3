/** Waiting in tests: by polling with a deadline, never by a fixed pause. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface UntilOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** What the failure shows: the last screen, the output so far. */
  readonly show?: () => string;
}

/** The first value of `look` that is neither null, undefined nor false; fails with `what` after the deadline. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  options: UntilOptions = {},
): Promise<T> {
  const { timeoutMs = 10_000, intervalMs = 10 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) {
      throw new Error(`not within ${timeoutMs} ms: ${what}\n${options.show?.() ?? ''}`);
    }
    await sleep(intervalMs);
  }
}
