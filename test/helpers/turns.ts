/**
 * Counts turns of the event loop until something is over: "at once" on a machine of any speed. What waits for a timer
 * or a process lets many of them go by; what only passes an abort on needs a few.
 */
import { setImmediate } from 'node:timers/promises';

/** How many turns it took; fails beyond `max`, without waiting for the end. */
export async function turnsUntil(over: Promise<unknown>, max: number): Promise<number> {
  let isOver = false;
  const done = over.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  for (let turns = 0; ; turns += 1) {
    if (isOver) {
      await done;
      return turns;
    }
    if (turns > max) throw new Error(`not over after ${max} turns of the event loop`);
    await setImmediate();
  }
}
