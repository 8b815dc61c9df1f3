/** How many tokens a text is, roughly: no model's own count, good enough to say whether something fits. */

/** Latin text: one token for about four bytes. Other scripts cost about one token a character. */
const BYTES_PER_TOKEN = 4;

/** The estimate. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x2e7f) wide += 1;
  return Math.ceil((text.length - wide) / BYTES_PER_TOKEN + wide);
}

/** How many bytes of plain text so many tokens are. */
export function bytesOfTokens(tokens: number): number {
  return Math.max(0, Math.floor(tokens * BYTES_PER_TOKEN));
}
