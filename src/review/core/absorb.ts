/**
 * The user edits a file that holds accepted changes. Those edits move into the base, so that our pieces can still be
 * taken out one by one: what the user wrote stays, what a change wrote goes. A piece whose own lines were edited
 * cannot be told from the user's work any more; it is named, and becomes part of the base.
 */
import { concatBytes, LF } from './bytes.ts';
import { type LineTable, lineRange, lineTable } from './line-table.ts';
import { comparePieces, countLines, type Piece, replay } from './piece.ts';
import { diffLines, type Region } from './text-diff.ts';

/** A piece of one owner in the text, as it was before the user's edits. */
export interface OwnedPiece extends Piece {
  readonly owner: string;
}

export interface Absorbed {
  /** The text without our pieces, with the user's edits. */
  readonly base: Uint8Array;
  /** The pieces in that base, by owner. An insertion with user's lines inside has become several. */
  readonly pieces: ReadonlyMap<string, readonly Piece[]>;
  /** Owners whose own lines were edited; none of their pieces is in `pieces`. */
  readonly entangled: ReadonlySet<string>;
  /** Where line `line` of the old base is now; -1 when the user edited it. */
  readonly moved: (start: number, end: number) => number;
}

/** A piece and the lines that it has in the rendered text. */
interface Rendered {
  readonly piece: OwnedPiece;
  readonly from: number;
  readonly to: number;
}

/** Takes the difference between what `base` with `pieces` is and what `found` is as the user's. */
export function absorb(base: LineTable, pieces: readonly OwnedPiece[], found: Uint8Array): Absorbed {
  const sorted = [...pieces].sort(comparePieces);
  const rendered = lineTable(replay(base, sorted));
  const disk = lineTable(found);
  const edits = diffLines(rendered, disk);
  const placed = layOut(sorted);
  const entangled = new Set<string>();
  for (const { piece, from, to } of placed) {
    if (edits.some((edit) => spoils(edit, piece, from, to))) entangled.add(piece.owner);
  }
  const kept = placed.filter(({ piece }) => !entangled.has(piece.owner));
  const { newBase, newPieces } = rebuild(base, disk, kept, edits);
  const baseEdits = diffLines(base, lineTable(newBase));
  return {
    base: newBase,
    pieces: Map.groupBy(newPieces, (piece) => piece.owner),
    entangled,
    moved: (start, end) => movedLine(baseEdits, start, end),
  };
}

/** The rendered lines of each piece. */
function layOut(sorted: readonly OwnedPiece[]): Rendered[] {
  let shift = 0;
  return sorted.map((piece) => {
    const from = piece.start + shift;
    const lines = countLines(piece.text);
    shift += lines - (piece.end - piece.start);
    return { piece, from, to: from + lines };
  });
}

/** This edit touches lines of the piece, so that they are no longer what the change wrote. */
function spoils(edit: Region, piece: Piece, from: number, to: number): boolean {
  if (edit.aStart === edit.aEnd) {
    const inside = edit.aStart > from && edit.aStart < to;
    return inside && piece.end > piece.start;
  }
  if (from === to) return edit.aStart < from && from < edit.aEnd;
  return edit.aStart < to && from < edit.aEnd;
}

interface Slice {
  readonly owner: string;
  readonly order: number;
  /** Lines of the disk's text. */
  readonly from: number;
  readonly to: number;
  /** What stands there in the base. */
  readonly old: Uint8Array;
}

/** The parts of a piece on disk: one, or more where the user put lines between. */
function slicesOf(base: LineTable, { piece, from, to }: Rendered, edits: readonly Region[]): Slice[] {
  const shiftAt = (line: number) => {
    let shift = 0;
    for (const edit of edits) {
      if (edit.aEnd > line) break;
      shift += edit.bEnd - edit.bStart - (edit.aEnd - edit.aStart);
    }
    return shift;
  };
  const old = lineRange(base, piece.start, piece.end);
  const cuts = edits.filter((edit) => edit.aStart === edit.aEnd && edit.aStart > from && edit.aStart < to);
  const bounds = [from, ...cuts.map((cut) => cut.aStart), to];
  return bounds.slice(1).map((end, i) => {
    const start = bounds[i] ?? from;
    const at = start + shiftAt(start);
    return {
      owner: piece.owner,
      order: piece.order + i / (bounds.length + 1),
      from: at,
      to: at + end - start,
      old,
    };
  });
}

function rebuild(
  base: LineTable,
  disk: LineTable,
  kept: readonly Rendered[],
  edits: readonly Region[],
): { newBase: Uint8Array; newPieces: OwnedPiece[] } {
  const parts: Uint8Array[] = [];
  const newPieces: OwnedPiece[] = [];
  let diskLine = 0;
  let baseLine = 0;
  const push = (part: Uint8Array, lines: number) => {
    const last = parts.at(-1);
    if (part.length > 0 && last !== undefined && last[last.length - 1] !== LF) parts.push(Uint8Array.of(LF));
    if (part.length > 0) parts.push(part);
    baseLine += lines;
  };
  for (const rendered of kept) {
    for (const slice of slicesOf(base, rendered, edits)) {
      push(lineRange(disk, diskLine, slice.from), slice.from - diskLine);
      const start = baseLine;
      push(slice.old, countLines(slice.old));
      const text = lineRange(disk, slice.from, slice.to);
      newPieces.push({ owner: slice.owner, order: slice.order, start, end: baseLine, text });
      diskLine = slice.to;
    }
  }
  push(lineRange(disk, diskLine, disk.count), disk.count - diskLine);
  return { newBase: concatBytes(parts), newPieces };
}

function movedLine(edits: readonly Region[], start: number, end: number): number {
  let shift = 0;
  for (const edit of edits) {
    const before = edit.aEnd <= start && (edit.aEnd < start || edit.aStart < edit.aEnd || end > start);
    if (before) shift += edit.bEnd - edit.bStart - (edit.aEnd - edit.aStart);
    else if (edit.aStart < end || (edit.aStart === start && edit.aStart === end)) return -1;
    else break;
  }
  return start + shift;
}
