/**
 * Aligns two sequences by a common subsequence: anchors on elements that are unique on both sides, then runs Myers in
 * the gaps. Beyond a bound on work a greedy pass takes over, and the result may not be a longest common subsequence.
 */

/** Elementary steps of one alignment before the greedy pass takes over: about 20 ms. */
const ALIGN_MAX_WORK = 4_000_000;
/** Most edits that Myers follows in one gap; its trace holds the square of this in numbers. */
const MYERS_MAX_EDITS = 400;
/** How far ahead the greedy pass looks for an element; a stray match further away would skip too much. */
const GREEDY_MAX_SKIP = 64;

/** Numbers values from 0 in order of first appearance; equal values get the same number. */
export class Interner {
  readonly #ids = new Map<string, number>();

  get size(): number {
    return this.#ids.size;
  }

  idOf(key: string): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(key, id);
    return id;
  }

  find(key: string): number {
    return this.#ids.get(key) ?? -1;
  }

  idsOf(keys: readonly string[]): Int32Array {
    return Int32Array.from(keys, (key) => this.idOf(key));
  }
}

/**
 * For each index of `a`, the index of its partner in `b`, or -1. Partners ascend. Elements are dense numbers (see
 * `Interner`); a negative element has no partner. O((n + m) log n) where anchors are found, at most `maxWork` steps
 * elsewhere.
 */
export function alignSequences(a: Int32Array, b: Int32Array, maxWork = ALIGN_MAX_WORK): Int32Array {
  return new Aligner(a, b, maxWork).run();
}

/** One step of an edit script. */
type EditKind = 'same' | 'removed' | 'added';

export interface Edit {
  readonly kind: EditKind;
  /** Index in `a` (for `added`: the insertion point). */
  readonly a: number;
  readonly b: number;
}

/** The alignment as a script from `a` to `b`: in each gap, removed elements come before added ones. */
export function editScript(aLength: number, bLength: number, partners: Int32Array): readonly Edit[] {
  const edits: Edit[] = [];
  let b = 0;
  for (let a = 0; a <= aLength; ) {
    const from = a;
    while (a < aLength && (partners[a] ?? -1) < 0) a += 1;
    const until = a < aLength ? (partners[a] ?? bLength) : bLength;
    for (let at = from; at < a; at += 1) edits.push({ kind: 'removed', a: at, b });
    for (; b < until; b += 1) edits.push({ kind: 'added', a, b });
    if (a === aLength) break;
    edits.push({ kind: 'same', a, b });
    a += 1;
    b += 1;
  }
  return edits;
}

/** Half-open ranges of both sequences still to be aligned. */
interface Range {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

class Aligner {
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #partners: Int32Array;
  /** Scratch space by element: its count in the range, and its last index. Cleared after each use. */
  readonly #countA: Int32Array;
  readonly #countB: Int32Array;
  readonly #whereB: Int32Array;
  #work: number;

  constructor(a: Int32Array, b: Int32Array, maxWork: number) {
    this.#a = a;
    this.#b = b;
    this.#work = maxWork;
    this.#partners = new Int32Array(a.length).fill(-1);
    const size = Math.max(maxOf(a), maxOf(b)) + 1;
    this.#countA = new Int32Array(size);
    this.#countB = new Int32Array(size);
    this.#whereB = new Int32Array(size);
  }

