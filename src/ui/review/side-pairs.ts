/** Which of a hunk's lines are side by side in two columns. Pure. */
import { pairLines } from '../../lib/line-pairs.ts';

/** By shared words; or by position, which is free, for files with too many lines. */
export type Pairing = 'words' | 'place';

interface PairedLine {
  readonly op: string;
  readonly text: string;
}

/** Indices of lines side by side; -1 if a side has none. */
export interface SidePair {
  readonly left: number;
  readonly right: number;
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
function forEachGap(lines: readonly PairedLine[], visit: (gap: LineGap) => void): void {
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

/** Puts partners side by side, and other lines in order between them; without partners, pairs by position. */
export function sidePairs(lines: readonly PairedLine[], partners: Int32Array | null): readonly SidePair[] {
  const pairs: SidePair[] = [];
  const zip = (left: readonly number[], right: readonly number[]): void => {
    for (let at = 0; at < Math.max(left.length, right.length); at += 1)
      pairs.push({ left: left[at] ?? -1, right: right[at] ?? -1 });
  };
  forEachGap(lines, ({ removed, added, ended }) => {
    let [from, to] = [0, 0];
    removed.forEach((left, at) => {
      const right = partners?.[left] ?? -1;
      if (right < 0) return;
      const end = added.indexOf(right, to);
      zip(removed.slice(from, at), added.slice(to, end));
      pairs.push({ left, right });
      [from, to] = [at + 1, end + 1];
    });
    zip(removed.slice(from), added.slice(to));
    if (ended !== null) pairs.push({ left: ended, right: ended });
  });
  return pairs;
}
