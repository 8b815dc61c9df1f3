/**
 * What there is to decide about one file: each hunk, and rename, copy, mode, link, binary content, creation and
 * deletion as decisions of their own. A change is known by what it does, not by where it stands in a list.
 */
import { type ByteString, concatBytes, fromLatin1 } from './bytes.ts';
import { ADDED, bodyLine, changedSpan, type HunkBody, REMOVED, readBody } from './hunk-body.ts';
import type { Picked } from './hunk-pieces.ts';
import {
  type FilePatch,
  MODE_GITLINK,
  MODE_SYMLINK,
  MODE_TYPE_MASK,
  type Patch,
  type PatchHunk,
} from './patch-model.ts';

type ChangeKind =
  | 'text'
  | 'rename'
  | 'copy'
  | 'mode'
  | 'symlink'
  | 'binary'
  | 'create'
  | 'delete'
  | 'submodule';

export interface Change {
  readonly id: string;
  readonly kind: ChangeKind;
  /** The hunk with its lines; null for a change that has none. */
  readonly hunk: PatchHunk | null;
  /** The hunk's lines; null without a hunk. */
  readonly body: HunkBody | null;
  /** The body lines of the hunk that belong to this change; null for all. */
  readonly picked: Picked;
  /** The whole hunk that this is a part of. */
  readonly parent: string | null;
}

/** SHA-256 of all parts, hex. */
export type HashBytes = (parts: readonly Uint8Array[]) => string;

/** Entire content that is taken or left as one. */
interface WholeContent {
  readonly type: 'file' | 'symlink' | 'submodule';
  readonly bytes: Uint8Array;
}

/** One file of a suggestion. */
export interface Subject {
  readonly operation: FilePatch['operation'];
  /** Where the file is in the base; the source of a copy. Null for a file that is created. */
  readonly oldPath: ByteString | null;
  /** Where it is in the end. Null for a file that is deleted. */
  readonly newPath: ByteString | null;
  readonly oldMode: number | null;
  readonly newMode: number | null;
  readonly oldBlob: string | null;
  readonly patchBytes: Uint8Array;
  readonly changes: readonly Change[];
  /** Set for links, submodules, binary files and changes of type; null sides are absent files. */
  readonly whole: { readonly old: WholeContent | null; readonly new: WholeContent | null } | null;
  /** The patch names a change whose bytes it does not hold. */
  readonly problem: string | null;
}

/** Hex digits of an id: two hunks of a suggestion with the same id would take 2^32 hunks. */
const ID_LENGTH = 16;

/** Old and new bytes of a binary file, found by the caller: deltas need the base, and inflating is not done here. */
export type BinaryContents = (
  file: FilePatch,
) => { readonly old: Uint8Array | null; readonly new: Uint8Array | null } | { readonly problem: string };

const typeOf = (mode: number | null): WholeContent['type'] =>
  mode === null || (mode & MODE_TYPE_MASK) === 0o100000
    ? 'file'
    : (mode & MODE_TYPE_MASK) === MODE_SYMLINK
      ? 'symlink'
      : (mode & MODE_TYPE_MASK) === MODE_GITLINK
        ? 'submodule'
        : 'file';

/** The subjects of a patch, one a file, in its order; a deletion and a creation of the same path are one change of type. */
export function subjectsOf(patch: Patch, hash: HashBytes, binary: BinaryContents): Subject[] {
  const ids = new IdMaker(hash);
  const subjects: Subject[] = [];
  for (let i = 0; i < patch.files.length; i += 1) {
    const file = patch.files[i];
    const next = patch.files[i + 1];
    if (file === undefined) continue;
    if (file.operation === 'delete' && next?.operation === 'create' && next.newPath === file.oldPath) {
      subjects.push(typeChange(patch, { gone: file, made: next }, ids, binary));
      i += 1;
    } else subjects.push(subjectOf(patch, file, ids, binary));
  }
  return subjects;
}

