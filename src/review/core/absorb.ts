/**
 * Handles the user's edits to a file that holds accepted changes. They move into the base, so that each of our pieces
 * can still be taken out: the user's text stays, the change's text goes. A piece that a formatter laid out differently
 * still belongs to the change. A piece whose words were edited cannot be told from the user's work; it is reported and
 * becomes part of the base.
 */
import { concatBytes, LF, sameBytes } from './bytes.ts';
import { type LineTable, lineRange, lineTable } from './line-table.ts';
import { comparePieces, countLines, type Piece, replay } from './piece.ts';
import { diffLines, type Region } from './text-diff.ts';

/** One owner's piece in the text, as it was before the user's edits. */
export interface OwnedPiece extends Piece {
  readonly owner: string;
}

export interface Absorbed {
  /** The text without our pieces but with the user's edits. */
  readonly base: Uint8Array;
  /** The pieces in that base, by owner. An insertion with user's lines inside it becomes several. */
  readonly pieces: ReadonlyMap<string, readonly Piece[]>;
  /** Owners whose own lines were edited; `pieces` has none of theirs. */
  readonly entangled: ReadonlySet<string>;
  /** The new position of lines `[start, end)` of the old base; -1 if the user edited them. */
  readonly moved: (start: number, end: number) => number;
}

interface Rendered {
  readonly piece: OwnedPiece;
  readonly from: number;
  readonly to: number;
}

/** Attributes the difference between `base` with `pieces` and `found` to the user. */
export function absorb(base: LineTable, pieces: readonly OwnedPiece[], found: Uint8Array): Absorbed {
  const sorted = [...pieces].sort(comparePieces);
  const texts = { rendered: lineTable(replay(base, sorted)), disk: lineTable(found) };
  const placed = layOut(sorted);
  const { edits, entangled } = compare(texts, placed);
  const kept = placed.filter(({ piece }) => !entangled.has(piece.owner));
  const { newBase, newPieces } = rebuild(base, texts.disk, kept, edits);
  const baseEdits = new Edits(diffLines(base, lineTable(newBase)));
  return {
    base: newBase,
    pieces: Map.groupBy(newPieces, (piece) => piece.owner),
    entangled,
    moved: (start, end) => movedLine(baseEdits, start, end),
  };
}

interface Texts {
  readonly rendered: LineTable;
  readonly disk: LineTable;
}

interface Comparison {
  readonly edits: Edits;
  /** Owners whose words were edited. */
  readonly entangled: Set<string>;
}

/** The user's edits by line; where lines of ours were touched, by line without layout. */
function compare(texts: Texts, placed: readonly Rendered[]): Comparison {
  const exact = comparison(texts, placed, diffLines(texts.rendered, texts.disk));
  if (exact.entangled.size === 0) return exact;
  const regions = diffLines(wordTable(texts.rendered), wordTable(texts.disk));
  const loose = comparison(texts, placed, regions);
  return loose.entangled.size < exact.entangled.size ? loose : exact;
}

function comparison(
  { rendered, disk }: Texts,
  placed: readonly Rendered[],
  regions: readonly Region[],
): Comparison {
  const edits = new Edits(regions);
  const entangled = new Set<string>();
  const isLaidOut = ({ from, to }: Rendered) =>
    sameBytes(
      wordsOf(lineRange(rendered, from, to)),
      wordsOf(lineRange(disk, from + edits.shiftAt(from), to + edits.shiftInto(to))),
    );
  for (const each of placed) {
    const { piece, from, to } = each;
    const colliding = edits.near(from, to).filter((edit) => changesPiece(edit, piece, from, to));
    const isInside = colliding.every(({ aStart, aEnd }) => aStart >= from && aEnd <= to);
    if (colliding.length > 0 && !(isInside && isLaidOut(each))) entangled.add(piece.owner);
  }
  return { edits, entangled };
}

/** The position in `to` of lines `[start, end)` of `from`; -1 if they, or the gap that they name, have changed. */
export function lineMover(from: LineTable, to: LineTable): (start: number, end: number) => number {
  const edits = new Edits(diffLines(from, to));
  return (start, end) => movedLine(edits, start, end);
}

function layOut(sorted: readonly OwnedPiece[]): Rendered[] {
  let shift = 0;
  return sorted.map((piece) => {
    const from = piece.start + shift;
    const lines = countLines(piece.text);
    shift += lines - (piece.end - piece.start);
    return { piece, from, to: from + lines };
  });
}

