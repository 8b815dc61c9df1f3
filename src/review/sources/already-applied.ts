/** Whether the target already has a patch, as when `git diff` output from there is handed back to us. */

import { withLf } from '../core/line-ends.ts';
import type { FilePatch } from '../core/patch-model.ts';
import { isBlobNamed } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import { readPatch } from '../records/stored-patch.ts';

/** Whether every file is exactly the patch's result, by git's name for the content. */
export async function isApplied(root: string, patch: Uint8Array): Promise<boolean> {
  const parsed = await readPatch(patch);
  if (!parsed.ok) return false;
  for (const file of parsed.value.files) if (!(await isFileApplied(root, file))) return false;
  return true;
}

async function isFileApplied(
  root: string,
  { oldPath, newPath, newBlob, newMode }: FilePatch,
): Promise<boolean> {
  const old = oldPath === null || oldPath === newPath ? null : await readImage(root, oldPath);
  if (old !== null && (!old.ok || old.value !== null)) return false;
  if (newPath === null) return true;
  const image = await readImage(root, newPath);
  if (!image.ok || image.value === null) return false;
  const { bytes, executable, type } = image.value;
  if (newBlob === null) return newMode !== null && executable === ((newMode & 0o100) !== 0);
  if (type !== 'file') return type === 'symlink' && isBlobNamed(bytes, newBlob);
  return isBlobNamed(bytes, newBlob) || isBlobNamed(withLf(bytes), newBlob);
}
