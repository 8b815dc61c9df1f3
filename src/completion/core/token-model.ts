/**
 * Which word follows which: an n-gram model of command lines over up to three words of context, then over the words
 * of the same command. It proposes words for lines that never ran as a whole.
 */

import { RecentMap } from '../../lib/recent-map.ts';
import { likeliest } from './likeliest.ts';
import { isPlain, type Piece, textOf } from './pieces.ts';
import { Ppm } from './ppm.ts';
import { isSeparator } from './tokens.ts';

/** Stands for the start and for the end of a line in the model. */
const LINE_START = '\u0002';
export const LINE_END = '\u0003';
const JOINT = '\u0000';
const MAX_ORDER = 3;

export interface NextWord {
  readonly word: string;
  readonly probability: number;
}

/** A context of few words is a habit and changes fast; the start of a line does not. */
const CONTEXT_DECAY = 0.97;
const SLOW_DECAY = 0.998;
/** Words after one context, each of which is looked at for every letter; and names of commands. */
const FOLLOWERS_MAX = 1_000;
const WORDS_MAX = 20_000;
/** Longer words are data, not habits. */
const WORD_MAX_CHARS = 120;

/** Pairs of words whose lines are told apart. */
const PAIRS_MAX = 200_000;
/** A pair of words that stands in several lines. */
const SEVERAL = -1;

export class TokenModel {
  readonly #ppm = new Ppm();
  /** The one line that has this word behind that word, or in that command, by its hash; or `SEVERAL`. */
  readonly #lineOf = new RecentMap<string, number>(PAIRS_MAX);
  readonly #decay: number;

  constructor(options: { readonly decay?: number } = {}) {
    this.#decay = options.decay ?? CONTEXT_DECAY;
  }

  get size(): number {
    return this.#ppm.size;
  }

  /** Learns one line, given as its pieces. */
  learn(words: readonly Piece[], weight = 1): void {
    const stream = [LINE_START, ...words, LINE_END];
    const line = hashOf(words);
    for (let at = 1; at < stream.length; at += 1) {
      const word = stream[at] ?? '';
      if (word.length > WORD_MAX_CHARS) return;
      for (let order = 1; order <= Math.min(MAX_ORDER, at); order += 1)
        this.#count(stream.slice(at - order, at).join(JOINT), word, weight);
      // An operator, a redirection, or what stands right behind another word, belongs where it stood.
      if (at === 1 || word === LINE_END || !isWord(word)) continue;
      const name = commandOf(stream, at);
      if (name !== null) this.#count(bagOf(name), word, weight);
      this.#note(pairOf(stream, at, word), line);
    }
  }

  /** Whether more than one line has `word` in the command that `words` end in. */
  isHabit(words: readonly Piece[], word: Piece): boolean {
    const stream = [LINE_START, ...words];
    return this.#lineOf.peek(pairOf(stream, stream.length, word)) === SEVERAL;
  }

  /** The words that may stand after `words`, if they start with `prefix`: the likeliest first, given the prefix. */
  next(words: readonly Piece[], prefix: string, count: number): readonly NextWord[] {
    const stream = [LINE_START, ...words];
    const used = new Set(words);
    const { scores, unseen } = this.#ppm.blend(
      contextsAfter(stream),
      prefix,
      // Nothing is said twice without a reason.
      (word, context) => !(context.startsWith(BAG) && used.has(word)),
    );
    // What the model has never seen shares the rest, thinner with every letter that is already typed.
    let total = unseen * 0.08 ** Math.min(prefix.length, 4);
    for (const score of scores.values()) total += score;
    return likeliest(scores, count).map(({ text, score }) => ({ word: text, probability: score / total }));
  }

  #note(pair: string, line: number): void {
    const known = this.#lineOf.get(pair);
    if (known !== SEVERAL && known !== line) this.#lineOf.set(pair, known === undefined ? line : SEVERAL);
  }

  #count(context: string, word: string, weight: number): void {
    const isSlow = context === LINE_START;
    this.#ppm.count(context, word, {
      decay: isSlow ? Math.max(this.#decay, SLOW_DECAY) : this.#decay,
      followersMax: isSlow ? WORDS_MAX : FOLLOWERS_MAX,
      weight,
    });
  }
}

/** Words of one command, wherever they stand in it. */
const BAG = '\u0001';
const bagOf = (name: string): string => BAG + name;

/** A word that names what its command does: the words behind it are those of a command of its own. */
const SUBCOMMAND = /^[a-z][a-z0-9-]*$/;

/** The name of the command that the word at `at` belongs to, with its subcommand; null when it is the name itself. */
function commandOf(stream: readonly Piece[], at: number): string | null {
  let start = at - 1;
  while (start > 0 && !isSeparator(textOf(stream[start] ?? ''))) start -= 1;
  if (start + 1 >= at) return null;
  const name = textOf(stream[start + 1] ?? '');
  const second = start + 2 < at ? (stream[start + 2] ?? '') : '';
  return SUBCOMMAND.test(second) ? `${name} ${second}` : name;
}

/** A word with the command that it stands in, or with what stands before it where it is the command. */
function pairOf(stream: readonly string[], at: number, word: Piece): string {
  const name = commandOf(stream, at);
  return (name === null ? (stream[at - 1] ?? '') : bagOf(name)) + JOINT + word;
}

/** FNV-1a, 31 bits. */
function hashOf(words: readonly Piece[]): number {
  let hash = 0x811c9dc5;
  for (const word of words) {
    for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 1;
}

/** From the longest context to the shortest: words before, words of the same command. */
function* contextsAfter(stream: readonly string[]): Iterable<string> {
  for (let order = Math.min(MAX_ORDER, stream.length); order > 0; order -= 1)
    yield stream.slice(-order).join(JOINT);
  const name = commandOf(stream, stream.length);
  if (name !== null) yield bagOf(name);
}

/** How what is no word begins: a redirection, an operator, a comment. */
const NO_WORD = /^(?:\d*|\{\w+\})[<>|&;()#\n]/;

const isWord = (piece: Piece): boolean => isPlain(piece) && !NO_WORD.test(piece);
