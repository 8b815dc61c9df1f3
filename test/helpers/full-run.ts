/** What `npm run test:full` adds to `npm test`, under the same names: table rows, random runs, crash points. */

const IS_FULL = process.env.COPANE_TEST_FULL === '1';

/** This many in `npm test`, this many in the full run. */
export function inFull(short: number, full: number): number {
  return IS_FULL ? full : short;
}

/** The first rows of a table in `npm test`, all of them in the full run: the first represent the others. */
export function rowsOf<T>(head: number, all: readonly T[]): T[] {
  return IS_FULL ? [...all] : all.slice(0, head);
}
