/** Finds a hunk's place in a text that may have changed: its own, else the only place with its lines, else none. */
import { type ByteString, CR, LF, latin1, sameRange } from './bytes.ts';
import { ADDED, bodyLine, CONTEXT, changedSpan, endsLine, type HunkBody, sideLines } from './hunk-body.ts';
import { LineInterner, type LineTable, lineStart } from './line-table.ts';
import type { PatchHunk } from './patch-model.ts';
import { omissionIn } from './place-edits.ts';

export type Placement =
  /** First old line (from 0). `unique`: found by content, not at the header's line. */
  | { readonly kind: 'at'; readonly line: number; readonly how: 'exact' | 'unique' }
  /** The text already has the new lines. */
  | { readonly kind: 'applied'; readonly line: number }
  | { readonly kind: 'conflict'; readonly reason: string };

const TAB = 0x09;
/** Most candidates checked for one hunk; in a text of equal lines the cost would be quadratic. */
const SEARCH_MAX_STEPS = 2_000_000;
/** The same for all hunks of a file. */
const SEARCHES_MAX_STEPS = 20_000_000;

/** Places hunks in a text. The first search builds an index of its lines. */
/** Whether a number in front of each line counts on, as a listing with line numbers does: a file of numbers is not one. */
function isNumbered(lines: readonly ByteString[]): boolean {
  const numbers = lines.map((line) => Number(/^ *(\d+)[ \t:|]+\S?/.exec(line)?.[1]));
  return numbers.length > 1 && numbers.every((number, i) => number === (numbers[0] ?? 0) + i);
}

export class Placer {
  readonly #table: LineTable;
  /** The text is what the patch was made from, so line numbers are exact. */
  readonly #unmoved: boolean;
  #index: LineIndex | null = null;

  constructor(table: LineTable, options: { readonly unmoved: boolean }) {
    this.#table = table;
    this.#unmoved = options.unmoved;
  }

  place(hunk: PatchHunk, body: HunkBody): Placement {
    const declared = declaredLine(hunk);
    if (this.#unmoved && declared !== null && this.#standsAt(body, declared)) {
      return { kind: 'at', line: declared, how: 'exact' };
    }
    const old = sideLines(body, 'old');
    const found = old.length === 0 ? [] : this.#search(body, old);
    if (found === 'too many') return conflict('this text repeats itself too much to find its place.');
    const fitting = found.filter((line) => edgesHold(this.#table, body, old.length, line));
    const [only] = fitting;
    if (only !== undefined && found.length === 1) {
      return { kind: 'at', line: only, how: only === declared ? 'exact' : 'unique' };
    }
    if (found.length > 1) {
      return conflict(
        `the file has changed since, and the old lines occur more than once (lines ${found.map((line) => line + 1).join(' and ')}).`,
      );
    }
    return this.#withoutPlace(hunk, body, found);
  }

  #withoutPlace(hunk: PatchHunk, body: HunkBody, unfit: readonly number[]): Placement {
    const updated = sideLines(body, 'new');
    const there = updated.length === 0 ? [] : this.#search(body, updated);
    const [line] = there;
    if (there !== 'too many' && typeof line === 'number') {
      const declared = hunk.newStart === null ? null : hunk.newStart - 1;
      if (there.length === 1) return { kind: 'applied', line };
      if (declared !== null && there.includes(declared)) return { kind: 'applied', line: declared };
    }
    if (unfit.length > 0)
      return conflict('the file continues where it began or ended when this was written.');
    return conflict(this.#explain(hunk, body));
  }

  /** A sentence that says why the old lines are not there. */
  #explain(hunk: PatchHunk, body: HunkBody): string {
    const count = this.#table.count;
    const declared = declaredLine(hunk);
    if (declared !== null && declared > count)
      return `it begins at line ${declared + 1}, but the file has ${count} lines.`;
    if (hunk.oldCount === 0) return 'it is an insertion without context, and the file has changed since.';
    if (this.#differsInLineEnds(body))
      return 'the lines are there, but with other line endings (CRLF instead of LF, or the reverse).';
    if (this.#differsInBom(body)) return 'the first line differs in its byte order mark (BOM).';
    return this.#explainQuote(
      sideLines(body, 'old').map((i) => latin1(bodyLine(body, i))),
      declared ?? 0,
    );
  }

  /** What a model or a copy may have done to the old lines. */
  #explainQuote(old: readonly ByteString[], declared: number): string {
    const omission = omissionIn(old);
    if (omission !== null) return `it does not quote all of its lines: "${omission}" stands for others.`;
    if (isNumbered(old)) return 'each of its lines has its number in front.';
    const gone = 'its old lines are no longer in the file';
    if (old.some((line) => /&(?:lt|gt|amp|quot);/.test(line)))
      return `${gone}; they look escaped as in HTML.`;
    if (old.some((line) => line.includes('\u00c2\u00a0'))) return `${gone}; they have non-breaking spaces.`;
    const isTabThere = (i: number) => this.#table.bytes[lineStart(this.#table, declared + i)] === TAB;
    const isUntabbed = old.some((line, i) => line.startsWith('  ') && isTabThere(i));
    return isUntabbed ? `${gone}, which has tabs where they have blanks.` : `${gone}.`;
  }

  #differsInLineEnds(body: HunkBody): boolean {
    const inText = this.#table.count > 0 && hasCrlf(this.#table.bytes, 0, lineStart(this.#table, 1));
    const first = sideLines(body, 'old')[0];
    if (first === undefined || !endsLine(body, first)) return false;
    return hasCrlf(body.bytes, body.start(first), body.end(first)) !== inText;
  }

