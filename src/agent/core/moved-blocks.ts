/** Finds blocks of lines that an edit moves, with the few lines that it edits in them and the blank lines around. Pure. */
import { type ChangedLine, keyOf, lettersOf, type MovedBlock, sameBlocks } from '../../lib/moved-blocks.ts';

type Range = MovedBlock['removed'];

/** Fewer lines are as likely a coincidence, unless they are all that both places change. */
const MOVE_MIN_LINES = 3;
const WHOLE_MIN_CHARS = 16;
/** Braces and single words are everywhere. */
const MOVE_MIN_LETTERS = 14;
/** Edited lines inside a moved block. */
const EDITED_MAX_LINES = 3;

/** The moved blocks, in the order of their removal. */
export function movedBlocks(removed: readonly ChangedLine[], added: readonly ChangedLine[]): MovedBlock[] {
  if (removed.length === 0 || added.length === 0) return [];
  const runs = runSizes(removed, added);
  const same = sameBlocks(removed, added);
  let at = 0;
  const blocks = mergeEdited(same, removed, added).filter(({ removed: { end } }) => {
    const from = at;
    while ((same[at]?.removed.start ?? end) < end) at += 1;
    return areTelling(same.slice(from, at), removed);
  });
  return withBlanks(withBlanks(blocks, 'removed', removed), 'added', added)
    .filter((block) => isLong(block, removed) || isWhole(block, removed, added, runs))
    .sort((a, b) => a.removed.start - b.removed.start);
}

/** Whether these equal lines show that a block moved: by many letters, or as several lines in a row. */
function areTelling(same: readonly MovedBlock[], removed: readonly ChangedLine[]): boolean {
  const letters = (one: MovedBlock) =>
    removed.slice(one.removed.start, one.removed.end).reduce((sum, { text }) => sum + lettersOf(text), 0);
  const inRow = same.some((one) => isLong(one, removed) && letters(one) > 0);
  return inRow || same.reduce((sum, one) => sum + letters(one), 0) >= MOVE_MIN_LETTERS;
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
