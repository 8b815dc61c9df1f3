/** Finds the end of a hunk's body by its header's counts, or if they are wrong by its lines. Detects truncation. */

import { CR, LF, lineEndAt, startsWithAt } from './bytes.ts';
import { type LineTable, lineStart } from './line-table.ts';
import type { PatchHunk } from './patch-model.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

export interface HunkScan extends Pick<PatchHunk, 'lines' | 'oldCount' | 'newCount' | 'recounted'> {
  readonly end: number;
}

export type ScanResult =
  | { readonly ok: true; readonly value: HunkScan }
  | { readonly ok: false; readonly error: string; readonly hint: string };

/** A body at the end of the input may lack this many declared lines and still count as miscounted, not truncated. */
const SHORTFALL_MAX_LINES = 8;

type Counts = Pick<PatchHunk, 'oldCount' | 'newCount'>;

/** An editor or a model removed the blank of an empty context line. */
const isBareLine = (bytes: Uint8Array, at: number) =>
  bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF);

/** How the input ended: with a line end, without one, or known to be complete. */
export type PatchEnding = 'closed' | 'open' | 'whole';

/** Scans the body that begins at line `line`. `declared` null: the header had no numbers. */
export function scanHunk(
  table: LineTable,
  line: number,
  declared: Counts | null,
  ending: PatchEnding,
): ScanResult {
  const { bytes } = table;
  const at = lineStart(table, line);
  if (declared !== null) {
    const exact = scanDeclared(table, line, declared);
    if (exact !== null && !goesOn(bytes, exact.end)) return { ok: true, value: exact };
  }
  const counted = scanByShape(bytes, at);
  if (counted.lines > 0 && declared !== null && isBroken(bytes, at, declared)) {
    return {
      ok: false,
      error: 'a line of this hunk goes on in the next one, which has no marker.',
      hint: 'A mail program or a terminal has wrapped it. Save the diff as a file, or join the wrapped lines.',
    };
  }
  if (counted.lines === 0 && declared !== null) {
    const bare = scanWithoutBlanks(bytes, at, declared);
    if (bare !== null) return { ok: true, value: bare };
  }
  if (counted.oldCount + counted.newCount === 0) {
    return {
      ok: false,
      error: 'this hunk has no lines.',
      hint: 'The diff was cut off, or its header is wrong.',
    };
  }
  if (declared !== null && isInterrupted(bytes, counted, declared)) {
    return {
      ok: false,
      error: `line ${counted.lines + 1} of this hunk has no marker, and the hunk goes on below it.`,
      hint: 'Each of its lines begins with a blank, + or -. Publish the diff as git prints it.',
    };
  }
  if (counted.end >= bytes.length && !isPlausible(bytes, at, counted, declared, ending)) {
    return {
      ok: false,
      error: 'the diff ends in the middle of this hunk: it was cut off.',
      hint: 'Publish the whole diff. If only the counts in the header are wrong, correct them.',
    };
  }
  return { ok: true, value: { ...counted, recounted: true } };
}

function scanDeclared({ bytes, starts, count }: LineTable, first: number, declared: Counts): HunkScan | null {
  let { oldCount: oldLeft, newCount: newLeft } = declared;
  let line = first;
  for (; line < count; line += 1) {
    const at = starts[line] ?? 0;
    // A branch per marker would be mispredicted for every other line.
    const sides = SIDES[bytes[at] ?? 0] ?? 0;
    if (oldLeft + newLeft === 0) {
      if (bytes[at] !== BACKSLASH) break;
    } else if (sides === 0) {
      if (isBareLine(bytes, at)) {
        oldLeft -= 1;
        newLeft -= 1;
      } else if (bytes[at] !== BACKSLASH) return null;
    }
    oldLeft -= sides >> 1;
    newLeft -= sides & 1;
    if ((oldLeft | newLeft) < 0) return null;
  }
  if (oldLeft + newLeft > 0) return null;
  const { oldCount, newCount } = declared;
  return { end: starts[line] ?? bytes.length, lines: line - first, oldCount, newCount, recounted: false };
}

/** Context lines lost their blanks, as happens in chats. Accepted if both sides' counts match exactly. */
function scanWithoutBlanks(bytes: Uint8Array, start: number, declared: Counts): HunkScan | null {
  let { oldCount: oldLeft, newCount: newLeft } = declared;
  let [at, lines, changed] = [start, 0, 0];
  for (; at < bytes.length && oldLeft + newLeft > 0; at = lineEndAt(bytes, at), lines += 1) {
    const sides = SIDES[bytes[at] ?? 0] || 3;
    if (sides !== 3) changed += 1;
    oldLeft -= sides >> 1;
    newLeft -= sides & 1;
    if ((oldLeft | newLeft) < 0) return null;
  }
  return oldLeft + newLeft === 0 && changed > 0 ? { ...declared, end: at, lines, recounted: false } : null;
}

