/** A patch as it was kept becomes the same subjects with the same ids at every load. */
import { ok, type Result } from '../../lib/result.ts';
import { ID_LENGTH, type Subject } from '../core/change.ts';
import { withCrlfHunks } from '../core/line-ends.ts';
import { parsePatch } from '../core/parse-patch.ts';
import type { FilePatch, Patch } from '../core/patch-model.ts';
import { subjectsOf } from '../core/subjects.ts';
import { sha256 } from '../files/hash.ts';
import type { Blobs, StoredBinary } from './records.ts';

/** Ids of fewer changes are worked out as fast as they are read. */
const IDS_KEPT_MIN = 200;

/** What was found out about a patch when it was published. */
export interface PatchFacts {
  readonly selected: readonly number[] | null;
  readonly created: readonly number[];
  readonly crlf: readonly number[];
  readonly binaries: Readonly<Record<string, StoredBinary>>;
  readonly ids?: string | null;
}

/** The subjects of a patch (its selected files) with what is known about it. */
export function buildSubjects(patch: Patch, facts: PatchFacts, blobs: Blobs): Subject[] {
  const created = new Set(facts.created);
  const files = patch.files.map(
    (file, at): FilePatch => (created.has(at) ? { ...file, operation: 'create', oldPath: null } : file),
  );
  const crlf = new Set(facts.crlf.flatMap((at) => files[at] ?? []));
  const read = crlf.size === 0 ? { ...patch, files } : withCrlfHunks({ ...patch, files }, crlf);
  const positions = new Map(read.files.map((file, at) => [file, at]));
  const binary = (file: FilePatch) => {
    const stored = facts.binaries[positions.get(file) ?? -1];
    return stored === undefined ? { problem: 'its content is not known.' } : binaryOf(stored, blobs);
  };
  const known = keptIds(facts, blobs);
  const subjects = subjectsOf(read, sha256, binary, known);
  return known === null || known.length === idsOf(subjects).length
    ? subjects
    : subjectsOf(read, sha256, binary);
}

/** Keeps the ids of many changes, so that they need not be worked out at each load; null for few. */
export function keepIds(subjects: readonly Subject[], blobs: Blobs): Result<string | null> {
  const ids = idsOf(subjects);
  return ids.length < IDS_KEPT_MIN ? ok(null) : blobs.put(Buffer.from(ids.join(''), 'latin1'));
}

const idsOf = (subjects: readonly Subject[]) =>
  subjects.flatMap((subject) => subject.changes.map((change) => change.id));

/** Null where they are to be worked out: they are few, or cannot be read. */
function keptIds({ ids = null }: PatchFacts, blobs: Blobs): string[] | null {
  const kept = ids === null ? null : blobs.get(ids);
  if (kept === null || !kept.ok) return null;
  const text = Buffer.from(kept.value).toString('latin1');
  return Array.from({ length: text.length / ID_LENGTH }, (_, i) =>
    text.slice(i * ID_LENGTH, (i + 1) * ID_LENGTH),
  );
}

function binaryOf(stored: StoredBinary, blobs: Blobs): ReturnType<Parameters<typeof subjectsOf>[2]> {
  if ('problem' in stored) return stored;
  const side = (hash: string | null): Result<Uint8Array | null> =>
    hash === null ? { ok: true, value: null } : blobs.get(hash);
  const old = side(stored.old);
  const neu = side(stored.new);
  if (!old.ok) return { problem: old.error.message };
  return neu.ok ? { old: old.value, new: neu.value } : { problem: neu.error.message };
}

/** Reads a kept patch again: the files of it that were taken. */
export function readPatch(bytes: Uint8Array, selected: readonly number[] | null): Result<Patch> {
  const parsed = parsePatch(bytes);
  return parsed.ok ? ok(selectFiles(parsed.value, selected)) : parsed;
}

/** The patch with only these files. */
export function selectFiles(patch: Patch, selected: readonly number[] | null): Patch {
  return selected === null ? patch : { ...patch, files: selected.flatMap((at) => patch.files[at] ?? []) };
}

/** Every path that the patch names, old and new. */
export function pathsOf(file: FilePatch): string[] {
  return [file.oldPath, file.newPath].filter((path) => path !== null);
}
