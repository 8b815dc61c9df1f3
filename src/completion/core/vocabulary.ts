/** Words of all commands and parts of them, with how often and how recently each was used. */
import { RecentMap } from '../../lib/recent-map.ts';
import { PrefixIndex } from './prefix-index.ts';
import { quoteRest } from './quoting.ts';
import { isSeparator, tokenize } from './tokens.ts';

/** Limit of words and parts; the least recently seen go first. */
const WORDS_MAX = 20_000;
/** Limit of lines that are remembered to count the lines of a word. */
const LINES_MAX = 5 * WORDS_MAX;
/** Shorter words are typed faster than selected; longer ones are generated, and nobody reads them. */
const WORD_MIN_CHARS = 3;
const WORD_MAX_CHARS = 200;
/** Limit of joints within a part: their pairs are quadratic. */
const PART_JOINTS_MAX = 12;
/** Limit of entries from one line. */
const LINE_WORDS_MAX = 1_000;
/** A word counts half as much after this many others. */
const HALF_LIFE_WORDS = 4_000;

/** The joints between the parts of a word. */
const JOINTS = /[/@:=,._-]/g;
/** Quotes, brackets, operators and blanks only if escaped: a part may have one of a pair, or another meaning. */
const JOINABLE = /^(?:[^\s"'`\\(){}[\];&|<>]|\\.)*$/;

/** Whether `text` may be part of another word. */
export const isJoinable = (text: string): boolean => JOINABLE.test(text);

export interface Word {
  readonly text: string;
  /** It was part of a word. */
  readonly isPart: boolean;
}

interface Known {
  readonly isPart: boolean;
  /** The only line with it; null: there are several. */
  only: string | null;
  /** In how many of the known lines it occurs. */
  lines: number;
  heat: number;
  lastSeq: number;
}

export class Vocabulary {
  readonly #words = new RecentMap<string, Known>(WORDS_MAX);
  readonly #lines = new RecentMap<string, true>(LINES_MAX);
  #index = new PrefixIndex();
  #indexed = 0;
  #seq = 0;

  learn(line: string): void {
    const isNew = this.#lines.get(line) === undefined;
    this.#lines.set(line, true);
    for (const { text, isPart } of wordsOf(line)) {
      this.#seq += 1;
      const known = this.#words.get(text);
      if (known === undefined) this.#add(text, { isPart, only: line, lines: 1, heat: 1, lastSeq: this.#seq });
      else {
        known.heat = this.#heatOf(known) + 1;
        if (isNew) known.lines += 1;
        if (known.only !== line) known.only = null;
        known.lastSeq = this.#seq;
      }
    }
  }

  /** A line was deleted: drops words that occur in no other line. */
  forget(line: string): void {
    if (this.#lines.peek(line) === undefined) return;
    this.#lines.delete(line);
    for (const { text } of wordsOf(line)) {
      const known = this.#words.peek(text);
      if (known === undefined) continue;
      known.lines -= 1;
      if (known.lines <= 0) this.#words.delete(text);
    }
  }

  /**
   * Up to `count` words that start with `prefix`, the likeliest first, each with its share of all such words. A word of
   * a single line is not offered for lines that start in the same way: `left` is the text before the prefix.
   */
  startingWith(prefix: string, left: string, count: number): readonly (Word & { readonly share: number })[] {
    const found: { text: string; isPart: boolean; heat: number }[] = [];
    let total = 1;
    // A word that was dropped and came back is in the index twice.
    for (const text of new Set(this.#index.startingWith(prefix))) {
      const known = this.#words.peek(text);
      if (known === undefined || text === prefix) continue;
      const { only } = known;
      if (only?.startsWith(left + prefix) && !only.startsWith(left + text)) continue;
      const heat = this.#heatOf(known);
      total += heat;
      found.push({ text, isPart: known.isPart, heat });
    }
    found.sort((a, b) => b.heat - a.heat || (a.text < b.text ? -1 : 1));
    return found.slice(0, count).map(({ text, isPart, heat }) => ({ text, isPart, share: heat / total }));
  }

  #heatOf({ heat, lastSeq }: Known): number {
    return heat * 0.5 ** ((this.#seq - lastSeq) / HALF_LIFE_WORDS);
  }

  #add(text: string, known: Known): void {
    this.#words.set(text, known);
    this.#indexed += 1;
    if (this.#indexed > 2 * WORDS_MAX) {
      this.#index = new PrefixIndex(this.#words.keys());
      this.#indexed = this.#words.size;
    } else this.#index.add(text);
  }
}

/** The arguments of a command line and their parts, the last first. */
export function* wordsOf(line: string): Iterable<Word> {
  let room = LINE_WORDS_MAX;
  const tokens = tokenize(line);
  // Not the names of commands.
  const words = tokens.filter(({ kind, text }, at) => {
    const before = tokens[at - 1];
    const isArgument = before !== undefined && !(before.kind === 'operator' && isSeparator(before.text));
    return kind === 'word' && isArgument && text.length <= WORD_MAX_CHARS;
  });
  for (const { text } of words.reverse())
    for (const word of [{ text, isPart: false }, ...partsOf(text)]) {
      if (!isWorth(word.text)) continue;
      if (room === 0) return;
      room -= 1;
      yield word;
    }
}

const isWorth = (text: string): boolean => text.length >= WORD_MIN_CHARS && !text.startsWith('-');

/** Starts at the beginning or after a joint, and ends at a later joint or the end. A folder keeps its slash. */
function* partsOf(text: string): Iterable<Word> {
  const joints = [...text.matchAll(JOINTS)].map(({ index }) => index);
  // Characters without a meaning inside quotes have one outside.
  const isFit = /["'`]/.test(text) ? (part: string) => quoteRest(part) === part : isJoinable;
  for (const [at, start] of [0, ...joints.map((joint) => joint + 1)].entries()) {
    const ends = joints.slice(at, at + PART_JOINTS_MAX).reverse();
    const parts = ends.map((end) => text.slice(start, text[end] === '/' ? end + 1 : end));
    if (start > 0 && !isEnding(text, start)) parts.unshift(text.slice(start));
    for (const part of parts) if (isFit(part)) yield { text: part, isPart: true };
  }
}

/** Whether a file extension begins at `start`: nobody types it alone. */
function isEnding(text: string, start: number): boolean {
  return /\w\.$/.test(text.slice(0, start)) && /^\w+$/.test(text.slice(start));
}
