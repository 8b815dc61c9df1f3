/** Carries decisions over to a file that has changed on disk. The user owns the difference. */
import { type Absorbed, absorb } from './absorb.ts';
import type { Change } from './change.ts';
import {
  activePieces,
  type ChangeState,
  type FileImage,
  type FileState,
  isWhole,
  stateOf,
  withChanges,
} from './file-state.ts';
import { blockedBy } from './hunk-placer.ts';
import { type LineTable, lineTable } from './line-table.ts';
import type { Piece } from './piece.ts';

/** Why a change cannot be taken out after the user edited its words. */
export const EDITED_SINCE = 'its lines have been edited since.';

interface Disk {
  /** The file as the decisions left it; null for no file. */
  readonly expected: FileImage | null;
  readonly found: FileImage | null;
  /** The base's lines; null if there is no base. */
  readonly table: LineTable | null;
}

interface DiskState {
  readonly state: FileState;
  /** Changes that the user has edited or removed. */
  readonly entangled: ReadonlySet<string>;
}

/** The state that accepts what is on disk as given. `present`: the changes that were in the file. */
export function stateWithDisk(state: FileState, present: readonly Change[], disk: Disk): DiskState {
  const { expected, found, table } = disk;
  const areTexts = expected?.type === 'file' && found?.type === 'file';
  if (!areTexts || present.some(isWhole)) return replacedState(state, present, found);
  const pieces = present.flatMap((change) =>
    activePieces(stateOf(state, change.id)).map((piece) => ({ ...piece, owner: change.id })),
  );
  const absorbed = absorb(table ?? lineTable(new Uint8Array(0)), pieces, found.bytes);
  const { entangled } = absorbed;
  const mode = present.find((change) => change.kind === 'mode');
  const modeIsOurs = mode !== undefined && found.executable === expected.executable;
  const executable = modeIsOurs ? (state.base?.executable ?? found.executable) : found.executable;
  const path = state.base?.path ?? found.path;
  const created = state.base === null && absorbed.base.length === 0 && entangled.size === 0;
  const base = created ? null : { ...found, path, executable, bytes: absorbed.base };
  const inText = new Set(present.map((change) => change.id));
  const set = new Map<string, ChangeState>();
  for (const [id, known] of state.changes) set.set(id, afterAbsorb(id, known, absorbed, inText.has(id)));
  if (mode !== undefined && !modeIsOurs) {
    set.set(mode.id, { ...stateOf(state, mode.id), frozen: 'the permission to run has been changed since.' });
  }
  return { state: withChanges({ ...state, base }, set), entangled };
}

/** The file is gone or replaced, so nothing of ours can be identified. */
function replacedState(state: FileState, present: readonly Change[], found: FileImage | null): DiskState {
  const why =
    found === null
      ? 'the file has been deleted since.'
      : (blockedBy(found.behind) ?? 'something else stands at this path since.');
  const set = present.map(
    (change) => [change.id, { ...stateOf(state, change.id), frozen: why, pieces: null }] as const,
  );
  const base = found === null ? null : { ...found, path: state.base?.path ?? found.path };
  return {
    state: withChanges({ ...state, base }, set),
    entangled: new Set(present.map((change) => change.id)),
  };
}

/** The change's state in the new base. `present`: it was in the text. */
function afterAbsorb(id: string, state: ChangeState, absorbed: Absorbed, present: boolean): ChangeState {
  if (absorbed.entangled.has(id)) return { ...state, frozen: EDITED_SINCE, pieces: null, modified: null };
  const own = absorbed.pieces.get(id) ?? [];
  const carry = (pieces: readonly Piece[] | null) => (pieces === null ? null : movedPieces(pieces, absorbed));
  if (!present) return { ...state, pieces: carry(state.pieces), modified: carry(state.modified) };
  return state.decision === 'modified'
    ? { ...state, modified: own, pieces: carry(state.pieces) }
    : { ...state, pieces: own, modified: carry(state.modified) };
}

/** The new lines of pieces that are not in the text; null if one of those lines was edited. */
function movedPieces(pieces: readonly Piece[], absorbed: Absorbed): readonly Piece[] | null {
  const moved: Piece[] = [];
  for (const piece of pieces) {
    const start = absorbed.moved(piece.start, piece.end);
    if (start < 0) return null;
    moved.push({ ...piece, start, end: start + piece.end - piece.start });
  }
  return moved;
}
