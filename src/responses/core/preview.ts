/** Previews an answer from the screen before its session file has it; never the exact text. Pure. */
import { rowsBelow } from './shown-turn.ts';

/** The answer being written. */
export interface Preview {
  /** Its turn; null before the session file has it. */
  readonly turn: string | null;
  /** The text visible so far. */
  readonly text: string;
}

export interface PreviewFacts {
  readonly rows: readonly string[];
  /** The answer in rows below the prompt, without what the program draws around it. */
  readonly extract: (rows: readonly string[]) => readonly string[];
  readonly turn: string | null;
  /** The prompt; null if unknown. */
  readonly prompt: string | null;
}

/** The text below the prompt on the screen; all of it if the prompt has scrolled away, none if it was never seen. */
export function previewOf({ rows, extract, turn, prompt }: PreviewFacts, before: Preview | null): Preview {
  const below = prompt === null ? null : rowsBelow(rows, prompt);
  const wasShown = before !== null && before.turn === turn && before.text !== '';
  const answer = below ?? (wasShown ? rows : null);
  const text = answer === null ? '' : extract(answer).join('\n').trimEnd();
  return { turn, text };
}
