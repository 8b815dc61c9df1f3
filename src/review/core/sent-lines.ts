/** A patch that was made from the target's files, without lines of them that its sender did not send. Pure. */
import { append } from '../../lib/append.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Steps } from '../../lib/steps.ts';
import { type ByteString, concatBytes, displayBytes, fromLatin1, latin1 } from './bytes.ts';
import { rangesText } from './format-diff.ts';
import { ADDED, bodyLine, CONTEXT, type HunkBody, REMOVED, readBody } from './hunk-body.ts';
import { parseSteps } from './parse-patch.ts';
import type { Patch, PatchHunk } from './patch-model.ts';

/** Lines without their outer blanks: an edit may be indented otherwise than its file. */
export type SentLines = ReadonlySet<ByteString>;

/** Lines looked at between two pauses. */
const LINES_AT_ONCE = 5_000;

/** The lines of these texts. */
export function* linesOf(texts: readonly ByteString[]): Steps<SentLines> {
  const lines = new Set<ByteString>();
  for (const text of texts) {
    let at = 0;
    for (const line of text.split('\n')) {
      lines.add(line.trim());
      at += 1;
      if (at % LINES_AT_ONCE === 0) yield;
    }
    yield;
  }
  return lines;
}

/** The lines of all hunks. */
export function* linesOfPatch({ bytes, lineStarts, files }: Patch): Steps<SentLines> {
  const lines = new Set<ByteString>();
  for (const hunk of files.flatMap(({ hunks }) => hunks)) {
    const body = readBody(bytes, hunk, lineStarts);
    for (let i = 0; i < body.count; i += 1) {
      lines.add(lineOf(body, i));
      if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) yield;
    }
    yield;
  }
  return lines;
}

const lineOf = (body: HunkBody, i: number): ByteString => latin1(bodyLine(body, i)).trim();

/** Hunks end where a line of context was not sent. Refused if a removed or added line was not. */
export function* withSentLines(made: Uint8Array, sent: SentLines): Steps<Result<Uint8Array>> {
  if (made.length === 0) return ok(made);
  const parsed = yield* parseSteps(made);
  if (!parsed.ok) return parsed;
  const { bytes, lineStarts, files } = parsed.value;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { oldPath, newPath, hunks } of files)
    for (const hunk of hunks) {
      yield;
      const kept = yield* sentParts(hunk, readBody(bytes, hunk, lineStarts), sent);
      if (kept === null) return unsent(oldPath ?? newPath ?? '');
      append(parts, [bytes.subarray(at, hunk.headerStart), ...kept]);
      at = hunk.bodyEnd;
    }
  return ok(concatBytes([...parts, bytes.subarray(at)]));
}

const unsent = (path: ByteString) =>
  fail(
    'refused',
    `The patch would show lines of ${displayBytes(path)} that it does not have.`,
    'Send one diff with all lines that it removes: "git diff" makes it.',
  );

/** The hunk, divided where context was not sent; null if a changed line was not. */
function* sentParts(hunk: PatchHunk, body: HunkBody, sent: SentLines): Steps<Uint8Array[] | null> {
  const parts: Uint8Array[] = [];
  // A side without lines gives the line before it.
  let [oldLine, newLine] = [hunk.oldStart ?? 1, hunk.newStart ?? 1];
  if (hunk.oldCount === 0) oldLine += 1;
  if (hunk.newCount === 0) newLine += 1;
  /** The first line of the part. */
  let first = 0;
  let [oldCount, newCount, changes] = [0, 0, 0];
  const rowAt = (i: number) => (i < body.count ? body.start(i) - 1 : hunk.bodyEnd);
  const endPart = (to: number) => {
    const start = (line: number, count: number) => (count === 0 ? line - 1 : line);
    const header = rangesText(start(oldLine, oldCount), oldCount, start(newLine, newCount), newCount);
    if (changes > 0) parts.push(fromLatin1(`${header}\n`), body.bytes.subarray(rowAt(first), rowAt(to)));
    [oldLine, newLine, first] = [oldLine + oldCount + 1, newLine + newCount + 1, to + 1];
    [oldCount, newCount, changes] = [0, 0, 0];
  };
  for (let i = 0; i < body.count; i += 1) {
    const op = body.op(i);
    if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) yield;
    if (!sent.has(lineOf(body, i))) {
      if (op !== CONTEXT) return null;
      endPart(i);
      continue;
    }
    if (op !== ADDED) oldCount += 1;
    if (op !== REMOVED) newCount += 1;
    if (op !== CONTEXT) changes += 1;
  }
  endPart(body.count);
  return parts;
}
