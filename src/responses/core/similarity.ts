/**
 * Judges how much of a line that equals no pulled line is the AI's text: all (a piece, or joined lines), most (an
 * edited line) or too little. Compares words, never meaning. Asks the user if a search reaches its limit.
 */
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import type { PulledRow } from './pulled-text.ts';

export type Similarity =
  /** All of it is the AI's: one run of its words, or several joined. */
  | { readonly kind: 'made-of'; readonly origin: PulledRow | null }
  /** An edited line of the AI's, or one with something added. */
  | { readonly kind: 'edited'; readonly origin: PulledRow }
  | { readonly kind: 'none' };

/** Fewest words and characters of a run among other words that counts as the AI's; anyone may write shorter ones. */
const RUN_MIN_TOKENS = 3;
const RUN_MIN_CHARS = 8;
/** Shortest line that may begin or end inside one of the AI's words. */
const PARTIAL_MIN_CHARS = 12;
/** With this share of the AI's runs, a line counts as an edited response line. */
const EDITED_MIN_SHARE = 0.5;
/** The same for similarity to a deleted line: the share of its own characters, and of the deleted line's. */
const GONE_MIN_SHARE = { own: 0.5, gone: 0.4 } as const;
/** The same if a mark, which may have moved, says that it is a response line. */
const MARKED_MIN_SHARE = { own: 0.3, gone: 0.3 } as const;
/** A line with this share of a deleted line is that line with additions. */
const HOLDS_GONE_SHARE = 0.8;
/** How many occurrences of a word are tried for runs and for deleted lines. */
const PLACES_MAX = 64;
/** How many occurrences of the rarest word are tried for the whole line. Beyond that, the line counts as the AI's. */
const WHOLE_LINE_PLACES_MAX = 2_000;
/** How many words of a line are compared; the verdict applies to the rest of a longer line. */
const LINE_MAX_TOKENS = 400;
/** A line whose words all occur in deleted lines is a patchwork of these, unless they have more words than this. */
const PATCHWORK_MAX_GONE_TOKENS = 2_000;
/** How many deleted lines are compared word by word. */
const CANDIDATES_MAX = 3;

/** Words, single CJK characters, single symbols: finer than white space, so that code and CJK can be compared. */
const TOKEN =
  /[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]|(?:(?![\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])[\p{L}\p{N}\p{M}_])+|\S/gu;
/** Lines of plain words and symbols can use a simpler pattern. */
const ASCII_TOKEN = /\w+|\S/g;
const ASCII = /^[\u0020-\u007e]*$/;

interface Line {
  readonly ids: Int32Array;
  readonly tokens: readonly string[];
  /** Characters of all tokens. */
  readonly chars: number;
}

interface Run {
  readonly place: number;
  readonly length: number;
}

interface Runs {
  readonly chars: number;
  readonly longest: Run | null;
  readonly joint: Run | null;
}

/** Facts about the line apart from its text. */
export interface SimilarityFacts {
  /** Indices of the pulled rows that the buffer no longer holds as lines. */
  readonly gone: ReadonlySet<number>;
  /** A mark says that it is a response line. */
  readonly isMarked: boolean;
}

/** A searchable index of the words of all pulled lines. */
export class WordIndex {
  /** Comparisons made so far, for the caller's budget. */
  work = 0;
  readonly #rows: readonly PulledRow[];
  readonly #interner = new Interner();
  readonly #tokens: string[] = [];
  /** Word ids of all rows, one by one. */
  readonly #stream: Int32Array;
  /** Where each row begins in the stream, plus one entry for the end. */
  readonly #rowStart: Int32Array;
  /** 1 where a row begins or ends. */
  readonly #isBoundary: Uint8Array;
  /** Places of word `id`: `#places` from `#placesFrom[id]` to before `#placesFrom[id + 1]`. */
  readonly #places: Int32Array;
  readonly #placesFrom: Int32Array;
  #goneIds: { readonly gone: ReadonlySet<number>; readonly ids: ReadonlySet<number> | null } | null = null;

