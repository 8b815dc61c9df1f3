/** Carries a file with some known lines through edits, to combine several into one difference. Pure. */
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import type { ByteString } from '../../review/core/bytes.ts';
import { adoptLines, type Cell } from './adopt-lines.ts';
import type { EditHunk, HunkOrigin } from './turn-edits.ts';

/** Edits of files with more lines are not combined. */
const KNOWN_LINES_MAX = 1_000_000;

/** One step of the difference from before all edits to now. */
export interface ScriptLine {
  readonly op: ' ' | '-' | '+';
  readonly text: ByteString | null;
  readonly by: HunkOrigin;
}

export class KnownLines {
  #original: Cell[] = [];
  readonly #removedBy = new Map<Cell, HunkOrigin>();
  readonly #tookBack: Cell[] = [];
  #cells: Cell[] = [];
  /** More lines may follow, all unknown. */
  #isOpen: boolean;

  constructor(before: readonly ByteString[] | null) {
    this.#isOpen = before === null;
    for (const text of before ?? []) this.#extend(text);
  }

  /** Every line is known. */
  get isWhole(): boolean {
    return !this.#isOpen && this.#cells.every(({ text }) => text !== null);
  }

  /** The current lines; null if some are unknown. */
  now(): readonly ByteString[] | null {
    return this.isWhole ? textsOf(this.#cells) : null;
  }

  /** The lines before all edits; null if some are unknown. */
  before(): readonly ByteString[] | null {
    const known = !this.#isOpen && this.#original.every(({ text }) => text !== null);
    return known ? textsOf(this.#original) : null;
  }

  /** Learns all current lines. False, without learning anything, if they contradict what is known. */
  meet(lines: readonly ByteString[]): boolean {
    if (lines.length < this.#cells.length || (!this.#isOpen && lines.length !== this.#cells.length))
      return false;
    if (!this.#cells.every(({ text }, at) => text === null || text === lines[at])) return false;
    this.#cells.forEach((cell, at) => {
      cell.text = lines[at] ?? null;
    });
    for (const text of lines.slice(this.#cells.length)) this.#extend(text);
    this.#isOpen = false;
    return true;
  }

  /** The whole file became `lines`; false if its earlier text is unknown. `inherits`: tool lines stay the tool's. */
  become(lines: readonly ByteString[], by: HunkOrigin, inherits = false): boolean {
    const now = this.now();
    if (now === null || lines.length > KNOWN_LINES_MAX) return false;
    const partners = partnersOf(now, lines);
    const kept = new Map<number, Cell>();
    const heirs = new Set<number>();
    let next = 0;
    this.#cells.forEach((cell, at) => {
      const partner = partners[at] ?? -1;
      if (partner >= 0) next = partner + 1;
      if (partner >= 0) kept.set(partner, cell);
      else this.#remove(cell, by);
      if (inherits && partner < 0 && cell.origin === null && cell.by === 'tool') heirs.add(next);
    });
    let isHeir = false;
    this.#cells = lines.map((text, at) => {
      isHeir = heirs.has(at) || (isHeir && !kept.has(at));
      return kept.get(at) ?? { text, origin: null, by: isHeir ? 'tool' : by };
    });
    return true;
  }

  /**
   * The whole file became `lines` by a change that is not part of the turn: it is treated as if the file had had it
   * before all edits. `isOurs`: copane took edits back or restored them. False if it is unknown what the file was.
   */
  adopt(lines: readonly ByteString[], isOurs = false): boolean {
    const now = this.now();
    if (now === null || lines.length > KNOWN_LINES_MAX) return false;
    const state = {
      original: this.#original,
      cells: this.#cells,
      removedBy: this.#removedBy,
      tookBack: this.#tookBack,
    };
    const adopted = adoptLines(state, { lines, partners: partnersOf(now, lines), isOurs });
    this.#original = [...adopted.original];
    this.#cells = [...adopted.cells];
    return true;
  }

