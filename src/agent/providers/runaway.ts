/**
 * Tells when a model does not come to an end: it says more than it can remember, or the same piece of text again and
 * again. Pure, but for what it has heard so far.
 */

/** So much at the end of an answer has to be one repeated piece. */
const WINDOW_CHARS = 8_000;
/** The longest piece whose repetition is noticed: the window then holds it 16 times. */
const PIECE_MAX_CHARS = 500;
/** How often it is looked for. */
const STRIDE_CHARS = 2_000;

export class Runaway {
  readonly #maxChars: number;
  #tail = '';
  #length = 0;
  #unchecked = 0;
  #words: string | null = null;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** What is wrong, in a sentence; null as long as nothing is. */
  get problem(): string | null {
    return this.#words;
  }

  hear(text: string): void {
    this.#length += text.length;
    this.#unchecked += text.length;
    this.#tail = (this.#tail + text).slice(-WINDOW_CHARS);
    if (this.#length > this.#maxChars)
      this.#words = `The answer was stopped after ${this.#maxChars} characters: the model did not come to an end.`;
    if (this.#unchecked < STRIDE_CHARS || this.#tail.length < WINDOW_CHARS) return;
    this.#unchecked = 0;
    const period = smallestPeriod(this.#tail);
    if (period <= PIECE_MAX_CHARS)
      this.#words = 'The answer was stopped: the model repeated the same text over and over.';
  }
}

/** The length of the shortest piece that `text` is a repetition of; its own length when it is none. */
function smallestPeriod(text: string): number {
  const border = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    border[at] = length;
  }
  return text.length - (border.at(-1) ?? 0);
}