function subjectOf(patch: Patch, file: FilePatch, ids: IdMaker, binary: BinaryContents): Subject {
  const common = {
    operation: file.operation,
    oldPath: file.oldPath,
    newPath: file.newPath,
    oldMode: file.oldMode,
    newMode: file.newMode,
    oldBlob: file.oldBlob,
    patchBytes: patch.bytes,
  };
  const path = file.newPath ?? file.oldPath ?? '';
  const head = headChanges(file, path, ids);
  if (file.binary !== null) {
    const found = binary(file);
    const problem = 'problem' in found ? found.problem : null;
    const sides = 'problem' in found ? { old: null, new: null } : found;
    const whole = { old: wholeFile(sides.old), new: wholeFile(sides.new) };
    const change = ids.make(
      path,
      'binary',
      sides.old ?? new Uint8Array(0),
      sides.new ?? new Uint8Array(0),
      null,
    );
    return { ...common, changes: [...head, change], whole, problem };
  }
  const oldType = typeOf(file.oldMode ?? file.newMode);
  const newType = typeOf(file.newMode ?? file.oldMode);
  if (oldType !== 'file' || newType !== 'file') {
    const [hunk] = file.hunks;
    const sides = hunk === undefined ? { old: null, new: null } : bothSides(readBody(patch.bytes, hunk));
    const whole = {
      old: file.oldPath === null ? null : { type: oldType, bytes: sides.old ?? new Uint8Array(0) },
      new: file.newPath === null ? null : { type: newType, bytes: sides.new ?? new Uint8Array(0) },
    };
    const kind = newType === 'submodule' || oldType === 'submodule' ? 'submodule' : 'symlink';
    const content =
      hunk === undefined
        ? []
        : [
            ids.make(
              path,
              kind,
              whole.old?.bytes ?? new Uint8Array(0),
              whole.new?.bytes ?? new Uint8Array(0),
              hunk,
            ),
          ];
    const withoutMode = head.filter((change) => change.kind !== 'mode');
    return {
      ...common,
      changes: [...withoutMode, ...content],
      whole: hunk === undefined ? null : whole,
      problem: null,
    };
  }
  return {
    ...common,
    changes: [...head, ...textChanges(patch, file, path, ids)],
    whole: null,
    problem: null,
  };
}

const wholeFile = (bytes: Uint8Array | null): WholeContent | null =>
  bytes === null ? null : { type: 'file', bytes };

function bothSides(body: HunkBody): { old: Uint8Array; new: Uint8Array } {
  const side = (skipped: number) => {
    const parts: Uint8Array[] = [];
    for (let i = 0; i < body.count; i += 1) if (body.ops[i] !== skipped) parts.push(bodyLine(body, i));
    return concatBytes(parts);
  };
  return { old: side(ADDED), new: side(REMOVED) };
}

function headChanges(file: FilePatch, path: ByteString, ids: IdMaker): Change[] {
  const changes: Change[] = [];
  if (file.operation === 'rename' || file.operation === 'copy') {
    changes.push(ids.make(path, file.operation, fromLatin1(file.oldPath ?? ''), fromLatin1(path), null));
  }
  const moded = file.operation !== 'create' && file.operation !== 'delete';
  if (moded && file.oldMode !== null && file.newMode !== null && file.oldMode !== file.newMode) {
    changes.push(
      ids.make(path, 'mode', Uint8Array.of(file.oldMode & 0o111), Uint8Array.of(file.newMode & 0o111), null),
    );
  }
  return changes;
}

function textChanges(patch: Patch, file: FilePatch, path: ByteString, ids: IdMaker): Change[] {
  const kind = file.operation === 'create' ? 'create' : file.operation === 'delete' ? 'delete' : 'text';
  if (file.hunks.length === 0 && kind !== 'text') {
    return [ids.make(path, kind, new Uint8Array(0), new Uint8Array(0), null)];
  }
  return file.hunks.map((hunk) => ids.makeHunk(path, kind, hunk, readBody(patch.bytes, hunk)));
}

