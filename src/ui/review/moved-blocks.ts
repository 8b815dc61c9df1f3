/** Finds blocks that a suggestion only moves or reindents: nobody needs to read them twice. Pure; bounded. */
import type { Hunk, Suggestion } from '../../protocol/review.ts';
import type { HunkDoc, HunkDocs } from './hunk-doc.ts';

/** In a larger suggestion, only the smaller hunks are searched: all would delay the first frame. */
export const SEARCHED_MAX_CHARACTERS = 400_000;
/** Letters and digits that make a block: closing brackets and single words are everywhere. */
const BLOCK_MIN_LETTERS = 40;
const BLOCK_MIN_LINES = 2;
/** Most places to try for a line. */
const TRIED_MAX_PLACES = 8;

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

interface Line {
  readonly hunk: Hunk;
  readonly index: number;
  readonly line: number;
  /** Without indentation. */
  readonly text: string;
  /** Number of the gap between unchanged lines of the hunk. */
  readonly gap: number;
}

function findMoved(read: readonly (readonly [Hunk, HunkDoc])[]): MovedBlocks {
  const { removed, added } = changedLines(read);
  const places = new Map<string, number[]>();
  removed.forEach(({ text }, at) => {
    const known = places.get(text) ?? [];
    if (known.length < TRIED_MAX_PLACES) places.set(text, [...known, at]);
  });
  const blocks = new Map<string, MovedBlock[]>();
  const put = (hunk: string, block: MovedBlock) => blocks.set(hunk, [...(blocks.get(hunk) ?? []), block]);
  const taken = new Set<number>();
  for (let to = 0; to < added.length; ) {
    const tried = (places.get(added[to]?.text ?? '') ?? []).filter((from) => !taken.has(from));
    const runs = tried.map((from) => ({ from, length: runOf(removed, added, from, to) }));
    const best = runs.reduce((one, other) => (other.length > one.length ? other : one), {
      from: 0,
      length: 0,
    });
    const [source, target] = [removed[best.from], added[to]];
    const texts = added.slice(to, to + best.length);
    if (source === undefined || target === undefined || !isBlock(texts)) {
      to += 1;
      continue;
    }
    for (let at = 0; at < best.length; at += 1) taken.add(best.from + at);
    const length = best.length - 1;
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
    to += best.length;
  }
  return blocks;
}

function changedLines(read: readonly (readonly [Hunk, HunkDoc])[]) {
  const removed: Line[] = [];
  const added: Line[] = [];
  let gap = 0;
  for (const [hunk, { lines }] of read) {
    gap += 1;
    lines.forEach((line, index) => {
      const list = line.op === 'removed' ? removed : line.op === 'added' ? added : null;
      if (list === null) gap += 1;
      else list.push({ hunk, index, line: line.before ?? line.after ?? 0, text: line.text.trim(), gap });
    });
  }
  return { removed, added };
}

/** How many lines match from these two on; 0 if they are in one gap, which is not a move. */
function runOf(removed: readonly Line[], added: readonly Line[], from: number, to: number): number {
  const [first, start] = [removed[from], added[to]];
  if (first === undefined || start === undefined || first.gap === start.gap) return 0;
  let length = 0;
  for (; ; length += 1) {
    const [one, other] = [removed[from + length], added[to + length]];
    if (one === undefined || one.text !== other?.text) return length;
    if (one.gap !== first.gap || other.gap !== start.gap) return length;
  }
}

function isBlock(lines: readonly Line[]): boolean {
  if (lines.length < BLOCK_MIN_LINES) return false;
  const letters = lines.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
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
