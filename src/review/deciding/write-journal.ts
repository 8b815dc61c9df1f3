/** Writes recorded before they begin, done all or none, and repaired after a crash. The caller keeps the records. */
import { type Failure, ok, type Result } from '../../lib/result.ts';
import type { FileImage } from '../core/file-state.ts';
import { completeRewrite, type FileWrite, performWrite, planWrite } from '../files/atomic-writer.ts';
import { fingerprint } from '../files/hash.ts';
import { inspectWrite, type Sides, type WriteOutcome } from '../files/interrupted-write.ts';
import type { Blobs, StoredWrite } from '../records/records.ts';

/** Files written in parallel: the disk makes them durable together. */
const WRITES_AT_ONCE = 8;

/** A write's record. A rewrite in place keeps both sides, so that it can be completed after a crash. */
export async function recordOf(
  write: FileWrite,
  blobs: Blobs,
  printOf: (image: FileImage | null) => string | null = fingerprint,
): Promise<Result<StoredWrite>> {
  const sides = write.inPlace ? await keepSides(write, blobs) : ok(null);
  if (!sides.ok) return sides;
  return ok({
    root: write.root,
    oldPath: write.old?.path ?? null,
    newPath: write.new?.path ?? null,
    old: printOf(write.old),
    new: printOf(write.new),
    inPlace: sides.value,
    temporary: write.temporary,
  });
}

async function keepSides(
  write: FileWrite,
  blobs: Blobs,
): Promise<Result<NonNullable<StoredWrite['inPlace']>>> {
  const oldBlob = await blobs.put(write.old?.bytes ?? new Uint8Array(0));
  if (!oldBlob.ok) return oldBlob;
  const newBlob = await blobs.put(write.new?.bytes ?? new Uint8Array(0));
  return newBlob.ok ? ok({ oldBlob: oldBlob.value, newBlob: newBlob.value }) : newBlob;
}

export interface JournalledWrite {
  readonly write: FileWrite;
  readonly record: StoredWrite;
}

/** The results of several writes. */
export type Written =
  | { readonly kind: 'all' }
  /** Every file is unchanged. */
  | { readonly kind: 'none'; readonly error: Failure }
  /** Some could not be restored: their records are needed to complete them later. */
  | { readonly kind: 'some'; readonly error: Failure };

/** Writes all; if one fails, restores those already written. */
export async function writeAll(writes: readonly JournalledWrite[]): Promise<Written> {
  // Files that appear, disappear or move share folders; those that only change can be written in parallel.
  const apart = writes.every(
    ({ write: { old, new: updated } }) => old !== null && old.path === updated?.path,
  );
  const begun: JournalledWrite[] = [];
  const failures: Failure[] = [];
  const next = writes.values();
  const work = async () => {
    for (const one of next) {
      if (failures.length > 0) return;
      begun.push(one);
      const written = await performWrite(one.write);
      if (!written.ok) failures.push(written.error);
    }
  };
  await Promise.all(Array.from({ length: apart ? WRITES_AT_ONCE : 1 }, work));
  const [error] = failures;
  return error === undefined ? { kind: 'all' } : putBack(begun.reverse(), error);
}

/** Restores every file to its earlier state; `error` is the reason. */
export async function putBack(writes: readonly JournalledWrite[], error: Failure): Promise<Written> {
  const left: string[] = [];
  for (const one of writes) {
    const back = await putOneBack(one);
    if (!back.ok) left.push(back.error.message);
  }
  if (left.length === 0) return { kind: 'none', error };
  const message = `${error.message} Not every file could be restored: ${left.join(' ')}`;
  return { kind: 'some', error: { ...error, code: 'internal', message } };
}

async function putOneBack({ write, record }: JournalledWrite): Promise<Result<void>> {
  const stands = await standsAs(write, record);
  if (!stands.ok || (stands.value !== 'new' && stands.value !== 'torn')) return toVoid(stands);
  if (stands.value === 'torn' && write.old !== null)
    return completeRewrite(write.root, write.old.path, write.old);
  const plan = await planWrite(write.root, write.new, write.old, write.temporary);
  const undone = plan.ok ? await performWrite(plan.value) : plan;
  if (undone.ok) return undone;
  // It may have failed after the file was restored.
  const after = await standsAs(write, record);
  return after.ok && after.value === 'old' ? ok(undefined) : undone;
}

const standsAs = (write: FileWrite, record: StoredWrite) =>
  inspectWrite(
    record,
    write.inPlace && write.old !== null && write.new !== null
      ? { old: write.old.bytes, new: write.new.bytes }
      : null,
  );

const toVoid = (result: Result<unknown>): Result<void> => (result.ok ? ok(undefined) : result);

/** A recorded write's state after a crash. A torn rewrite is completed and counts as done. */
export async function leftOf(write: StoredWrite, blobs: Blobs): Promise<Result<WriteOutcome>> {
  const sides = await keptSides(write, blobs);
  const outcome = await inspectWrite(write, sides);
  if (!outcome.ok || outcome.value !== 'torn' || sides === null) return outcome;
  const path = write.newPath ?? '';
  const executable = fingerprint({ path, type: 'file', executable: true, bytes: sides.new }) === write.new;
  const completed = await completeRewrite(write.root, path, { bytes: sides.new, executable });
  return completed.ok ? ok('new') : completed;
}

async function keptSides({ inPlace }: StoredWrite, blobs: Blobs): Promise<Sides | null> {
  const old = inPlace === null ? null : await blobs.get(inPlace.oldBlob);
  const updated = inPlace === null ? null : await blobs.get(inPlace.newBlob);
  return old?.ok && updated?.ok ? { old: old.value, new: updated.value } : null;
}
