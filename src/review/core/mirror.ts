/**
 * Makes a sandbox's file follow the target's decisions: rejected hunks go, modified ones get the same text, the rest
 * stays. Idempotent, since only states count. If the sandbox has changed, the hunk stays and is reported.
 */

import { sameBytes } from './bytes.ts';
import type { Change, HashBytes } from './change.ts';
import type { FileReview } from './file-review.ts';
import { type ChangeState, type Decision, isPresent, PENDING, stateOf } from './file-state.ts';
import { CONTEXT, type HunkBody } from './hunk-body.ts';
import { hunkPieces } from './hunk-pieces.ts';
import { type LineTable, lineRange, lineTable } from './line-table.ts';
import type { Piece } from './piece.ts';

export interface Mirrored {
  readonly review: FileReview;
  /** Hunks changed in the sandbox. */
  readonly ids: readonly string[];
  /** Hunks that could not follow, with the reason. */
  readonly left: readonly { readonly id: string; readonly reason: string }[];
}

export interface MirrorOptions {
  readonly undecided: 'stays' | 'goes';
  readonly hash: HashBytes;
}

const MOVED = 'its lines have been edited there since';

/** `source` (in place, in the sandbox) after `target`'s decisions. */
export function mirrorFile(source: FileReview, target: FileReview, options: MirrorOptions): Mirrored {
  const left: { id: string; reason: string }[] = [];
  const ids: string[] = [];
  let review = source;
  for (const root of target.subject.changes) {
    const parted = withSameParts(review, root, target, options);
    if (typeof parted === 'string') {
      left.push({ id: root.id, reason: parted });
      continue;
    }
    review = parted;
    for (const leaf of leavesOf(target, root.id)) {
      const next = followOne(review, leaf, target, options);
      if (typeof next === 'string') left.push({ id: leaf.id, reason: next });
      else if (next !== null) {
        review = next;
        ids.push(leaf.id);
      }
    }
  }
  return { review, ids, left };
}

const leavesOf = (review: FileReview, root: string): readonly Change[] =>
  review.changes.filter((change) => change.id === root || change.parent === root);

/** Null if it already follows; a sentence if it cannot. */
function followOne(
  review: FileReview,
  leaf: Change,
  target: FileReview,
  { undecided }: MirrorOptions,
): FileReview | string | null {
  const wanted = stateOf(target.state, leaf.id);
  const have = stateOf(review.state, leaf.id);
  const goes = wanted.decision === 'rejected' || (wanted.decision === 'pending' && undecided === 'goes');
  if (wanted.decision === 'modified') return followModified(review, leaf, target, wanted);
  if (!goes && have.decision !== 'rejected' && have.decision !== 'modified') return null;
  if (goes && have.decision === 'rejected') return null;
  const decided = review.decide(new Set([leaf.id]), goes ? 'reject' : 'accept');
  return decided.ok ? decided.value : (have.frozen ?? decided.error.message);
}

function followModified(
  review: FileReview,
  leaf: Change,
  target: FileReview,
  wanted: ChangeState,
): FileReview | string | null {
  const have = stateOf(review.state, leaf.id);
  const [there, here] = [offsetOf(wanted.pieces, leaf), offsetOf(have.pieces, leaf)];
  if (have.frozen !== null) return have.frozen;
  if (there === null || here === null || wanted.modified === null) return MOVED;
  const shift = here - there;
  const moved = wanted.modified.map((piece) => shifted(piece, shift));
  const none = lineTable(new Uint8Array(0));
  const same = sameLines(target.table() ?? none, wanted.modified, review.table() ?? none, shift);
  if (!same) return MOVED;
  if (have.decision === 'modified' && samePieces(have.modified ?? [], moved)) return null;
  const modified = review.modify(leaf.id, moved);
  return modified.ok ? modified.value : modified.error.message;
}

