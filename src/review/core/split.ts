/** Splits a hunk into parts for separate decisions, down to single lines, and joins them again. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { sameBytes } from './bytes.ts';
import { type Change, type HashBytes, partOf } from './change.ts';
import type { FileReview } from './file-review.ts';
import { type ChangeState, isPresent, PENDING, stateOf } from './file-state.ts';
import { changedLines, type HunkBody } from './hunk-body.ts';
import { hunkPieces, type Picked } from './hunk-pieces.ts';
import type { Piece } from './piece.ts';

/** The hunk that `id` is or is part of. */
export function rootOf(review: FileReview, id: string): Change | null {
  const change = review.find(id);
  if (change === null || change.parent === null) return change;
  return review.subject.changes.find((root) => root.id === change.parent) ?? null;
}

/** What a decision on `id` affects: the change itself, or the parts of a split hunk. */
export function leavesOf(review: FileReview, id: string): readonly Change[] {
  if (review.state.parts.size === 0) {
    const change = review.find(id);
    return change === null ? [] : [change];
  }
  return review.changes.filter((change) => change.id === id || change.parent === id);
}

/** Splits lines `[first, last]` (from 1, as shown) off the hunk. Returns the review and the selected parts. */
export function splitLines(
  review: FileReview,
  id: string,
  range: { readonly first: number; readonly last: number },
  hash: HashBytes,
): Result<{ review: FileReview; selected: readonly string[] }> {
  const root = rootOf(review, id);
  if (root === null) return fail('not_found', `Hunk not found: ${id}`);
  const { body } = root;
  if (body === null) return fail('invalid', `Hunk ${id} is a ${root.kind} and has no lines.`);
  if (range.first < 1 || range.last < range.first || range.last > body.count) {
    return fail('invalid', `Lines ${range.first}-${range.last}: the hunk has lines 1-${body.count}.`);
  }
  const own = changedLines(body);
  const isSelected = (line: number) => line >= range.first - 1 && line <= range.last - 1;
  if (!own.some(isSelected)) return fail('invalid', `Lines ${range.first}-${range.last} contain no change.`);
  return cut(review, root, body, isSelected, hash);
}

function cut(
  review: FileReview,
  root: Change,
  body: HunkBody,
  isSelected: (line: number) => boolean,
  hash: HashBytes,
): Result<{ review: FileReview; selected: readonly string[] }> {
  const parts: number[][] = [];
  const states = new Map<string, ChangeState>();
  const selected: string[] = [];
  for (const leaf of leavesOf(review, root.id)) {
    const lines = changedLines(body).filter((line) => leaf.picked === null || leaf.picked.has(line));
    const sides = [lines.filter(isSelected), lines.filter((line) => !isSelected(line))].filter(
      (side) => side.length > 0,
    );
    const whole = sides.length === 1 && leaf.picked !== null;
    for (const side of sides) {
      const part = partOf(root, new Set(side), hash);
      const state = whole ? ok(stateOf(review.state, leaf.id)) : inherited(review, body, leaf, part.picked);
      if (!state.ok) return state;
      parts.push(side);
      states.set(part.id, state.value);
      if (side.some(isSelected)) selected.push(part.id);
    }
  }
  // The whole unsplit hunk was selected: there is nothing to split.
  if (parts.length === 1) return ok({ review, selected: [root.id] });
  parts.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return ok({ review: review.withParts(root.id, parts, states), selected });
}

/** A part inherits the state of what it was split from. */
function inherited(review: FileReview, body: HunkBody, leaf: Change, picked: Picked): Result<ChangeState> {
  const state = stateOf(review.state, leaf.id);
  // The reviewer's text was for the whole hunk, so no step of a part leads back to it.
  const steps = (list: ChangeState['past']) => list.filter((decision) => decision !== 'modified');
  const fresh = {
    ...PENDING,
    decision: state.decision,
    past: steps(state.past),
    future: steps(state.future),
  };
  if (state.frozen !== null || state.redundant || state.decision === 'modified') {
    return fail(
      'refused',
      `Hunk ${leaf.id} cannot be split: ${state.frozen ?? 'it was decided as a whole; undo that first.'}`,
    );
  }
  if (!isPresent(review.state, leaf.id)) return ok(fresh);
  const offset = offsetOf(state.pieces ?? [], hunkPieces(body, leaf.picked));
  if (offset === null)
    return fail('refused', `Hunk ${leaf.id} cannot be split: its lines have been edited since.`);
  return ok({ ...fresh, pieces: shifted(hunkPieces(body, picked), offset) });
}

/** The distance of `pieces` from the hunk's own; null if they are no longer its own. */
function offsetOf(pieces: readonly Piece[], own: readonly Piece[]): number | null {
  const offset = (pieces[0]?.start ?? 0) - (own[0]?.start ?? 0);
  const same =
    pieces.length === own.length &&
    pieces.every((piece, i) => {
      const other = own[i];
      return (
        other !== undefined &&
        piece.start === other.start + offset &&
        piece.end === other.end + offset &&
        sameBytes(piece.text, other.text)
      );
    });
  return same ? offset : null;
}

function shifted(pieces: readonly Piece[], offset: number): Piece[] {
  return pieces.map((piece) => ({ ...piece, start: piece.start + offset, end: piece.end + offset }));
}

/** Joins the parts of a split hunk. Refused if their decisions differ. */
export function joinParts(review: FileReview, id: string): Result<FileReview> {
  const root = rootOf(review, id);
  if (root === null) return fail('not_found', `Hunk not found: ${id}`);
  const leaves = leavesOf(review, root.id).filter((leaf) => leaf.parent === root.id);
  if (leaves.length === 0) return ok(review);
  const states = leaves.map((leaf) => stateOf(review.state, leaf.id));
  const [first] = states;
  if (first === undefined || states.some((state) => state.decision !== first.decision)) {
    return fail('refused', `The parts of hunk ${root.id} are decided differently; undo first.`);
  }
  if (states.some((state) => state.frozen !== null || state.redundant || state.decision === 'modified')) {
    return fail('refused', `The parts of hunk ${root.id} have been edited since.`);
  }
  const joined = { ...PENDING, decision: first.decision, past: first.past };
  const pieces = leaves.some((leaf) => isPresent(review.state, leaf.id))
    ? joinedPieces(root, leaves, states)
    : null;
  if (pieces === 'moved') return fail('refused', `The parts of hunk ${root.id} have been edited since.`);
  return ok(review.withParts(root.id, [], new Map([[root.id, { ...joined, pieces }]])));
}

function joinedPieces(
  root: Change,
  leaves: readonly Change[],
  states: readonly ChangeState[],
): readonly Piece[] | 'moved' {
  const { body } = root;
  if (body === null) return 'moved';
  const offsets = leaves.map((leaf, i) => offsetOf(states[i]?.pieces ?? [], hunkPieces(body, leaf.picked)));
  const [offset] = offsets;
  if (offset === undefined || offset === null || offsets.some((other) => other !== offset)) return 'moved';
  return shifted(hunkPieces(body, null), offset);
}
