/** Finds pulled lines that were split, joined or refilled: lines that spell deleted lines, without white space. */

/** A line: its index in the caller's list, and its text without white space. */
export interface SqueezedLine {
  readonly index: number;
  readonly text: string;
}

/** Spellings followed at a time; the newest win, since pieces of a line are close together. */
const SPELLINGS_MAX = 16;
/** How many deleted lines one spelling may begin at, and how many it may skip. */
const STARTS_MAX = 16;
const SKIPPED_MAX = 8;
/** Characters by which the first deleted line is looked up. */
const START_CHARS = 10;

/** A partial spelling: the next character is `gone[at].text[offset]`. */
interface Spelling {
  readonly at: number;
  readonly offset: number;
  /** The buffer line of each piece, and the position of the deleted line in which it begins. */
  readonly pieces: readonly { readonly index: number; readonly at: number }[];
  readonly used: readonly number[];
}

/** Maps buffer lines that are pieces of deleted lines to the deleted line in which they begin, by index. */
export function findReflowed(
  lines: readonly SqueezedLine[],
  gone: readonly SqueezedLine[],
): ReadonlyMap<number, number> {
  const speller = new Speller(gone);
  for (const line of lines) speller.take(line);
  return speller.found;
}

class Speller {
  readonly found = new Map<number, number>();
  readonly #gone: readonly SqueezedLine[];
  readonly #starts = new Map<string, number[]>();
  readonly #claimed = new Set<number>();
  #spellings: readonly Spelling[] = [];
  /** Where the next deleted line is expected: order is mostly kept. */
  #expected = 0;

  constructor(gone: readonly SqueezedLine[]) {
    this.#gone = gone;
    gone.forEach(({ text }, at) => {
      const start = text.slice(0, START_CHARS);
      const same = this.#starts.get(start);
      if (same === undefined) this.#starts.set(start, [at]);
      else same.push(at);
    });
  }

  /** Continues every spelling with and without `line`; accepts one that completes a deleted line. */
  take(line: SqueezedLine): void {
    const next: Spelling[] = [];
    for (const spelling of this.#spellings) if (this.#follow(spelling, line, next)) return;
    for (const at of this.#beginnings(line)) {
      if (this.#follow({ at, offset: 0, pieces: [], used: [] }, line, next)) return;
    }
    if (next.length > 0) this.#spellings = [...next, ...this.#spellings].slice(0, SPELLINGS_MAX);
  }

  /** Adds the continuation of `spelling` by `line` to `next`; true if it completed a deleted line. */
  #follow(spelling: Spelling, line: SqueezedLine, next: Spelling[]): boolean {
    const further = this.#advance(spelling, line);
    if (further === null) return false;
    if (further.offset > 0) next.push(further);
    else this.#settle(further);
    return further.offset === 0;
  }

  /** Deleted lines that may begin with `line`. */
  #beginnings({ text }: SqueezedLine): ReadonlySet<number> {
    const candidates = new Set([this.#expected]);
    for (let chars = 1; chars <= Math.min(START_CHARS, text.length); chars += 1) {
      for (const at of this.#starts.get(text.slice(0, chars)) ?? []) {
        if (candidates.size > STARTS_MAX) break;
        if (!this.#claimed.has(at)) candidates.add(at);
      }
    }
    if (text.length < START_CHARS) for (const at of this.#startsLongerThan(text)) candidates.add(at);
    return candidates;
  }

  /** For a piece shorter than the look-up: deleted lines near the expected one that begin with it. */
  #startsLongerThan(text: string): readonly number[] {
    const near: number[] = [];
    for (let at = this.#expected; at < this.#gone.length && at < this.#expected + STARTS_MAX; at += 1) {
      if (!this.#claimed.has(at) && this.#gone[at]?.text.startsWith(text) === true) near.push(at);
    }
    return near;
  }

  /** The spelling after `line`; `offset` is 0 if it completed a deleted line. Null if the line does not fit. */
  #advance(spelling: Spelling, { index, text }: SqueezedLine): Spelling | null {
    let { at, offset } = spelling;
    if (offset > 0 && this.#gone[at]?.text.charCodeAt(offset) !== text.charCodeAt(0)) return null;
    const used = [...spelling.used];
    let [begin, read] = [-1, 0];
    while (read < text.length) {
      if (offset === 0) {
        at = this.#nextMatching(at, text, read, used);
        if (at < 0) return null;
        used.push(at);
      }
      if (begin < 0) begin = at;
      const row = this.#gone[at]?.text ?? '';
      const take = Math.min(row.length - offset, text.length - read);
      if (row.slice(offset, offset + take) !== text.slice(read, read + take)) return null;
      read += take;
      offset = offset + take === row.length ? 0 : offset + take;
      if (offset === 0 && read < text.length) at += 1;
    }
    return { at, offset, pieces: [...spelling.pieces, { index, at: begin }], used };
  }

  /** The first unused deleted line from `from` on that matches `text` at `read`; the first piece must be at `from`. */
  #nextMatching(from: number, text: string, read: number, used: readonly number[]): number {
    const skips = read === 0 && used.length === 0 ? 0 : SKIPPED_MAX;
    for (let at = from; at <= from + skips && at < this.#gone.length; at += 1) {
      const row = this.#gone[at]?.text ?? '';
      const length = Math.min(row.length, text.length - read);
      if (this.#claimed.has(at) || used.includes(at)) continue;
      if (row.slice(0, length) === text.slice(read, read + length)) return at;
    }
    return -1;
  }

  #settle(spelling: Spelling): void {
    for (const { index, at } of spelling.pieces) this.found.set(index, this.#gone[at]?.index ?? -1);
    for (const at of spelling.used) this.#claimed.add(at);
    this.#expected = spelling.at + 1;
    this.#spellings = this.#spellings.filter(
      (other) =>
        !other.used.some((at) => this.#claimed.has(at)) &&
        !other.pieces.some(({ index }) => this.found.has(index)),
    );
  }
}
