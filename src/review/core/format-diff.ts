/** Writes unified diffs: a hunk as shown and sent, and whole patches in git's format. */
import {
  type ByteString,
  concatBytes,
  displayBytes,
  emptyBytes,
  fromLatin1,
  LF,
  latin1,
  lineEndAt,
} from './bytes.ts';
import { ADDED, CONTEXT, endsLine, type HunkBody, REMOVED } from './hunk-body.ts';
import type { Picked } from './hunk-pieces.ts';
import { type LineTable, lineStart } from './line-table.ts';
import type { PatchHunk } from './patch-model.ts';
import { quoteName } from './quoted-name.ts';
import { shownLines } from './shown-lines.ts';
import { diffLines, type Region } from './text-diff.ts';

/** Blank, minus, plus: by the kind of line. */
const MARKERS = [0x20, 0x2d, 0x2b] as const;
const encoder = new TextEncoder();
const NO_NEWLINE = fromLatin1('\n\\ No newline at end of file\n');

/** A hunk as a unified diff with header. In a part, lines of other parts are context or omitted. */
export function formatHunk(
  hunk: PatchHunk,
  body: HunkBody,
  picked: Picked,
  contextLines = Number.POSITIVE_INFINITY,
): Uint8Array {
  const { lines, skipped } = windowOf(body, picked, contextLines);
  const { oldCount, newCount, length } = measureHunk(body, picked, lines);
  const header = encoder.encode(headerText(hunk, body.bytes, { oldCount, newCount, skipped }));
  const text = new Uint8Array(header.length + length);
  text.set(header);
  let at = header.length;
  for (const i of lines) {
    text[at++] = MARKERS[opIn(body, picked, i)] ?? 0x20;
    const end = body.end(i);
    for (let byte = body.start(i); byte < end; byte += 1) text[at++] = body.bytes[byte] ?? 0;
    if (endsLine(body, i)) continue;
    text.set(NO_NEWLINE, at);
    at += NO_NEWLINE.length;
  }
  return text;
}

/** The offsets of a whole hunk as it is in the patch, to avoid copying; null if it would be written differently. */
export function verbatimHunk(
  hunk: PatchHunk,
  body: HunkBody,
): { readonly header: string; readonly from: number; readonly to: number } | null {
  let length = 0;
  for (let i = 0; i < body.count; i += 1) length += 1 + body.end(i) - body.start(i);
  const { bodyStart: from, bodyEnd: to } = hunk;
  // A missing blank, or a note about a missing line end.
  if (length !== to - from) return null;
  const counts = { oldCount: hunk.oldCount, newCount: hunk.newCount, skipped: 0 };
  return { header: headerText(hunk, body.bytes, counts), from, to };
}

interface Counts {
  readonly oldCount: number;
  readonly newCount: number;
  /** Lines on both sides before the first one shown. */
  readonly skipped: number;
}

function headerText(hunk: PatchHunk, bytes: Uint8Array, { oldCount, newCount, skipped }: Counts): string {
  const oldStart = (hunk.oldStart ?? 0) + skipped;
  const newStart = (hunk.newStart ?? hunk.oldStart ?? 0) + skipped;
  return `${rangesText(oldStart, oldCount, newStart, newCount)}${sectionText(hunk, bytes)}\n`;
}

/** The ranges of a hunk header. */
export const rangesText = (oldStart: number, oldCount: number, newStart: number, newCount: number) =>
  `@@ -${rangeText(oldStart, oldCount)} +${rangeText(newStart, newCount)} @@`;

/** git cuts it at 80; other programs need not. */
const SECTION_MAX_BYTES = 200;
const AT = 0x40;

/** The text after the numbers in a hunk's header: the function that the hunk is in. */
function sectionText({ headerStart, oldStart }: PatchHunk, bytes: Uint8Array): string {
  if (oldStart === null) return '';
  let at = headerStart + 2;
  while (at < bytes.length && bytes[at] !== LF && (bytes[at] !== AT || bytes[at + 1] !== AT)) at += 1;
  if (bytes[at] !== AT || bytes[at + 2] === LF) return '';
  const end = Math.min(lineEndAt(bytes, at), at + 2 + SECTION_MAX_BYTES);
  return displayBytes(latin1(bytes, at + 2, end).trimEnd());
}

/** The kind of shown line `i` in the diff of the picked lines. */
function opIn(body: HunkBody, picked: Picked, i: number): 0 | 1 | 2 {
  return (picked === null || picked.has(i) ? body.op(i) : CONTEXT) as 0 | 1 | 2;
}

/** Body lines as shown. */
interface Window {
  readonly lines: readonly number[];
  /** Number of lines shown before them. */
  readonly skipped: number;
}

/** From a part's first line to its last, with that many diff lines around it. */
function windowOf(body: HunkBody, picked: Picked, contextLines: number): Window {
  const shown = shownLines(body, picked);
  if (picked === null || picked.size === 0 || contextLines >= body.count) return { lines: shown, skipped: 0 };
  const first = Math.max(0, shown.findIndex((i) => picked.has(i)) - contextLines);
  const last = shown.findLastIndex((i) => picked.has(i)) + contextLines;
  return { lines: shown.slice(first, last + 1), skipped: first };
}

