/** A patch's files as things to decide on: one subject per file, with its changes and their ids. */
import type { Steps } from '../../lib/steps.ts';
import { type ByteString, concatBytes, emptyBytes, fromLatin1, isBinary } from './bytes.ts';
import { type Change, type HashBytes, IdMaker, type Subject, type WholeContent } from './change.ts';
import { formatHunks } from './format-diff.ts';
import { ADDED, bodyLine, type HunkBody, REMOVED, readBody } from './hunk-body.ts';
import { lineTable } from './line-table.ts';
import { parsePatch } from './parse-patch.ts';
import { type FilePatch, MODE_GITLINK, MODE_SYMLINK, MODE_TYPE_MASK, type Patch } from './patch-model.ts';

/** A binary file's old and new bytes, found by the caller: deltas need the base, and nothing is inflated here. */
export type BinaryContents = (
  file: FilePatch,
) =>
  | { readonly old: Uint8Array | null; readonly new: Uint8Array | null; readonly byLines?: true }
  | { readonly problem: string };

function typeOf(mode: number | null): WholeContent['type'] {
  if (mode === null) return 'file';
  const type = mode & MODE_TYPE_MASK;
  if (type === MODE_SYMLINK) return 'symlink';
  return type === MODE_GITLINK ? 'submodule' : 'file';
}

const CONTEXT_LINES = 3;
/** Hunks and lines processed between two pauses. */
const HUNKS_AT_ONCE = 200;
const LINES_AT_ONCE = 20_000;

/** A patch's subjects, one per file. Delete plus create of a path is a type change. `known`: change ids. */
export function* subjectSteps(
  patch: Patch,
  hash: HashBytes,
  binary: BinaryContents,
  known: readonly string[] | null = null,
): Steps<Subject[]> {
  const ids = new IdMaker(hash, known);
  const subjects: Subject[] = [];
  for (let i = 0; i < patch.files.length; i += 1) {
    const file = patch.files[i];
    const next = patch.files[i + 1];
    if (file === undefined) continue;
    if (file.operation === 'delete' && next?.operation === 'create' && next.newPath === file.oldPath) {
      subjects.push(typeChange(patch, { gone: file, made: next }, ids, binary));
      i += 1;
    } else subjects.push(yield* subjectOf(patch, file, ids, binary));
    yield;
  }
  return subjects;
}

function* subjectOf(patch: Patch, file: FilePatch, ids: IdMaker, binary: BinaryContents): Steps<Subject> {
  const plain: Subject = {
    operation: file.operation,
    oldPath: file.oldPath,
    newPath: file.newPath,
    oldMode: file.oldMode,
    newMode: file.newMode,
    oldBlob: file.oldBlob,
    patchBytes: patch.bytes,
    changes: headChanges(file, ids),
    whole: null,
    problem: null,
  };
  if (file.binary !== null) return yield* binarySubject(plain, file, ids, binary);
  const types = [typeOf(file.oldMode ?? file.newMode), typeOf(file.newMode ?? file.oldMode)] as const;
  if (types.some((type) => type !== 'file')) return linkSubject(plain, file, ids, types);
  return { ...plain, changes: [...plain.changes, ...(yield* textChanges(patch, file, ids))] };
}

function* binarySubject(
  plain: Subject,
  file: FilePatch,
  ids: IdMaker,
  binary: BinaryContents,
): Steps<Subject> {
  const found = binary(file);
  const isWhole = 'problem' in found || found.byLines === undefined;
  const lines = isWhole ? null : asLines(found.old ?? emptyBytes(), found.new ?? emptyBytes());
  if (lines !== null) {
    const hunks = lines.files.flatMap((one) => one.hunks);
    const changes = yield* textChanges(lines, { ...file, hunks }, ids);
    return { ...plain, patchBytes: lines.bytes, changes: [...plain.changes, ...changes] };
  }
  const problem = 'problem' in found ? found.problem : null;
  const sides = 'problem' in found ? { old: null, new: null } : found;
  const change = ids.make(nameOf(file), 'binary', sides.old ?? emptyBytes(), sides.new ?? emptyBytes(), null);
  const whole = { old: wholeFile(sides.old), new: wholeFile(sides.new) };
  return { ...plain, changes: [...plain.changes, change], whole, problem };
}

/** A text that came without lines is compared in one piece up to this size. */
const LINES_MAX_BYTES = 256 * 1024;

