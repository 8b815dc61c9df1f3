/** The lines of one hunk as a view of the patch, without an object per line. */
import { concatBytes, LF, lineEndAt } from './bytes.ts';
import type { PatchHunk } from './patch-model.ts';

export const CONTEXT = 0;
export const REMOVED = 1;
export const ADDED = 2;

/** Lines `0 <= i < count`. */
export interface HunkBody {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** `CONTEXT`, `REMOVED` or `ADDED`. */
  op(i: number): number;
  /** Content of line `i` is `[start(i), end(i))`: without its marker, with its line end if the file has one there. */
  start(i: number): number;
  end(i: number): number;
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** A line's kind by its marker. A bare line is an empty context line that lost its blank. */
const OPS: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, marker) =>
  marker === PLUS ? ADDED : marker === MINUS ? REMOVED : CONTEXT,
);

/** Every line has a marker and ends like the patch's line. */
class PlainBody implements HunkBody {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly #starts: Uint32Array;
  readonly #first: number;

  constructor(bytes: Uint8Array, starts: Uint32Array, first: number, count: number) {
    this.bytes = bytes;
    this.count = count;
    this.#starts = starts;
    this.#first = first;
  }

  op(i: number): number {
    return OPS[this.bytes[this.#starts[this.#first + i] ?? 0] ?? 0] ?? CONTEXT;
  }

  start(i: number): number {
    return (this.#starts[this.#first + i] ?? 0) + 1;
  }

  end(i: number): number {
    return this.#starts[this.#first + i + 1] ?? 0;
  }
}

/** Some line lacks its marker or line end, so the boundaries are stored. */
class ListedBody implements HunkBody {
  readonly bytes: Uint8Array;
  readonly #ops: readonly number[];
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];

  constructor(bytes: Uint8Array, hunk: PatchHunk) {
    const [ops, starts, ends]: [number[], number[], number[]] = [[], [], []];
    for (let at = hunk.bodyStart; at < hunk.bodyEnd; ) {
      const next = lineEndAt(bytes, at);
      const marker = bytes[at] ?? 0;
      const last = ends.length - 1;
      if (marker !== BACKSLASH) {
        ops.push(OPS[marker] ?? CONTEXT);
        starts.push(isMarker(marker) ? at + 1 : at);
        ends.push(next);
      } else if (last >= 0) ends[last] = Math.max(starts[last] ?? 0, (ends[last] ?? 0) - 1);
      at = next;
    }
    this.bytes = bytes;
    this.#ops = ops;
    this.#starts = starts;
    this.#ends = ends;
  }

  get count(): number {
    return this.#ops.length;
  }

  op(i: number): number {
    return this.#ops[i] ?? CONTEXT;
  }

  start(i: number): number {
    return this.#starts[i] ?? 0;
  }

  end(i: number): number {
    return this.#ends[i] ?? 0;
  }
}

const isMarker = (byte: number) => byte === PLUS || byte === MINUS || byte === SPACE;

/** The body of `hunk`; `lineStarts` are those of the patch's bytes. */
export function readBody(bytes: Uint8Array, hunk: PatchHunk, lineStarts?: Uint32Array): HunkBody {
  const { firstLine, lines } = hunk;
  if (lineStarts === undefined || firstLine < 0) return new ListedBody(bytes, hunk);
  for (let line = firstLine; line < firstLine + lines; line += 1) {
    if (!isMarker(bytes[lineStarts[line] ?? 0] ?? 0)) return new ListedBody(bytes, hunk);
  }
  return new PlainBody(bytes, lineStarts, firstLine, lines);
}

/** The bytes of line `i` without a copy. */
export function bodyLine(body: HunkBody, i: number): Uint8Array {
  return body.bytes.subarray(body.start(i), body.end(i));
}

/** Whether line `i` ends with a line end. */
export function endsLine(body: HunkBody, i: number): boolean {
  const end = body.end(i);
  return end > body.start(i) && body.bytes[end - 1] === LF;
}

/** Line indexes of one side: context and this side's own lines. */
export function sideLines(body: HunkBody, side: 'old' | 'new'): readonly number[] {
  const skipped = side === 'old' ? ADDED : REMOVED;
  const lines: number[] = [];
  for (let i = 0; i < body.count; i += 1) if (body.op(i) !== skipped) lines.push(i);
  return lines;
}

/** The text of one side: context and this side's own lines. */
export function sideText(body: HunkBody, side: 'old' | 'new'): Uint8Array {
  return concatBytes(sideLines(body, side).map((i) => bodyLine(body, i)));
}

/** The lines that are removed or added. */
export function changedLines(body: HunkBody): number[] {
  return Array.from({ length: body.count }, (_, line) => line).filter((line) => body.op(line) !== CONTEXT);
}

/** `[first, last]` of the removed or added lines; null if there are none. */
export function changedSpan(body: HunkBody): { first: number; last: number } | null {
  const { count } = body;
  let first = 0;
  while (first < count && body.op(first) === CONTEXT) first += 1;
  if (first === count) return null;
  let last = count - 1;
  while (body.op(last) === CONTEXT) last -= 1;
  return { first, last };
}
