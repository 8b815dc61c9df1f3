/** Makes one hunk of those between which lines move, unless they are far apart; the review then names the other place. Pure. */
import { type LineTable, lineRange } from '../../review/core/line-table.ts';
import type { Region } from '../../review/core/text-diff.ts';
import type { ComposedHunk } from './composed-hunk.ts';
import { movedBlocks } from './moved-blocks.ts';

/** The unchanged lines that a hunk shows between the two places of moved lines. */
const MOVE_MAX_LINES = 120;

/** The numbers of two hunks, or of two regions. */
interface Move {
  readonly from: number;
  readonly to: number;
}

/** The hunks of a file, in order. */
export function joinMoved(
  hunks: readonly ComposedHunk[],
  table: LineTable,
  proposed: LineTable,
): ComposedHunk[] {
  if (hunks.length < 2) return [...hunks];
  const moves = movesBetween(hunks, table, proposed);
  const isNear = ({ from, to }: Move) => {
    const [first, last] = [hunks[Math.min(from, to)], hunks[Math.max(from, to)]];
    return (last?.regions[0]?.aStart ?? 0) - (first?.regions.at(-1)?.aEnd ?? 0) <= MOVE_MAX_LINES;
  };
  return joinUpTo(hunks, moves.filter(isNear));
}

function movesBetween(hunks: readonly ComposedHunk[], table: LineTable, proposed: LineTable): Move[] {
  const owners = hunks.flatMap(({ regions }, hunk) => regions.map(() => hunk));
  const moves = movesOf(
    hunks.flatMap(({ regions }) => regions),
    table,
    proposed,
  );
  return moves
    .map((move) => ({ ...move, from: owners[move.from] ?? 0, to: owners[move.to] ?? 0 }))
    .filter(({ from, to }) => from !== to);
}

/** The moves between regions; `from` and `to` are their indexes. */
function movesOf(regions: readonly Region[], a: LineTable, b: LineTable): Move[] {
  const removed = regions.flatMap(({ aStart, aEnd }, run) => linesOf(a, aStart, aEnd, run));
  const added = regions.flatMap(({ bStart, bEnd }, run) => linesOf(b, bStart, bEnd, run));
  return movedBlocks(removed, added).map((block) => ({
    from: removed[block.removed.start]?.run ?? 0,
    to: added[block.added.start]?.run ?? 0,
  }));
}

/** Longer lines, or more of them, show where unchanged code begins. */
const CLOSING_MAX_CHARS = 3;
const CLOSING_MAX_LINES = 3;

/**
 * The regions, with the closing lines below where one block gives way to another: a brace that both end with belongs to
 * either, and has to go with it.
 */
export function withClosingLines(regions: readonly Region[], a: LineTable, b: LineTable): Region[] {
  const moved = new Set(movesOf(regions, a, b).flatMap(({ from, to }) => [from, to]));
  const widened: Region[] = [];
  regions.forEach((region, i) => {
    const isMixed = region.aStart < region.aEnd && region.bStart < region.bEnd;
    const room = Math.min(CLOSING_MAX_LINES, (regions[i + 1]?.aStart ?? a.count) - region.aEnd);
    let by = 0;
    while (moved.has(i) && isMixed && by < room && isClosing(a, region.aEnd + by)) by += 1;
    const last = widened.at(-1);
    const isNext = last !== undefined && last.aEnd === region.aStart;
    if (isNext) widened.pop();
    const { aStart, bStart } = isNext ? last : region;
    widened.push({ aStart, bStart, aEnd: region.aEnd + by, bEnd: region.bEnd + by });
  });
  return widened;
}

const isClosing = (table: LineTable, line: number) => textOf(table, line).trim().length <= CLOSING_MAX_CHARS;

const decoder = new TextDecoder();

const textOf = (table: LineTable, line: number) => decoder.decode(lineRange(table, line, line + 1));

function linesOf(table: LineTable, start: number, end: number, run: number) {
  return Array.from({ length: end - start }, (_, i) => ({ run, text: textOf(table, start + i) }));
}

/** Each text once. */
function joinedText(texts: readonly (string | null)[]): string | null {
  const all = new Set(texts.filter((text) => text !== null));
  return all.size === 0 ? null : [...all].join('\n');
}

/** Joins the hunks of each move, with those between them: a patch cannot have one hunk inside another. */
function joinUpTo(hunks: readonly ComposedHunk[], moves: readonly Move[]): ComposedHunk[] {
  const reach = hunks.map((_, i) => i);
  for (const { from, to } of moves) {
    const first = Math.min(from, to);
    reach[first] = Math.max(reach[first] ?? first, from, to);
  }
  const joined: ComposedHunk[] = [];
  for (let i = 0; i < hunks.length; ) {
    let last = i;
    for (let at = i; at <= last; at += 1) last = Math.max(last, reach[at] ?? at);
    const group = hunks.slice(i, last + 1);
    joined.push({
      regions: group.flatMap(({ regions }) => regions),
      editIds: [...new Set(group.flatMap(({ editIds }) => editIds))],
      rationale: joinedText(group.map(({ rationale }) => rationale)),
    });
    i = last + 1;
  }
  return joined;
}
