/**
 * Git keeps a text with LF where the disk has CRLF, and `$Id$` where the disk has more. Line by line both are the same
 * text: a patch of git's lines becomes one of the disk's lines, so that what is taken out and put back is what stood
 * there.
 */
import { CR, concatBytes, fromLatin1, LF, latin1, sameBytes } from './bytes.ts';
import { ADDED, bodyLine, CONTEXT, endsLine, REMOVED, readBody } from './hunk-body.ts';
import { type LineTable, lineRange } from './line-table.ts';
import type { FilePatch, PatchHunk } from './patch-model.ts';

const MARKERS = [' ', '-', '+'] as const;
const NO_NEWLINE = '\\ No newline at end of file\n';

/** What git keeps of a line: no CR before its LF, nothing but the word in an ident. */
function asKept(line: Uint8Array): Uint8Array {
  const text = latin1(line).replace(/\r\n$/, '\n');
  return fromLatin1(text.replace(/\$Id:[^$\n]*\$/g, '$Id$'));
}

/** Most line ends are CRLF. */
export function isMostlyCrlf(bytes: Uint8Array): boolean {
  let crlf = 0;
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    count += 1;
    if (bytes[at - 1] === CR) crlf += 1;
  }
  return crlf * 2 > count;
}

/**
 * The body of the hunk in the disk's lines; null when the disk does not hold the text that git has. `disk`: the new
 * text. A line that is taken away stands nowhere: `crlf` says how it ends.
 */
function diskBody(patch: Uint8Array, hunk: PatchHunk, disk: LineTable, crlf: boolean): Uint8Array | null {
  const body = readBody(patch, hunk);
  const parts: Uint8Array[] = [];
  let line = Math.max((hunk.newStart ?? 1) - 1, 0);
  for (let i = 0; i < body.count; i += 1) {
    const op = body.op(i);
    const kept = bodyLine(body, i);
    parts.push(fromLatin1(MARKERS[op] ?? MARKERS[REMOVED]));
    if (op === ADDED || op === CONTEXT) {
      const here = lineRange(disk, line, line + 1);
      if (!sameBytes(asKept(here), asKept(kept))) return null;
      parts.push(here);
      line += 1;
    } else parts.push(crlf && endsLine(body, i) ? withCr(kept) : kept);
    if (!endsLine(body, i)) parts.push(fromLatin1(`\n${NO_NEWLINE}`));
  }
  return concatBytes(parts);
}

function withCr(line: Uint8Array): Uint8Array {
  const end = line.length - 1;
  return line[end - 1] === CR ? line : concatBytes([line.subarray(0, end), Uint8Array.of(CR, LF)]);
}

/** The hunks of `file` in the disk's lines, those that are taken away with CRLF or LF; null where the texts differ. */
export function diskHunks(
  patch: Uint8Array,
  file: FilePatch,
  { disk, crlf }: { readonly disk: LineTable; readonly crlf: boolean },
): readonly { readonly hunk: PatchHunk; readonly body: Uint8Array }[] | null {
  const hunks = file.hunks.map((hunk) => ({ hunk, body: diskBody(patch, hunk, disk, crlf) }));
  return hunks.every((one): one is { hunk: PatchHunk; body: Uint8Array } => one.body !== null) ? hunks : null;
}

/** The patch with these bodies in the place of its own. */
export function withBodies(
  patch: Uint8Array,
  hunks: readonly { readonly hunk: PatchHunk; readonly body: Uint8Array }[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { hunk, body } of hunks) {
    parts.push(patch.subarray(at, hunk.bodyStart), body);
    at = hunk.bodyEnd;
  }
  parts.push(patch.subarray(at));
  return concatBytes(parts);
}
