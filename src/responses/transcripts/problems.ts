/** What a reader could not parse, for `doctor`: each kind once with its count. Contains no text of the conversation. */

/** The most kinds of problems listed for one session; further kinds are counted in one line. */
export const MAX_PROBLEM_KINDS = 20;
/** A record's type name is quoted up to this many characters. */
const MAX_NAME_CHARACTERS = 60;

export class Problems {
  readonly #counts = new Map<string, number>();
  #further = 0;

  /** Notes one problem. Equal sentences are counted, not repeated. */
  note(sentence: string): void {
    const count = this.#counts.get(sentence);
    if (count === undefined && this.#counts.size >= MAX_PROBLEM_KINDS) this.#further += 1;
    else this.#counts.set(sentence, (count ?? 0) + 1);
  }

  /** A record of an unknown type: most likely from a newer version of the CLI. */
  unknownType(name: unknown): void {
    const text = typeof name === 'string' ? name.slice(0, MAX_NAME_CHARACTERS) : typeof name;
    this.note(`unknown record type "${text}"`);
  }

  /** The list as sentences, in order of first occurrence. */
  list(): readonly string[] {
    const list = [...this.#counts].map(([sentence, count]) =>
      count > 1 ? `${sentence} (${count}×)` : sentence,
    );
    if (this.#further > 0) list.push(`${this.#further} further problems of other kinds`);
    return list;
  }
}
