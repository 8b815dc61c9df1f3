/**
 * Writes that are recorded before they begin: what is recorded of one, several of them where all are done or none,
 * and what a crash has left of one. Who records them, and what is true once they are done, is the caller's.
 */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { FileImage } from '../core/file-state.ts';
import {
  completeRewrite,
  type FileWrite,
  inspectWrite,
  performWrite,
  planWrite,
  type WriteOutcome,
} from '../files/atomic-writer.ts';
import { fingerprint } from '../files/hash.ts';
import type { Blobs, StoredWrite } from '../records/records.ts';

/** Files written side by side: the disk makes them durable together. */
const WRITES_AT_ONCE = 8;

/** What is recorded of a write; of a rewrite in place both sides are kept, to end it after a crash. */
export function recordOf(
  write: FileWrite,
  blobs: Blobs,
  printOf: (image: FileImage | null) => string | null = fingerprint,
): Result<StoredWrite> {
  const sides = write.inPlace ? keepSides(write, blobs) : ok(null);
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

function keepSides(write: FileWrite, blobs: Blobs): Result<NonNullable<StoredWrite['inPlace']>> {
  const oldBlob = blobs.put(write.old?.bytes ?? new Uint8Array(0));
  if (!oldBlob.ok) return oldBlob;
  const newBlob = blobs.put(write.new?.bytes ?? new Uint8Array(0));
  return newBlob.ok ? ok({ oldBlob: oldBlob.value, newBlob: newBlob.value }) : newBlob;
}

/** Writes all; when one fails, those that were written are written back. */
export async function writeAll(writes: readonly FileWrite[]): Promise<Result<void>> {
  // Files that come, go or move share folders; those that only change can be written side by side.
  const apart = writes.every((write) => write.old !== null && write.old.path === write.new?.path);
  const done: FileWrite[] = [];
  let failed: Result<void> = ok(undefined);
  const next = writes.values();
  const work = async () => {
    for (const write of next) {
      if (!failed.ok) return;
      const written = await performWrite(write);
      if (written.ok) done.push(write);
      else failed = written;
    }
  };
  await Promise.all(Array.from({ length: apart ? WRITES_AT_ONCE : 1 }, work));
  if (failed.ok) return failed;
  const back = await writeBack(done.reverse());
  return back.ok ? failed : back;
}

async function writeBack(done: readonly FileWrite[]): Promise<Result<void>> {
  for (const write of done) {
    const plan = await planWrite(write.root, write.new, write.old, `${write.temporary}.back`);
    const undone = plan.ok ? await performWrite(plan.value) : plan;
    if (!undone.ok)
      return fail(
        'internal',
        `A file could not be written, and another one not put back: ${undone.error.message}`,
      );
  }
  return ok(undefined);
}

/** What a crash has left of a recorded write; a rewrite that was torn is completed, and counts as done. */
export async function leftOf(write: StoredWrite, blobs: Blobs): Promise<Result<WriteOutcome>> {
  const old = write.inPlace === null ? null : blobs.get(write.inPlace.oldBlob);
  const neu = write.inPlace === null ? null : blobs.get(write.inPlace.newBlob);
  const known = old?.ok && neu?.ok ? { old: old.value, new: neu.value } : null;
  const outcome = await inspectWrite(write, known);
  if (!outcome.ok || outcome.value !== 'torn' || known === null) return outcome;
  const completed = await completeRewrite(write.root, write.newPath ?? '', known.new, write.new);
  return completed.ok ? ok('new') : completed;
}