  constructor(rows: readonly PulledRow[]) {
    this.#rows = rows;
    this.#rowStart = new Int32Array(rows.length + 1);
    const ends: number[] = [];
    const stream = new Int32Array(rows.reduce((sum, row) => sum + row.key.length, 0));
    let length = 0;
    rows.forEach((row, index) => {
      this.#rowStart[index] = length;
      for (const token of tokensOf(row.key)) stream[length++] = this.#intern(token);
      ends.push(length);
    });
    this.#rowStart[rows.length] = length;
    this.#stream = stream.slice(0, length);
    this.#isBoundary = new Uint8Array(length + 1);
    for (const place of [...this.#rowStart, ...ends]) this.#isBoundary[place] = 1;
    [this.#placesFrom, this.#places] = placesById(this.#stream, this.#interner.size);
  }

  /** How much of `text` is the AI's. */
  similarityOf(text: string, facts: SimilarityFacts): Similarity {
    const line = this.#lineOf(text);
    const whole = this.#completeRun(line);
    if (whole !== null) return { kind: 'made-of', origin: whole.place < 0 ? null : this.#rowAt(whole.place) };
    const { chars, longest, joint } = this.#runsOf(line, facts.gone);
    const origin = longest === null ? null : this.#rowAt(longest.place);
    if (chars === line.chars || this.#isPatchwork(line, facts.gone)) return { kind: 'made-of', origin };
    if (origin !== null && chars >= EDITED_MIN_SHARE * line.chars) return { kind: 'edited', origin };
    const gone = joint === null ? this.#removedRowLike(line, facts) : this.#rowAt(joint.place);
    return gone === null ? { kind: 'none' } : { kind: 'edited', origin: gone };
  }

  #intern(token: string): number {
    const id = this.#interner.idOf(token);
    if (id === this.#tokens.length) this.#tokens.push(token);
    return id;
  }

  #lineOf(text: string): Line {
    const tokens = tokensOf(text).slice(0, LINE_MAX_TOKENS);
    const ids = Int32Array.from(tokens, (token) => this.#interner.find(token));
    return { tokens, ids, chars: lengthOf(tokens) };
  }

  #placesOf(id: number): Int32Array {
    return id < 0
      ? this.#places.subarray(0, 0)
      : this.#places.subarray(this.#placesFrom[id], this.#placesFrom[id + 1]);
  }

  #rowIndexAt(place: number): number {
    let [low, high] = [0, this.#rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#rowStart[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #rowAt(place: number): PulledRow | null {
    return this.#rows[this.#rowIndexAt(place)] ?? null;
  }

  /** The run that covers `line`; its first and last word may be partial. `place` -1: too many places to tell. */
  #completeRun(line: Line): Run | null {
    const pivot = this.#rarest(line);
    if (pivot < 0) return null;
    const places = this.#placesOf(line.ids[pivot] ?? -1);
    const length = line.tokens.length;
    for (const place of places.subarray(0, WHOLE_LINE_PLACES_MAX)) {
      if (this.#matchesAt(line, place - pivot)) return { place: place - pivot, length };
    }
    return places.length > WHOLE_LINE_PLACES_MAX ? { place: -1, length } : null;
  }

  /** The word of `line` with the fewest places; -1 if the line cannot be one run. */
  #rarest({ ids }: Line): number {
    let [rarest, fewest] = [-1, Number.POSITIVE_INFINITY];
    for (let at = 0; at < ids.length; at += 1) {
      const count = this.#placesOf(ids[at] ?? -1).length;
      if (count === 0 && at > 0 && at < ids.length - 1) return -1;
      if (count > 0 && count < fewest) [rarest, fewest] = [at, count];
    }
    return rarest;
  }

  #matchesAt({ ids, tokens, chars }: Line, place: number): boolean {
    if (place < 0 || place + ids.length > this.#stream.length) return false;
    const last = ids.length - 1;
    for (let at = 0; at <= last; at += 1) {
      this.work += 1;
      if (isSame(ids[at], this.#stream[place + at])) continue;
      if (chars < PARTIAL_MIN_CHARS || (at > 0 && at < last)) return false;
      const [ours, theirs] = [tokens[at] ?? '', this.#tokens[this.#stream[place + at] ?? -1] ?? ''];
      if (!(at === 0 ? theirs.endsWith(ours) : theirs.startsWith(ours))) return false;
    }
    return true;
  }

  /** Cuts `line` from the left into the AI's longest runs: the characters in runs that count, the longest, a joint. */
  #runsOf(line: Line, gone: ReadonlySet<number>): Runs {
    const { ids, tokens } = line;
    let [covered, most] = [0, 0];
    let longest: Run | null = null;
    let joint: Run | null = null;
    for (let at = 0; at < ids.length; ) {
      const run = this.#longestRunAt(ids, at);
      const chars = lengthOf(tokens.slice(at, at + run.length));
      if (!this.#counts(run, chars)) {
        at += 1;
        continue;
      }
      if (this.#isJoint(line, at, run) && gone.has(this.#rowIndexAt(run.place))) joint = run;
      covered += chars;
      at += run.length;
      if (chars > most) [longest, most] = [run, chars];
    }
    return { chars: covered, longest, joint };
  }

  /** Refilling moved a line of the AI behind a note: the run begins the line, or ends where the note begins. */
  #isJoint({ ids }: Line, at: number, { place, length }: Run): boolean {
    if (length < RUN_MIN_TOKENS) return false;
    const isHead = at === 0 && this.#isBoundary[place + length] === 1;
    return isHead || (at + length === ids.length && this.#isBoundary[place] === 1);
  }

  #counts({ place, length }: Run, chars: number): boolean {
    if (length === 0) return false;
    if (length >= RUN_MIN_TOKENS && chars >= RUN_MIN_CHARS) return true;
    return this.#isBoundary[place] === 1 && this.#isBoundary[place + length] === 1;
  }

  #longestRunAt(ids: Int32Array, from: number): Run {
    let best: Run = { place: -1, length: 0 };
    for (const place of this.#placesOf(ids[from] ?? -1).subarray(0, PLACES_MAX)) {
      let length = 1;
      while (isSame(ids[from + length], this.#stream[place + length])) length += 1;
      this.work += length;
      if (length > best.length) best = { place, length };
    }
    return best;
  }

  /** Pieces of split lines: too short to recognize, except by the deleted lines. */
  #isPatchwork({ ids }: Line, gone: ReadonlySet<number>): boolean {
    if (this.#goneIds === null || this.#goneIds.gone !== gone)
      this.#goneIds = { gone, ids: this.#idsOfRows(gone) };
    const known = this.#goneIds.ids;
    return known !== null && ids.every((id) => known.has(id));
  }

  /** The words of these rows; null if there are too many to tell anything. */
  #idsOfRows(rows: ReadonlySet<number>): ReadonlySet<number> | null {
    const ids = new Set<number>();
    let count = 0;
    for (const row of rows) {
      const [from, to] = [this.#rowStart[row] ?? 0, this.#rowStart[row + 1] ?? 0];
      count += to - from;
      if (count > PATCHWORK_MAX_GONE_TOKENS) return null;
      for (const id of this.#stream.subarray(from, to)) ids.add(id);
    }
    return ids;
  }

  /** The deleted row that `line` is most likely an edit of. */
  #removedRowLike(line: Line, { gone, isMarked }: SimilarityFacts): PulledRow | null {
    if (gone.size === 0) return null;
    const shared = new Map<number, number>();
    for (const id of new Set(line.ids)) {
      for (const place of this.#placesOf(id).subarray(0, PLACES_MAX)) {
        this.work += 1;
        const row = this.#rowIndexAt(place);
        if (gone.has(row)) shared.set(row, (shared.get(row) ?? 0) + (this.#tokens[id]?.length ?? 0));
      }
    }
    const likeliest = [...shared].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, CANDIDATES_MAX);
    const least = isMarked ? MARKED_MIN_SHARE : GONE_MIN_SHARE;
    const found = likeliest.find(([row]) => this.#isEditOf(line, row, least));
    return found === undefined ? null : (this.#rows[found[0]] ?? null);
  }

  #isEditOf(line: Line, row: number, least: { readonly own: number; readonly gone: number }): boolean {
    const ids = this.#stream.subarray(this.#rowStart[row], this.#rowStart[row + 1]);
    const theirs = Array.from(ids, (id) => this.#tokens[id] ?? '');
    // Renumber: the cost of an alignment grows with its largest number.
    const interner = new Interner();
    const partners = alignSequences(interner.idsOf(line.tokens), interner.idsOf(theirs));
    this.work += line.tokens.length + theirs.length;
    const common = lengthOf(line.tokens.filter((_, at) => (partners[at] ?? -1) >= 0));
    const goneChars = lengthOf(theirs);
    if (theirs.length >= RUN_MIN_TOKENS && common >= HOLDS_GONE_SHARE * goneChars) return true;
    return common >= least.own * line.chars && common >= least.gone * goneChars;
  }
}

function tokensOf(text: string): readonly string[] {
  return text.match(ASCII.test(text) ? ASCII_TOKEN : TOKEN) ?? [];
}

const lengthOf = (tokens: readonly string[]): number => tokens.reduce((sum, token) => sum + token.length, 0);

/** Whether two word ids are the same known word. */
function isSame(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && a >= 0 && a === b;
}

/** Places of each id, as offsets into one list (counting sort). */
function placesById(stream: Int32Array, idCount: number): [from: Int32Array, places: Int32Array] {
  const from = new Int32Array(idCount + 1);
  for (const id of stream) if (id >= 0) from[id + 1] = (from[id + 1] ?? 0) + 1;
  for (let id = 0; id < idCount; id += 1) from[id + 1] = (from[id + 1] ?? 0) + (from[id] ?? 0);
  const places = new Int32Array(stream.length);
  const next = from.slice();
  for (let place = 0; place < stream.length; place += 1) {
    const id = stream[place] ?? -1;
    if (id < 0) continue;
    const at = next[id] ?? 0;
    places[at] = place;
    next[id] = at + 1;
  }
  return [from, places];
}
