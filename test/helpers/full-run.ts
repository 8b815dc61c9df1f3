/** What `npm run test:full` does more of than `npm test`, under the same names: rows of a table, random runs, crash points. */

const IS_FULL = process.env.COPANE_TEST_FULL === '1';

/** So many in `npm test`, so many in the full run. */
export function inFull(short: number, full: number): number {
  return IS_FULL ? full : short;
}

/** The rows at the head of a table in `npm test`, all of them in the full run: the first stand for the others. */
export function rowsOf<T>(head: number, all: readonly T[]): T[] {
  return IS_FULL ? [...all] : all.slice(0, head);
}
