/** Marks the words that differ between two versions of a line. Beyond a bound, marks all between the common ends. */
import { alignSequences, Interner } from './sequence-diff.ts';

/** A longer line is not compared word by word. */
const MARKED_LINE_MAX_TOKENS = 1_000;
/** A line with more characters may exceed that number of tokens, so it is not tokenized. */
const MARKED_LINE_MAX_CHARACTERS = 20_000;
/** Lines with less in common are unrelated, not one edited line. */
const EDITED_MIN_SHARE = 0.3;

const TOKEN = /[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]|[\p{L}\p{N}_]+|\s+|./gsu;

/** Half-open UTF-16 range of a line that differs from its counterpart. */
export type MarkedRange = readonly [start: number, end: number];

/** The ranges that differ on each side. */
export interface PairMarks {
  readonly before: readonly MarkedRange[];
  readonly after: readonly MarkedRange[];
}

const NO_MARKS: PairMarks = { before: [], after: [] };

/** Compares words until its budget is spent. */
export class WordMarker {
  /** The budget is spent: further lines are not compared word by word. */
  isSpent = false;
  #left: number;

  constructor(maxTokens: number) {
    this.#left = maxTokens;
  }

  mark(before: string, after: string): PairMarks {
    if (this.isSpent || Math.max(before.length, after.length) > MARKED_LINE_MAX_CHARACTERS)
      return markBetweenEnds(before, after);
    const [a, b] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
    if (a.length > MARKED_LINE_MAX_TOKENS || b.length > MARKED_LINE_MAX_TOKENS)
      return markBetweenEnds(before, after);
    this.#left -= a.length + b.length;
    this.isSpent = this.#left < 0;
    const interner = new Interner();
    const partners = alignSequences(interner.idsOf(a), interner.idsOf(b));
    const isKept = a.map((_, at) => (partners[at] ?? -1) >= 0);
    const keptInAfter = new Set(partners);
    const common = a.reduce((sum, token, at) => sum + (isKept[at] ? token.trim().length : 0), 0);
    const longer = Math.max(before.replace(/\s/g, '').length, after.replace(/\s/g, '').length);
    if (common < EDITED_MIN_SHARE * longer) return NO_MARKS;
    return {
      before: changedRanges(a, (at) => isKept[at] === true),
      after: changedRanges(b, (at) => keptInAfter.has(at)),
    };
  }
}

/** Marks the text between common prefix and suffix; nothing if the lines have too little in common. */
function markBetweenEnds(before: string, after: string): PairMarks {
  const { prefix, suffix } = commonEnds(before, after);
  if (prefix + suffix < EDITED_MIN_SHARE * Math.max(before.length, after.length)) return NO_MARKS;
  const middle = (text: string): readonly MarkedRange[] =>
    prefix + suffix < text.length ? [[prefix, text.length - suffix]] : [];
  return { before: middle(before), after: middle(after) };
}

/** Lengths of the common prefix and suffix, in UTF-16 units; they neither split a character nor overlap. */
export function commonEnds(one: string, other: string): { readonly prefix: number; readonly suffix: number } {
  const most = Math.min(one.length, other.length);
  let prefix = 0;
  while (prefix < most && one.charCodeAt(prefix) === other.charCodeAt(prefix)) prefix += 1;
  if (isLeadSurrogate(one.charCodeAt(prefix - 1))) prefix -= 1;
  let suffix = 0;
  const rest = most - prefix;
  while (
    suffix < rest &&
    one.charCodeAt(one.length - 1 - suffix) === other.charCodeAt(other.length - 1 - suffix)
  )
    suffix += 1;
  if (isTrailSurrogate(one.charCodeAt(one.length - suffix))) suffix -= 1;
  return { prefix, suffix };
}

const isLeadSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isTrailSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

function changedRanges(tokens: readonly string[], isKept: (at: number) => boolean): readonly MarkedRange[] {
  const ranges: [number, number][] = [];
  let offset = 0;
  tokens.forEach((token, at) => {
    const end = offset + token.length;
    const last = ranges.at(-1);
    if (!isKept(at)) {
      if (last?.[1] === offset) last[1] = end;
      else ranges.push([offset, end]);
    }
    offset = end;
  });
  return ranges;
}
