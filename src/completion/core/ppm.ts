/** Predicts which symbol follows a context, blended from the longest context to none (PPM, method C), with decay. */

import { RecentMap } from '../../lib/recent-map.ts';
import { PrefixIndex } from './prefix-index.ts';

interface ContextRecord {
  /** What one use adds now: it grows, so that earlier counts need not shrink. */
  unit: number;
  total: number;
  /** The first follower. Most contexts have no other, and maps for all of them would take most of the memory. */
  first: string;
  /** The count of each follower; null while there is only one, whose count is `total`. */
  followers: Map<string, number> | null;
  /** An index of the followers by prefix, built on demand if there are many; a few are searched directly. */
  index: PrefixIndex | null;
}

export interface Use {
  /** How much a new use takes from earlier counts. */
  readonly decay: number;
  /** Limit of followers of a context; beyond it the rarest are dropped. */
  readonly followersMax: number;
}

export interface Blend {
  readonly scores: ReadonlyMap<string, number>;
  /** The probability left for symbols that no context has seen. */
  readonly unseen: number;
}

/** Limit of contexts; the least recently used go first. */
const CONTEXTS_MAX = 120_000;
/** If the growing unit exceeds this, all counts are rescaled. */
const UNIT_MAX = 1e9;
const COUNT_FLOOR = 0.01;
/** With this many followers an index is used: the cost of a key must not grow with the number of learned lines. */
const INDEXED_FROM = 64;

export class Ppm {
  readonly #contexts = new RecentMap<string, ContextRecord>(CONTEXTS_MAX);

  /** `symbol` followed `context`. */
  count(context: string, symbol: string, { decay, followersMax }: Use): void {
    let record = this.#contexts.get(context);
    if (record === undefined) {
      record = { unit: 1, total: 0, first: symbol, followers: null, index: null };
      this.#contexts.set(context, record);
    }
    record.unit /= decay;
    if (symbol !== record.first) record.followers ??= new Map([[record.first, record.total]]);
    const { followers } = record;
    if (record.index !== null && followers?.has(symbol) === false) record.index.add(symbol);
    followers?.set(symbol, (followers.get(symbol) ?? 0) + record.unit);
    record.total += record.unit;
    if (record.unit > UNIT_MAX) rescale(record, COUNT_FLOOR);
    if (followers !== null && followers.size > followersMax) dropRarest(record, followers);
  }

  /** The symbols with this prefix after these contexts, longest context first; `accepts` filters them per context. */
  blend(
    contexts: Iterable<string>,
    prefix: string,
    accepts: (symbol: string, context: string) => boolean = () => true,
  ): Blend {
    const scores = new Map<string, number>();
    let unseen = 1;
    for (const context of contexts) {
      const record = this.#contexts.peek(context);
      if (record === undefined) continue;
      const size = record.followers?.size ?? 1;
      const whole = record.total / record.unit + size;
      for (const symbol of symbolsOf(record, prefix))
        if (accepts(symbol, context)) {
          const weight = record.followers === null ? record.total : (record.followers.get(symbol) ?? 0);
          scores.set(symbol, (scores.get(symbol) ?? 0) + (unseen * weight) / record.unit / whole);
        }
      unseen *= size / whole;
    }
    return { scores, unseen };
  }
}

/** The followers of a context that start with `prefix`. */
function symbolsOf(record: ContextRecord, prefix: string): Iterable<string> {
  const { first, followers } = record;
  if (followers === null) return first.startsWith(prefix) ? [first] : [];
  if (prefix === '') return followers.keys();
  if (followers.size < INDEXED_FROM)
    return [...followers.keys()].filter((symbol) => symbol.startsWith(prefix));
  record.index ??= new PrefixIndex(followers.keys());
  return record.index.startingWith(prefix);
}

function rescale(record: ContextRecord, floor: number): void {
  if (record.followers === null) {
    record.total /= record.unit;
    record.unit = 1;
    return;
  }
  record.total = 0;
  record.index = null;
  for (const [symbol, weight] of record.followers) {
    const count = weight / record.unit;
    if (count < floor) record.followers.delete(symbol);
    else {
      record.followers.set(symbol, count);
      record.total += count;
    }
  }
  record.unit = 1;
}

function dropRarest(record: ContextRecord, followers: ReadonlyMap<string, number>): void {
  const counts = [...followers.values()].sort((a, b) => a - b);
  const middle = counts[counts.length >> 1] ?? 0;
  rescale(record, middle / record.unit);
}
