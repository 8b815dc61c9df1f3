/** A file under review: the target's text without our changes, and which changes are in. Nothing else counts. */
import { append } from '../../lib/append.ts';
import { type ByteString, sameBytes } from './bytes.ts';
import { type Change, type HashBytes, partOf, type Subject } from './change.ts';
import { type LineTable, lineTable } from './line-table.ts';
import { MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK } from './patch-model.ts';
import { comparePieces, type Piece, replay } from './piece.ts';

export type Decision = 'pending' | 'accepted' | 'rejected' | 'modified';

export interface ChangeState {
  readonly decision: Decision;
  /** Its place in the base, current or former; null before it was first accepted. */
  readonly pieces: readonly Piece[] | null;
  /** The reviewer's replacement. */
  readonly modified: readonly Piece[] | null;
  /** The target already had it, so there is nothing of ours to take out. */
  readonly redundant: boolean;
  /** Why it can no longer be taken out; null if it can. */
  readonly frozen: string | null;
  readonly past: readonly Decision[];
  readonly future: readonly Decision[];
}

export const PENDING: ChangeState = {
  decision: 'pending',
  pieces: null,
  modified: null,
  redundant: false,
  frozen: null,
  past: [],
  future: [],
};

/** A file as it is, or should be, on disk. */
export interface FileImage {
  readonly path: ByteString;
  readonly type: 'file' | 'symlink' | 'submodule' | 'other';
  readonly executable: boolean;
  /** Content, or the target of a link. */
  readonly bytes: Uint8Array;
  /** The entry that blocks the path of `other` in place of a folder, so that no file can be there. */
  readonly behind?: { readonly path: ByteString; readonly isLink: boolean };
}

export const modeOf = ({ type, executable }: FileImage): number =>
  type === 'symlink' ? MODE_SYMLINK : executable ? MODE_EXECUTABLE : MODE_FILE;

export interface FileState {
  /** The target's file without our changes; for a copy, its source. Null if there is none. */
  readonly base: FileImage | null;
  /** The base is byte for byte what the patch was made from. */
  readonly unmoved: boolean;
  /** The changes are already in the target: reject takes them out, accept keeps them. */
  readonly inPlace: boolean;
  readonly changes: ReadonlyMap<string, ChangeState>;
  /** How hunks are split: the body lines of each part, by hunk id. */
  readonly parts: ReadonlyMap<string, readonly (readonly number[])[]>;
}

/** The changes to decide on now: split hunks are replaced by their parts. */
export function currentChanges(subject: Subject, state: FileState, hash: HashBytes): readonly Change[] {
  if (state.parts.size === 0) return subject.changes;
  return subject.changes.flatMap((change) => {
    const parts = state.parts.get(change.id);
    return parts === undefined ? [change] : parts.map((lines) => partOf(change, new Set(lines), hash));
  });
}

export const stateOf = (state: FileState, id: string): ChangeState => state.changes.get(id) ?? PENDING;

/** Whether the change is in the file now and can be taken out by us. */
export function isPresent(state: FileState, id: string): boolean {
  const change = stateOf(state, id);
  if (change.redundant || change.frozen !== null) return false;
  if (change.decision === 'pending') return state.inPlace;
  return change.decision !== 'rejected';
}

/** What this change contributes while it is present. */
export function activePieces(change: ChangeState): readonly Piece[] {
  return (change.decision === 'modified' ? change.modified : change.pieces) ?? [];
}

/** The file's path, current or potential, after the decisions. */
export function currentPath(subject: Subject, state: FileState, changes: readonly Change[]): ByteString {
  if (subject.operation === 'copy') return subject.newPath ?? '';
  const renamed = changes.some((change) => change.kind === 'rename' && isPresent(state, change.id));
  return (renamed ? subject.newPath : (subject.oldPath ?? subject.newPath)) ?? '';
}

const NOTHING = new Uint8Array(0);

/** The file that follows from base and decisions; null for none. Pass `table` if the base's lines are at hand. */
export function imageOf(
  subject: Subject,
  state: FileState,
  changes: readonly Change[],
  table?: LineTable,
): FileImage | null {
  const has = (kind: Change['kind']) =>
    changes.some((change) => change.kind === kind && isPresent(state, change.id));
  const path = currentPath(subject, state, changes);
  const { base } = state;
  const wholeIn = changes.some((change) => isWhole(change) && isPresent(state, change.id));
  if (subject.whole !== null && wholeIn) {
    const { new: updated } = subject.whole;
    if (updated === null) return null;
    const keepsMode = base !== null && base.type === updated.type && !has('mode');
    const executable = keepsMode ? base.executable : isExecutable(subject.newMode);
    return {
      path,
      type: updated.type,
      executable: updated.type === 'file' && executable,
      bytes: updated.bytes,
    };
  }
  if (subject.operation === 'copy' && !has('copy')) return null;
  if (base === null && !has('create')) return null;
  const pieces = presentPieces(state, changes);
  const executable = base === null || has('mode') ? isExecutable(subject.newMode) : base.executable;
  const bytes =
    pieces.length === 0
      ? (base?.bytes ?? NOTHING)
      : replay(table ?? lineTable(base?.bytes ?? NOTHING), pieces);
  if (bytes.length === 0 && isDeleted(state, changes)) return null;
  return { path, type: base?.type ?? 'file', executable, bytes };
}

const isExecutable = (mode: number | null) => ((mode ?? 0) & 0o100) !== 0;

/** Whether it is accepted or rejected as a whole: its content does not consist of lines. */
export function isWhole(change: Change): boolean {
  return change.kind === 'binary' || change.kind === 'symlink' || change.kind === 'submodule';
}

function isDeleted(state: FileState, changes: readonly Change[]): boolean {
  const deletions = changes.filter((change) => change.kind === 'delete');
  return deletions.length > 0 && deletions.every((change) => isPresent(state, change.id));
}

/** All pieces that are in, sorted. */
function presentPieces(state: FileState, changes: readonly Change[]): Piece[] {
  const pieces: Piece[] = [];
  for (const change of changes) {
    if (isPresent(state, change.id)) append(pieces, activePieces(stateOf(state, change.id)));
  }
  return pieces.sort(comparePieces);
}

/** `state` with these changes set. */
export function withChanges(state: FileState, set: Iterable<readonly [string, ChangeState]>): FileState {
  const changes = new Map(state.changes);
  for (const [id, change] of set) changes.set(id, change);
  return { ...state, changes };
}

/** Whether both have the same bytes, path, type and permission. For a submodule, only presence counts. */
export function sameImage(a: FileImage | null, b: FileImage | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.path !== b.path || a.type !== b.type) return false;
  return a.type === 'submodule' || (a.executable === b.executable && sameBytes(a.bytes, b.bytes));
}

/** The state after a decision; undo leads back to the previous one. */
export function moveTo(state: ChangeState, decision: Decision, pieces = state.pieces): ChangeState {
  const { modified, redundant, frozen } = state;
  const past = state === PENDING ? PAST_OF_PENDING : [...state.past, state.decision];
  return { decision, pieces, modified, redundant, frozen, past, future: NO_FUTURE };
}

/** Shared by the many changes never decided on. */
const PAST_OF_PENDING: readonly Decision[] = ['pending'];
const NO_FUTURE: readonly Decision[] = [];
