/** The reader of each AI CLI. To add a CLI, add its file and one line here. */

import { fresh } from '../../lib/fresh.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import { createAiderReader } from './aider.ts';
import { createClaudeReader } from './claude.ts';
import { createCodexReader } from './codex.ts';
import { createGeminiReader } from './gemini.ts';
import { createOpencodeReader } from './opencode.ts';
import { createPiReader } from './pi.ts';
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';
import { createTourReader } from './tour.ts';

export interface TranscriptReadersOptions {
  readonly isAlive: (pid: number) => boolean;
  /** Read only this much of a session's beginning; omitted: its newest turns. */
  readonly headBytes?: number;
}

/** The readers by CLI; a CLI without one has no known transcript. */
export function createTranscriptReaders({
  isAlive,
  headBytes,
}: TranscriptReadersOptions): ReadonlyMap<CliId, TranscriptReader> {
  const limits = headBytes === undefined ? {} : { endOffset: headBytes };
  const readers = [
    createClaudeReader({ isAlive }, limits),
    createCodexReader(limits),
    createGeminiReader(limits),
    createOpencodeReader({ oldestFirst: headBytes !== undefined }),
    createPiReader(limits),
    createAiderReader(limits),
    createTourReader(),
  ];
  return new Map(readers.map((reader) => [reader.cli, rememberFind(reader, () => performance.now())]));
}

/** How long a result is reused. */
export const FIND_TTL_MS = 250;
/** The most places whose results are kept. */
const MAX_PLACES = 64;

/** The same reader, with a short-lived cache of its results. */
export function rememberFind(reader: TranscriptReader, now: () => number): TranscriptReader {
  const looks = fresh<Promise<readonly TranscriptRef[]>>({ freshMs: FIND_TTL_MS, maxKeys: MAX_PLACES, now });
  return {
    cli: reader.cli,
    open: (ref, options) => reader.open(ref, options),
    trouble: async (place) => (await reader.trouble?.(place)) ?? null,
    find: (place: TranscriptPlace) =>
      looks(JSON.stringify([place.cwd, place.pid, place.others, place.env]), () => reader.find(place)),
  };
}
