/** Decides whether a prompt goes out between markers. */

export type MarkerPolicy = 'auto' | 'always' | 'never';

/**
 * At the very start these run a command or open a menu, pasted or not; behind an opening marker they are text.
 * A slash does so behind blanks as well: Claude Code 2.1.332 trims a prompt before it looks.
 */
const COMMAND_LIKE = /^\s*\/|^[!#@\\?]/;

/** `auto`: only where no session file proves the arrival, or where the first character would be taken as a command. */
export function wantsMarkers(policy: MarkerPolicy, text: string, hasTranscript: boolean): boolean {
  if (policy !== 'auto') return policy === 'always';
  return !hasTranscript || COMMAND_LIKE.test(text);
}
