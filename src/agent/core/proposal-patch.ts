/** A composed proposal as a git patch: one hunk per run of an edit; no other hunk edits its context. */
import { type ByteString, concatBytes, fromLatin1, utf8Bytes } from '../../review/core/bytes.ts';
import { formatRegions, markEnd } from '../../review/core/format-diff.ts';
import { lineTable } from '../../review/core/line-table.ts';
import { quoteName } from '../../review/core/quoted-name.ts';
import type { ComposedFile } from './compose.ts';
import type { ComposedHunk } from './composed-hunk.ts';

const CONTEXT_LINES = 3;
const NOTHING = lineTable(new Uint8Array(0));

/** The whole proposal. */
export function formatProposal(files: readonly ComposedFile[]): Uint8Array {
  return concatBytes(files.map(formatFile));
}

function formatFile(file: ComposedFile): Uint8Array {
  const old = utf8Bytes(file.path);
  const updated = utf8Bytes(file.newPath ?? file.path);
  const hunks = file.hunks.map((hunk, i) => formatHunk(file, hunk, i));
  const head = [
    `diff --git ${quoteName(`a/${old}`)} ${quoteName(`b/${updated}`)}`,
    ...headLines(file, old, updated),
  ];
  if (hunks.length > 0) {
    head.push(
      `--- ${file.change === 'create' ? '/dev/null' : markEnd(quoteName(`a/${old}`))}`,
      `+++ ${file.change === 'delete' ? '/dev/null' : markEnd(quoteName(`b/${updated}`))}`,
    );
  }
  return concatBytes([fromLatin1(`${head.join('\n')}\n`), ...hunks]);
}

function headLines(file: ComposedFile, old: ByteString, updated: ByteString): string[] {
  const mode = file.base?.executable === true ? '100755' : '100644';
  switch (file.change) {
    case 'create':
      return [`new file mode ${mode}`];
    case 'delete':
      return [`deleted file mode ${mode}`];
    case 'rename':
      return [`rename from ${quoteName(old)}`, `rename to ${quoteName(updated)}`];
    case 'modify':
      return [];
  }
}

function formatHunk(file: ComposedFile, hunk: ComposedHunk, i: number): Uint8Array {
  const first = hunk.regions[0];
  const last = hunk.regions.at(-1);
  const previousEnd = file.hunks[i - 1]?.regions.at(-1)?.aEnd ?? null;
  const nextStart = file.hunks[i + 1]?.regions[0]?.aStart ?? null;
  // Two hunks each get half of the lines between them: a line that both named would tie them together.
  const before = previousEnd === null ? CONTEXT_LINES : Math.floor(((first?.aStart ?? 0) - previousEnd) / 2);
  const after = nextStart === null ? CONTEXT_LINES : Math.ceil((nextStart - (last?.aEnd ?? 0)) / 2);
  return formatRegions(file.base?.table ?? NOTHING, file.proposed, hunk.regions, {
    before: Math.min(CONTEXT_LINES, before),
    after: Math.min(CONTEXT_LINES, after),
  });
}