/** Whether the pieces remove the same text from both. */
function sameLines(a: LineTable, pieces: readonly Piece[], b: LineTable, shift: number): boolean {
  return pieces.every(
    ({ start, end }) =>
      start + shift >= 0 &&
      end + shift <= b.count &&
      sameBytes(lineRange(a, start, end), lineRange(b, start + shift, end + shift)),
  );
}

const shifted = (piece: Piece, by: number): Piece => ({
  ...piece,
  start: piece.start + by,
  end: piece.end + by,
});

function samePieces(a: readonly Piece[], b: readonly Piece[]): boolean {
  return (
    a.length === b.length &&
    a.every((piece, i) => {
      const other = b[i];
      return (
        other !== undefined &&
        piece.start === other.start &&
        piece.end === other.end &&
        sameBytes(piece.text, other.text)
      );
    })
  );
}

/** The distance of a change's pieces from the hunk's own line numbers; null if they are no longer its own. */
function offsetOf(pieces: readonly Piece[] | null, change: Change): number | null {
  if (pieces === null || change.body === null) return null;
  const own = hunkPieces(change.body, change.picked);
  const offset = (pieces[0]?.start ?? 0) - (own[0]?.start ?? 0);
  const moved = own.map((piece) => shifted(piece, offset));
  return samePieces(pieces, moved) ? offset : null;
}

/** Splits the hunk the same way as in the target. */
function withSameParts(
  review: FileReview,
  root: Change,
  target: FileReview,
  { hash }: MirrorOptions,
): FileReview | string {
  const wanted = target.state.parts.get(root.id) ?? [];
  const have = review.state.parts.get(root.id) ?? [];
  if (sameParts(wanted, have)) return review;
  if (root.body === null) return MOVED;
  const leaves = leavesOf(review, root.id);
  const offsets = leaves.map((leaf) => offsetOf(stateOf(review.state, leaf.id).pieces, leaf));
  const [offset] = offsets;
  if (offset === undefined || offset === null || offsets.some((other) => other !== offset)) return MOVED;
  if (leaves.some((leaf) => stateOf(review.state, leaf.id).decision === 'modified')) {
    // Restore the hunk's full text before telling the parts apart.
    const plain = review.decide(new Set(leaves.map(({ id }) => id)), 'accept');
    return plain.ok ? withSameParts(plain.value, root, target, { undecided: 'stays', hash }) : MOVED;
  }
  return withParts(review, root, root.body, { wanted, offset });
}

function withParts(
  review: FileReview,
  root: Change,
  body: HunkBody,
  { wanted, offset }: { readonly wanted: readonly (readonly number[])[]; readonly offset: number },
): FileReview {
  const present = linesPresent(review, root, body);
  const stateFor = (lines: readonly number[] | null): ChangeState => {
    const picked = lines === null ? null : new Set(lines);
    const isIn = [...(picked ?? present.all)].every((line) => present.lines.has(line));
    const decision: Decision = isIn ? 'pending' : 'rejected';
    return { ...PENDING, decision, pieces: hunkPieces(body, picked).map((piece) => shifted(piece, offset)) };
  };
  const parted = review.withParts(root.id, wanted, new Map());
  const states = new Map(
    leavesOf(parted, root.id).map((leaf) => [
      leaf.id,
      stateFor(leaf.picked === null ? null : [...leaf.picked]),
    ]),
  );
  return parted.withParts(root.id, wanted, states);
}

/** The hunk's changed lines that the sandbox has now. */
function linesPresent(
  review: FileReview,
  root: Change,
  body: HunkBody,
): { readonly lines: ReadonlySet<number>; readonly all: readonly number[] } {
  const all = Array.from({ length: body.count }, (_, line) => line).filter(
    (line) => body.op(line) !== CONTEXT,
  );
  const lines = new Set<number>();
  for (const leaf of leavesOf(review, root.id)) {
    if (!isPresent(review.state, leaf.id)) continue;
    for (const line of leaf.picked ?? all) lines.add(line);
  }
  return { lines, all };
}

function sameParts(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): boolean {
  return a.length === b.length && a.every((part, i) => part.join() === b[i]?.join());
}