function measureHunk(
  body: HunkBody,
  picked: Picked,
  lines: readonly number[],
): { oldCount: number; newCount: number; length: number } {
  let [oldCount, newCount, length] = [0, 0, 0];
  for (const i of lines) {
    const op = opIn(body, picked, i);
    if (op !== ADDED) oldCount += 1;
    if (op !== REMOVED) newCount += 1;
    length += 1 + body.end(i) - body.start(i) + (endsLine(body, i) ? 0 : NO_NEWLINE.length);
  }
  return { oldCount, newCount, length };
}

/** One side's line range in a hunk header. */
export const rangeText = (start: number, count: number) => (count === 1 ? `${start}` : `${start},${count}`);

export interface PatchSide {
  readonly path: ByteString;
  readonly mode: number;
  readonly table: LineTable;
  /** Git's name of the content, hex. */
  readonly blob: string;
}

/** The diff of one text file in git's format; empty if both sides are equal. */
export function formatFile(
  old: PatchSide | null,
  updated: PatchSide | null,
  contextLines: number,
): Uint8Array {
  const name = (updated ?? old)?.path ?? '';
  const oldName = quoteName(`a/${old?.path ?? name}`);
  const newName = quoteName(`b/${updated?.path ?? name}`);
  const head = [`diff --git ${oldName} ${newName}`];
  const mode = (side: PatchSide) => side.mode.toString(8).padStart(6, '0');
  if (old === null && updated !== null) head.push(`new file mode ${mode(updated)}`);
  if (updated === null && old !== null) head.push(`deleted file mode ${mode(old)}`);
  const both = old !== null && updated !== null;
  const moved = both && old.path !== updated.path;
  const moded = both && old.mode !== updated.mode;
  if (moded) head.push(`old mode ${mode(old)}`, `new mode ${mode(updated)}`);
  if (moved) head.push(`rename from ${quoteName(old.path)}`, `rename to ${quoteName(updated.path)}`);
  const empty = emptyTable();
  const hunks = formatHunks(old?.table ?? empty, updated?.table ?? empty, contextLines);
  if (hunks.length === 0 && both && !moded && !moved) return emptyBytes();
  if (hunks.length > 0 || !both) {
    const suffix = both && !moded ? ` ${mode(updated)}` : '';
    head.push(`index ${old?.blob ?? ZERO_BLOB}..${updated?.blob ?? ZERO_BLOB}${suffix}`);
  }
  if (hunks.length > 0)
    head.push(
      `--- ${old === null ? '/dev/null' : markEnd(oldName)}`,
      `+++ ${updated === null ? '/dev/null' : markEnd(newName)}`,
    );
  return concatBytes([fromLatin1(`${head.join('\n')}\n`), ...hunks]);
}

const ZERO_BLOB = '0'.repeat(40);

const emptyTable = (): LineTable => ({ bytes: emptyBytes(), count: 0, starts: new Uint32Array(1) });

/** A TAB ends a name with a blank, or a reader would take a time stamp for part of it. */
export const markEnd = (name: ByteString) =>
  name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;

/** The hunks that turn `a` into `b`. */
export function formatHunks(a: LineTable, b: LineTable, contextLines: number): Uint8Array[] {
  const groups: Region[][] = [];
  for (const region of diffLines(a, b)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && region.aStart - last.aEnd <= 2 * contextLines)
      group.push(region);
    else groups.push([region]);
  }
  return groups.map((group) => formatRegions(a, b, group, { before: contextLines, after: contextLines }));
}

/** These regions as one hunk, with at most that many lines of context at its ends. */
export function formatRegions(
  a: LineTable,
  b: LineTable,
  group: readonly Region[],
  context: { readonly before: number; readonly after: number },
): Uint8Array {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return emptyBytes();
  const before = Math.min(context.before, first.aStart);
  const after = Math.min(context.after, a.count - last.aEnd);
  const parts: Uint8Array[] = [];
  let line = first.aStart - before;
  for (const region of group) {
    pushLines(parts, a, line, region.aStart, MARKERS[CONTEXT]);
    pushLines(parts, a, region.aStart, region.aEnd, MARKERS[REMOVED]);
    pushLines(parts, b, region.bStart, region.bEnd, MARKERS[ADDED]);
    line = region.aEnd;
  }
  pushLines(parts, a, line, last.aEnd + after, MARKERS[CONTEXT]);
  const aCount = last.aEnd + after - (first.aStart - before);
  const bCount = last.bEnd + after - (first.bStart - before);
  // A side without lines gives the number of the line before it.
  const startText = (start: number, count: number) => rangeText(count === 0 ? start : start + 1, count);
  const header = `@@ -${startText(first.aStart - before, aCount)} +${startText(first.bStart - before, bCount)} @@\n`;
  return concatBytes([fromLatin1(header), ...parts]);
}

/** The lines from `from` on, each with this marker, in one piece. */
function pushLines(
  parts: Uint8Array[],
  table: LineTable,
  from: number,
  to: number,
  marker: (typeof MARKERS)[number],
): void {
  if (from >= to) return;
  const [start, end] = [lineStart(table, from), lineStart(table, to)];
  const marked = new Uint8Array(end - start + to - from);
  let at = 0;
  for (let line = from; line < to; line += 1) {
    marked[at] = marker;
    marked.set(table.bytes.subarray(lineStart(table, line), lineStart(table, line + 1)), at + 1);
    at += 1 + lineStart(table, line + 1) - lineStart(table, line);
  }
  parts.push(marked);
  if (table.bytes[end - 1] !== LF) parts.push(NO_NEWLINE);
}
