/** Ties a session file to a pane by the text that was just sent there: no set-up, and it works for every CLI. */

import type { TranscriptReader, TranscriptRef } from './port.ts';
import { matchSentText } from './sent-text.ts';

/** Candidates that are opened to look for the text, newest first. */
const MAX_TIE_CANDIDATES = 12;
/** Newest turns of each candidate that may hold it: a busy user sends on before we look. */
const TIE_TURNS = 3;
/** Clocks of the file system and the CLI may differ from ours by so much. */
const CLOCK_SLACK_MS = 5_000;

/** The first candidate, newest first, whose newest prompts hold `text` sent at `since`; null when none does. */
export async function tieByText(
  reader: TranscriptReader,
  refs: readonly TranscriptRef[],
  text: string,
  since: number,
): Promise<TranscriptRef | null> {
  const fresh = refs.filter((ref) => ref.modifiedAt >= since - CLOCK_SLACK_MS);
  const newestFirst = [...fresh].sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, MAX_TIE_CANDIDATES);
  for (const ref of newestFirst) {
    const snapshot = await reader.open(ref).read({ turns: TIE_TURNS });
    if (snapshot === null) continue;
    const turns = snapshot.turns
      .slice(-TIE_TURNS)
      .filter((turn) => turn.startedAt === null || turn.startedAt >= since - CLOCK_SLACK_MS);
    if (matchSentText({ turns, queued: snapshot.queued }, text) !== null) return { ...ref, tie: 'sent-text' };
  }
  return null;
}
