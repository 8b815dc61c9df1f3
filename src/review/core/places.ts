/** Finds a file's changes, run by run, in the decided file or in an editor's text. Decides nothing. */
import { fromLatin1, latin1 } from './bytes.ts';
import type { Change } from './change.ts';
import { explain } from './explain.ts';
import type { FileReview } from './file-review.ts';
import { activePieces, isPresent, stateOf } from './file-state.ts';
import { ADDED, changedSpan, type HunkBody, REMOVED } from './hunk-body.ts';
import { blocksOf, type Picked } from './hunk-pieces.ts';
import { lineTable } from './line-table.ts';
import { comparePieces, countLines, type Piece } from './piece.ts';
import { runsOf, shownLines } from './shown-lines.ts';
import { diffLines, type Region } from './text-diff.ts';

export interface Run {
  /** Lines of the hunk's diff, from 1, inclusive. */
  readonly first: number;
  readonly last: number;
  /** The first text line of the run, from 0; if it has none, the line before which it would be. */
  readonly row: number;
  /** The number of text lines in the run. */
  readonly count: number;
}

export interface ChangePlace {
  readonly change: Change;
  readonly side: 'old' | 'new';
  /** The line, from 0, where its first change is or would be. */
  readonly row: number;
  /** From the top; empty if the text does not contain it. */
  readonly runs: readonly Run[];
}

/** The place of each change in `text`; null: in the decided file. */
export function placesIn(review: FileReview, text: string | null): ChangePlace[] {
  const rows = new Rows(review);
  const regions = text === null ? [] : editsIn(review, text);
  return review.changes.map((change) => moved(placeOf(review, change, rows), regions));
}

/** The change's line, from 0, in the current file; for a conflict, the most similar place. */
export function lineNow(review: FileReview, change: Change): number {
  const rows = new Rows(review);
  const place = review.placeInBase(change);
  const table = review.table();
  const isLost = place.kind === 'conflict' && !isPresent(review.state, change.id) && table !== null;
  const window = isLost ? explain(change, table)?.window : undefined;
  return window === undefined ? placeOf(review, change, rows).row : rows.ofLine(window.start);
}

/** How far the changes in the file shift the rows below them. */
class Rows {
  readonly #present: readonly Piece[];
  /** Lines added by the first `i` changes. */
  readonly #added: readonly number[];

  constructor({ changes, state }: FileReview) {
    const present = changes.filter(({ id }) => isPresent(state, id));
    this.#present = present.flatMap(({ id }) => activePieces(stateOf(state, id))).sort(comparePieces);
    let added = 0;
    this.#added = [
      0,
      ...this.#present.map(({ start, end, text }) => (added += countLines(text) - (end - start))),
    ];
  }

  /** The first row of a piece, from 0. */
  of(piece: Piece): number {
    let [low, high] = [0, this.#present.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#present[middle];
      if (other !== undefined && comparePieces(other, piece) < 0) low = middle + 1;
      else high = middle;
    }
    return piece.start + (this.#added[low] ?? 0);
  }

  /** The same for a base line. */
  ofLine(line: number): number {
    return this.of({ start: line, end: line, text: new Uint8Array(0), order: -1 });
  }
}

function placeOf(review: FileReview, change: Change, rows: Rows): ChangePlace {
  const own = stateOf(review.state, change.id);
  const isIn = isPresent(review.state, change.id);
  const known = isIn ? activePieces(own) : null;
  const place = known === null ? review.placeInBase(change) : ({ kind: 'pieces', pieces: known } as const);
  const offset = change.body === null ? 0 : (changedSpan(change.body)?.first ?? 0);
  if (place.kind === 'applied') {
    return { change, side: 'new', row: rows.ofLine((place.line ?? 0) + offset), runs: [] };
  }
  const side = isIn || own.frozen !== null ? 'new' : 'old';
  const pieces = place.kind === 'pieces' ? place.pieces : [];
  const [first] = pieces;
  if (first === undefined) {
    const declared = Math.max(0, (change.hunk?.oldStart ?? 1) - 1);
    return { change, side, row: rows.ofLine(declared + offset), runs: [] };
  }
  const stands = own.decision !== 'modified' && own.frozen === null;
  const fits = stands && (isIn || review.place(change).kind === 'pieces');
  return {
    change,
    side,
    row: rows.of(first),
    runs: fits
      ? runsIn(
          change,
          side,
          pieces.map((one) => rows.of(one)),
        )
      : [],
  };
}

