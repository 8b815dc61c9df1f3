/** What people in general type: sorted lines as an implicit trie. A word's probability is its share of the lines. */
import { likeliest } from './likeliest.ts';
import { lowerBound } from './prefix-index.ts';
import { LINE_END, type NextWord } from './token-model.ts';

const UNSEEN_USES = 0.5;

export class Prior {
  readonly #lines: readonly string[];
  /** How often lines are typed, where known. */
  readonly #uses = new Map<string, number>();
  /** Words after the same start, with their uses. */
  readonly #popular = new Map<string, Map<string, number>>();

  /** `lines` are sorted by code unit; `popular`: a start of a line, TAB, how often it was seen. */
  constructor(lines: readonly string[], popular: readonly string[] = []) {
    this.#lines = lines;
    for (const one of popular) {
      const [line = '', uses = '0'] = one.split('\t');
      this.#uses.set(line, Number(uses));
      const at = line.lastIndexOf(' ');
      const start = line.slice(0, at);
      const words = this.#popular.get(start) ?? new Map<string, number>();
      this.#popular.set(start, words.set(line.slice(at + 1), Number(uses)));
    }
  }

  /** How often commands named `name` were seen with arguments. */
  usesOf(name: string): number {
    let sum = 0;
    for (const uses of this.#popular.get(name)?.values() ?? []) sum += uses;
    return sum;
  }

  /** Those of `names` that may follow `words`, the most used first, each with its share of the uses. */
  byUse(
    words: readonly string[],
    names: readonly string[],
  ): readonly { readonly name: string; readonly share: number }[] {
    const popular = this.#popular.get(words.join(' '));
    const uses = (name: string) => (popular?.get(name) ?? 0) + UNSEEN_USES;
    const total = names.reduce((sum, name) => sum + uses(name), 0);
    return names.map((name) => ({ name, share: uses(name) / total })).sort((a, b) => b.share - a.share);
  }

  /** Whether people begin commands with `words`. */
  has(words: readonly string[]): boolean {
    const start = words.join(' ');
    if (this.#uses.has(start) || this.#popular.has(start)) return true;
    const line = this.#lines[lowerBound(this.#lines, start)];
    return line === start || line?.startsWith(`${start} `) === true;
  }

  next(words: readonly string[], prefix: string, count: number): readonly NextWord[] {
    const before = words.length === 0 ? '' : `${words.join(' ')} `;
    // Without a command, or most of its name, everything is possible.
    if (before === '' && prefix.length < 2) return [];
    const counts = new Map<string, number>();
    let total = 0;
    const start = lowerBound(this.#lines, before + prefix);
    const typed = before.trimEnd();
    const ends = before !== '' && this.#lines[lowerBound(this.#lines, typed)] === typed;
    for (let at = start; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? '';
      if (!line.startsWith(before + prefix)) break;
      const space = line.indexOf(' ', before.length);
      const word = space === -1 ? line.slice(before.length) : line.slice(before.length, space);
      counts.set(word, (counts.get(word) ?? 0) + 1);
      total += 1;
    }
    for (const [word, uses] of this.#popular.get(typed) ?? [])
      if (word.startsWith(prefix)) {
        counts.set(word, (counts.get(word) ?? 0) + uses);
        total += uses;
      }
    if (prefix === '' && ends) {
      counts.set(LINE_END, 1);
      total += 1;
    }
    return likeliest(counts, count).map(({ text, score }) => ({ word: text, probability: score / total }));
  }
}
