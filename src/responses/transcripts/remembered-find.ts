/**
 * Lets a reader look for sessions at most a few times a second, however often it is asked: a pane that streams asks
 * at every change, and each look goes through a folder of sessions.
 */
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';

/** How long the result of one look is used. */
export const FIND_TTL_MS = 250;
/** Most places whose results are kept. */
const MAX_PLACES = 64;

interface Look {
  readonly at: number;
  readonly refs: Promise<readonly TranscriptRef[]>;
}

/** The same reader, which remembers its last results for a short time. */
export function rememberFind(reader: TranscriptReader, now: () => number): TranscriptReader {
  const looks = new Map<string, Look>();
  return {
    cli: reader.cli,
    open: (ref, options) => reader.open(ref, options),
    trouble: async (place) => (await reader.trouble?.(place)) ?? null,
    find(place: TranscriptPlace) {
      const key = JSON.stringify([place.cwd, place.pid, place.env]);
      const known = looks.get(key);
      const at = now();
      if (known !== undefined && at - known.at < FIND_TTL_MS && at >= known.at) return known.refs;
      if (looks.size >= MAX_PLACES) looks.clear();
      const refs = reader.find(place);
      looks.set(key, { at, refs });
      return refs;
    },
  };
}
