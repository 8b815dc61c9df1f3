/** What becomes of a change's state when the user's edits have moved into the base. */
import type { Absorbed } from './absorb.ts';
import type { ChangeState } from './file-state.ts';
import type { Piece } from './piece.ts';

/** Why a change whose words the user has edited cannot be taken out. */
export const EDITED_SINCE = 'its lines have been edited since.';

/** The state of the change in the new base; `present`: it was in the text. */
export function afterAbsorb(
  id: string,
  state: ChangeState,
  absorbed: Absorbed,
  present: boolean,
): ChangeState {
  if (absorbed.entangled.has(id)) return { ...state, frozen: EDITED_SINCE, pieces: null, modified: null };
  const own = absorbed.pieces.get(id) ?? [];
  const carry = (pieces: readonly Piece[] | null) => (pieces === null ? null : movedPieces(pieces, absorbed));
  if (!present) return { ...state, pieces: carry(state.pieces), modified: carry(state.modified) };
  return state.decision === 'modified'
    ? { ...state, modified: own, pieces: carry(state.pieces) }
    : { ...state, pieces: own, modified: carry(state.modified) };
}

/** Pieces that are not in the text: their lines in the new base, or null when one of them was edited. */
function movedPieces(pieces: readonly Piece[], absorbed: Absorbed): readonly Piece[] | null {
  const moved: Piece[] = [];
  for (const piece of pieces) {
    const start = absorbed.moved(piece.start, piece.end);
    if (start < 0) return null;
    moved.push({ ...piece, start, end: start + piece.end - piece.start });
  }
  return moved;
}