/** Whether a file that came as binary is shown as text. Asked once: ids, and so decisions, depend on it. */
export const hasLines = (...sides: readonly (Uint8Array | null)[]) =>
  sides.every((side) => side === null || (side.length <= LINES_MAX_BYTES && !isBinary(side)));

/** A text that came as binary (`-diff` in .gitattributes, or someone's patch) as lines, to show its changes. */
function asLines(old: Uint8Array, updated: Uint8Array): Patch | null {
  const hunks = formatHunks(lineTable(old), lineTable(updated), CONTEXT_LINES);
  const parsed = parsePatch(concatBytes([fromLatin1('--- a/f\n+++ b/f\n'), ...hunks]), { isWhole: true });
  return parsed.ok && hunks.length > 0 ? parsed.value : null;
}

/** A link or submodule: its mode is its type, and its only hunk is its target. */
function linkSubject(
  plain: Subject,
  file: FilePatch,
  ids: IdMaker,
  [oldType, newType]: readonly [WholeContent['type'], WholeContent['type']],
): Subject {
  const changes = plain.changes.filter((change) => change.kind !== 'mode');
  const [hunk] = file.hunks;
  if (hunk === undefined) return { ...plain, changes };
  const sides = bothSides(readBody(plain.patchBytes, hunk));
  const whole = {
    old: file.oldPath === null ? null : { type: oldType, bytes: sides.old },
    new: file.newPath === null ? null : { type: newType, bytes: sides.new },
  };
  const change = ids.make(pathOf(file), wholeKind(oldType, newType), sides.old, sides.new, hunk);
  return { ...plain, changes: [...changes, change], whole };
}

const wholeKind = (oldType: WholeContent['type'], newType: WholeContent['type']) =>
  oldType === 'submodule' || newType === 'submodule' ? 'submodule' : 'symlink';

const pathOf = (file: FilePatch): ByteString => file.newPath ?? file.oldPath ?? '';

/** A change's identity besides its bytes: the same new file with the executable bit is another change. */
const nameOf = (file: FilePatch): ByteString =>
  file.operation === 'create' && ((file.newMode ?? 0) & 0o100) !== 0 ? `${pathOf(file)}\0x` : pathOf(file);

const wholeFile = (bytes: Uint8Array | null): WholeContent | null =>
  bytes === null ? null : { type: 'file', bytes };

function bothSides(body: HunkBody): { old: Uint8Array; new: Uint8Array } {
  const side = (skipped: number) => {
    const parts: Uint8Array[] = [];
    for (let i = 0; i < body.count; i += 1) if (body.op(i) !== skipped) parts.push(bodyLine(body, i));
    return concatBytes(parts);
  };
  return { old: side(ADDED), new: side(REMOVED) };
}

function headChanges(file: FilePatch, ids: IdMaker): Change[] {
  const path = pathOf(file);
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

function* textChanges(patch: Patch, file: FilePatch, ids: IdMaker): Steps<Change[]> {
  const path = nameOf(file);
  const kind = file.operation === 'create' ? 'create' : file.operation === 'delete' ? 'delete' : 'text';
  if (file.hunks.length === 0 && kind !== 'text') {
    return [ids.make(path, kind, emptyBytes(), emptyBytes(), null)];
  }
  const changes: Change[] = [];
  let lines = 0;
  for (const hunk of file.hunks) {
    const body = readBody(patch.bytes, hunk, patch.lineStarts);
    lines += body.count;
    if (lines > LINES_AT_ONCE || changes.length % HUNKS_AT_ONCE === HUNKS_AT_ONCE - 1) {
      lines = 0;
      yield;
    }
    changes.push(yield* ids.makeHunk(path, kind, hunk, body));
  }
  return changes;
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
    return found !== null && !('problem' in found) ? (found[side] ?? emptyBytes()) : emptyBytes();
  };
  const old = { type: typeOf(gone.oldMode), bytes: contentOf(gone, 'old') };
  const updated = { type: typeOf(made.newMode), bytes: contentOf(made, 'new') };
  const path = made.newPath ?? '';
  const kind = wholeKind(old.type, updated.type);
  return {
    operation: 'modify',
    oldPath: gone.oldPath,
    newPath: made.newPath,
    oldMode: gone.oldMode,
    newMode: made.newMode,
    oldBlob: gone.oldBlob,
    patchBytes: patch.bytes,
    changes: [ids.make(path, kind, old.bytes, updated.bytes, null)],
    whole: { old, new: updated },
    problem: problems[0] ?? null,
  };
}
