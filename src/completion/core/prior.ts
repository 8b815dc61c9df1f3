/**
 * What people in general type: sorted lines as an implicit trie. The word after a prefix is as likely as its share
 * of the lines that have the prefix. Needs no building, so it costs a start nothing but the text.
 */
import { likeliest } from './likeliest.ts';
import { LINE_END, type NextWord } from './token-model.ts';

export class Prior {
  readonly #lines: readonly string[];

  /** `lines` are sorted by code unit. */
  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Whether people begin commands with `words`. */
  has(words: readonly string[]): boolean {
    const start = words.join(' ');
    const line = this.#lines[this.#lowerBound(start)];
    return line === start || line?.startsWith(`${start} `) === true;
  }

  next(words: readonly string[], prefix: string, count: number): readonly NextWord[] {
    const before = words.length === 0 ? '' : `${words.join(' ')} `;
    // Without a command, or a good start of one, everything is possible.
    if (before === '' && prefix.length < 2) return [];
    const counts = new Map<string, number>();
    let total = 0;
    const start = this.#lowerBound(before + prefix);
    const ends = before !== '' && this.#lines[this.#lowerBound(before.trimEnd())] === before.trimEnd();
    for (let at = start; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? '';
      if (!line.startsWith(before + prefix)) break;
      const space = line.indexOf(' ', before.length);
      const word = space === -1 ? line.slice(before.length) : line.slice(before.length, space);
      counts.set(word, (counts.get(word) ?? 0) + 1);
      total += 1;
    }
    if (prefix === '' && ends) {
      counts.set(LINE_END, 1);
      total += 1;
    }
    return likeliest(counts, count).map(({ text, score }) => ({ word: text, probability: score / total }));
  }

  #lowerBound(text: string): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lines[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
