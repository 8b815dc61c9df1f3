/** Reads files of a target by their bytes' names. Never follows a link: a link is content. */
import { lstat, readdir, readlink } from 'node:fs/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type OpenedFile, openRegular, readRegular } from '../../platform/regular-file.ts';
import { fileFailure, systemCode } from '../../platform/system-error.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { pathProblem } from '../core/safe-path.ts';

/** A file beyond this is not reviewed. */
export const FILE_MAX_BYTES = 256 * 1024 * 1024;
/** So much of a file is compared at once. */
const COMPARED_BYTES = 256 * 1024;

/** The path of a file of the target, as bytes: names need not be UTF-8. */
export function absolutePath(root: string, path: ByteString): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** The folder of `path` within the root; '' for the root itself. */
export function folderOf(path: ByteString): ByteString {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** What stands in the place of a folder on the way to a file. */
type Parents = 'there' | 'missing' | NonNullable<FileImage['behind']>;

/** Looks at every folder on the way to `path`. For reading and planning; a write holds its folders (`place.ts`). */
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

/** What stands at `path`; null when nothing does. A path that leads through a link is refused. */
export async function readImage(root: string, path: ByteString): Promise<Result<FileImage | null>> {
  const found = await findImage(root, path);
  const behind = found.ok ? found.value?.behind : undefined;
  return behind?.isLink === true ? fail('refused', behindLink(path, behind.path)) : found;
}

/** Whether anything stands at `path`. Nothing does behind a link, or where it cannot be looked at. */
export async function isThere(root: string, path: ByteString): Promise<boolean> {
  try {
    const parents = await lookAtParents(root, path);
    if (!parents.ok || parents.value !== 'there') return false;
    return (await lstatOrNull(absolutePath(root, path))) !== null;
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return false;
  }
}

/** What stands at `path` as `readImage` has it, where a link on the way is one more thing that can stand in it. */
export async function findImage(root: string, path: ByteString): Promise<Result<FileImage | null>> {
  try {
    const parents = await lookAtParents(root, path);
    if (!parents.ok) return parents;
    if (parents.value === 'missing') return ok(null);
    if (parents.value !== 'there') return ok({ ...otherImage(path), behind: parents.value });
    return await imageAt(absolutePath(root, path), path);
  } catch (thrown) {
    // It went between two looks at it.
    if (systemCode(thrown) === 'ENOENT') return ok(null);
    const failure = fileFailure(thrown, displayBytes(path));
    if (failure === null) throw thrown;
    return failure;
  }
}

/** Why nothing is written at `path`. */
export const behindLink = (path: ByteString, link: ByteString) =>
  `${displayBytes(path)} lies behind the link ${displayBytes(link)}; links are not followed.`;

/** What stands at the absolute path `file`, whose folders the caller has looked at or holds. */
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

/** Whether what stands at the path is exactly `image`. */
export async function isOnDisk(root: string, image: FileImage): Promise<Result<boolean>> {
  try {
    const parents = await lookAtParents(root, image.path);
    if (!parents.ok) return parents;
    if (parents.value !== 'there') return ok(false);
    return await isImageAt(absolutePath(root, image.path), image);
  } catch (thrown) {
    const failure = fileFailure(thrown, displayBytes(image.path));
    if (failure === null) throw thrown;
    return failure;
  }
}

/** The same for an absolute path. A file is compared piece by piece: nothing of its size is made. */
export async function isImageAt(file: Buffer, image: FileImage): Promise<Result<boolean>> {
  if (image.type !== 'file') {
    const found = await imageAt(file, image.path);
    return found.ok ? ok(sameImage(found.value, image)) : found;
  }
  const opened = await openedOrNull(file);
  return ok(opened !== null && (await holds(opened, image)));
}

/** Null where no regular file is. One look fewer than by `lstat`: of thousands of files, that counts. */
async function openedOrNull(file: Buffer): Promise<OpenedFile | null> {
  try {
    return await openRegular(file, { noLink: true });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (NO_REGULAR_FILE.has(code ?? '')) return null;
    throw thrown;
  }
}

const NO_REGULAR_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENOTREG']);

/** The file is exactly this one. Closes it. */
async function holds({ handle, stats }: OpenedFile, { bytes, executable }: FileImage): Promise<boolean> {
  try {
    if (stats.size !== bytes.length || ((stats.mode & 0o100) !== 0) !== executable) return false;
    const piece = Buffer.allocUnsafe(Math.min(COMPARED_BYTES, bytes.length + 1));
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return at === bytes.length;
      // It may have grown since it was looked at.
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

/** A folder with a repository in it, or nothing in it, may be a submodule. */
async function folderImage(folder: Buffer, path: ByteString): Promise<FileImage> {
  const names = await readdir(folder);
  const isSubmodule = names.length === 0 || names.includes('.git');
  return { ...otherImage(path), type: isSubmodule ? 'submodule' : 'other' };
}

/** `lstat`, null when nothing is there. */
export async function lstatOrNull(file: Buffer) {
  try {
    return await lstat(file);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw thrown;
  }
}