  run(): Int32Array {
    const pending: Range[] = [{ aFrom: 0, aTo: this.#a.length, bFrom: 0, bTo: this.#b.length }];
    for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
      const inner = this.#trim(range);
      if (inner.aFrom === inner.aTo || inner.bFrom === inner.bTo) continue;
      this.#work -= inner.aTo - inner.aFrom + (inner.bTo - inner.bFrom);
      const gaps = this.#work > 0 ? this.#anchor(inner) : null;
      // One by one: a long text has more gaps than a call can take as arguments.
      if (gaps !== null) for (const gap of gaps) pending.push(gap);
      else if (this.#work <= 0 || !this.#myers(inner)) this.#greedy(inner);
    }
    return this.#partners;
  }

  /** Pairs equal elements at both ends. */
  #trim({ aFrom, aTo, bFrom, bTo }: Range): Range {
    let [a, b, aEnd, bEnd] = [aFrom, bFrom, aTo, bTo];
    while (a < aEnd && b < bEnd && this.#equal(a, b)) this.#partners[a++] = b++;
    while (a < aEnd && b < bEnd && this.#equal(aEnd - 1, bEnd - 1)) this.#partners[--aEnd] = --bEnd;
    return { aFrom: a, aTo: aEnd, bFrom: b, bTo: bEnd };
  }

  #equal(a: number, b: number): boolean {
    const element = this.#a[a] ?? -1;
    return element >= 0 && element === this.#b[b];
  }

  /** Pairs elements unique on both sides along a longest ascending run. Returns the gaps; null without anchors. */
  #anchor({ aFrom, aTo, bFrom, bTo }: Range): Range[] | null {
    const { unique, common } = this.#uniquePairs({ aFrom, aTo, bFrom, bTo });
    if (!common) return [];
    if (unique.length === 0) return null;
    const gaps: Range[] = [];
    let [a, b] = [aFrom, bFrom];
    for (const at of longestRising(unique.map(([, inB]) => inB))) {
      const [inA, inB] = unique[at] ?? [aTo, bTo];
      this.#partners[inA] = inB;
      if (inA > a && inB > b) gaps.push({ aFrom: a, aTo: inA, bFrom: b, bTo: inB });
      [a, b] = [inA + 1, inB + 1];
    }
    if (aTo > a && bTo > b) gaps.push({ aFrom: a, aTo, bFrom: b, bTo });
    return gaps;
  }

  #uniquePairs({ aFrom, aTo, bFrom, bTo }: Range): { unique: [number, number][]; common: boolean } {
    for (let at = aFrom; at < aTo; at += 1) bump(this.#countA, this.#a[at] ?? -1, 1);
    for (let at = bFrom; at < bTo; at += 1) {
      const element = this.#b[at] ?? -1;
      bump(this.#countB, element, 1);
      if (element >= 0) this.#whereB[element] = at;
    }
    const unique: [number, number][] = [];
    let common = false;
    for (let at = aFrom; at < aTo; at += 1) {
      const element = this.#a[at] ?? -1;
      const inB = element < 0 ? 0 : (this.#countB[element] ?? 0);
      if (inB > 0) common = true;
      if (inB === 1 && this.#countA[element] === 1) unique.push([at, this.#whereB[element] ?? 0]);
    }
    for (let at = aFrom; at < aTo; at += 1) clear(this.#countA, this.#a[at] ?? -1);
    for (let at = bFrom; at < bTo; at += 1) clear(this.#countB, this.#b[at] ?? -1);
    return { unique, common };
  }

  /** Myers' greedy algorithm with its trace. False if the edits exceed the bound; then nothing was paired. */
  #myers({ aFrom, aTo, bFrom, bTo }: Range): boolean {
    const [n, m] = [aTo - aFrom, bTo - bFrom];
    const maxEdits = Math.min(n + m, MYERS_MAX_EDITS);
    const origin = maxEdits + 1;
    const reach = new Int32Array(2 * maxEdits + 3);
    const trace: Int32Array[] = [];
    for (let edits = 0; edits <= maxEdits && this.#work > 0; edits += 1) {
      trace.push(reach.slice(origin - edits - 1, origin + edits + 2));
      for (let k = -edits; k <= edits; k += 2) {
        const down = k === -edits || (k !== edits && at(reach, origin + k - 1) < at(reach, origin + k + 1));
        let x = down ? at(reach, origin + k + 1) : at(reach, origin + k - 1) + 1;
        const start = x;
        while (x < n && x - k < m && this.#equal(aFrom + x, bFrom + x - k)) x += 1;
        this.#work -= 1 + x - start;
        reach[origin + k] = x;
        if (x >= n && x - k >= m) {
          this.#backtrack(trace, { aFrom, aTo, bFrom, bTo });
          return true;
        }
      }
    }
    return false;
  }

  #backtrack(trace: readonly Int32Array[], { aFrom, aTo, bFrom, bTo }: Range): void {
    let [x, y] = [aTo - aFrom, bTo - bFrom];
    for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
      const before = trace[edits] ?? new Int32Array(0);
      const k = x - y;
      const middle = edits + 1;
      const down = k === -edits || (k !== edits && at(before, middle + k - 1) < at(before, middle + k + 1));
      const previousK = down ? k + 1 : k - 1;
      const previousX = edits === 0 ? 0 : at(before, middle + previousK);
      const snakeX = edits === 0 ? 0 : down ? previousX : previousX + 1;
      while (x > snakeX) {
        x -= 1;
        y -= 1;
        this.#partners[aFrom + x] = bFrom + y;
      }
      x = previousX;
      y = previousX - previousK;
    }
  }

  /** A single pass that pairs each element with the next equal one within reach. */
  #greedy({ aFrom, aTo, bFrom, bTo }: Range): void {
    const next = new Int32Array(bTo - bFrom).fill(-1);
    for (let b = bTo - 1; b >= bFrom; b -= 1) {
      const element = this.#b[b] ?? -1;
      if (element < 0) continue;
      next[b - bFrom] = at(this.#countB, element) - 1;
      this.#countB[element] = b + 1;
    }
    let cursor = bFrom;
    for (let a = aFrom; a < aTo; a += 1) {
      const element = this.#a[a] ?? -1;
      if (element < 0) continue;
      let b = at(this.#countB, element) - 1;
      while (b >= 0 && b < cursor) b = at(next, b - bFrom);
      this.#countB[element] = b + 1;
      if (b < 0 || b - cursor > GREEDY_MAX_SKIP) continue;
      this.#partners[a] = b;
      cursor = b + 1;
    }
    for (let b = bFrom; b < bTo; b += 1) clear(this.#countB, this.#b[b] ?? -1);
  }
}

/** Indices of a longest strictly ascending run of `values`, in order. O(n log n). */
export function longestRising(values: readonly number[]): readonly number[] {
  const tails: number[] = [];
  const before = new Int32Array(values.length).fill(-1);
  values.forEach((value, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  });
  const rising: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = at(before, index)) rising.push(index);
  return rising.reverse();
}

const at = (numbers: Int32Array, index: number): number => numbers[index] ?? 0;

function bump(counts: Int32Array, element: number, by: number): void {
  if (element >= 0) counts[element] = at(counts, element) + by;
}

function clear(counts: Int32Array, element: number): void {
  if (element >= 0) counts[element] = 0;
}

function maxOf(numbers: Int32Array): number {
  let max = -1;
  for (const number of numbers) if (number > max) max = number;
  return max;
}
