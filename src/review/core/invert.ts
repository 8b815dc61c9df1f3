/** Reverses hunks: computes the text that a file had before the hunks in it. */
import { ADDED, CONTEXT, type HunkBody, REMOVED, readBody } from './hunk-body.ts';
import { hunkPieces } from './hunk-pieces.ts';
import { lineTable } from './line-table.ts';
import type { PatchHunk } from './patch-model.ts';
import { type Piece, replay } from './piece.ts';
import { Placer } from './placement.ts';

/** The old text; null if a hunk's new lines are not where its header says. */
export function invertHunks(
  patchBytes: Uint8Array,
  hunks: readonly PatchHunk[],
  text: Uint8Array,
): Uint8Array | null {
  const table = lineTable(text);
  const placer = new Placer(table, { unmoved: true });
  const pieces: Piece[] = [];
  for (const hunk of hunks) {
    const body = inverted(readBody(patchBytes, hunk));
    const place = placer.place(
      {
        ...hunk,
        oldStart: hunk.newStart,
        oldCount: hunk.newCount,
        newStart: hunk.oldStart,
        newCount: hunk.oldCount,
      },
      body,
    );
    if (place.kind !== 'at' || place.how !== 'exact') return null;
    for (const piece of hunkPieces(body, null)) {
      pieces.push({ ...piece, start: piece.start + place.line, end: piece.end + place.line });
    }
  }
  return replay(table, pieces);
}

/** A line's kind, and its kind in the reverse patch. */
const OTHER_SIDE = [CONTEXT, ADDED, REMOVED] as const;

/** Removed lines become added ones. The order in a run stays, so removed lines no longer come first. */
function inverted(body: HunkBody): HunkBody {
  const { bytes, count } = body;
  return {
    bytes,
    count,
    op: (i) => OTHER_SIDE[body.op(i)] ?? CONTEXT,
    start: (i) => body.start(i),
    end: (i) => body.end(i),
  };
}