/** Whether both counts match exactly without the lines that have no marker: those continue broken longer lines. */
function isBroken(bytes: Uint8Array, start: number, declared: Counts): boolean {
  let { oldCount: oldLeft, newCount: newLeft } = declared;
  let broken = 0;
  for (let at = start; at < bytes.length && oldLeft + newLeft > 0; at = lineEndAt(bytes, at)) {
    const sides = isBareLine(bytes, at) ? 3 : (SIDES[bytes[at] ?? 0] ?? 0);
    if (sides === 0 && ['@@', 'diff ', '```'].some((other) => startsWithAt(bytes, at, other))) return false;
    if (sides === 0 && bytes[at] !== BACKSLASH) broken += 1;
    oldLeft -= sides >> 1;
    newLeft -= sides & 1;
    if ((oldLeft | newLeft) < 0) return false;
  }
  return broken > 0 && oldLeft + newLeft === 0;
}

/** Whether it lacks declared lines, and below one line without a marker more of its lines follow: none may be dropped. */
function isInterrupted(bytes: Uint8Array, counted: Counts & { readonly end: number }, declared: Counts) {
  const isShort = counted.oldCount < declared.oldCount || counted.newCount < declared.newCount;
  const others = ['@@', 'diff ', '```'];
  if (!isShort || others.some((other) => startsWithAt(bytes, counted.end, other))) return false;
  return !endsBody(bytes, counted.end) && goesOn(bytes, lineEndAt(bytes, counted.end));
}

/** By marker, the sides that a line is on: 2 the old one, 1 the new one. */
const SIDES: Readonly<Uint8Array> = Uint8Array.from({ length: 256 }, (_, marker) => {
  if (marker === SPACE) return 3;
  return marker === MINUS ? 2 : Number(marker === PLUS);
});

/** Whether more lines of the same hunk follow the declared ones. */
function goesOn(bytes: Uint8Array, at: number): boolean {
  const marker = bytes[at];
  if (marker !== PLUS && marker !== MINUS && marker !== SPACE) return false;
  return !endsBody(bytes, at);
}

/** A mail's signature line, or the next file's names. */
function endsBody(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== MINUS) return false;
  if (startsWithAt(bytes, at, '-- \n') || startsWithAt(bytes, at, '-- \r\n')) return true;
  // Mail programs remove the blank; git's version on the next line tells the signature from a deleted dash.
  if (startsWithAt(bytes, at, '--\n') && isDigit(bytes[at + 3])) return true;
  if (!startsWithAt(bytes, at, '--- ')) return false;
  const second = lineEndAt(bytes, at);
  return startsWithAt(bytes, second, '+++ ') && startsWithAt(bytes, lineEndAt(bytes, second), '@@');
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function scanByShape(bytes: Uint8Array, start: number): Omit<HunkScan, 'recounted'> {
  let oldCount = 0;
  let newCount = 0;
  let lines = 0;
  let at = start;
  let kept = { end: start, lines: 0, oldCount: 0, newCount: 0 };
  while (at < bytes.length && !endsBody(bytes, at)) {
    const marker = bytes[at];
    const bare = isBareLine(bytes, at);
    if (marker === PLUS) newCount += 1;
    else if (marker === MINUS) oldCount += 1;
    else if (marker === SPACE || bare) {
      oldCount += 1;
      newCount += 1;
    } else if (marker !== BACKSLASH) break;
    at = lineEndAt(bytes, at);
    lines += 1;
    // Empty lines at the end belong to the prose after the hunk.
    if (!bare) kept = { end: at, lines, oldCount, newCount };
  }
  return kept.lines === 0 ? { end: at, lines, oldCount, newCount } : kept;
}

/** A body at the end of the input is complete if it ends with as much context as it begins with. */
function isPlausible(
  bytes: Uint8Array,
  start: number,
  counted: Counts & { readonly end: number },
  declared: Counts | null,
  ending: PatchEnding,
): boolean {
  if (ending === 'whole') return true;
  const missing =
    declared === null
      ? 0
      : Math.max(declared.oldCount - counted.oldCount, declared.newCount - counted.newCount);
  if (missing <= 0) return true;
  if (ending === 'open' || missing > SHORTFALL_MAX_LINES) return false;
  const { leading, trailing } = contextOf(bytes, start, counted.end);
  return trailing >= 1 && trailing >= leading;
}

function contextOf(bytes: Uint8Array, start: number, end: number): { leading: number; trailing: number } {
  let leading = 0;
  let trailing = 0;
  let changed = false;
  for (let at = start; at < end; at = lineEndAt(bytes, at)) {
    const marker = bytes[at];
    if (marker === BACKSLASH) continue;
    if (marker === PLUS || marker === MINUS) {
      changed = true;
      trailing = 0;
    } else if (changed) trailing += 1;
    else leading += 1;
  }
  return { leading, trailing };
}
