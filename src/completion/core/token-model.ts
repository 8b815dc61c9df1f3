/**
 * Which word follows which: an n-gram model of command lines over up to three words of context, then over the words
 * of the same command. It proposes words for lines that never ran as a whole.
 */
import { likeliest } from './likeliest.ts';
import { Ppm } from './ppm.ts';

/** Stands for the start and for the end of a line in the model. */
const LINE_START = '\u0002';
export const LINE_END = '\u0003';
const JOINT = '\u0000';
const MAX_ORDER = 3;

export interface NextWord {
  readonly word: string;
  readonly probability: number;
}

/** A context of few words is a habit and changes fast; the start of a line and the bag of all words do not. */
const CONTEXT_DECAY = 0.97;
const SLOW_DECAY = 0.998;
/** Words after one context, each of which is looked at for every letter; and all words. */
const FOLLOWERS_MAX = 1_000;
const WORDS_MAX = 20_000;
/** Longer words are data, not habits. */
const WORD_MAX_CHARS = 120;
const NO_CONTEXT = '';

export class TokenModel {
  readonly #ppm = new Ppm();
  readonly #decay: number;

  constructor(options: { readonly decay?: number } = {}) {
    this.#decay = options.decay ?? CONTEXT_DECAY;
  }

  get size(): number {
    return this.#ppm.size;
  }

  /** Learns one line, given as its words and operators. */
  learn(words: readonly string[], weight = 1): void {
    const stream = [LINE_START, ...words, LINE_END];
    for (let at = 1; at < stream.length; at += 1) {
      const word = stream[at] ?? '';
      if (word.length > WORD_MAX_CHARS) return;
      for (let order = 1; order <= Math.min(MAX_ORDER, at); order += 1)
        this.#count(stream.slice(at - order, at).join(JOINT), word, weight);
      if (at === 1 || word === LINE_END) continue;
      this.#count(NO_CONTEXT, word, weight);
      const name = nameBefore(stream, at);
      if (name !== null) this.#count(bagOf(name), word, weight);
    }
  }

  /** The words that may stand after `words`, if they start with `prefix`: the likeliest first, given the prefix. */
  next(words: readonly string[], prefix: string, count: number): readonly NextWord[] {
    const stream = [LINE_START, ...words];
    const isLoose = (context: string) => context === NO_CONTEXT || context.startsWith(BAG);
    const used = new Set(words);
    const { scores, unseen } = this.#ppm.blend(
      contextsAfter(stream, prefix),
      prefix,
      (word, context) =>
        // Options belong to their command: those of others are no guess. Nothing is said twice without a reason.
        (context !== NO_CONTEXT || !word.startsWith('-')) && !(isLoose(context) && used.has(word)),
    );
    // What the model has never seen shares the rest, thinner with every letter that is already typed.
    let total = unseen * 0.08 ** Math.min(prefix.length, 4);
    for (const score of scores.values()) total += score;
    return likeliest(scores, count).map(({ text, score }) => ({ word: text, probability: score / total }));
  }

  #count(context: string, word: string, weight: number): void {
    const isSlow = context === NO_CONTEXT || context === LINE_START;
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
const SEPARATOR = /^(?:\|\|?|&&?|;;?|\|&|\(|\n|\{)$/;

/** The name of the command that the word at `at` belongs to; null when it is the name itself. */
function nameBefore(stream: readonly string[], at: number): string | null {
  let start = at - 1;
  while (start > 0 && !SEPARATOR.test(stream[start] ?? '')) start -= 1;
  return start + 1 < at ? (stream[start + 1] ?? null) : null;
}

/** From the longest context to none: words before, words of the same command, any word. */
function* contextsAfter(stream: readonly string[], prefix: string): Iterable<string> {
  for (let order = Math.min(MAX_ORDER, stream.length); order > 0; order -= 1)
    yield stream.slice(-order).join(JOINT);
  const name = nameBefore(stream, stream.length);
  if (name !== null) yield bagOf(name);
  // Words without any context say little: they are worth a look only once letters narrow them down.
  if (prefix !== '' && stream.length > 1) yield NO_CONTEXT;
}
