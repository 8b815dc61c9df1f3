/** Pairs removed and added lines of a gap by shared words, without crossing. Beyond a bound, pairs by position. */
import { alignSequences, Interner } from './sequence-diff.ts';
import { squeeze } from './squeeze.ts';
import { commonEnds } from './word-marks.ts';

/** Most pairs of lines compared in one gap: 60 removed lines and 60 added ones. */
export const COMPARED_MAX_PAIRS = 3_600;
/** Of a longer line, only both ends are compared. */
const COMPARED_LINE_MAX_CHARACTERS = 1_000;
/** Lines with less in common are unrelated. */
const PAIR_MIN_SHARE = 0.4;
/** The same for a gap with as many added as removed lines: each most likely replaced one. */
const EQUAL_GAP_MIN_SHARE = 0.3;
/** Score of two blank lines: they pair only if that costs no other pair. */
const BLANK_SCORE = 0.001;
/** Added for each pair right below another: a changed block stays together. */
const NEIGHBOUR_SCORE = 0.2;

/** For each removed line, the index of the added line that it became, or -1. Indices ascend. */
export function pairLines(removed: readonly string[], added: readonly string[]): Int32Array {
  const partners = new Int32Array(removed.length).fill(-1);
  if (removed.length === 0 || added.length === 0) return partners;
  // Lines that differ only in white space count as the same, however far apart they are.
  const interner = new Interner();
  const anchors = alignSequences(blankless(removed, interner), blankless(added, interner));
  let [from, to] = [0, 0];
  for (let at = 0; at <= removed.length; at += 1) {
    const end = at === removed.length ? added.length : (anchors[at] ?? -1);
    if (end < 0) continue;
    pairGap({ removed, added, partners }, { from, until: at, to, end });
    if (at < removed.length) partners[at] = end;
    [from, to] = [at + 1, end + 1];
  }
  return partners;
}

/** Numbers the lines by their text without white space. Lines that are too short get no number. */
function blankless(lines: readonly string[], interner: Interner): Int32Array {
  return Int32Array.from(lines, (line) => {
    if (line.length > COMPARED_LINE_MAX_CHARACTERS) return -1;
    const bare = squeeze(line);
    return bare.length < 3 ? -1 : interner.idOf(bare);
  });
}

interface Lines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly partners: Int32Array;
}

/** Removed lines `[from, until)` and added lines `[to, end)`. */
interface Gap {
  readonly from: number;
  readonly until: number;
  readonly to: number;
  readonly end: number;
}

function pairGap({ removed, added, partners }: Lines, { from, until, to, end }: Gap): void {
  const [n, m] = [until - from, end - to];
  if (n === 0 || m === 0) return;
  if (n * m > COMPARED_MAX_PAIRS || (n === 1 && m === 1)) {
    for (let at = 0; at < Math.min(n, m); at += 1) partners[from + at] = to + at;
    return;
  }
  const words = new Interner();
  const before = removed.slice(from, until).map((line) => wordsOf(line, words));
  const after = added.slice(to, end).map((line) => wordsOf(line, words));
  const least = n === m ? EQUAL_GAP_MIN_SHARE : PAIR_MIN_SHARE;
  const scores = new Float64Array(n * m);
  for (let a = 0; a < n; a += 1) {
    for (let b = 0; b < m; b += 1) {
      const [one, other] = [before[a], after[b]];
      scores[a * m + b] = one === undefined || other === undefined ? 0 : scoreOf(one, other, least);
    }
  }
  for (const [a, b] of bestPairs(scores, n, m)) partners[from + a] = to + b;
}

/** The words of a line as ascending numbers, each with its length in characters. */
interface Words {
  readonly text: string;
  readonly ids: readonly number[];
  readonly lengths: readonly number[];
  readonly total: number;
}

const WORD = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

function wordsOf(text: string, interner: Interner): Words {
  if (text.length > COMPARED_LINE_MAX_CHARACTERS) return { text, ids: [], lengths: [], total: text.length };
  const words = (text.match(WORD) ?? []).map((word) => [interner.idOf(word), word.length] as const);
  words.sort(([one], [other]) => one - other);
  const total = words.reduce((sum, [, length]) => sum + length, 0);
  return { text, ids: words.map(([id]) => id), lengths: words.map(([, length]) => length), total };
}

