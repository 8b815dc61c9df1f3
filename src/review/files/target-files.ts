/** Reads a target's files by the bytes of their names. Never follows a link: a link is content. */
import { lstat, readdir, readlink } from 'node:fs/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type OpenedFile, openRegular, readRegular } from '../../platform/regular-file.ts';
import { fileFailure, systemCode, unlessMissing, unlessSystemFails } from '../../platform/system-error.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { pathProblem } from '../core/safe-path.ts';

/** A larger file is not reviewed. */
export const FILE_MAX_BYTES = 256 * 1024 * 1024;
/** How much of a file to compare at once. */
const COMPARED_BYTES = 256 * 1024;

/** A target file's path as bytes: names need not be UTF-8. */
export function absolutePath(root: string, path: ByteString): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** The folder of `path` in the root; '' for the root itself. */
export function folderOf(path: ByteString): ByteString {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** What was found in place of a parent folder of a file. */
type Parents = 'there' | 'missing' | NonNullable<FileImage['behind']>;

/** Checks every parent folder of `path`. For reading and planning; a write holds its folders (`place.ts`). */
export async function lookAtParents(root: string, path: ByteString): Promise<Result<Parents>> {
  const problem = pathProblem(path);
  if (problem !== null) return fail('refused', problem);
  const parts = path.split('/').slice(0, -1);
  for (let i = 1; i <= parts.length; i += 1) {
    const folder = parts.slice(0, i).join('/');
    const found = await lstatOrNull(absolutePath(root, folder));
    if (found === null) return ok('missing');
    if (!found.isDirectory()) return ok({ path: folder, isLink: found.isSymbolicLink() });
  }
  return ok('there');
}

/** What is at `path`; null if nothing. A path through a link is refused. */
export async function readImage(root: string, path: ByteString): Promise<Result<FileImage | null>> {
  const found = await findImage(root, path);
  const behind = found.ok ? found.value?.behind : undefined;
  return behind?.isLink === true ? fail('refused', behindLink(path, behind.path)) : found;
}

/** Whether anything is at `path`. Behind a link, or where we cannot look, nothing is. */
export async function isThere(root: string, path: ByteString): Promise<boolean> {
  return unlessSystemFails(async () => {
    const parents = await lookAtParents(root, path);
    if (!parents.ok || parents.value !== 'there') return false;
    return (await lstatOrNull(absolutePath(root, path))) !== null;
  }, false);
}

/** Like `readImage`, but a link among the parent folders is one more thing that can be found. */
export async function findImage(root: string, path: ByteString): Promise<Result<FileImage | null>> {
  try {
    const parents = await lookAtParents(root, path);
    if (!parents.ok) return parents;
    if (parents.value === 'missing') return ok(null);
    if (parents.value !== 'there') return ok({ ...otherImage(path), behind: parents.value });
    return await imageAt(absolutePath(root, path), path);
  } catch (thrown) {
    // It was removed between two checks.
    if (systemCode(thrown) === 'ENOENT') return ok(null);
    return fileFailure(thrown, displayBytes(path));
  }
}

/** Why nothing is written at `path`. */
export const behindLink = (path: ByteString, link: ByteString) =>
  `${displayBytes(path)} lies behind the link ${displayBytes(link)}; links are not followed.`;

/** What is at the absolute path `file`. The caller has checked or holds its folders. */
async function imageAt(file: Buffer, path: ByteString): Promise<Result<FileImage | null>> {
  const found = await lstatOrNull(file);
  if (found === null) return ok(null);
  if (found.isSymbolicLink()) {
    const bytes = await readlink(file, { encoding: 'buffer' });
    return ok({ path, type: 'symlink', executable: false, bytes });
  }
  if (found.isDirectory()) return ok(await folderImage(file, path));
  if (!found.isFile()) return ok(otherImage(path));
  if (found.size > FILE_MAX_BYTES)
    return fail('refused', `${displayBytes(path)} is larger than ${FILE_MAX_BYTES / 1024 / 1024} MiB.`);
  return ok({
    path,
    type: 'file',
    executable: (found.mode & 0o100) !== 0,
    bytes: await readRegular(file, { noLink: true, maxBytes: FILE_MAX_BYTES }),
  });
}

/** Whether the path has exactly `image`. */
export async function isOnDisk(root: string, image: FileImage): Promise<Result<boolean>> {
  try {
    const parents = await lookAtParents(root, image.path);
    if (!parents.ok) return parents;
    if (parents.value !== 'there') return ok(false);
    return await isImageAt(absolutePath(root, image.path), image);
  } catch (thrown) {
    return fileFailure(thrown, displayBytes(image.path));
  }
}

/** The same for an absolute path. A file is compared in chunks, without a buffer of its size. */
export async function isImageAt(file: Buffer, image: FileImage): Promise<Result<boolean>> {
  if (image.type !== 'file') {
    const found = await imageAt(file, image.path);
    return found.ok ? ok(sameImage(found.value, image)) : found;
  }
  const opened = await openedOrNull(file);
  return ok(opened !== null && (await holds(opened, image)));
}

/** Null if it is not a regular file. Saves an `lstat`, which counts for thousands of files. */
async function openedOrNull(file: Buffer): Promise<OpenedFile | null> {
  return unlessSystemFails(() => openRegular(file, { noLink: true }), null, NO_REGULAR_FILE);
}

const NO_REGULAR_FILE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENOTREG'];

/** Whether the file is exactly this one. Closes it. */
async function holds({ handle, stats }: OpenedFile, { bytes, executable }: FileImage): Promise<boolean> {
  try {
    if (stats.size !== bytes.length || ((stats.mode & 0o100) !== 0) !== executable) return false;
    const piece = Buffer.allocUnsafe(Math.min(COMPARED_BYTES, bytes.length + 1));
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return at === bytes.length;
      // It may have grown since the check.
      if (at + bytesRead > bytes.length) return false;
      if (piece.compare(bytes, at, at + bytesRead, 0, bytesRead) !== 0) return false;
      at += bytesRead;
      if (at === bytes.length && bytesRead < piece.length) return true;
    }
  } finally {
    await handle.close();
  }
}

const otherImage = (path: ByteString): FileImage => ({
  path,
  type: 'other',
  executable: false,
  bytes: new Uint8Array(0),
});

/** A folder that is empty or has a repository may be a submodule. */
async function folderImage(folder: Buffer, path: ByteString): Promise<FileImage> {
  const names = await readdir(folder);
  const isSubmodule = names.length === 0 || names.includes('.git');
  return { ...otherImage(path), type: isSubmodule ? 'submodule' : 'other' };
}

/** `lstat`; null if nothing is there. */
export const lstatOrNull = (file: Buffer) => unlessMissing(() => lstat(file), null);
