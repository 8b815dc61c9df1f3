/** Which reader serves which AI CLI. Adding a CLI is its file and one line here. */
import type { CliId } from '../../protocol/cli-id.ts';
import { createAiderReader } from './aider.ts';
import { createClaudeReader } from './claude.ts';
import { createCodexReader } from './codex.ts';
import { createGeminiReader } from './gemini.ts';
import { createOpencodeReader } from './opencode.ts';
import { createPiReader } from './pi.ts';
import type { TranscriptReader } from './port.ts';
import { rememberFind } from './remembered-find.ts';
import { createTourReader } from './tour.ts';

export interface TranscriptReadersOptions {
  /** Whether a process with this pid exists. */
  readonly isAlive: (pid: number) => boolean;
}

/** The readers by CLI; a CLI without one has no transcript that we know. */
export function createTranscriptReaders(
  options: TranscriptReadersOptions,
): ReadonlyMap<CliId, TranscriptReader> {
  const readers = [
    createClaudeReader(options),
    createCodexReader(),
    createGeminiReader(),
    createOpencodeReader(),
    createPiReader(),
    createAiderReader(),
    createTourReader(),
  ];
  return new Map(readers.map((reader) => [reader.cli, rememberFind(reader, () => performance.now())]));
}
