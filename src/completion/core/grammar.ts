/** Which subcommands and options may follow which words: a text catalogue, one command per line, parsed on demand. */

import { wordList } from '../../lib/word-list.ts';
import { commandWords, tokenize } from './tokens.ts';

/** `s`: subcommands by name, with aliases mapped to their name; `o`: options. */
export interface Grammar {
  readonly s?: Readonly<Record<string, Grammar | string>>;
  readonly o?: readonly string[];
}

export interface GrammarPlace {
  readonly subcommands: readonly string[];
  /** Other names of the subcommands. */
  readonly aliases: readonly string[];
  readonly options: readonly string[];
}

/** Commands whose first word, unless an option, is always one of their subcommands: no script or alias. */
const STRICT = wordList('git docker kubectl helm systemctl npm go apt apt-get brew pip pip3 gh terraform');

/** Cached parsed commands, and names that are not commands. */
const PARSED_MAX = 64;

export class GrammarCatalogue {
  /** Begins with a newline, so that each command is between a newline and a TAB. */
  readonly #text: string;
  /** Null: no such command. */
  readonly #parsed = new Map<string, Grammar | null>();

  /** `text`: a name, TAB and JSON per line. Searched on demand: splitting it would delay the first key too long. */
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
      const child = childOf(node, word);
      if (child === undefined) arguments_ += 1;
      else if (arguments_ === 0) node = child;
    }
    // No subcommand follows an argument.
    const names = arguments_ === 0 ? Object.entries(node.s ?? {}) : [];
    const named = (isAlias: boolean) =>
      names.flatMap(([name, child]) => ((typeof child === 'string') === isAlias ? [name] : []));
    return {
      subcommands: named(false),
      aliases: named(true),
      options: node.o ?? [],
    };
  }

  /** Whether the first word of this command is a subcommand that its program does not have: `git sttaus`. */
  lacksSubcommand(line: string): boolean {
    const words = tokenize(line).flatMap(({ kind, text }) => (kind === 'word' ? [text] : []));
    const [name = '', first = ''] = commandWords(words);
    const place = STRICT.includes(name) && /^[a-z][a-z-]+$/.test(first) ? this.placeAfter([name]) : null;
    return place !== null && ![...place.subcommands, ...place.aliases].includes(first);
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

/** The subcommand of `node` that `word` names, by name or alias. */
function childOf({ s = {} }: Grammar, word: string): Grammar | undefined {
  const child = Object.hasOwn(s, word) ? s[word] : undefined;
  return typeof child === 'string' ? childOf({ s }, child) : child;
}
