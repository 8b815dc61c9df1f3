/** Estimates the tokens of a text, well enough to tell whether it fits a model's context. */

/** Latin text has one token per four bytes or so. Other scripts have about one token per character. */
const BYTES_PER_TOKEN = 4;

/** The estimated tokens of `text`. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x2e7f) wide += 1;
  return Math.ceil((text.length - wide) / BYTES_PER_TOKEN + wide);
}

/** The bytes of plain text in so many tokens. */
export const bytesOfTokens = (tokens: number): number => Math.max(0, Math.floor(tokens * BYTES_PER_TOKEN));
