/** Turns the reviewer's replacement for a hunk into pieces of the file's base. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Change } from './change.ts';
import { type Explanation, explain } from './explain.ts';
import type { FileReview } from './file-review.ts';
import { readBody } from './hunk-body.ts';
import { hunkPieces } from './hunk-pieces.ts';
import { type LineTable, lineRange, lineTable } from './line-table.ts';
import { boxOf } from './overlap.ts';
import { parsePatch } from './parse-patch.ts';
import type { Piece } from './piece.ts';
import { Placer } from './placement.ts';
import { piecesBetween } from './text-diff.ts';

export type Modification =
  | { readonly kind: 'diff'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'merge' };

/** The pieces for the reviewer's version of `change`. */
export function modifiedPieces(
  review: FileReview,
  change: Change,
  modification: Modification,
): Result<Piece[]> {
  const table = review.table() ?? lineTable(new Uint8Array(0));
  switch (modification.kind) {
    case 'diff':
      return piecesOfDiff(review, table, modification.bytes);
    case 'text':
      return ok(piecesOfText(table, regionOf(review, change, table), modification.bytes));
    case 'merge': {
      const explanation = explain(change, table);
      if (explanation === null) return fail('invalid', `Hunk ${change.id} has no lines to merge.`);
      if (explanation.conflicts > 0) {
        return fail(
          'refused',
          `Hunk ${change.id} cannot be merged: both sides changed the same lines.`,
          'Edit the text yourself (modify).',
        );
      }
      return ok(piecesOfText(table, explanation.window, explanation.merged));
    }
  }
}

function piecesOfText(table: LineTable, region: Explanation['window'], text: Uint8Array): Piece[] {
  const old = lineTable(lineRange(table, region.start, region.end));
  return piecesBetween(old, lineTable(text)).map((piece) => ({
    ...piece,
    start: piece.start + region.start,
    end: piece.end + region.start,
  }));
}

/** The lines shown in the editor: the whole hunk with context, or only a part's own lines. */
function regionOf(review: FileReview, change: Change, table: LineTable): Explanation['window'] {
  const place = review.place(change);
  if (place.kind !== 'pieces' || change.hunk === null || change.body === null) {
    return explain(change, table)?.window ?? { start: 0, end: table.count };
  }
  const box = boxOf(place.pieces);
  if (change.picked !== null) return box;
  const own = hunkPieces(change.body, null);
  const start = box.start - (own[0]?.start ?? 0);
  return { start, end: start + change.hunk.oldCount };
}

function piecesOfDiff(review: FileReview, table: LineTable, bytes: Uint8Array): Result<Piece[]> {
  const bare = bytes[0] === 0x40;
  const head = new TextEncoder().encode(bare ? '--- a/x\n+++ b/x\n' : '');
  // If the reviewer removed lines, only the header's counts are wrong.
  const parsed = parsePatch(Buffer.concat([head, bytes]), { isWhole: true });
  if (!parsed.ok) return parsed;
  const [file, ...others] = parsed.value.files;
  if (file === undefined || others.length > 0) return fail('invalid', 'The edited diff must be of one file.');
  if (file.hunks.length === 0) return fail('invalid', 'The edited diff has no hunk.');
  const placer = new Placer(table, { unmoved: review.state.unmoved });
  const pieces: Piece[] = [];
  for (const hunk of file.hunks) {
    const body = readBody(parsed.value.bytes, hunk);
    const place = placer.place(hunk, body);
    if (place.kind === 'conflict') return fail('refused', `The edited diff does not fit: ${place.reason}`);
    if (place.kind === 'applied')
      return fail('refused', 'The edited diff changes nothing: the file already has its new text.');
    for (const piece of hunkPieces(body, null)) {
      pieces.push({ ...piece, start: piece.start + place.line, end: piece.end + place.line });
    }
  }
  return ok(pieces);
}
