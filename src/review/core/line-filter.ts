/** Keeps only a patch's hunks that touch given lines of the new text. Changes without lines stay with their file. */
import { append } from '../../lib/append.ts';
import { ok, type Result } from '../../lib/result.ts';
import type { Steps } from '../../lib/steps.ts';
import { concatBytes, displayBytes, LF } from './bytes.ts';
import { parseSteps } from './parse-patch.ts';
import type { FilePatch, PatchHunk } from './patch-model.ts';

export interface LineRange {
  readonly file: string;
  /** From 1, inclusive. */
  readonly first: number;
  readonly last: number;
}

/** Lines before a file's first hunk that name the file. */
const HEAD_MAX_LINES = 16;
const GIT_HEAD = Buffer.from('diff --git ');
const PLAIN_HEAD = Buffer.from('--- ');

/** The patch without hunks that no range touches. A file without ranges stays complete. */
export function* keepLines(patch: Uint8Array, ranges: readonly LineRange[]): Steps<Result<Uint8Array>> {
  if (ranges.length === 0) return ok(patch);
  const parsed = yield* parseSteps(patch);
  if (!parsed.ok) return parsed;
  const { bytes, files } = parsed.value;
  const byFile = Map.groupBy(ranges, ({ file }) => file);
  const cuts: { from: number; to: number }[] = [];
  for (const file of files) {
    yield;
    const wanted = byFile.get(displayBytes(file.newPath ?? file.oldPath ?? ''));
    if (wanted !== undefined) append(cuts, cutsOf(bytes, file, apart(wanted)));
  }
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { from, to } of cuts) {
    parts.push(bytes.subarray(at, from));
    at = to;
  }
  return ok(concatBytes([...parts, bytes.subarray(at)]));
}

function cutsOf(
  bytes: Uint8Array,
  file: FilePatch,
  wanted: readonly LineRange[],
): { from: number; to: number }[] {
  const left = file.hunks.filter((hunk) => !touches(hunk, wanted));
  const [first] = file.hunks;
  const last = file.hunks.at(-1);
  if (first === undefined || last === undefined) return [];
  if (left.length === file.hunks.length)
    return [{ from: headOf(bytes, lineBefore(bytes, first.bodyStart)), to: last.bodyEnd }];
  return left.map((hunk) => ({ from: lineBefore(bytes, hunk.bodyStart), to: hunk.bodyEnd }));
}

/** The ranges in order, those that overlap as one; a range that ends before it begins has no line. */
function apart(ranges: readonly LineRange[]): LineRange[] {
  const all: LineRange[] = [];
  const real = ranges.filter(({ first, last }) => first <= last);
  for (const range of real.toSorted((a, b) => a.first - b.first)) {
    const before = all.at(-1);
    if (before === undefined || before.last < range.first) all.push(range);
    else all[all.length - 1] = { ...before, last: Math.max(before.last, range.last) };
  }
  return all;
}

/** A hunk that only removes lines counts as the line before them. The ranges are in order, and apart. */
function touches({ newStart, newCount }: PatchHunk, ranges: readonly LineRange[]): boolean {
  const start = newStart ?? 1;
  const end = start + Math.max(newCount, 1) - 1;
  let [from, to] = [0, ranges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ranges[middle]?.last ?? 0) < start) from = middle + 1;
    else to = middle;
  }
  return (ranges[from]?.first ?? Number.POSITIVE_INFINITY) <= end;
}

/** The beginning of the line that ends at `at`. */
const lineBefore = (bytes: Uint8Array, at: number): number => bytes.lastIndexOf(LF, at - 2) + 1;

/** The beginning of the file's section, searched upwards from its first hunk. */
function headOf(bytes: Uint8Array, hunk: number): number {
  const startsWith = (at: number, text: Buffer) =>
    Buffer.compare(bytes.subarray(at, at + text.length), text) === 0;
  let at = hunk;
  let plain = hunk;
  for (let line = 0; line < HEAD_MAX_LINES && at > 0; line += 1) {
    at = lineBefore(bytes, at);
    if (startsWith(at, GIT_HEAD)) return at;
    if (startsWith(at, PLAIN_HEAD) && plain === hunk) plain = at;
  }
  return plain;
}
