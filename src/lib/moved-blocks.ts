/** Finds runs of lines that are removed at one place and added at another. Pure. */

/** A removed or added line; `run` numbers the runs of changed lines without an unchanged one between. */
export interface ChangedLine {
  readonly text: string;
  readonly run: number;
}

/** Indexes `[start, end)` among the removed or the added lines. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the lines go away, and where they come back, perhaps indented otherwise. */
export interface MovedBlock {
  readonly removed: Range;
  readonly added: Range;
}

/** Most places to try for a line. */
const TRIED_MAX_PLACES = 8;

/** The blocks in the order of their removal: at each added line, the longest that was removed elsewhere. */
export function sameBlocks(removed: readonly ChangedLine[], added: readonly ChangedLine[]): MovedBlock[] {
  const places = new Map<string, number[]>();
  removed.forEach((line, at) => {
    const known = places.get(keyOf(line)) ?? [];
    if (keyOf(line) !== '' && known.length < TRIED_MAX_PLACES) places.set(keyOf(line), [...known, at]);
  });
  const taken = new Uint8Array(removed.length);
  const blocks: MovedBlock[] = [];
  for (let to = 0; to < added.length; ) {
    let best = { start: 0, end: 0 };
    for (const start of places.get(keyOf(added[to] ?? NO_LINE)) ?? []) {
      const end = start + commonLines(removed, added, start, to, taken);
      if (end - start > best.end - best.start) best = { start, end };
    }
    const length = best.end - best.start;
    taken.fill(1, best.start, best.end);
    if (length > 0) blocks.push({ removed: best, added: { start: to, end: to + length } });
    to += Math.max(1, length);
  }
  return blocks.sort((a, b) => a.removed.start - b.removed.start);
}

const NO_LINE: ChangedLine = { text: '', run: -1 };

/** A line as it is compared: without indentation. */
export const keyOf = ({ text }: ChangedLine) => text.trim();

/** The number of letters and digits: closing brackets say nothing about where a line came from. */
export const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** How many lines agree from these two on, within the runs of both. */
function commonLines(
  removed: readonly ChangedLine[],
  added: readonly ChangedLine[],
  from: number,
  to: number,
  taken: Uint8Array,
): number {
  let length = 0;
  for (; ; length += 1) {
    const [old, updated] = [removed[from + length], added[to + length]];
    if (old === undefined || updated === undefined || taken[from + length] === 1) return length;
    if (old.run !== removed[from]?.run || updated.run !== added[to]?.run) return length;
    // Within one run, a line with another indentation stayed where it was.
    const isSame = old.run === updated.run ? old.text === updated.text : keyOf(old) === keyOf(updated);
    if (!isSame) return length;
  }
}