/** Whether this edit changes the piece's lines, so that they are no longer the change's own. */
function changesPiece(edit: Region, piece: Piece, from: number, to: number): boolean {
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
  /** The matching lines in the base. */
  readonly old: Uint8Array;
}

/** Edits in order, searchable by line: a formatter can make one per line. */
class Edits {
  readonly #all: readonly Region[];
  /** How far the first `i` edits shift the lines after them. */
  readonly #shifts: Float64Array;

  constructor(all: readonly Region[]) {
    this.#all = all;
    this.#shifts = new Float64Array(all.length + 1);
    all.forEach((edit, i) => {
      this.#shifts[i + 1] = (this.#shifts[i] ?? 0) + edit.bEnd - edit.bStart - (edit.aEnd - edit.aStart);
    });
  }

  /** The edits that touch or border on lines `[from, to]`. */
  near(from: number, to: number): readonly Region[] {
    let end = this.#endingBefore(from);
    const start = end;
    while (end < this.#all.length && (this.#all[end]?.aStart ?? 0) <= to) end += 1;
    return this.#all.slice(start, end);
  }

  /** How far line `line` is shifted by edits that end at it or earlier. */
  shiftAt(line: number): number {
    return this.#shifts[this.#endingBefore(line + 1)] ?? 0;
  }

  /** The same without insertions right before the line: how far the end of the lines above is shifted. */
  shiftInto(line: number): number {
    let at = this.#endingBefore(line + 1);
    while (at > 0 && this.#all[at - 1]?.aStart === line) at -= 1;
    return this.#shifts[at] ?? 0;
  }

  /** How far line `line` is shifted by edits that end before it. */
  shiftBefore(line: number): number {
    return this.#shifts[this.#endingBefore(line)] ?? 0;
  }

  /** The number of edits that end before `line`. */
  #endingBefore(line: number): number {
    let low = 0;
    let high = this.#all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#all[middle]?.aEnd ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The parts of a piece on disk: several if the user inserted lines in it. */
function slicesOf(base: LineTable, { piece, from, to }: Rendered, edits: Edits): Slice[] {
  const old = lineRange(base, piece.start, piece.end);
  const cuts = edits
    .near(from, to)
    .filter((edit) => edit.aStart === edit.aEnd && edit.aStart > from && edit.aStart < to);
  const bounds = [from, ...cuts.map((cut) => cut.aStart), to];
  return bounds.slice(1).map((end, i) => {
    const start = bounds[i] ?? from;
    const at = start + edits.shiftAt(start);
    const order = piece.order + i / (bounds.length + 1);
    return { owner: piece.owner, order, from: at, to: Math.max(at, end + edits.shiftInto(end)), old };
  });
}

function rebuild(
  base: LineTable,
  disk: LineTable,
  kept: readonly Rendered[],
  edits: Edits,
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

function movedLine(edits: Edits, start: number, end: number): number {
  let shift = edits.shiftBefore(start);
  for (const edit of edits.near(start, end)) {
    const before = edit.aEnd === start && (edit.aStart < edit.aEnd || end > start);
    if (before) shift += edit.bEnd - edit.bStart - (edit.aEnd - edit.aStart);
    else if (edit.aStart < end || (edit.aStart === start && edit.aStart === end)) return -1;
    else break;
  }
  return start + shift;
}

const [BACKTICK, QUOTE, APOSTROPHE] = [0x60, 0x22, 0x27];
/** White space, and the `,` and `;` that formatters add and remove. */
const DROPPED = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x2c, 0x3b]);

/** The text without layout: no white space, no `,` or `;`, one kind of quotes. */
function wordsOf(text: Uint8Array): Uint8Array {
  const words = new Uint8Array(text.length);
  let length = 0;
  for (const byte of text) {
    if (DROPPED.has(byte)) continue;
    words[length] = byte === APOSTROPHE || byte === BACKTICK ? QUOTE : byte;
    length += 1;
  }
  return words.subarray(0, length);
}

/** The table with each line reduced to its words. */
function wordTable(table: LineTable): LineTable {
  const bytes = new Uint8Array(table.bytes.length + table.count);
  const starts = new Uint32Array(table.count + 1);
  let at = 0;
  for (let line = 0; line < table.count; line += 1) {
    const words = wordsOf(lineRange(table, line, line + 1));
    bytes.set(words, at);
    at += words.length;
    bytes[at] = LF;
    at += 1;
    starts[line + 1] = at;
  }
  return { bytes: bytes.subarray(0, at), count: table.count, starts };
}
