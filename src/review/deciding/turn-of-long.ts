/** Lets other requests run between two slow parts of a decision on many hunks. */
import { setImmediate } from 'node:timers/promises';

/** With more hunks, one part takes longer than others should wait. */
const LONG_HUNKS = 500;

/** Waits for the next turn of the event loop if these steps change many hunks. */
export async function turnOfLong(steps: readonly { readonly ids: readonly string[] }[]): Promise<void> {
  if (steps.reduce((sum, { ids }) => sum + ids.length, 0) > LONG_HUNKS) await setImmediate();
}