/** One pair of lines with much in common beats two with little. */
function scoreOf(one: Words, other: Words, least: number): number {
  if (one.total === 0 || other.total === 0) return one.total === other.total ? BLANK_SCORE : 0;
  const isLong = Math.max(one.text.length, other.text.length) > COMPARED_LINE_MAX_CHARACTERS;
  const common = isLong ? commonOfLong(one.text, other.text) : commonOf(one, other);
  const share = (2 * common) / (one.total + other.total);
  return share < least ? 0 : share * share;
}

function commonOfLong(one: string, other: string): number {
  const { prefix, suffix } = commonEnds(one, other);
  return prefix + suffix;
}

/** The characters in the words that both lines have. */
function commonOf(one: Words, other: Words): number {
  let [a, b, common] = [0, 0, 0];
  while (a < one.ids.length && b < other.ids.length) {
    const difference = (one.ids[a] ?? 0) - (other.ids[b] ?? 0);
    if (difference === 0) common += one.lengths[a] ?? 0;
    if (difference <= 0) a += 1;
    if (difference >= 0) b += 1;
  }
  return common;
}

/** The pairs with the highest sum of scores that do not cross. */
function bestPairs(scores: Float64Array, n: number, m: number): (readonly [number, number])[] {
  const width = m + 1;
  const best = new Float64Array((n + 1) * width);
  /** The best sum that begins with this pair; 0 if it is none. */
  const begun = new Float64Array((n + 1) * width);
  const at = (a: number, b: number) => best[a * width + b] ?? 0;
  const scoreAt = (a: number, b: number) => scores[a * m + b] ?? 0;
  const isText = (a: number, b: number) => a < n && b < m && scoreAt(a, b) > BLANK_SCORE;
  for (let a = n - 1; a >= 0; a -= 1) {
    for (let b = m - 1; b >= 0; b -= 1) {
      const score = scoreAt(a, b);
      const below = begun[(a + 1) * width + b + 1] ?? 0;
      const block = isText(a, b) && isText(a + 1, b + 1) ? below + NEIGHBOUR_SCORE : 0;
      const paired = score === 0 ? 0 : score + Math.max(at(a + 1, b + 1), block);
      begun[a * width + b] = paired;
      best[a * width + b] = Math.max(paired, at(a + 1, b), at(a, b + 1));
    }
  }
  const pairs: [number, number][] = [];
  let isBelow = false;
  for (let [a, b] = [0, 0]; a < n && b < m; ) {
    const own = begun[a * width + b] ?? 0;
    const others = Math.max(at(a + 1, b), at(a, b + 1));
    const isPair: boolean = own > 0 && own + (isBelow && isText(a, b) ? NEIGHBOUR_SCORE : 0) >= others;
    isBelow = isPair && isText(a, b);
    if (isPair) pairs.push([a++, b++]);
    else if (at(a, b) === at(a + 1, b)) a += 1;
    else b += 1;
  }
  return pairs;
}

/** A line of a hunk; `op` is `removed`, `added`, or any other word for one that stays. */
export interface PairedLine {
  readonly op: string;
  readonly text: string;
}

/** For each changed line, its new or old version, or -1. */
export function partnersOf(lines: readonly PairedLine[]): Int32Array {
  const partners = new Int32Array(lines.length).fill(-1);
  const textOf = (index: number) => lines[index]?.text ?? '';
  forEachGap(lines, ({ removed, added }) => {
    pairLines(removed.map(textOf), added.map(textOf)).forEach((to, at) => {
      const [before, after] = [removed[at] ?? -1, added[to] ?? -1];
      if (after < 0) return;
      partners[before] = after;
      partners[after] = before;
    });
  });
  return partners;
}

interface LineGap {
  readonly removed: readonly number[];
  readonly added: readonly number[];
  /** The unchanged line that ends it; null at the end of the hunk. */
  readonly ended: number | null;
}

/** Visits the changed lines between unchanged ones. */
export function forEachGap(lines: readonly PairedLine[], visit: (gap: LineGap) => void): void {
  let [removed, added]: [number[], number[]] = [[], []];
  lines.forEach(({ op }, index) => {
    if (op === 'removed') removed.push(index);
    else if (op === 'added') added.push(index);
    else {
      visit({ removed, added, ended: index });
      [removed, added] = [[], []];
    }
  });
  visit({ removed, added, ended: null });
}
