/** Decides whether a prompt is sent between markers. */

export type MarkerPolicy = 'auto' | 'always' | 'never';

/**
 * At the start of a prompt these run a command or open a menu, even when pasted; after an opening marker they are text.
 * A slash also does so after spaces: Claude Code 2.1.332 trims the prompt first.
 */
const COMMAND_LIKE = /^\s*\/|^[!#@\\?]/;

/** A line that names an image file: an AI CLI removes the line and attaches the image. */
export const IMAGE_LINE = /^\s*(["']?)(?!-)\S.*\.(?:png|jpe?g|gif|webp)\1\s*$/i;

/** `auto`: only if no session file can confirm the arrival, or the first character would be taken as a command. */
export function wantsMarkers(policy: MarkerPolicy, text: string, hasTranscript: boolean): boolean {
  if (policy !== 'auto') return policy === 'always';
  // Even between markers, Claude Code attaches the picture, and then asks about the marker lines.
  return !hasTranscript || (COMMAND_LIKE.test(text) && !IMAGE_LINE.test(text));
}
