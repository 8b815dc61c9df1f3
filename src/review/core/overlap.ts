/** Whether changes can coexist in a text: none may edit lines that another relies on. */
import type { Change } from './change.ts';
import { changedSpan } from './hunk-body.ts';
import type { Piece } from './piece.ts';

/** The base lines that a change relies on: those it edits, and its context. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Standing {
  readonly change: Change;
  readonly pieces: readonly Piece[];
  readonly span: Span;
}

/** The change with its placed pieces and the lines that they cover. */
export function standing(change: Change, pieces: readonly Piece[]): Standing {
  return { change, pieces, span: spanOf(change, pieces) };
}

/** The lines that a change with these pieces relies on. */
export function spanOf(change: Change, pieces: readonly Piece[]): Span {
  const box = boxOf(pieces);
  const { body } = change;
  if (body === null || change.picked !== null) return box;
  const changed = changedSpan(body);
  if (changed === null) return box;
  return { start: box.start - changed.first, end: box.end + body.count - 1 - changed.last };
}

/** The lines that the pieces cover. */
export function boxOf(pieces: readonly Piece[]): Span {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const piece of pieces) {
    start = Math.min(start, piece.start);
    end = Math.max(end, piece.end);
  }
  return { start: Math.min(start, end), end };
}

/** Standings sorted by place, so that neighbours are found without a full scan. */
export class Standings {
  readonly #sorted: readonly Standing[];
  /** The largest end among the first `i + 1`. */
  readonly #reach: Float64Array;

  constructor(all: readonly Standing[]) {
    // A change without pieces (rename, mode) has no place in the text.
    this.#sorted = all.filter(({ pieces }) => pieces.length > 0).sort((a, b) => a.span.start - b.span.start);
    this.#reach = new Float64Array(this.#sorted.length);
    let reach = -1;
    this.#sorted.forEach(({ span }, i) => {
      reach = Math.max(reach, span.end);
      this.#reach[i] = reach;
    });
  }

  /** These without the changes in `ids`, plus `come`. */
  with(ids: ReadonlySet<string>, come: readonly Standing[]): Standings {
    return new Standings([...this.#sorted.filter(({ change }) => !ids.has(change.id)), ...come]);
  }

  get isEmpty(): boolean {
    return this.#sorted.length === 0;
  }

  /** A change (among these ids) that cannot be combined with `one`; null if there is none. */
  overlapOf(one: Standing, among: ReadonlySet<string> | null = null): Change | null {
    if (one.pieces.length === 0) return null;
    for (let i = this.#lastUpTo(one.span.end); i >= 0 && (this.#reach[i] ?? 0) >= one.span.start; i -= 1) {
      const other = this.#sorted[i];
      if (other === undefined || among?.has(other.change.id) === false) continue;
      if (excludes(one, other)) return other.change;
    }
    return null;
  }

  /** Two changes that exclude each other; null if there are none. */
  collision(): readonly [Change, Change] | null {
    for (const one of this.#sorted) {
      const other = this.overlapOf(one);
      if (other !== null) return [one.change, other];
    }
    return null;
  }

  /** The last standing that begins at or before `line`; -1 if none does. */
  #lastUpTo(line: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle]?.span.start ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function excludes(one: Standing, other: Standing): boolean {
  if (one.change.id === other.change.id) return false;
  // Parts of the same hunk always fit together.
  if (one.change.parent !== null && one.change.parent === other.change.parent) return false;
  if (one.span.end < other.span.start || other.span.end < one.span.start) return false;
  return (
    collide(one.pieces, other.span) || collide(other.pieces, one.span) || sameGap(one.pieces, other.pieces)
  );
}

/** Whether a piece edits inside the span. Changes that meet at its edges are neighbours. */
function collide(pieces: readonly Piece[], span: Span): boolean {
  return pieces.some((piece) =>
    piece.start === piece.end
      ? span.start < piece.start && piece.start < span.end
      : piece.start < span.end && span.start < piece.end,
  );
}

/** Two insertions at the same place: their order cannot be known. */
function sameGap(a: readonly Piece[], b: readonly Piece[]): boolean {
  return a.some((x) => x.start === x.end && b.some((y) => y.start === y.end && y.start === x.start));
}
