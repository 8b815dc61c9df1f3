/** The reader of each AI CLI's edits. A new CLI is a file and a line here. */
import type { CliId } from '../../protocol/cli-id.ts';
import type { TranscriptRef, TranscriptSnapshot } from '../../responses/transcripts/port.ts';
import type { RecordedTurn } from '../core/turn-edits.ts';
import { readAiderEdits } from './aider.ts';
import { readClaudeEdits } from './claude.ts';
import { readCodexEdits } from './codex.ts';
import { readGeminiEdits } from './gemini.ts';
import { readOpencodeEdits } from './opencode.ts';
import { readPiEdits } from './pi.ts';
import type { RecordedReader } from './port.ts';

const READERS: Readonly<Partial<Record<CliId, RecordedReader>>> = {
  claude: readClaudeEdits,
  codex: readCodexEdits,
  gemini: readGeminiEdits,
  opencode: readOpencodeEdits,
  pi: readPiEdits,
  aider: readAiderEdits,
};

/** What the `newest` turns of a session changed, oldest first; null for an unsupported CLI. Open it `withTools`. */
export async function recordedTurns(
  { turns, facts }: TranscriptSnapshot,
  ref: TranscriptRef,
  newest = Number.POSITIVE_INFINITY,
): Promise<readonly RecordedTurn[] | null> {
  const read = READERS[ref.cli];
  if (read === undefined) return null;
  return read(
    turns.slice(-newest).map((turn) => ({ turn, facts: facts.get(turn.id) ?? [] })),
    ref,
  );
}
