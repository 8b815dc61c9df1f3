/** Waits in tests by polling with a deadline, never by a fixed pause. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Deadlines are meant for a nearly idle machine, and only end a test that hangs: a busy machine gets this many times as
 * long.
 */
export const PATIENCE = 4;

export interface UntilOptions {
  /** For a nearly idle machine. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** What a failure shows: the last screen, the output so far. */
  readonly show?: () => string;
}

/** The first value of `look` that is not null, undefined or false; fails with `what` after the deadline. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  options: UntilOptions = {},
): Promise<T> {
  const { timeoutMs = 10_000, intervalMs = 10 } = options;
  const deadlineMs = timeoutMs * PATIENCE;
  const begun = performance.now();
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() - begun > deadlineMs) {
      throw new Error(`not within ${deadlineMs} ms: ${what}\n${options.show?.() ?? ''}`);
    }
    await sleep(intervalMs);
  }
}
