/**
 * Tells the user's lines from the AI's in a buffer with pulled text, for the TUI, Neovim and `$EDITOR`. Two promises:
 * no line of the user is dropped silently, and none of the AI is sent unasked.
 *
 * A line is withheld silently only if its content is the AI's and there are no more copies than the AI wrote. It is
 * sent unasked only if its content is not the AI's, or if a host that keeps tags on the lines says `note`. The user is
 * asked about all else. In order:
 *   1. equal lines, ignoring white space: aligned in order, then moved ones by count; surplus copies → ambiguous
 *   2. pieces that spell whole deleted lines (split, joined, refilled: `reflow.ts`) → response
 *   3. words (`similarity.ts`): wholly the AI's → ambiguous; mostly → changed; else → note
 *   4. a quoted line (`> `) right above a note belongs to it
 *   5. blank lines belong to the lines around them
 * One stated exception: short pieces of copied lines, joined out of order while the lines remain, cannot be told from
 * the user's words and are sent. Marks that can move (Neovim) only choose between equal copies and make step 3 more
 * careful. Cost: linear in the pulled words, plus a bounded amount for each other line; after the budget is used up the
 * rest is ambiguous.
 */

import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import { squeeze } from '../../lib/squeeze.ts';
import type { DraftPull } from '../../protocol/draft.ts';
import type { NotesAnswer } from '../../protocol/notes.ts';
import { isWordless, lineKey, type PulledRow, type PulledText, readPulls } from './pulled-text.ts';
import { findReflowed } from './reflow.ts';
import { WordIndex } from './similarity.ts';

/** The most comparisons that step 3 makes over all lines: some 100 ms at worst. */
const KINSHIP_MAX_WORK = 250_000;

/** Only a host that keeps tags on the line objects uses `note`; `unknown` is a line without a mark. */
export type LineMark = 'response' | 'note' | 'unknown';

export interface BufferLine {
  readonly text: string;
  readonly mark?: LineMark;
  /** The host saw the line being edited. */
  readonly changed?: boolean;
}

/** The verdict on a line. `blank` belongs to nobody and is not sent. */
export type LineKind = 'response' | 'note' | 'changed' | 'ambiguous' | 'blank';

export type NoteItem = NotesAnswer['items'][number];
/** The response line that a note answers. */
export type Anchor = NonNullable<NoteItem['anchor']>;

export interface ExtractedNotes {
  /** In buffer order. */
  readonly items: readonly NoteItem[];
  /** One for each buffer line. */
  readonly kinds: readonly LineKind[];
  /** The pulled line that each buffer line is or was; null if there is none. */
  readonly origins: readonly (Anchor | null)[];
}

export interface ExtractOptions {
  /** `firm`: the tag belongs to the line object and cannot move. `drifting` (default): marks may have moved. */
  readonly marks?: 'firm' | 'drifting';
  readonly maxWork?: number;
}

/** Sorts the lines of a buffer into the AI's and the user's. */
export function extractNotes(
  lines: readonly BufferLine[],
  pulls: readonly DraftPull[],
  options: ExtractOptions = {},
): ExtractedNotes {
  const sorter = new LineSorter(lines, readPulls(pulls), options);
  sorter.matchEqual();
  sorter.matchReflowed();
  sorter.judgeWords();
  sorter.judgeQuotes();
  sorter.judgeBlanks();
  return collect(lines, sorter.kinds, sorter.origins);
}

const QUOTED = /^\s*> \S/;

/** Counts notes in `texts`; null is not the user's line. A note is a run of lines, or starts with a quote. */
export function countNotes(texts: Iterable<string | null>): number {
  let count = 0;
  let isInNote = false;
  let hasBegunNote = false;
  for (const text of texts) {
    if (text === null || text.trim() === '') {
      hasBegunNote = false;
      isInNote &&= text !== null;
      continue;
    }
    if (!hasBegunNote && (!isInNote || QUOTED.test(text))) {
      count += 1;
      hasBegunNote = true;
    }
    isInNote = true;
  }
  return count;
}

class LineSorter {
  readonly kinds: LineKind[];
  readonly origins: (PulledRow | null)[];
  readonly #lines: readonly BufferLine[];
  readonly #keys: readonly string[];
  readonly #pulled: PulledText;
  readonly #isFirm: boolean;
  readonly #maxWork: number;
  /** Pulled rows already matched to a buffer line. */
  readonly #taken: Uint8Array;
  /** Lines whose kind is decided. */
  readonly #done: Uint8Array;