  #differsInBom(body: HunkBody): boolean {
    const first = sideLines(body, 'old')[0];
    if (first === undefined) return false;
    const line = bodyLine(body, first);
    const text = this.#table.bytes;
    const inText = startsWithBom(text);
    if (inText === startsWithBom(line)) return false;
    return inText ? sameRange(text, 3, line, 0, line.length) : sameRange(line, 3, text, 0, line.length - 3);
  }

  /** Whether the old lines are at line `at`, without gaps. */
  #standsAt(body: HunkBody, at: number): boolean {
    const { bytes, starts } = this.#table;
    let line = at;
    for (let i = 0; i < body.count; i += 1) {
      if (body.op(i) === ADDED) continue;
      if (line >= this.#table.count) return false;
      const from = starts[line] ?? 0;
      const start = body.start(i);
      const length = body.end(i) - start;
      if ((starts[line + 1] ?? 0) - from !== length) return false;
      if (!sameRange(bytes, from, body.bytes, start, length)) return false;
      line += 1;
    }
    // An insertion into nothing still names a line of the text or its end.
    return line <= this.#table.count;
  }

  /** At most two places that have `lines` without gaps. */
  #search(body: HunkBody, lines: readonly number[]): readonly number[] | 'too many' {
    this.#index ??= new LineIndex(this.#table);
    return this.#index.find(body, lines);
  }
}

/** Header lines count from 1; an insertion names the line before it. */
function declaredLine(hunk: PatchHunk): number | null {
  if (hunk.oldStart === null) return null;
  return hunk.oldCount === 0 ? hunk.oldStart : Math.max(0, hunk.oldStart - 1);
}

const conflict = (reason: string): Placement => ({ kind: 'conflict', reason });

const startsWithBom = (bytes: Uint8Array) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const hasCrlf = (bytes: Uint8Array, start: number, end: number) =>
  end - start >= 2 && bytes[end - 1] === LF && bytes[end - 2] === CR;

/** An insertion at its file's edge cannot go in the middle; a new line without end must be last. */
function edgesHold(table: LineTable, body: HunkBody, oldCount: number, line: number): boolean {
  const atEnd = line + oldCount === table.count;
  const last = body.count - 1;
  if (body.op(0) === ADDED && isPureInsertionAt(body, 'start') && line !== 0) return false;
  if (body.op(last) === ADDED && isPureInsertionAt(body, 'end') && !atEnd) return false;
  const span = changedSpan(body);
  if (span === null || atEnd) return true;
  for (let i = span.first; i <= last; i += 1) {
    if (body.op(i) === ADDED && !endsLine(body, i)) return false;
  }
  return true;
}

/** Whether the run of changes at this edge of the hunk only inserts. */
function isPureInsertionAt(body: HunkBody, edge: 'start' | 'end'): boolean {
  const step = edge === 'start' ? 1 : -1;
  for (let i = edge === 'start' ? 0 : body.count - 1; i >= 0 && i < body.count; i += step) {
    if (body.op(i) === CONTEXT) return true;
    if (body.op(i) !== ADDED) return false;
  }
  return true;
}

class LineIndex {
  readonly #interner = new LineInterner();
  readonly #ids: Int32Array;
  /** Lines with content `id` are `#lines[#first[id] … #first[id + 1])`, ascending. */
  readonly #first: Uint32Array;
  readonly #lines: Uint32Array;
  #stepsLeft = SEARCHES_MAX_STEPS;

  constructor(table: LineTable) {
    this.#ids = this.#interner.add(table);
    const first = new Uint32Array(this.#interner.size + 1);
    for (const id of this.#ids) first[id + 1] = (first[id + 1] ?? 0) + 1;
    for (let id = 1; id < first.length; id += 1) first[id] = (first[id] ?? 0) + (first[id - 1] ?? 0);
    const next = first.slice();
    const lines = new Uint32Array(this.#ids.length);
    this.#ids.forEach((id, line) => {
      const slot = next[id] ?? 0;
      lines[slot] = line;
      next[id] = slot + 1;
    });
    this.#first = first;
    this.#lines = lines;
  }

  find(body: HunkBody, wanted: readonly number[]): readonly number[] | 'too many' {
    const ids = new Int32Array(wanted.length);
    let rarest = 0;
    for (let i = 0; i < wanted.length; i += 1) {
      const line = wanted[i] ?? 0;
      const id = this.#interner.find(body.bytes, body.start(line), body.end(line));
      if (id < 0) return [];
      ids[i] = id;
      if (this.#occurrences(id) < this.#occurrences(ids[rarest] ?? 0)) rarest = i;
    }
    return this.#matches(ids, rarest);
  }

  #occurrences(id: number): number {
    return (this.#first[id + 1] ?? 0) - (this.#first[id] ?? 0);
  }

  #matches(ids: Int32Array, rarest: number): readonly number[] | 'too many' {
    const found: number[] = [];
    const id = ids[rarest] ?? 0;
    let steps = 0;
    for (let slot = this.#first[id] ?? 0; slot < (this.#first[id + 1] ?? 0); slot += 1) {
      const at = (this.#lines[slot] ?? 0) - rarest;
      if (at < 0 || at + ids.length > this.#ids.length) continue;
      let i = 0;
      while (i < ids.length && this.#ids[at + i] === ids[i]) i += 1;
      steps += i + 1;
      this.#stepsLeft -= i + 1;
      if (steps > SEARCH_MAX_STEPS || this.#stepsLeft < 0) return 'too many';
      if (i === ids.length && found.push(at) === 2) break;
    }
    return found;
  }
}
