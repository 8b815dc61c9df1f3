/** Decides whether a prompt is sent between markers. */

export type MarkerPolicy = 'auto' | 'always' | 'never';

/**
 * At the very start of a prompt these run a command or open a menu, even when pasted; after an opening marker they are
 * text. A slash does so after spaces as well: Claude Code 2.1.332 trims a prompt first.
 */
const COMMAND_LIKE = /^\s*\/|^[!#@\\?]/;

/** A line that names an image file: an AI CLI removes the line and attaches the image. */
export const IMAGE_LINE = /^\s*(["']?)(?!-)\S.*\.(?:png|jpe?g|gif|webp)\1\s*$/i;

/** `auto`: only where no session file proves the arrival, or where the first character would be taken as a command. */
export function wantsMarkers(policy: MarkerPolicy, text: string, hasTranscript: boolean): boolean {
  if (policy !== 'auto') return policy === 'always';
  // Between markers Claude Code attaches the picture as well, and asks about the marker lines.
  return !hasTranscript || (COMMAND_LIKE.test(text) && !IMAGE_LINE.test(text));
}
