/** An n-gram model of words, with up to three words of context. Proposes words for lines that never ran as a whole. */

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

/** The start of a line changes slowly; habits after few words change fast. */
const CONTEXT_DECAY = 0.97;
const SLOW_DECAY = 0.998;
/** Limits: words after one context, all of which are examined for every letter; and names of commands. */
const FOLLOWERS_MAX = 1_000;
const WORDS_MAX = 20_000;
/** Longer words are data, not habits. */
const WORD_MAX_CHARS = 120;

/** Limit of word pairs for which the line is remembered. */
const PAIRS_MAX = 200_000;
/** A pair of words that occurs in several lines. */
const SEVERAL = -1;

export class TokenModel {
  readonly #ppm = new Ppm();
  /** The hash of the only line with this word after that word, or in that command; or `SEVERAL`. */
  readonly #lineOf = new RecentMap<string, number>(PAIRS_MAX);

  learn(words: readonly Piece[]): void {
    const stream = [LINE_START, ...words, LINE_END];
    const line = hashOf(words);
    for (let at = 1; at < stream.length; at += 1) {
      const word = stream[at] ?? '';
      if (word.length > WORD_MAX_CHARS) return;
      for (let order = 1; order <= Math.min(MAX_ORDER, at); order += 1)
        this.#count(stream.slice(at - order, at).join(JOINT), word);
      // An operator, a redirection, or a word attached to another one, is learned only in its position.
      if (at === 1 || word === LINE_END || !isWord(word)) continue;
      const name = commandOf(stream, at);
      if (name !== null) this.#count(bagOf(name), word);
      this.#note(pairOf(stream, at, word), line);
    }
  }

  /** Whether more than one line has `word` in the command that `words` end in. */
  isHabit(words: readonly Piece[], word: Piece): boolean {
    const stream = [LINE_START, ...words];
    return this.#lineOf.peek(pairOf(stream, stream.length, word)) === SEVERAL;
  }

  next(words: readonly Piece[], prefix: string, count: number): readonly NextWord[] {
    const stream = [LINE_START, ...words];
    const used = new Set(words);
    const { scores, unseen } = this.#ppm.blend(
      contextsAfter(stream),
      prefix,
      // Repetition is unlikely.
      (word, context) => !(context.startsWith(BAG) && used.has(word)),
    );
    // Unseen words share the rest, which shrinks with every typed letter.
    let total = unseen * 0.08 ** Math.min(prefix.length, 4);
    for (const score of scores.values()) total += score;
    return likeliest(scores, count).map(({ text, score }) => ({ word: text, probability: score / total }));
  }

  #note(pair: string, line: number): void {
    const known = this.#lineOf.get(pair);
    if (known !== SEVERAL && known !== line) this.#lineOf.set(pair, known === undefined ? line : SEVERAL);
  }

  #count(context: string, word: string): void {
    const isSlow = context === LINE_START;
    this.#ppm.count(context, word, {
      decay: isSlow ? SLOW_DECAY : CONTEXT_DECAY,
      followersMax: isSlow ? WORDS_MAX : FOLLOWERS_MAX,
    });
  }
}

/** Words of one command, in any position. */
const BAG = '\u0001';
const bagOf = (name: string): string => BAG + name;

/** A subcommand: the words after it belong to it. */
const SUBCOMMAND = /^[a-z][a-z0-9-]*$/;

/** The name of the command that the word at `at` belongs to, with its subcommand; null if it is the name itself. */
function commandOf(stream: readonly Piece[], at: number): string | null {
  let start = at - 1;
  while (start > 0 && !isSeparator(textOf(stream[start] ?? ''))) start -= 1;
  if (start + 1 >= at) return null;
  const name = textOf(stream[start + 1] ?? '');
  const second = start + 2 < at ? (stream[start + 2] ?? '') : '';
  return SUBCOMMAND.test(second) ? `${name} ${second}` : name;
}

/** A word with its command, or, for a command's name, with the words before it. */
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

/** The start of a token that is not a word: a redirection, an operator, a comment. */
const NO_WORD = /^(?:\d*|\{\w+\})[<>|&;()#\n]/;

const isWord = (piece: Piece): boolean => isPlain(piece) && !NO_WORD.test(piece);
