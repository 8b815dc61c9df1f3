/** Pure helpers for turns. */
import type { Turn } from '../../protocol/turn.ts';

/** The response of a turn as one text: its parts joined by a blank line. */
export const joinParts = (parts: readonly string[]): string => parts.join('\n\n');

/** A turn's title in a list: the first line of its prompt, or of the plan; empty if neither is known. */
export function turnTitle(turn: Turn): string {
  const text = turn.kind === 'plan' ? turn.response.replace(/^#+ /, '') : turn.prompt;
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}
