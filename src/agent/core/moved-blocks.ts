/** Finds blocks of lines that are removed at one place and added at another. Pure. */

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

/** Where the lines go away, and where they come back, perhaps indented otherwise or with a few edited lines. */
export interface MovedBlock {
  readonly removed: Range;
  readonly added: Range;
}

/** Fewer lines are as likely a coincidence, unless they are all that both places change. */
const MOVE_MIN_LINES = 3;
const WHOLE_MIN_CHARS = 16;
/** A shorter line is in too many places to show where it came from. */
const UNIQUE_MIN_CHARS = 4;
/** Edited lines inside a moved block. */
const EDITED_MAX_LINES = 3;

/** The moved blocks, in the order of their removal. */
export function movedBlocks(removed: readonly ChangedLine[], added: readonly ChangedLine[]): MovedBlock[] {
  if (removed.length === 0 || added.length === 0) return [];
  const search = new Search(removed, added);
  const runs = runSizes(removed, added);
  const blocks = mergeEdited(search.blocks(), removed, added);
  return withBlanks(withBlanks(blocks, 'removed', removed), 'added', added)
    .filter((block) => isLong(block, removed) || isWhole(block, removed, added, runs))
    .sort((a, b) => a.removed.start - b.removed.start);
}

class Search {
  readonly #removed: readonly ChangedLine[];
  readonly #added: readonly ChangedLine[];
  readonly #keys: { readonly removed: readonly string[]; readonly added: readonly string[] };
  readonly #taken: { readonly removed: Uint8Array; readonly added: Uint8Array };

  constructor(removed: readonly ChangedLine[], added: readonly ChangedLine[]) {
    this.#removed = removed;
    this.#added = added;
    this.#keys = { removed: removed.map(keyOf), added: added.map(keyOf) };
    this.#taken = { removed: new Uint8Array(removed.length), added: new Uint8Array(added.length) };
  }

