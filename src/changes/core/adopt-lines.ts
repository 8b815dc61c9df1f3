/**
 * Applies a change from outside the turn, as if the file had contained it before all edits. Lines that replace lines of
 * an edit still belong to that edit; a removed line that returns counts as unchanged. Changes only the state passed in.
 */
import type { ByteString } from '../../review/core/bytes.ts';
import type { HunkOrigin } from './turn-edits.ts';

/** One line of the file as it is now. */
export interface Cell {
  /** Null: unknown. */
  text: ByteString | null;
  /** Its number, from 0, in the file before all edits; null for a line that an edit inserted. */
  origin: number | null;
  readonly by: HunkOrigin;
}

/** How many removed lines are searched for a returned one. */
const RETURNED_MAX_LINES = 2_000;

export interface Lines {
  /** Each line of the file before. */
  readonly original: readonly Cell[];
  readonly cells: readonly Cell[];
  readonly removedBy: Map<Cell, HunkOrigin>;
  /** Lines of edits that copane took back: if they return, they belong to the edit again. */
  readonly tookBack: Cell[];
}

/** The new text of the file, and for each current line its partner there, or -1. */
interface Becomes {
  readonly lines: readonly ByteString[];
  readonly partners: Int32Array;
  /** Copane took edits back, or restored them. */
  readonly isOurs: boolean;
}

export function adoptLines(state: Lines, becomes: Becomes): Pick<Lines, 'original' | 'cells'> {
  const { lines, partners } = becomes;
  const adoption = new Adoption(state, becomes.isOurs);
  let [at, next] = [0, 0];
  while (at < state.cells.length || next < lines.length) {
    const removed: Cell[] = [];
    for (; at < state.cells.length && (partners[at] ?? -1) < 0; at += 1)
      removed.push(state.cells[at] as Cell);
    const until = at < state.cells.length ? (partners[at] ?? 0) : lines.length;
    adoption.replace(removed, lines.slice(next, until), at);
    const kept = state.cells[at];
    if (kept !== undefined) adoption.keep(kept);
    at += 1;
    next = until + 1;
  }
  return adoption.result();
}

class Adoption {
  readonly #state: Lines;
  readonly #isOurs: boolean;
  readonly #cells: Cell[] = [];
  readonly #dropped = new Set<Cell>();
  /** Keyed by the original line that they follow; null for the start of the file. */
  readonly #come = new Map<Cell | null, Cell[]>();
  /** Original lines that an edit removed. */
  readonly #hidden: Set<Cell>;
  /** For each current line, the next original line at or after it. */
  readonly #nextOrigin: Int32Array;
  #lastOrigin = -1;

  constructor(state: Lines, isOurs: boolean) {
    this.#state = state;
    this.#isOurs = isOurs;
    const there = new Set(state.cells);
    this.#hidden = new Set(state.original.filter((cell) => !there.has(cell)));
    this.#nextOrigin = new Int32Array(state.cells.length + 1).fill(state.original.length);
    for (let at = state.cells.length - 1; at >= 0; at -= 1)
      this.#nextOrigin[at] = state.cells[at]?.origin ?? this.#nextOrigin[at + 1] ?? 0;
  }

  keep(cell: Cell): void {
    this.#cells.push(cell);
    if (cell.origin !== null) this.#lastOrigin = cell.origin;
  }

  /** `at`: the current line that follows. */
  replace(removed: readonly Cell[], added: readonly ByteString[], at: number): void {
    const by = removed.find(({ origin }) => origin === null)?.by;
    const place = removed[0] ?? this.#placeBefore(at);
    for (const cell of removed) this.#takeOut(cell, by);
    for (const text of added) {
      const known = this.#returned(text, at) ?? this.#putBack(text);
      if (known !== null) this.keep(known);
      else if (by !== undefined) this.#cells.push({ text, origin: null, by });
      else {
        const cell: Cell = { text, origin: 0, by: 'unknown' };
        this.#cells.push(cell);
        const come = this.#come.get(place);
        if (come === undefined) this.#come.set(place, [cell]);
        else come.push(cell);
      }
    }
  }

  /** Lines that followed an edit's lines followed everything that they replaced. */
  #placeBefore(at: number): Cell | null {
    const isAfterEdit = this.#cells.at(-1)?.origin === null;
    const index = isAfterEdit ? (this.#nextOrigin[at] ?? 0) - 1 : this.#lastOrigin;
    return this.#state.original[index] ?? null;
  }

  #takeOut(cell: Cell, by: HunkOrigin | undefined): void {
    const { removedBy, tookBack } = this.#state;
    if (cell.origin === null) {
      if (this.#isOurs) tookBack.push(cell);
    } else if (this.#isOurs && removedBy.has(cell)) return;
    else if (by !== undefined) removedBy.set(cell, by);
    else this.#dropped.add(cell);
  }

  #returned(text: ByteString, at: number): Cell | null {
    const end = Math.min(this.#nextOrigin[at] ?? 0, this.#lastOrigin + 1 + RETURNED_MAX_LINES);
    for (let index = this.#lastOrigin + 1; index < end; index += 1) {
      const cell = this.#state.original[index];
      if (cell?.text === text && this.#hidden.delete(cell)) return cell;
    }
    return null;
  }

  #putBack(text: ByteString): Cell | null {
    const { tookBack } = this.#state;
    const found = this.#isOurs ? tookBack.findIndex((cell) => cell.text === text) : -1;
    return found < 0 ? null : (tookBack.splice(found, 1)[0] ?? null);
  }

  result(): Pick<Lines, 'original' | 'cells'> {
    const original = [null, ...this.#state.original].flatMap((cell) => {
      const own = cell === null || this.#dropped.has(cell) ? [] : [cell];
      return [...own, ...(this.#come.get(cell) ?? [])];
    });
    original.forEach((cell, index) => {
      cell.origin = index;
    });
    return { original, cells: this.#cells };
  }
}
