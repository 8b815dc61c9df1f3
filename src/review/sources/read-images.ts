/** Reads the files of a patch, within the limits for a given patch. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import type { ByteString } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import { IN_PARTS_HINT } from '../core/parse-patch.ts';
import type { Patch } from '../core/patch-model.ts';
import { findImage } from '../files/target-files.ts';
import { pathsOf } from '../records/stored-patch.ts';

/** Files read in parallel: most of the time is waiting. */
export const FILES_AT_ONCE = 8;
/** How much a given patch may have read: each of its files, and a copy's source once for each copy. */
export const PATCH_FILES_MAX_BYTES = 128 * 1024 * 1024;

export interface ReadImages {
  readonly found: ReadonlyMap<ByteString, FileImage | null>;
  /** Files that cannot or may not be read. */
  readonly refused: ReadonlyMap<ByteString, Result<never>>;
}

interface ReadOptions {
  readonly root: string;
  /** Someone wrote the patch. */
  readonly isGiven: boolean;
  readonly images?: ReadonlyMap<ByteString, FileImage> | undefined;
  readonly read?: ReadonlyMap<ByteString, FileImage> | undefined;
}

/** The current files of a patch. */
export async function readImages(
  patch: Patch,
  { root, images, read, isGiven }: ReadOptions,
): Promise<Result<ReadImages>> {
  const uses = Map.groupBy(
    patch.files.flatMap((file) => [...new Set(pathsOf(file))]),
    (path) => path,
  );
  const found = new Map<ByteString, FileImage | null>();
  const refused = new Map<ByteString, Result<never>>();
  let bytes = 0;
  const isTooMuch = () => isGiven && patch.files.length > 1 && bytes > PATCH_FILES_MAX_BYTES;
  await sideBySide([...uses], FILES_AT_ONCE, async ([path, used]) => {
    if (isTooMuch()) return;
    const known = images === undefined ? read?.get(path) : (images.get(path) ?? null);
    const image = known === undefined ? await findImage(root, path) : ok(known);
    if (image.ok) found.set(path, image.value);
    else refused.set(path, image);
    bytes += image.ok ? used.length * (image.value?.bytes.length ?? 0) : 0;
  });
  if (!isTooMuch()) return ok({ found, refused });
  const most = `${PATCH_FILES_MAX_BYTES / 1024 / 1024} MiB`;
  return fail(
    'refused',
    `The files that this patch changes or copies have more than ${most} together.`,
    IN_PARTS_HINT,
  );
}