function typeChange(
  patch: Patch,
  { gone, made }: { readonly gone: FilePatch; readonly made: FilePatch },
  ids: IdMaker,
  binary: BinaryContents,
): Subject {
  const problems: string[] = [];
  const contentOf = (file: FilePatch, side: 'old' | 'new'): Uint8Array => {
    const [hunk] = file.hunks;
    if (hunk !== undefined) return bothSides(readBody(patch.bytes, hunk))[side];
    const found = file.binary === null ? null : binary(file);
    if (found !== null && 'problem' in found) problems.push(found.problem);
    return found !== null && !('problem' in found) ? (found[side] ?? new Uint8Array(0)) : new Uint8Array(0);
  };
  const old = { type: typeOf(gone.oldMode), bytes: contentOf(gone, 'old') };
  const neu = { type: typeOf(made.newMode), bytes: contentOf(made, 'new') };
  const path = made.newPath ?? '';
  const kind = old.type === 'submodule' || neu.type === 'submodule' ? 'submodule' : 'symlink';
  return {
    operation: 'modify',
    oldPath: gone.oldPath,
    newPath: made.newPath,
    oldMode: gone.oldMode,
    newMode: made.newMode,
    oldBlob: gone.oldBlob,
    patchBytes: patch.bytes,
    changes: [ids.make(path, kind, old.bytes, neu.bytes, null)],
    whole: { old, new: neu },
    problem: problems[0] ?? null,
  };
}

/** Ids from content: path, kind, old bytes, new bytes, and which of several equal ones. */
class IdMaker {
  readonly #hash: HashBytes;
  readonly #seen = new Map<string, number>();
  /** Both sides of a hunk are gathered here: a copy a line would cost more than the hash. */
  #scratch = new Uint8Array(64 * 1024);

  constructor(hash: HashBytes) {
    this.#hash = hash;
  }

  make(path: ByteString, kind: ChangeKind, old: Uint8Array, neu: Uint8Array, hunk: PatchHunk | null): Change {
    const id = this.#idOf(path, kind, { bytes: concatBytes([old, neu]), oldLength: old.length });
    return { id, kind, hunk, body: null, picked: null, parent: null };
  }

  /** The id of a hunk is of what it takes away and adds: from the first changed line to the last. */
  makeHunk(path: ByteString, kind: ChangeKind, hunk: PatchHunk, body: HunkBody): Change {
    const oldLength = this.#gather(body, ADDED, 0);
    const length = this.#gather(body, REMOVED, oldLength);
    const id = this.#idOf(path, kind, { bytes: this.#scratch.subarray(0, length), oldLength });
    return { id, kind, hunk, body, picked: null, parent: null };
  }

  /** Puts the lines of one side behind the first `at` bytes; gives where they end. */
  #gather(body: HunkBody, skipped: number, at: number): number {
    const span = changedSpan(body);
    let end = at;
    for (let i = span?.first ?? 0; span !== null && i <= span.last; i += 1) {
      if (body.ops[i] === skipped) continue;
      const from = body.starts[i] ?? 0;
      const to = body.ends[i] ?? 0;
      this.#reserve(end + to - from);
      for (let byte = from; byte < to; byte += 1, end += 1) this.#scratch[end] = body.bytes[byte] ?? 0;
    }
    return end;
  }

  #reserve(length: number): void {
    if (length <= this.#scratch.length) return;
    const grown = new Uint8Array(length * 2);
    grown.set(this.#scratch);
    this.#scratch = grown;
  }

  #idOf(
    path: ByteString,
    kind: ChangeKind,
    content: { readonly bytes: Uint8Array; readonly oldLength: number },
  ): string {
    const { bytes, oldLength } = content;
    const named = (occurrence: number) => {
      const head = `${kind}\0${path}\0${occurrence}\0${oldLength}\0${bytes.length - oldLength}\0`;
      return this.#hash([fromLatin1(head), bytes]).slice(0, ID_LENGTH);
    };
    const key = named(0);
    const occurrence = this.#seen.get(key) ?? 0;
    this.#seen.set(key, occurrence + 1);
    return occurrence === 0 ? key : named(occurrence);
  }
}

/** A part of `change`: the picked lines, known by its parent and its lines. */
export function partOf(change: Change, picked: ReadonlySet<number>, hash: HashBytes): Change {
  const lines = [...picked].sort((a, b) => a - b).join(',');
  const id = hash([fromLatin1(`part\0${change.id}\0${lines}`)]).slice(0, ID_LENGTH);
  return { ...change, id, picked, parent: change.id };
}
