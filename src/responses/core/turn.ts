/** Small pure helpers over turns that readers, screens and commands share. */
import type { Turn } from '../../protocol/turn.ts';

/** The response of a turn as one text: its parts joined by a blank line. */
export function joinParts(parts: readonly string[]): string {
  return parts.join('\n\n');
}

/** The first non-blank line of the prompt, for a list. Empty when the prompt is not known. */
export function firstPromptLine(turn: Turn): string {
  return (
    turn.prompt
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}
