/** Converts the state of a file under review to and from its stored form. */
import type { Change, Subject } from '../core/change.ts';
import { type ChangeState, currentChanges, type FileImage, type FileState } from '../core/file-state.ts';
import type { Piece } from '../core/piece.ts';
import { sha256 } from '../files/hash.ts';
import type { ChangeRow, StoredChange, StoredComment, StoredFile, StoredPiece } from './records.ts';

const packPiece = (piece: Piece): StoredPiece => [
  piece.start,
  piece.end,
  piece.order,
  Buffer.from(piece.text).toString('base64'),
];

const unpackPiece = ([start, end, order, text]: StoredPiece): Piece => ({
  start,
  end,
  order,
  text: new Uint8Array(Buffer.from(text, 'base64')),
});

/** A change in stored form. */
export function packChange(
  id: string,
  file: number,
  state: ChangeState,
  comments: readonly StoredComment[],
): StoredChange {
  return {
    ...state,
    id,
    file,
    comments,
    pieces: state.pieces?.map(packPiece) ?? null,
    modified: state.modified?.map(packPiece) ?? null,
  };
}

export const rowOf = (change: StoredChange): ChangeRow => ({ id: change.id, json: JSON.stringify(change) });

/** The stored state. */
export function unpackChange(stored: StoredChange): ChangeState {
  return {
    decision: stored.decision,
    pieces: stored.pieces?.map(unpackPiece) ?? null,
    modified: stored.modified?.map(unpackPiece) ?? null,
    redundant: stored.redundant,
    frozen: stored.frozen,
    past: stored.past,
    future: stored.future,
  };
}

/** Whether this file ever had something of ours: then its base is what we stored, not what is on disk. */
export function isBegun(changes: Iterable<ChangeState>): boolean {
  for (const change of changes) {
    if (change.pieces !== null || change.modified !== null || change.redundant || change.frozen !== null)
      return true;
  }
  return false;
}

/** How a file's hunks are split. */
export const partsOf = (stored: Pick<StoredFile, 'parts'>): FileState['parts'] => new Map(stored.parts);

/** A stored file's changes to decide on now. */
export function changesOf(subject: Subject, stored: Pick<StoredFile, 'parts'>): readonly Change[] {
  if (stored.parts.length === 0) return subject.changes;
  const state = { base: null, unmoved: false, inPlace: false, changes: new Map(), parts: partsOf(stored) };
  return currentChanges(subject, state, sha256);
}

/** The record of a state whose base is stored under `blob`. */
export function packFile(state: FileState, before: StoredFile, blob: string | null): StoredFile {
  const { base } = state;
  const kept =
    base === null || blob === null
      ? null
      : { blob, path: base.path, type: base.type, executable: base.executable };
  return {
    base: kept,
    absent: base === null,
    origin: before.origin,
    unmoved: blob === null && base !== null ? before.unmoved : state.unmoved,
    parts: [...state.parts],
    // A change taken out by hand is open in this state, too.
    ...(before.seen === undefined ? {} : { seen: onlyDone(before.seen) }),
    ...(before.indexOnly === undefined ? {} : { indexOnly: before.indexOnly }),
  };
}

function onlyDone(seen: NonNullable<StoredFile['seen']>): StoredFile['seen'] {
  return Object.fromEntries(Object.entries(seen).filter(([, one]) => one === 'done'));
}

/** The base is the disk's: it was never stored, because it never had anything of ours. */
export function freshState(
  stored: StoredFile,
  disk: FileImage | null,
  inPlace: boolean,
  changes: ReadonlyMap<string, ChangeState>,
): FileState {
  const same =
    disk === null
      ? stored.origin === null && stored.absent
      : stored.origin !== null && sha256([disk.bytes]) === stored.origin;
  return { base: disk, unmoved: stored.unmoved && same, inPlace, changes, parts: partsOf(stored) };
}
