/** Finds texts by prefix: sorted, plus a short unsorted rest. Has each text as often as it was added. */

/** The rest is merged if it is longer than this, and longer than its share of the sorted texts. */
const REST_MAX = 256;
const REST_SHARE = 1 / 64;

export class PrefixIndex {
  #sorted: readonly string[];
  #rest: string[] = [];

  constructor(texts: Iterable<string> = []) {
    this.#sorted = [...texts].sort(byCodeUnit);
  }

  add(text: string): void {
    this.#rest.push(text);
  }

  startingWith(prefix: string): readonly string[] {
    if (this.#rest.length > Math.max(REST_MAX, this.#sorted.length * REST_SHARE)) {
      this.#sorted = mergeSorted(this.#sorted, this.#rest.sort(byCodeUnit));
      this.#rest = [];
    }
    const found = this.#sorted.slice(...rangeOf(this.#sorted, prefix));
    for (const text of this.#rest) if (text.startsWith(prefix)) found.push(text);
    return found;
  }
}

/** The range `[from, to)` of `sorted` with the texts that start with `prefix`. */
export function rangeOf(sorted: readonly string[], prefix: string): [from: number, to: number] {
  return [lowerBound(sorted, prefix), lowerBound(sorted, `${prefix}\uffff`)];
}

/** The first index of `sorted` whose text is not before `text`. */
export function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Merges both, without duplicates. Linear: sorting a long list again would delay a keystroke. */
export function mergeSorted(a: readonly string[], b: readonly string[]): string[] {
  const merged: string[] = [];
  let right = 0;
  for (const line of a) {
    for (let other = b[right]; other !== undefined && other <= line; other = b[right]) {
      if (other !== line) merged.push(other);
      right += 1;
    }
    merged.push(line);
  }
  for (; right < b.length; right += 1) merged.push(b[right] ?? '');
  return merged;
}
