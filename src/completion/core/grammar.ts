/** The grammar of commands: which subcommands and options may stand behind which words. A catalogue as text, one command a line, read when asked for. */

/** `s`: subcommands by name; `o`: options. */
export interface Grammar {
  readonly s?: Readonly<Record<string, Grammar>>;
  readonly o?: readonly string[];
}

export interface GrammarPlace {
  readonly subcommands: readonly string[];
  readonly options: readonly string[];
}

/** Parsed commands that are kept. */
const PARSED_MAX = 32;

export class GrammarCatalogue {
  readonly #lines = new Map<string, string>();
  readonly #parsed = new Map<string, Grammar>();

  /** `text`: a name, TAB and JSON on each line. */
  constructor(text: string) {
    for (const line of text.split('\n')) {
      const tab = line.indexOf('\t');
      if (tab > 0) this.#lines.set(line.slice(0, tab), line.slice(tab + 1));
    }
  }

  /** What may stand behind `words`, the first of which is the command; null for an unknown command. */
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
      // Behind an argument no subcommand follows.
      subcommands: arguments_ === 0 ? Object.keys(node.s ?? {}) : [],
      options: node.o ?? [],
    };
  }

  #grammarOf(name: string): Grammar | null {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const text = this.#lines.get(name);
    if (text === undefined) return null;
    const grammar = JSON.parse(text) as Grammar;
    if (this.#parsed.size >= PARSED_MAX) this.#parsed.clear();
    this.#parsed.set(name, grammar);
    return grammar;
  }
}