  constructor(lines: readonly BufferLine[], pulled: PulledText, options: ExtractOptions) {
    this.#lines = lines;
    this.#pulled = pulled;
    this.#isFirm = options.marks === 'firm';
    this.#maxWork = options.maxWork ?? KINSHIP_MAX_WORK;
    this.#keys = lines.map((line) => lineKey(line.text));
    this.kinds = lines.map(() => 'blank');
    this.origins = lines.map(() => null);
    this.#taken = new Uint8Array(pulled.rows.length);
    this.#done = new Uint8Array(lines.length);
    lines.forEach((line, index) => {
      if (this.#isFirm && line.mark === 'note') this.#decide(index, 'note', null);
    });
  }

  /** Equal lines: first in order, then moved ones; surplus copies are asked about. */
  matchEqual(): void {
    const interner = new Interner();
    const idOf = (key: string) => (key === '' ? -1 : interner.idOf(key));
    const rows = Int32Array.from(this.#pulled.rows, (row) => idOf(row.key));
    const known = interner.size;
    const lines = Int32Array.from(this.#keys, (key, index) => {
      const id = this.#done[index] === 1 ? -1 : idOf(key);
      return id < known ? id : -1;
    });
    const partners = alignSequences(lines, rows);
    const copies = new Map<string, number[]>();
    lines.forEach((id, index) => {
      if (id >= 0) pushTo(copies, this.#keys[index] ?? '', index);
    });
    for (const [key, indices] of copies)
      this.#matchCopies(indices, this.#pulled.rowsByKey.get(key) ?? [], partners);
  }

  /** Pieces of pulled lines that together form those lines. */
  matchReflowed(): void {
    const open = this.#open().map((index) => ({ index, text: squeeze(this.#lines[index]?.text ?? '') }));
    if (open.length === 0) return;
    const gone = this.#removedRows().map((index) => ({
      index,
      text: squeeze(this.#pulled.rows[index]?.text ?? ''),
    }));
    for (const [index, row] of findReflowed(open, gone)) {
      this.#taken[row] = 1;
      this.#decide(index, 'response', this.#pulled.rows[row] ?? null);
    }
  }

