/** An answer in words that the provider ended before the model did: the pieces of it, until it is whole. */

/** How often the model is asked to continue; then the answer is taken as it is, and marked. */
const CONTINUATIONS_MAX = 3;
/** A piece that begins like the answer is a new start of the model, not a continuation. */
const SAME_START_CHARS = 40;

export const GO_ON = 'Your answer was cut off. Go on exactly where it stopped, and repeat nothing.';
const MARK = '[The answer was cut off here, at the output limit of the model.]';

export class CutAnswer {
  #said = '';
  #pieces = 0;

  /** Takes the next piece; gives the whole answer, or null when the model is to go on. */
  add(text: string, isCut: boolean): string | null {
    const startsAnew = this.#said !== '' && this.#said.startsWith(text.slice(0, SAME_START_CHARS));
    this.#said = startsAnew ? text : this.#said + text;
    this.#pieces += 1;
    if (isCut && !startsAnew && this.#pieces <= CONTINUATIONS_MAX) return null;
    const whole = isCut ? `${this.#said}\n\n${MARK}` : this.#said;
    this.drop();
    return whole;
  }

  /** The model does something else now. */
  drop(): void {
    this.#said = '';
    this.#pieces = 0;
  }
}
