/** The lines around a hunk in its file, up to its neighbours. Decides nothing. */
import type { Change } from './change.ts';
import { explain } from './explain.ts';
import type { FileReview } from './file-review.ts';
import { stateOf } from './file-state.ts';
import { lineTable } from './line-table.ts';
import { boxOf, type Span, standing } from './overlap.ts';
import { type Piece, replay } from './piece.ts';

/** Base lines, from 0. */
export interface Surroundings {
  readonly above: Span;
  readonly below: Span;
  /** Lines from these to the neighbouring hunk or the end of the file. */
  readonly moreAbove: number;
  readonly moreBelow: number;
}

/** Up to that many lines around the hunk of `change`; null if the hunk has no place. */
export function surroundings(
  review: FileReview,
  change: Change,
  wanted: { readonly above: number; readonly below: number },
): Surroundings | null {
  const table = review.table();
  const own = hunkRegion(review, change);
  if (table === null || own === null) return null;
  const { changes } = review.subject;
  const at = changes.findIndex(({ id }) => id === rootId(change));
  const before = changes.slice(0, at).findLast(({ hunk }) => hunk !== null);
  const after = changes.slice(at + 1).find(({ hunk }) => hunk !== null);
  const roomAbove = before === undefined ? own.start : gapBetween(review, before, changes[at]);
  const roomBelow = after === undefined ? table.count - own.end : gapBetween(review, changes[at], after);
  const above = Math.min(wanted.above, roomAbove);
  const below = Math.min(wanted.below, roomBelow);
  return {
    above: { start: own.start - above, end: own.start },
    below: { start: own.end, end: own.end + below },
    moreAbove: roomAbove - above,
    moreBelow: roomBelow - below,
  };
}

/** The region's text as suggested and as modified; null if nothing was modified. */
export function modifiedRegion(
  review: FileReview,
  change: Change,
): {
  readonly suggested: Uint8Array;
  readonly modified: Uint8Array;
  /** The region is exactly the hunk's, so its text can be edited further. */
  readonly isOwn: boolean;
} | null {
  const state = stateOf(review.state, change.id);
  const { modified, pieces } = state;
  if (state.decision !== 'modified' || modified === null) return null;
  const table = review.table() ?? lineTable(new Uint8Array(0));
  const sides = explain(change, table);
  const own = hunkRegion(review, change);
  const region = joined(own ?? sides?.window ?? { start: 0, end: table.count }, modified);
  const bytes = table.bytes.subarray(
    table.starts[region.start] ?? 0,
    table.starts[region.end] ?? table.bytes.length,
  );
  const slice = lineTable(bytes);
  const inRegion = (all: readonly Piece[]) =>
    all.map((piece) => ({ ...piece, start: piece.start - region.start, end: piece.end - region.start }));
  return {
    suggested: pieces === null ? (sides?.suggested ?? bytes) : replay(slice, inRegion(pieces)),
    modified: replay(slice, inRegion(modified)),
    isOwn: change.picked === null && own?.start === region.start && own.end === region.end,
  };
}

function joined(region: Span, pieces: readonly Piece[]): Span {
  if (pieces.length === 0) return region;
  const box = boxOf(pieces);
  return { start: Math.min(region.start, box.start), end: Math.max(region.end, box.end) };
}

const rootId = (change: Change) => change.parent ?? change.id;

/** The base lines of the whole hunk, with context; null if it has no place. */
function hunkRegion(review: FileReview, change: Change): Span | null {
  const root = review.find(rootId(change));
  if (root?.hunk == null || root.body === null) return null;
  const place = review.placeInBase(root);
  if (place.kind !== 'pieces' || place.pieces.length === 0) return null;
  return standing(root, place.pieces).span;
}

/** How many lines are between two neighbouring hunks; the smaller number if patch and base disagree. */
function gapBetween(review: FileReview, one: Change | undefined, other: Change | undefined): number {
  if (one?.hunk == null || other?.hunk == null) return 0;
  const [first, second] = [hunkRegion(review, one), hunkRegion(review, other)];
  const inPatch =
    one.hunk.oldStart === null || other.hunk.oldStart === null
      ? null
      : oldStart(other) - (oldStart(one) + one.hunk.oldCount);
  const inBase = first === null || second === null ? null : second.start - first.end;
  return Math.max(0, Math.min(inPatch ?? inBase ?? 0, inBase ?? inPatch ?? 0));
}

/** From 0; an insertion names the line before it. */
function oldStart({ hunk }: Change): number {
  if (hunk === null || hunk.oldStart === null) return 0;
  return hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
}
