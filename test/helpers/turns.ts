/**
 * Defines "at once" for a machine of any speed: in turns of the event loop instead of milliseconds. Waiting for a timer
 * or a process takes many turns; passing on an abort takes one or two.
 */
import { setImmediate } from 'node:timers/promises';

const AT_ONCE_MAX_TURNS = 50;

/** Fails unless it settles within a few turns; does not wait for it after that. */
export async function endsAtOnce(work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const settle = () => {
    isOver = true;
  };
  work.then(settle, settle);
  for (let turns = 0; !isOver; turns += 1) {
    if (turns > AT_ONCE_MAX_TURNS) throw new Error(`not over after ${turns} turns of the event loop`);
    await setImmediate();
  }
}