  /** Applies hunks at their line numbers. False, without applying anything, if a line differs from theirs. */
  apply(hunks: readonly EditHunk[], by: HunkOrigin): boolean {
    const places = hunks.map((hunk) => {
      const old = hunk.lines.filter((line) => line[0] !== '+');
      return { hunk, old, at: old.length === 0 ? hunk.oldStart : hunk.oldStart - 1 };
    });
    if (!places.every(({ old, at }, index) => this.#fits(old, at, (places[index - 1]?.at ?? 0) <= at)))
      return false;
    for (const { hunk, at } of places.toReversed()) this.#splice(hunk, at, by);
    return true;
  }

  #fits(old: readonly ByteString[], at: number, isInOrder: boolean): boolean {
    const end = at + old.length;
    if (at < 0 || !isInOrder || end > KNOWN_LINES_MAX || (!this.#isOpen && end > this.#cells.length))
      return false;
    while (this.#cells.length < end) this.#extend(null);
    return old.every((line, index) => {
      const known = this.#cells[at + index]?.text ?? null;
      return known === null || known === line.slice(1);
    });
  }

  #splice(hunk: EditHunk, at: number, by: HunkOrigin): void {
    let cursor = at;
    const put: Cell[] = [];
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line[0] === '+') put.push({ text, origin: null, by });
      else {
        const cell = this.#cells[cursor++];
        if (cell === undefined) continue;
        cell.text = text;
        if (line[0] === '-') this.#remove(cell, by);
        else put.push(cell);
        // A line without a line end is the last one.
        if (!text.endsWith('\n')) this.#isOpen = false;
      }
    }
    this.#cells = this.#cells.slice(0, at).concat(put, this.#cells.slice(cursor));
  }

  #extend(text: ByteString | null): void {
    const cell: Cell = { text, origin: this.#original.length, by: 'unknown' };
    this.#original.push(cell);
    this.#cells.push(cell);
  }

  #remove(cell: Cell, by: HunkOrigin): void {
    if (cell.origin !== null) this.#removedBy.set(cell, by);
  }

  /** The difference from before all edits to now. A line that was removed and added again is unchanged. */
  script(): readonly ScriptLine[] {
    const out: ScriptLine[] = [];
    let next = 0;
    let added: ScriptLine[] = [];
    const flush = (until: number) => {
      const removed = this.#original.slice(next, until).map((cell): ScriptLine => {
        return { op: '-', text: cell.text, by: this.#removedBy.get(cell) ?? 'unknown' };
      });
      for (const line of withoutReturned(removed, added)) out.push(line);
      added = [];
    };
    for (const { text, origin, by } of this.#cells) {
      if (origin === null) {
        added.push({ op: '+', text, by });
        continue;
      }
      flush(origin);
      out.push({ op: ' ', text, by });
      next = origin + 1;
    }
    flush(this.#original.length);
    return out;
  }
}

const textsOf = (cells: readonly Cell[]): readonly ByteString[] => cells.map(({ text }) => text ?? '');

type Texts = readonly (ByteString | null)[];

/** For each line of `a` its partner in `b`, or -1. Aligns only the part between the common ends. */
export function partnersOf(a: Texts, b: Texts): Int32Array {
  const most = Math.min(a.length, b.length);
  const isSame = (one: ByteString | null | undefined, two: ByteString | null | undefined) =>
    one !== null && one === two;
  let head = 0;
  while (head < most && isSame(a[head], b[head])) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail += 1;
  const interner = new Interner();
  const ids = (lines: Texts) => Int32Array.from(lines, (text) => (text === null ? -1 : interner.idOf(text)));
  const inner = alignSequences(ids(a.slice(head, a.length - tail)), ids(b.slice(head, b.length - tail)));
  return Int32Array.from(a, (_, at) => {
    if (at < head) return at;
    if (at >= a.length - tail) return at - a.length + b.length;
    const partner = inner[at - head] ?? -1;
    return partner < 0 ? -1 : partner + head;
  });
}

function withoutReturned(
  removed: readonly ScriptLine[],
  added: readonly ScriptLine[],
): readonly ScriptLine[] {
  if (removed.length === 0 || added.length === 0) return [...removed, ...added];
  return scriptBetween(removed, added);
}

/** The difference between two lists of lines; each keeps who changed it. */
export function scriptBetween(
  before: readonly Pick<ScriptLine, 'text' | 'by'>[],
  after: readonly Pick<ScriptLine, 'text' | 'by'>[],
): readonly ScriptLine[] {
  const textOf = ({ text }: Pick<ScriptLine, 'text'>) => text;
  const partners = partnersOf(before.map(textOf), after.map(textOf));
  const out: ScriptLine[] = [];
  let next = 0;
  const put = (until: number) => {
    for (; next < until; next += 1) {
      const line = after[next];
      if (line !== undefined) out.push({ op: '+', text: line.text, by: line.by });
    }
  };
  // In each gap, removed lines come before added ones.
  let index = 0;
  for (const line of before) {
    const partner = partners[index++] ?? -1;
    if (partner < 0) out.push({ op: '-', text: line.text, by: line.by });
    else {
      put(partner);
      out.push({ op: ' ', text: line.text, by: line.by });
      next = partner + 1;
    }
  }
  put(after.length);
  return out;
}
