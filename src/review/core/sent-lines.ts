/** A patch that was made from the target's files, without lines of them that its sender did not send. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, concatBytes, displayBytes, fromLatin1, latin1 } from './bytes.ts';
import { rangesText } from './format-diff.ts';
import { parsePatch } from './parse-patch.ts';
import type { Patch, PatchHunk } from './patch-model.ts';

/** Lines without their outer blanks: an edit may be indented otherwise than its file. */
export type SentLines = ReadonlySet<ByteString>;

/** The lines of these texts. */
export const linesOf = (texts: readonly ByteString[]): SentLines =>
  new Set(texts.flatMap((text) => text.split('\n')).map((line) => line.trim()));

/** The lines of all hunks. */
export const linesOfPatch = ({ bytes, files }: Patch): SentLines =>
  linesOf(
    files.flatMap(({ hunks }) => hunks.flatMap((hunk) => rowsOf(bytes, hunk).map((row) => row.slice(1, -1)))),
  );

/** The lines of a hunk's body with their markers. */
const rowsOf = (bytes: Uint8Array, { bodyStart, bodyEnd }: PatchHunk): readonly ByteString[] =>
  latin1(bytes, bodyStart, bodyEnd).match(/[^\n]*\n/g) ?? [];

/** Hunks end where a line of context was not sent. Refused if a removed or added line was not. */
export function withSentLines(made: Uint8Array, sent: SentLines): Result<Uint8Array> {
  if (made.length === 0) return ok(made);
  const parsed = parsePatch(made);
  if (!parsed.ok) return parsed;
  const { bytes, files } = parsed.value;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { oldPath, newPath, hunks } of files)
    for (const hunk of hunks) {
      const left = sentPart(hunk, rowsOf(bytes, hunk), sent);
      if (left === null) return unsent(oldPath ?? newPath ?? '');
      parts.push(bytes.subarray(at, hunk.headerStart), fromLatin1(left));
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
function sentPart(hunk: PatchHunk, rows: readonly ByteString[], sent: SentLines): ByteString | null {
  let text = '';
  let part = partAt(hunk.oldStart ?? 1, hunk.newStart ?? 1);
  // A side without lines gives the line before it.
  if (hunk.oldCount === 0) part.oldStart += 1;
  if (hunk.newCount === 0) part.newStart += 1;
  for (const row of rows) {
    const marker = row.charAt(0);
    const isSent = marker === '\\' || sent.has(row.slice(1).trim());
    if (!isSent && marker !== ' ') return null;
    if (isSent) {
      if (marker !== '\\' || part.text !== '') part.text += row;
      part.oldCount += marker === ' ' || marker === '-' ? 1 : 0;
      part.newCount += marker === ' ' || marker === '+' ? 1 : 0;
      part.isChange ||= marker === '-' || marker === '+';
      continue;
    }
    text += textOf(part);
    part = partAt(part.oldStart + part.oldCount + 1, part.newStart + part.newCount + 1);
  }
  return text + textOf(part);
}

const partAt = (oldStart: number, newStart: number) => ({
  oldStart,
  newStart,
  oldCount: 0,
  newCount: 0,
  isChange: false,
  text: '',
});

function textOf({
  oldStart,
  oldCount,
  newStart,
  newCount,
  isChange,
  text,
}: ReturnType<typeof partAt>): ByteString {
  if (!isChange) return '';
  const start = (line: number, count: number) => (count === 0 ? line - 1 : line);
  return `${rangesText(start(oldStart, oldCount), oldCount, start(newStart, newCount), newCount)}\n${text}`;
}
