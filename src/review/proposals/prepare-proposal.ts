/** A change whose author gives its exact base instead of a folder's files. Reads no file. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import type { ByteString } from '../core/bytes.ts';
import type { Change, Subject } from '../core/change.ts';
import type { FileImage } from '../core/file-state.ts';
import { parseSteps } from '../core/parse-patch.ts';
import { pathProblem } from '../core/safe-path.ts';
import { sha256 } from '../files/hash.ts';
import type { Blobs, StoredBinary, StoredFile } from '../records/records.ts';
import { buildSubjects, keepSides, pathsOf } from '../records/stored-patch.ts';
import type { Prepared } from '../sources/check-patch.ts';

export interface ProposalSource {
  readonly patch: Uint8Array;
  /** Every file in the patch as it is without it; null for none. */
  readonly bases: ReadonlyMap<ByteString, FileImage | null>;
  readonly results: ReadonlyMap<ByteString, FileImage | null>;
  /** Body lines of the parts to split a hunk into; null for the whole hunk. */
  readonly split: (change: Change) => readonly (readonly number[])[] | null;
}

/** Prepares the patch for storage. */
export async function prepareProposal(source: ProposalSource, blobs: Blobs): Promise<Result<Prepared>> {
  const parsed = await new Slices().run(parseSteps(source.patch));
  if (!parsed.ok) return parsed;
  const patch = parsed.value;
  const binaries: Record<string, StoredBinary> = {};
  for (const [at, file] of patch.files.entries()) {
    for (const path of pathsOf(file)) {
      const problem = pathProblem(path);
      if (problem !== null) return fail('refused', problem);
    }
    if (file.binary === null) continue;
    const sides = await keepSides(
      source.bases.get(file.oldPath ?? '')?.bytes ?? null,
      source.results.get(file.newPath ?? '')?.bytes ?? null,
      blobs,
    );
    if (!sides.ok) return sides;
    binaries[at] = sides.value;
  }
  const facts = { selected: null, created: [], crlf: [], binaries };
  const subjects = await buildSubjects(patch, facts, blobs);
  const files: StoredFile[] = [];
  for (const subject of subjects) {
    const file = await storedFile(subject, source, blobs);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return ok({ patch: source.patch, facts, subjects, files, notes: patch.notes, generated: new Map() });
}

async function storedFile(
  subject: Subject,
  { bases, split }: ProposalSource,
  blobs: Blobs,
): Promise<Result<StoredFile>> {
  const base = subject.oldPath === null ? null : (bases.get(subject.oldPath) ?? null);
  const parts = subject.changes.flatMap((change) => {
    const lines = split(change);
    return lines === null ? [] : [[change.id, lines] as const];
  });
  if (base === null) return ok({ base: null, absent: true, origin: null, unmoved: true, parts });
  const blob = await blobs.put(base.bytes);
  if (!blob.ok) return blob;
  const { path, type, executable } = base;
  const stored = { blob: blob.value, path, type, executable };
  return ok({ base: stored, absent: false, origin: sha256([base.bytes]), unmoved: true, parts });
}
