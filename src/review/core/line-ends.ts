/** CRLF files in a repository that stores LF: the patch has LF, the disk has CRLF, and both mean the same lines. */
import { CR, concatBytes, fromLatin1, LF, latin1, sameBytes } from './bytes.ts';
import { bodyLine, endsLine, REMOVED, readBody } from './hunk-body.ts';
import { lineTable } from './line-table.ts';
import type { FilePatch, Patch, PatchHunk } from './patch-model.ts';
import { replay } from './piece.ts';
import { hasLines } from './subjects.ts';
import { piecesBetween } from './text-diff.ts';

/** Whether every line ends with CRLF, and there is at least one. Only then is conversion to LF lossless. */
export function isUniformCrlf(bytes: Uint8Array): boolean {
  let seen = false;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (at === 0 || bytes[at - 1] !== CR) return false;
    seen = true;
  }
  return seen;
}

/** The text with CRLF replaced by LF. */
export function withLf(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === CR && bytes[at + 1] === LF) continue;
    out[length] = bytes[at] ?? 0;
    length += 1;
  }
  return out.subarray(0, length);
}

/** Lines as git stores them: no CR before an LF, and idents reduced to the word. */
export function asKept(bytes: Uint8Array): Uint8Array {
  const text = withLf(bytes);
  return Buffer.from(text).includes('$Id:')
    ? fromLatin1(latin1(text).replace(/\$Id:[^$\n]*\$/g, '$Id$'))
    : text;
}

/** The text with each bare LF replaced by CRLF. */
export function withCrlf(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] === CR) continue;
    parts.push(bytes.subarray(from, at), Uint8Array.of(CR));
    from = at;
  }
  parts.push(bytes.subarray(from));
  return concatBytes(parts);
}

/** Whether most line ends are CRLF. */
export function isMostlyCrlf(bytes: Uint8Array): boolean {
  let crlf = 0;
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    count += 1;
    if (bytes[at - 1] === CR) crlf += 1;
  }
  return crlf * 2 > count;
}

/** A change's side as written to `disk`; `kept`: git's stored side. Shared lines keep the disk's line ends. */
export function asWritten(side: Uint8Array, kept: Uint8Array, disk: Uint8Array): Uint8Array {
  if (sameBytes(disk, kept) || !sameBytes(asKept(disk), asKept(kept))) return side;
  if (side === kept) return disk;
  const ended = isMostlyCrlf(disk) ? withCrlf : (text: Uint8Array) => text;
  if (!hasLines(side, kept)) return ended(side);
  const pieces = piecesBetween(lineTable(kept), lineTable(side));
  return replay(
    lineTable(disk),
    pieces.map((piece) => ({ ...piece, text: ended(piece.text) })),
  );
}

const MARKERS = [' ', '-', '+'] as const;
const NO_NEWLINE = '\\ No newline at end of file\n';

/** The patch with CRLF line ends in these files' hunks. */
export function withCrlfHunks(patch: Patch, files: ReadonlySet<FilePatch>): Patch {
  const parts: Uint8Array[] = [patch.bytes];
  let length = patch.bytes.length;
  const convert = (hunk: PatchHunk): PatchHunk => {
    const body = crlfBody(patch.bytes, hunk);
    const start = length;
    parts.push(body);
    length += body.length;
    return { ...hunk, bodyStart: start, bodyEnd: length, firstLine: -1 };
  };
  const converted = patch.files.map((file) =>
    files.has(file) ? { ...file, hunks: file.hunks.map(convert) } : file,
  );
  // The new bodies follow the patch, where readers of the old ones do not look.
  return { ...patch, bytes: concatBytes(parts), files: converted };
}

function crlfBody(bytes: Uint8Array, hunk: PatchHunk): Uint8Array {
  const body = readBody(bytes, hunk);
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for (let i = 0; i < body.count; i += 1) {
    const line = bodyLine(body, i);
    const op = body.op(i);
    parts.push(encoder.encode(MARKERS[op] ?? MARKERS[REMOVED]));
    if (!endsLine(body, i)) parts.push(line, encoder.encode(`\n${NO_NEWLINE}`));
    else if (line.length >= 2 && line[line.length - 2] === CR) parts.push(line);
    else parts.push(line.subarray(0, line.length - 1), Uint8Array.of(CR, LF));
  }
  return concatBytes(parts);
}
