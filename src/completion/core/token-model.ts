/**
 * Which word follows which: an n-gram model of command lines over up to three words of context, blended from
 * long to short (PPM, method C), with decay. It proposes words for lines that never ran as a whole.
 */
import { RecentMap } from './recent-map.ts';

/** Stands for the start and for the end of a line in the model. */
const LINE_START = '\u0002';
export const LINE_END = '\u0003';
const JOINT = '\u0000';
const MAX_ORDER = 3;

interface ContextRecord {
  /** What one use now adds: it grows instead of all earlier counts shrinking. */
  unit: number;
  total: number;
  readonly followers: Map<string, number>;
}

export interface NextWord {
  readonly word: string;
  readonly probability: number;
}

/** Contexts kept; those not used for long go first. */
const CONTEXTS_MAX = 120_000;
/** A repeat in a context takes this from what was there before: habits change. */
const CONTEXT_DECAY = 0.97;
const SLOW_DECAY = 0.998;
/** Above this the growing unit is divided out again. */
const UNIT_MAX = 1e9;
/** A count below this is forgotten when that happens. */
const COUNT_FLOOR = 0.01;
/** Longer words are data, not habits. */
const WORD_MAX_CHARS = 120;

export class TokenModel {
  readonly #contexts = new RecentMap<string, ContextRecord>(CONTEXTS_MAX);
  readonly #decay: number;

  constructor(options: { readonly decay?: number } = {}) {
    this.#decay = options.decay ?? CONTEXT_DECAY;
  }

  get size(): number {
    return this.#contexts.size;
  }

  /** Learns one line, given as its words and operators. */
  learn(words: readonly string[], weight = 1): void {
    const stream = [LINE_START, ...words, LINE_END];
    for (let at = 1; at < stream.length; at += 1) {
      const word = stream[at] ?? '';
      if (word.length > WORD_MAX_CHARS) return;
      for (let order = 1; order <= Math.min(MAX_ORDER, at); order += 1)
        this.#count(stream.slice(at - order, at).join(JOINT), word, weight);
      if (at > 1 && word !== LINE_END) this.#count('', word, weight);
    }
  }

  /** The words that may stand after `words`, if they start with `prefix`: the likeliest first, given the prefix. */
  next(words: readonly string[], prefix: string, count: number): readonly NextWord[] {
    const stream = [LINE_START, ...words];
    const scores = new Map<string, number>();
    let backoff = 1;
    for (let order = Math.min(MAX_ORDER, stream.length); order >= 0; order -= 1) {
      // Words without any context say little: they are worth a look only once letters narrow them down.
      if (order === 0 && (prefix === '' || stream.length === 1)) break;
      const record = this.#contexts.peek(order === 0 ? '' : stream.slice(-order).join(JOINT));
      if (record === undefined) continue;
      const whole = record.total / record.unit + record.followers.size;
      // Options belong to their command: those of others are no guess.
      for (const [word, weight] of record.followers)
        if (word.startsWith(prefix) && (order > 0 || !word.startsWith('-')))
          scores.set(word, (scores.get(word) ?? 0) + (backoff * weight) / record.unit / whole);
      backoff *= record.followers.size / whole;
    }
    // What the model has never seen shares the rest, thinner with every letter that is already typed.
    const unseen = backoff * 0.08 ** Math.min(prefix.length, 4);
    let total = unseen;
    for (const score of scores.values()) total += score;
    return [...scores]
      .map(([word, score]) => ({ word, probability: score / total }))
      .sort((a, b) => b.probability - a.probability || (a.word < b.word ? -1 : 1))
      .slice(0, count);
  }

  #count(context: string, word: string, weight: number): void {
    let record = this.#contexts.get(context);
    if (record === undefined) {
      record = { unit: 1, total: 0, followers: new Map() };
      this.#contexts.set(context, record);
    }
    // A context of few words is a habit and changes fast; the bag of all words is not.
    record.unit /= context === '' || context === LINE_START ? Math.max(this.#decay, SLOW_DECAY) : this.#decay;
    record.followers.set(word, (record.followers.get(word) ?? 0) + weight * record.unit);
    record.total += weight * record.unit;
    if (record.unit > UNIT_MAX) rescale(record);
  }
}

function rescale(record: ContextRecord): void {
  record.total = 0;
  for (const [word, weight] of record.followers) {
    const count = weight / record.unit;
    if (count < COUNT_FLOOR) record.followers.delete(word);
    else {
      record.followers.set(word, count);
      record.total += count;
    }
  }
  record.unit = 1;
}
