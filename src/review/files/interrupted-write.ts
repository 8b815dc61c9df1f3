/** What a failed or interrupted write left on disk; completes a half-finished move. */
import { ok, type Result } from '../../lib/result.ts';
import { fileFailure } from '../../platform/system-error.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import { removeAt, removeTemporary } from './atomic-writer.ts';
import { fingerprint } from './hash.ts';
import { withPlace } from './place.ts';
import { findImage } from './target-files.ts';

/** `torn`: a mixture that only a rewrite in place can leave. `foreign`: someone has edited the file since. */
export type WriteOutcome = 'old' | 'new' | 'torn' | 'foreign';

export interface InterruptedWrite {
  readonly root: string;
  readonly oldPath: ByteString | null;
  readonly newPath: ByteString | null;
  /** Fingerprints of the images; null for no file. */
  readonly old: string | null;
  readonly new: string | null;
  /** Name of the temporary file beside the target. */
  readonly temporary: string;
}

/** Both versions of a file that is rewritten in place. */
export interface Sides {
  readonly old: Uint8Array;
  readonly new: Uint8Array;
}

/** Inspects the disk and removes the temporary file. */
export async function inspectWrite(
  write: InterruptedWrite,
  sides: Sides | null,
): Promise<Result<WriteOutcome>> {
  const path = write.newPath ?? write.oldPath ?? '';
  try {
    await withPlace(write.root, path, {}, async (place) => {
      if (place !== null) await removeTemporary(place, write.temporary);
      return ok(undefined);
    });
    if (write.oldPath !== null && write.newPath !== null && write.oldPath !== write.newPath)
      return await inspectMove(write, write.oldPath, write.newPath);
    const found = await findImage(write.root, path);
    if (!found.ok) return found;
    const print = fingerprint(found.value);
    if (print === write.new) return ok('new');
    if (print === write.old) return ok('old');
    const mixed = sides !== null && found.value?.type === 'file' && isMixture(found.value.bytes, sides);
    return ok(mixed ? 'torn' : 'foreign');
  } catch (thrown) {
    return fileFailure(thrown, displayBytes(path));
  }
}

async function inspectMove(
  write: InterruptedWrite,
  oldPath: ByteString,
  newPath: ByteString,
): Promise<Result<WriteOutcome>> {
  const found = await findImage(write.root, oldPath);
  if (!found.ok) return found;
  const before = found.value;
  const isOld = before !== null && fingerprint(before) === write.old;
  const after = await findImage(write.root, newPath);
  if (!after.ok) return after;
  if (fingerprint(after.value) !== write.new) return ok(isOld ? 'old' : 'foreign');
  if (!isOld) return ok('new');
  return withPlace(write.root, oldPath, {}, async (place) => {
    if (place !== null) await removeAt(place, before);
    return ok('new');
  });
}

/** Whether it may be an interrupted rewrite: new bytes over the old ones' beginning, or all with the old mode. */
function isMixture(found: Uint8Array, sides: Sides): boolean {
  if (Buffer.compare(found, sides.new) === 0) return true;
  let at = 0;
  while (at < found.length && at < sides.new.length && found[at] === sides.new[at]) at += 1;
  return (
    found.length === Math.max(at, sides.old.length) &&
    Buffer.compare(found.subarray(at), sides.old.subarray(at)) === 0
  );
}
