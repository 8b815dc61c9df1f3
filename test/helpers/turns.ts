/**
 * "At once", on a machine of any speed: in turns of the event loop instead of milliseconds. What waits for a timer or
 * a process lets many of them go by; what only passes an abort on needs one or two.
 */
import { setImmediate } from 'node:timers/promises';

const AT_ONCE_MAX_TURNS = 50;

/** Fails when it is not over, well or badly, within a few turns; does not wait for its end then. */
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
