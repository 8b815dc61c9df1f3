/** Finds blocks that a suggestion only moves or reindents: nobody needs to read them twice. Pure; bounded. */
import { type ChangedLine, lettersOf, sameBlocks } from '../../lib/moved-blocks.ts';
import type { Hunk, Suggestion } from '../../protocol/review.ts';
import type { HunkDoc, HunkDocs } from './hunk-doc.ts';

/** In a larger suggestion, only the smaller hunks are searched: all would delay the first frame. */
export const SEARCHED_MAX_CHARACTERS = 400_000;
/** Letters and digits that make a block: closing brackets and single words are everywhere. */
const BLOCK_MIN_LETTERS = 40;
const BLOCK_MIN_LINES = 2;

/** Lines of a hunk that are elsewhere on the other side. */
export interface MovedBlock {
  /** Indices among the hunk's own lines, inclusive. */
  readonly first: number;
  readonly last: number;
  readonly side: 'removed' | 'added';
  readonly other: { readonly file: string; readonly line: number };
}

export type MovedBlocks = ReadonlyMap<string, readonly MovedBlock[]>;

export type FindMoved = (suggestion: Suggestion) => MovedBlocks;

export const NO_MOVED: MovedBlocks = new Map();

/** Makes the finder, which caches its last result while the diffs are the same. */
export function createFindMoved(docs: HunkDocs): FindMoved {
  let last: { readonly hunks: readonly Hunk[]; readonly blocks: MovedBlocks } | null = null;
  return ({ id, hunks }) => {
    const known = last;
    const isSame =
      known !== null &&
      known.hunks.length === hunks.length &&
      hunks.every((hunk, at) => hunk.diff === known.hunks[at]?.diff && hunk.id === known.hunks[at]?.id);
    if (isSame) return known.blocks;
    const blocks = findMoved(searchedHunks(hunks).map((hunk) => [hunk, docs(id, hunk)] as const));
    last = { hunks, blocks };
    return blocks;
  };
}

/** As many of the smallest hunks as the bound allows, so that one packed script does not stop the search in all. */
function searchedHunks(hunks: readonly Hunk[]): readonly Hunk[] {
  let left = SEARCHED_MAX_CHARACTERS - hunks.reduce((sum, { diff }) => sum + diff.length, 0);
  if (left >= 0) return hunks;
  const large = new Set<Hunk>();
  for (const hunk of hunks.toSorted((one, other) => other.diff.length - one.diff.length)) {
    if (left >= 0) break;
    large.add(hunk);
    left += hunk.diff.length;
  }
  return hunks.filter((hunk) => !large.has(hunk));
}

interface Line extends ChangedLine {
  readonly hunk: Hunk;
  readonly index: number;
  readonly line: number;
}

function findMoved(read: readonly (readonly [Hunk, HunkDoc])[]): MovedBlocks {
  const { removed, added } = changedLines(read);
  const blocks = new Map<string, MovedBlock[]>();
  const put = (hunk: string, block: MovedBlock) => blocks.set(hunk, [...(blocks.get(hunk) ?? []), block]);
  for (const block of sameBlocks(removed, added)) {
    const [source, target] = [removed[block.removed.start], added[block.added.start]];
    if (source === undefined || target === undefined || source.run === target.run) continue;
    if (!isBlock(added.slice(block.added.start, block.added.end))) continue;
    const length = block.added.end - block.added.start - 1;
    const place = ({ hunk, line }: Line) => ({ file: hunk.file, line });
    put(source.hunk.id, {
      first: source.index,
      last: source.index + length,
      side: 'removed',
      other: place(target),
    });
    put(target.hunk.id, {
      first: target.index,
      last: target.index + length,
      side: 'added',
      other: place(source),
    });
  }
  return blocks;
}

function changedLines(read: readonly (readonly [Hunk, HunkDoc])[]) {
  const removed: Line[] = [];
  const added: Line[] = [];
  let run = 0;
  for (const [hunk, { lines }] of read) {
    run += 1;
    lines.forEach((line, index) => {
      const list = line.op === 'removed' ? removed : line.op === 'added' ? added : null;
      if (list === null) run += 1;
      else list.push({ hunk, index, line: line.before ?? line.after ?? 0, text: line.text, run });
    });
  }
  return { removed, added };
}

function isBlock(lines: readonly Line[]): boolean {
  if (lines.length < BLOCK_MIN_LINES) return false;
  const letters = lines.reduce((sum, { text }) => sum + lettersOf(text), 0);
  return letters >= BLOCK_MIN_LETTERS;
}

/** One sentence for each moved block of a hunk. */
export function movedWords(blocks: readonly MovedBlock[], doc: HunkDoc, file: string): readonly string[] {
  return blocks.map(({ first, last, side, other }) => {
    const from = doc.lines[doc.own.from + first];
    const number = (side === 'removed' ? from?.before : from?.after) ?? 0;
    const lines = `lines ${number}-${number + last - first}`;
    const place = other.file === file ? `line ${other.line}` : `${other.file}:${other.line}`;
    return side === 'removed' ? `${lines} move to ${place}` : `${lines} come from ${place}`;
  });
}

/** Whether the line, by its index among the hunk's own, is in a moved block. */
export function isMoved(blocks: readonly MovedBlock[], index: number): boolean {
  return blocks.some(({ first, last }) => index >= first && index <= last);
}
