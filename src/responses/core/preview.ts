/** A preview, from the screen, of an answer that its session file does not have yet; never the exact text. Pure. */
import { rowsBelow } from './shown-turn.ts';

/** What is being written. */
export interface Preview {
  /** The turn that it belongs to; null before the session file has it. */
  readonly turn: string | null;
  /** As far as it can be read off the screen; empty when that is nothing yet. */
  readonly text: string;
}

export interface PreviewFacts {
  /** The visible rows. */
  readonly rows: readonly string[];
  /** The answer in rows below the prompt, without what the program draws around it. */
  readonly extract: (rows: readonly string[]) => readonly string[];
  readonly turn: string | null;
  /** What the AI was asked; null when that is not known. */
  readonly prompt: string | null;
}

/**
 * The text below the prompt on the screen. A prompt that was there at the last look and is not any more has scrolled
 * away: then all of the screen is the answer. One that was never seen leaves the text empty, as it could be another's.
 */
export function previewOf({ rows, extract, turn, prompt }: PreviewFacts, before: Preview | null): Preview {
  const below = prompt === null ? null : rowsBelow(rows, prompt);
  const wasShown = before !== null && before.turn === turn && before.text !== '';
  const answer = below ?? (wasShown ? rows : null);
  const text = answer === null ? '' : extract(answer).join('\n').trimEnd();
  return { turn, text };
}
