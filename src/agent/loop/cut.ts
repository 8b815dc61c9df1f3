/** A text answer that the provider ended early: collects its pieces until it is complete. */

/** How often the model is asked to continue; then the answer is used as it is, and marked. */
const CONTINUATIONS_MAX = 3;
/** A piece that begins like the answer is a restart of the model, not a continuation. */
const SAME_START_CHARS = 40;

export const GO_ON = 'Your answer was cut off. Go on exactly where it stopped, and repeat nothing.';
const MARK = '[The answer was cut off here, at the output limit of the model.]';

export class CutAnswer {
  #said = '';
  #pieces = 0;

  /** Takes the next piece; returns the whole answer, or null if the model should continue. */
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
