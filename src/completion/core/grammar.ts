/**
 * The grammar of commands: which subcommands and options may follow which words. A text catalogue, one command per
 * line, parsed on demand.
 */

/** `s`: subcommands by name; `o`: options. */
export interface Grammar {
  readonly s?: Readonly<Record<string, Grammar>>;
  readonly o?: readonly string[];
}

export interface GrammarPlace {
  readonly subcommands: readonly string[];
  readonly options: readonly string[];
}

/** Cached parsed commands, and names that are not commands. */
const PARSED_MAX = 64;

export class GrammarCatalogue {
  /** Begins with a newline, so that each command is between a newline and a TAB. */
  readonly #text: string;
  /** Null: no such command. */
  readonly #parsed = new Map<string, Grammar | null>();

  /** `text`: a name, TAB and JSON on each line. It is searched when a command is asked for: cutting all of it takes longer than the first key may wait. */
  constructor(text: string) {
    this.#text = `\n${text}`;
  }

  /** What may follow `words`, which begin with the command; null for an unknown command. */
  placeAfter(words: readonly string[]): GrammarPlace | null {
    const [name = '', ...rest] = words;
    const grammar = this.#grammarOf(name);
    if (grammar === null) return null;
    let node = grammar;
    let arguments_ = 0;
    for (const word of rest) {
      if (word.startsWith('-')) continue;
      const child = Object.hasOwn(node.s ?? {}, word) ? node.s?.[word] : undefined;
      if (child === undefined) arguments_ += 1;
      else if (arguments_ === 0) node = child;
    }
    return {
      // No subcommand follows an argument.
      subcommands: arguments_ === 0 ? Object.keys(node.s ?? {}) : [],
      options: node.o ?? [],
    };
  }

  #grammarOf(name: string): Grammar | null {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const grammar = this.#read(name);
    if (this.#parsed.size >= PARSED_MAX) this.#parsed.clear();
    this.#parsed.set(name, grammar);
    return grammar;
  }

  #read(name: string): Grammar | null {
    if (name === '' || /[\n\t]/.test(name)) return null;
    const mark = `\n${name}\t`;
    const at = this.#text.indexOf(mark);
    if (at === -1) return null;
    const end = this.#text.indexOf('\n', at + mark.length);
    return JSON.parse(this.#text.slice(at + mark.length, end === -1 ? undefined : end)) as Grammar;
  }
}