  judgeWords(): void {
    const open = this.#open();
    if (open.length === 0) return;
    const gone = this.#removedRows();
    const facts = {
      gone: new Set(gone),
      pieces: new PieceIndex(gone.map((row) => this.#pulled.rows[row]?.text ?? '')),
    };
    const goneIsWordless = gone.some((row) => isWordless(this.#pulled.rows[row]?.text ?? ''));
    const words = new WordIndex(this.#pulled.rows);
    for (const index of open) {
      const { text, mark } = this.#lines[index] ?? { text: '' };
      const isMarked = mark === 'response';
      if (words.work > this.#maxWork) {
        this.#decide(index, 'ambiguous', null);
      } else if (isWordless(text) && goneIsWordless) {
        this.#decide(index, 'ambiguous', null);
      } else {
        const similarity = words.similarityOf(text, { gone: facts.gone, isMarked });
        if (similarity.kind === 'made-of') this.#decide(index, 'ambiguous', similarity.origin);
        else if (facts.pieces.has(text)) this.#decide(index, 'ambiguous', null);
        else if (similarity.kind === 'edited') this.#decide(index, 'changed', similarity.origin);
        else this.#decide(index, 'note', null);
      }
    }
  }

  /**
   * A quoted line right above a note belongs to it: a pull of a newer answer quotes the older one there, and people do.
   * If the AI wrote a quote itself, it is a line like any other.
   */
  judgeQuotes(): void {
    this.#lines.forEach(({ text, mark }, index) => {
      const isAbove = this.kinds[index + 1] === 'note' && !QUOTED.test(this.#lines[index + 1]?.text ?? '');
      if (this.#isFirm || mark === 'response' || !isAbove || !QUOTED.test(text)) return;
      if (!this.#pulled.rowsByKey.has(this.#keys[index] ?? '')) this.#decide(index, 'note', null);
    });
  }

  /** A blank line inside a note belongs to it. */
  judgeBlanks(): void {
    let above: LineKind = 'blank';
    let waiting: number[] = [];
    this.#keys.forEach((key, index) => {
      const kind = this.kinds[index] ?? 'blank';
      if (key === '' && kind === 'blank') {
        if (this.#isFirm && this.#lines[index]?.mark === 'response') this.kinds[index] = 'response';
        else waiting.push(index);
        return;
      }
      if (above === 'note' && kind === 'note') for (const blank of waiting) this.kinds[blank] = 'note';
      waiting = [];
      above = kind;
    });
  }

  /** `indices` are equal lines, `rows` the pulled lines that they equal. */
  #matchCopies(indices: readonly number[], rows: readonly number[], partners: Int32Array): void {
    const rank = (index: number) =>
      (this.#lines[index]?.mark === 'response' ? 0 : 2) + ((partners[index] ?? -1) >= 0 ? 0 : 1);
    const surplus = indices.length - rows.length;
    const kept =
      surplus > 0 ? [...indices].sort((a, b) => rank(a) - rank(b) || a - b).slice(0, rows.length) : indices;
    const moved: number[] = [];
    for (const index of kept) {
      const row = partners[index] ?? -1;
      if (row < 0) moved.push(index);
      else this.#take(index, row);
    }
    const free = rows.filter((row) => this.#taken[row] === 0);
    moved
      .sort((a, b) => a - b)
      .forEach((index, at) => {
        this.#take(index, free[at] ?? rows[0] ?? 0);
      });
    for (const index of indices) {
      if (this.#done[index] === 0) this.#decide(index, 'ambiguous', this.#pulled.rows[rows[0] ?? 0] ?? null);
    }
  }

  #take(index: number, row: number): void {
    this.#taken[row] = 1;
    this.#decide(index, 'response', this.#pulled.rows[row] ?? null);
  }

  /** The verdict by content, corrected by a mark that cannot have moved. */
  #decide(index: number, content: LineKind, origin: PulledRow | null): void {
    this.#done[index] = 1;
    this.origins[index] = origin;
    const line = this.#lines[index];
    this.kinds[index] = content;
    if (!this.#isFirm || line?.mark !== 'response') return;
    if (line.changed === true || content === 'note') this.kinds[index] = 'changed';
    else if (content === 'ambiguous') this.kinds[index] = 'response';
  }

  /** Undecided lines, without blank ones. */
  #open(): readonly number[] {
    const open: number[] = [];
    this.#done.forEach((done, index) => {
      if (done === 0 && this.#keys[index] !== '') open.push(index);
    });
    return open;
  }

  /** Pulled rows that match no buffer line, without blank ones. */
  #removedRows(): readonly number[] {
    const gone: number[] = [];
    this.#taken.forEach((taken, row) => {
      if (taken === 0 && this.#pulled.rows[row]?.key !== '') gone.push(row);
    });
    return gone;
  }
}

/** Beginnings and ends of deleted lines, for pieces that were cut inside a word and whose other half is missing. */
class PieceIndex {
  readonly #texts: readonly string[];
  #sorted: readonly string[] | null = null;
  #reversed: readonly string[] | null = null;

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(squeeze);
  }

  has(text: string): boolean {
    const piece = squeeze(text);
    this.#sorted ??= [...this.#texts].sort(byCodeUnit);
    this.#reversed ??= this.#texts.map(reverse).sort(byCodeUnit);
    return startsOne(this.#sorted, piece) || startsOne(this.#reversed, reverse(piece));
  }
}

/** Whether one of the sorted texts begins with `piece`. */
function startsOne(sorted: readonly string[], piece: string): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < piece) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(piece) ?? false;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const reverse = (text: string): string => text.split('').reverse().join('');

function pushTo(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function collect(
  lines: readonly BufferLine[],
  kinds: readonly LineKind[],
  rows: readonly (PulledRow | null)[],
): ExtractedNotes {
  const items: NoteItem[] = [];
  let anchor: Anchor | null = null;
  const origins = rows.map((row) =>
    row === null ? null : { turnId: row.turnId, row: row.row, text: row.text },
  );
  kinds.forEach((kind, line) => {
    const origin = origins[line] ?? null;
    if (kind === 'note' || kind === 'changed' || kind === 'ambiguous') {
      items.push({ kind, text: lines[line]?.text ?? '', line, anchor });
    }
    if (origin !== null && origin.text.trim() !== '' && (kind === 'response' || kind === 'changed'))
      anchor = origin;
  });
  return { items, kinds, origins };
}
