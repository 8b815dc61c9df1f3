/**
 * Lets a reader look for sessions at most a few times a second, however often it is asked: a pane that streams asks
 * at every change, and each look goes through a folder of sessions.
 */
import { fresh } from '../../lib/fresh.ts';
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';

/** How long the result of one look is used. */
export const FIND_TTL_MS = 250;
/** Most places whose results are kept. */
const MAX_PLACES = 64;

/** The same reader, which remembers its last results for a short time. */
export function rememberFind(reader: TranscriptReader, now: () => number): TranscriptReader {
  const looks = fresh<Promise<readonly TranscriptRef[]>>({ freshMs: FIND_TTL_MS, maxKeys: MAX_PLACES, now });
  return {
    cli: reader.cli,
    open: (ref, options) => reader.open(ref, options),
    trouble: async (place) => (await reader.trouble?.(place)) ?? null,
    find: (place: TranscriptPlace) =>
      looks(JSON.stringify([place.cwd, place.pid, place.env]), () => reader.find(place)),
  };
}
