/** Turns a stored patch into the same subjects with the same ids at every load. */
import { ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import { ID_LENGTH, type Subject } from '../core/change.ts';
import { withCrlfHunks } from '../core/line-ends.ts';
import { parseSteps } from '../core/parse-patch.ts';
import type { FilePatch, Patch } from '../core/patch-model.ts';
import { type BinaryContents, hasLines, subjectSteps } from '../core/subjects.ts';
import { sha256 } from '../files/hash.ts';
import type { Blobs, StoredBinary, StoredSuggestion } from './records.ts';

/** Below this number, computing ids is as fast as reading them. */
const IDS_KEPT_MIN = 200;

/** Facts determined when a patch was published. */
export type PatchFacts = Pick<StoredSuggestion, 'selected' | 'created' | 'crlf' | 'binaries' | 'ids'>;

/** A patch's subjects (its selected files) with what is known about it. */
export async function buildSubjects(patch: Patch, facts: PatchFacts, blobs: Blobs): Promise<Subject[]> {
  const created = new Set(facts.created);
  const files = patch.files.map(
    (file, at): FilePatch => (created.has(at) ? { ...file, operation: 'create', oldPath: null } : file),
  );
  const crlf = new Set(facts.crlf.flatMap((at) => files[at] ?? []));
  const read = crlf.size === 0 ? { ...patch, files } : withCrlfHunks({ ...patch, files }, crlf);
  const slices = new Slices();
  const contents = await binariesOf(read.files, facts, blobs);
  const binary = (file: FilePatch) => contents.get(file) ?? { problem: 'its content is not known.' };
  const known = await keptIds(facts, blobs);
  const subjects = await slices.run(subjectSteps(read, sha256, binary, known));
  return known === null || known.length === idsOf(subjects).length
    ? subjects
    : slices.run(subjectSteps(read, sha256, binary));
}

/** Stores the ids of many changes, so that they need not be computed at each load; null for few. */
export async function keepIds(subjects: readonly Subject[], blobs: Blobs): Promise<Result<string | null>> {
  const ids = idsOf(subjects);
  return ids.length < IDS_KEPT_MIN ? ok(null) : blobs.put(Buffer.from(ids.join(''), 'latin1'));
}

const idsOf = (subjects: readonly Subject[]) =>
  subjects.flatMap((subject) => subject.changes.map((change) => change.id));

/** Null if they must be computed: there are few, or they are unreadable. */
async function keptIds({ ids = null }: PatchFacts, blobs: Blobs): Promise<string[] | null> {
  const kept = ids === null ? null : await blobs.get(ids);
  if (kept === null || !kept.ok) return null;
  const text = Buffer.from(kept.value).toString('latin1');
  return Array.from({ length: text.length / ID_LENGTH }, (_, i) =>
    text.slice(i * ID_LENGTH, (i + 1) * ID_LENGTH),
  );
}

async function binariesOf(
  files: readonly FilePatch[],
  { binaries }: PatchFacts,
  blobs: Blobs,
): Promise<ReadonlyMap<FilePatch, ReturnType<BinaryContents>>> {
  const contents = new Map<FilePatch, ReturnType<BinaryContents>>();
  for (const [at, file] of files.entries()) {
    const stored = binaries[at];
    if (stored !== undefined) contents.set(file, await binaryOf(stored, blobs));
  }
  return contents;
}

/** Stores both sides of a file that came as binary, and whether it is decided by lines. */
export async function keepSides(
  old: Uint8Array | null,
  updated: Uint8Array | null,
  blobs: Blobs,
): Promise<Result<StoredBinary>> {
  const oldHash = old === null ? ok(null) : await blobs.put(old);
  if (!oldHash.ok) return oldHash;
  const newHash = updated === null ? ok(null) : await blobs.put(updated);
  if (!newHash.ok) return newHash;
  const form = hasLines(old, updated) ? { byLines: true as const } : {};
  return ok({ old: oldHash.value, new: newHash.value, ...form });
}

async function binaryOf(stored: StoredBinary, blobs: Blobs): Promise<ReturnType<BinaryContents>> {
  if ('problem' in stored) return stored;
  const side = async (hash: string | null): Promise<Result<Uint8Array | null>> =>
    hash === null ? ok(null) : blobs.get(hash);
  const old = await side(stored.old);
  const updated = await side(stored.new);
  if (!old.ok) return { problem: old.error.message };
  return updated.ok ? { ...stored, old: old.value, new: updated.value } : { problem: updated.error.message };
}

/** Reads the selected files of a patch in slices. */
export async function readPatch(
  bytes: Uint8Array,
  selected: readonly number[] | null = null,
): Promise<Result<Patch>> {
  const parsed = await new Slices().run(parseSteps(bytes));
  return parsed.ok ? ok(selectFiles(parsed.value, selected)) : parsed;
}

/** The patch with only these files. */
export function selectFiles(patch: Patch, selected: readonly number[] | null): Patch {
  return selected === null ? patch : { ...patch, files: selected.flatMap((at) => patch.files[at] ?? []) };
}

/** Every path in the patch, old and new. */
export function pathsOf(file: FilePatch): string[] {
  return [file.oldPath, file.newPath].filter((path) => path !== null);
}