  /** Extends each line that is removed once and added once, to both sides, as far as the texts agree. */
  blocks(): MovedBlock[] {
    const there = placesOnce(this.#keys.added);
    const blocks: MovedBlock[] = [];
    for (const [key, from] of placesOnce(this.#keys.removed)) {
      const to = there.get(key) ?? -1;
      if (from < 0 || to < 0 || !this.#agrees(from, to)) continue;
      const [above, below] = [this.#reach(from, to, -1), this.#reach(from, to, 1)];
      const removed = { start: from - above, end: from + below + 1 };
      const added = { start: to - above, end: to + below + 1 };
      this.#taken.removed.fill(1, removed.start, removed.end);
      this.#taken.added.fill(1, added.start, added.end);
      blocks.push({ removed, added });
    }
    return blocks.sort((a, b) => a.removed.start - b.removed.start);
  }

  /** How many more lines agree above (`-1`) or below (`1`). */
  #reach(from: number, to: number, step: number): number {
    let count = 0;
    for (let [i, j] = [from + step, to + step]; this.#follows(i, j, step); i += step, j += step) count += 1;
    return count;
  }

  #follows(i: number, j: number, step: number): boolean {
    const isSameRun = (lines: readonly ChangedLine[], at: number) => lines[at]?.run === lines[at - step]?.run;
    return (
      i in this.#removed &&
      j in this.#added &&
      isSameRun(this.#removed, i) &&
      isSameRun(this.#added, j) &&
      this.#agrees(i, j)
    );
  }

  #agrees(i: number, j: number): boolean {
    const [old, updated] = [this.#removed[i], this.#added[j]];
    if (this.#taken.removed[i] === 1 || this.#taken.added[j] === 1) return false;
    // Within one run, a line with another indentation stayed where it was.
    return old?.run === updated?.run
      ? old?.text === updated?.text
      : this.#keys.removed[i] === this.#keys.added[j];
  }
}

const keyOf = ({ text }: ChangedLine) => text.trim();

/** The place of each key that occurs once; -1 for the others. */
function placesOnce(keys: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  keys.forEach((key, at) => {
    if (key.length >= UNIQUE_MIN_CHARS) places.set(key, places.has(key) ? -1 : at);
  });
  return places;
}

/** Joins blocks that went the same way and have only a few other lines between them. */
function mergeEdited(
  blocks: readonly MovedBlock[],
  removed: readonly ChangedLine[],
  added: readonly ChangedLine[],
): MovedBlock[] {
  const merged: MovedBlock[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    const isNext =
      last !== undefined &&
      isNear(last.removed, block.removed, removed) &&
      isNear(last.added, block.added, added);
    if (!isNext) merged.push(block);
    else
      merged[merged.length - 1] = {
        removed: { start: last.removed.start, end: block.removed.end },
        added: { start: last.added.start, end: block.added.end },
      };
  }
  return merged;
}

function isNear(before: Range, after: Range, lines: readonly ChangedLine[]): boolean {
  const between = after.start - before.end;
  return between >= 0 && between <= EDITED_MAX_LINES && lines[before.start]?.run === lines[after.start]?.run;
}

/**
 * The blocks with the blank lines around them on one side: these belong to no other change. In a run that begins with a
 * blank line, each block has those above it, otherwise those below, so that each can be moved without the others.
 */
function withBlanks(
  blocks: readonly MovedBlock[],
  side: 'removed' | 'added',
  lines: readonly ChangedLine[],
): MovedBlock[] {
  const isBlank = (at: number) => keyOf(lines[at] ?? NO_LINE) === '';
  const sorted = blocks.toSorted((a, b) => a[side].start - b[side].start);
  const ranges = sorted.map((block) => {
    let { start, end } = block[side];
    while (isBlank(start)) start += 1;
    while (isBlank(end - 1)) end -= 1;
    return { start, end, run: lines[start]?.run ?? -1 };
  });
  const heads = new Map(lines.toReversed().map((line) => [line.run, keyOf(line)]));
  const grow = (isFirst: boolean) => {
    ranges.forEach((range, i) => {
      const leading = isFirst === (heads.get(range.run) === '');
      const isFree = (at: number) => lines[at]?.run === range.run && isBlank(at);
      const floor = ranges[i - 1]?.end ?? 0;
      const ceiling = ranges[i + 1]?.start ?? lines.length;
      while (leading && range.start > floor && isFree(range.start - 1)) range.start -= 1;
      while (!leading && range.end < ceiling && isFree(range.end)) range.end += 1;
    });
  };
  grow(true);
  grow(false);
  return sorted.map((block, i) => ({ ...block, [side]: ranges[i] ?? block[side] }));
}

function isLong({ removed }: MovedBlock, lines: readonly ChangedLine[]): boolean {
  let count = 0;
  for (let i = removed.start; i < removed.end && count < MOVE_MIN_LINES; i += 1)
    if (keyOf(lines[i] ?? NO_LINE) !== '') count += 1;
  return count >= MOVE_MIN_LINES;
}

const NO_LINE: ChangedLine = { text: '', run: -1 };

/** Whether one place only loses these lines and the other only gains them. */
function isWhole(
  { removed, added }: MovedBlock,
  old: readonly ChangedLine[],
  updated: readonly ChangedLine[],
  runs: ReadonlyMap<number, RunSize>,
): boolean {
  const [from, to] = [runs.get(old[removed.start]?.run ?? -1), runs.get(updated[added.start]?.run ?? -1)];
  const chars = old.slice(removed.start, removed.end).reduce((sum, line) => sum + keyOf(line).length, 0);
  return (
    from?.added === 0 &&
    from.removed === removed.end - removed.start &&
    to?.removed === 0 &&
    to.added === added.end - added.start &&
    chars >= WHOLE_MIN_CHARS
  );
}

interface RunSize {
  removed: number;
  added: number;
}

function runSizes(removed: readonly ChangedLine[], added: readonly ChangedLine[]): Map<number, RunSize> {
  const sizes = new Map<number, RunSize>();
  const count = (lines: readonly ChangedLine[], side: keyof RunSize) => {
    for (const { run } of lines) {
      const size = sizes.get(run) ?? { removed: 0, added: 0 };
      size[side] += 1;
      sizes.set(run, size);
    }
  };
  count(removed, 'removed');
  count(added, 'added');
  return sizes;
}
