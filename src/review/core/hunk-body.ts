/** The lines of one hunk, as offsets into the patch. Read when a hunk is shown or placed, not when it is parsed. */
import { concatBytes, LF, lineEndAt } from './bytes.ts';
import type { PatchHunk } from './patch-model.ts';

export const CONTEXT = 0;
export const REMOVED = 1;
export const ADDED = 2;

export interface HunkBody {
  /** The patch's bytes. */
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly ops: readonly number[];
  /** Content of line `i` is `[starts[i], ends[i])`: without its marker, with its line end, unless the file has none there. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** Arrays of more lines grow as they are filled: one that is made so long is kept as a table of its keys. */
const PRESIZED_MAX_LINES = 1_000_000;

/** Reads the body of `hunk` out of the patch's bytes; `lineStarts` are the patch's. */
export function readBody(bytes: Uint8Array, hunk: PatchHunk, lineStarts?: Uint32Array): HunkBody {
  // Plain arrays of their length: most hunks are small, and a typed array costs more to make than it saves.
  const length = Math.min(hunk.lines, PRESIZED_MAX_LINES);
  const ops = new Array<number>(length);
  const starts = new Array<number>(length);
  const ends = new Array<number>(length);
  const known = lineStarts !== undefined && hunk.firstLine >= 0 ? lineStarts : null;
  let count = 0;
  for (let at = hunk.bodyStart, line = hunk.firstLine + 1; at < hunk.bodyEnd; line += 1) {
    const next = known?.[line] ?? lineEndAt(bytes, at);
    const marker = bytes[at];
    if (marker === BACKSLASH) {
      if (count > 0) ends[count - 1] = Math.max(starts[count - 1] ?? 0, (ends[count - 1] ?? 0) - 1);
    } else {
      ops[count] = marker === PLUS ? ADDED : marker === MINUS ? REMOVED : CONTEXT;
      // A bare line is an empty context line that lost its blank.
      starts[count] = marker === PLUS || marker === MINUS || marker === SPACE ? at + 1 : at;
      ends[count] = next;
      count += 1;
    }
    at = next;
  }
  if (count < ops.length) for (const lines of [ops, starts, ends]) lines.length = count;
  return { bytes, count, ops, starts, ends };
}

/** The bytes of line `i`, not copied. */
export function bodyLine(body: HunkBody, i: number): Uint8Array {
  return body.bytes.subarray(body.starts[i] ?? 0, body.ends[i] ?? 0);
}

/** Line `i` ends with a line end. */
export function endsLine(body: HunkBody, i: number): boolean {
  const end = body.ends[i] ?? 0;
  return end > (body.starts[i] ?? 0) && body.bytes[end - 1] === LF;
}

/** Indexes of the lines of one side: context and the lines that only this side has. */
export function sideLines(body: HunkBody, side: 'old' | 'new'): readonly number[] {
  const skipped = side === 'old' ? ADDED : REMOVED;
  const lines: number[] = [];
  for (let i = 0; i < body.count; i += 1) if (body.ops[i] !== skipped) lines.push(i);
  return lines;
}

/** The text of one side: context and the lines that only this side has. */
export function sideText(body: HunkBody, side: 'old' | 'new'): Uint8Array {
  return concatBytes(sideLines(body, side).map((i) => bodyLine(body, i)));
}

/** `[first, last]` of the lines that change something; null when none does. */
export function changedSpan(body: HunkBody): { first: number; last: number } | null {
  const { ops, count } = body;
  let first = 0;
  while (first < count && ops[first] === CONTEXT) first += 1;
  if (first === count) return null;
  let last = count - 1;
  while (ops[last] === CONTEXT) last -= 1;
  return { first, last };
}
