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

/** Reads the body of `hunk` out of the patch's bytes. */
export function readBody(bytes: Uint8Array, hunk: PatchHunk): HunkBody {
  // Plain arrays: most hunks are small, and a typed array costs more to make than it saves.
  const ops: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = hunk.bodyStart; at < hunk.bodyEnd; ) {
    const next = lineEndAt(bytes, at);
    const marker = bytes[at];
    if (marker === BACKSLASH) {
      const last = ends.length - 1;
      if (last >= 0) ends[last] = Math.max(starts[last] ?? 0, (ends[last] ?? 0) - 1);
    } else {
      ops.push(marker === PLUS ? ADDED : marker === MINUS ? REMOVED : CONTEXT);
      // A bare line is an empty context line that lost its blank.
      starts.push(marker === PLUS || marker === MINUS || marker === SPACE ? at + 1 : at);
      ends.push(next);
    }
    at = next;
  }
  return { bytes, count: ops.length, ops, starts, ends };
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
  const first = body.ops.findIndex((op) => op !== CONTEXT);
  if (first < 0) return null;
  let last = body.count - 1;
  while (body.ops[last] === CONTEXT) last -= 1;
  return { first, last };
}
