/** Which of a hunk's lines are side by side in two columns. Pure. */
import { forEachGap, type PairedLine } from '../../lib/line-pairs.ts';

/** By shared words; or by position, which is free, for files with too many lines. */
export type Pairing = 'words' | 'place';

/** Indices of lines side by side; -1 if a side has none. */
export interface SidePair {
  readonly left: number;
  readonly right: number;
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
