/** Which reader serves which AI CLI. Adding a CLI is its file and one line here. */
import type { CliId } from '../../protocol/cli-id.ts';
import { createClaudeReader } from './claude.ts';
import type { TranscriptReader } from './port.ts';

export interface TranscriptReadersOptions {
  /** Whether a process with this pid exists. */
  readonly isAlive: (pid: number) => boolean;
}

/** The readers by CLI; a CLI without one has no transcript that we know. */
export function createTranscriptReaders(
  options: TranscriptReadersOptions,
): ReadonlyMap<CliId, TranscriptReader> {
  const readers = [createClaudeReader(options)];
  return new Map(readers.map((reader) => [reader.cli, reader]));
}
