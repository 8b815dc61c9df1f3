/** Lets others be answered between two parts of a decision on many hunks, of which each part takes long. */
import { setImmediate } from 'node:timers/promises';

/** So many hunks are more than a pause of the process. */
const LONG_HUNKS = 500;

/** The next turn of the event loop, where these steps are about many hunks; else at once. */
export async function turnOfLong(steps: readonly { readonly ids: readonly string[] }[]): Promise<void> {
  if (steps.reduce((sum, { ids }) => sum + ids.length, 0) > LONG_HUNKS) await setImmediate();
}