/** A change's runs, if its pieces begin at these rows in order; empty if the pieces are not its own lines'. */
function runsIn(change: Change, side: 'old' | 'new', rows: readonly number[]): Run[] {
  const { body, picked } = change;
  if (body === null) return [];
  const owners = piecesOfLines(body, picked);
  const shown = shownLines(body, picked);
  if (owners.count !== rows.length) return [];
  const op = side === 'old' ? REMOVED : ADDED;
  return runsOf(change, shown).map(({ first, last }) => {
    const lines = shown.slice(first - 1, last);
    const rowOf = (line: number) => (rows[owners.piece.get(line) ?? 0] ?? 0) + (owners.offset.get(line) ?? 0);
    const taken = lines.filter((line) => body.op(line) === op).map(rowOf);
    const row = taken[0] ?? rows[owners.piece.get(lines[0] ?? 0) ?? 0] ?? 0;
    return { first, last, row, count: taken.length === 0 ? 0 : (taken.at(-1) ?? row) + 1 - row };
  });
}

interface Owners {
  readonly count: number;
  /** By body line: its piece, and its position among that piece's lines of the same side. */
  readonly piece: ReadonlyMap<number, number>;
  readonly offset: ReadonlyMap<number, number>;
}

/** The piece in `hunkPieces` of each picked line. */
function piecesOfLines(body: HunkBody, picked: Picked): Owners {
  const piece = new Map<number, number>();
  const offset = new Map<number, number>();
  let count = 0;
  for (const { removed, added } of blocksOf(body)) {
    const own = [...removed, ...added].filter((line) => picked === null || picked.has(line));
    const isWhole = own.length === removed.length + added.length;
    for (const line of own) piece.set(line, isWhole ? count : count++);
    if (isWhole) {
      for (const side of [removed, added]) for (const [at, line] of side.entries()) offset.set(line, at);
      count += 1;
    }
  }
  return { count, piece, offset };
}

/** How `text` differs from the file, ignoring line ends, byte order mark, last line end and non-ASCII text. */
function editsIn(review: FileReview, text: string): Region[] {
  const plain = (bytes: string) =>
    lineTable(
      fromLatin1(
        bytes
          .replaceAll('\r\n', '\n')
          .replace(/[^\0-\x7f]+/g, '?')
          .replace(/^\?/, '')
          .replace(/[^\n]$/, '$&\n'),
      ),
    );
  const image = review.image();
  return diffLines(plain(latin1(image?.bytes ?? new Uint8Array(0))), plain(text));
}

/** The place in a text with these edits; a change that an edit touches has none. */
function moved(place: ChangePlace, regions: readonly Region[]): ChangePlace {
  if (regions.length === 0) return place;
  const at = (row: number) => {
    const region = regions[countWhile(regions, ({ aStart, aEnd }) => aStart < row || aEnd <= row) - 1];
    if (region === undefined) return row;
    return region.aEnd > row ? region.bStart : row + region.bEnd - region.aEnd;
  };
  const isTouched = ({ row, count }: Run) => {
    const next = regions[countWhile(regions, ({ aEnd }) => aEnd <= row)];
    return next !== undefined && next.aStart < row + count;
  };
  const runs = place.runs.some(isTouched) ? [] : place.runs.map((run) => ({ ...run, row: at(run.row) }));
  return { ...place, row: at(place.row), runs };
}

/** The number of leading regions for which `is` holds, by bisection: regions are sorted and separate. */
function countWhile(regions: readonly Region[], is: (region: Region) => boolean): number {
  let [low, high] = [0, regions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const region = regions[middle];
    if (region !== undefined && is(region)) low = middle + 1;
    else high = middle;
  }
  return low;
}
