/** Pure helpers for turns. */
import type { Turn } from '../../protocol/turn.ts';

/** The response of a turn as one text: its parts joined by a blank line. */
export const joinParts = (parts: readonly string[]): string => parts.join('\n\n');

/**
 * A turn's title in a list: the first line of its prompt, or of the plan; empty if neither is known. A quoted line, as
 * above each note, names the turn only if there is nothing else.
 */
export function turnTitle(turn: Turn): string {
  const text = turn.kind === 'plan' ? turn.response.replace(/^#+ /, '') : turn.prompt;
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.find((line) => !line.startsWith('> ')) ?? lines[0] ?? '';
}

/** Whether two readings of a turn are the same; null: the other one is gone. */
export function isSameTurn(one: Turn, other: Turn | null): boolean {
  if (one === other) return true;
  if (other === null || one.id !== other.id || one.prompt !== other.prompt) return false;
  if (one.response !== other.response || one.progress !== other.progress) return false;
  return one.warning === other.warning && one.parts.length === other.parts.length;
}
