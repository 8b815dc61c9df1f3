/**
 * Replaces one file of a target: the old or the new version is there at every moment. Refuses if the file has changed
 * since it was read. If a rename would lose a hard link, an owner or an access list, the file is rewritten in place; a
 * crash then leaves a mixture that the journal recognizes and repairs.
 */
import { constants } from 'node:fs';
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  // biome-ignore lint/style/noRestrictedImports: opens to write; what is read is what readImage gave.
  open,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { fileFailure, systemCode, unlessSystemFails } from '../../platform/system-error.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import { type Place, withFolder } from './place.ts';
import { absolutePath, behindLink, folderOf, isImageAt, lookAtParents, lstatOrNull } from './target-files.ts';

export interface FileWrite {
  readonly root: string;
  readonly old: FileImage | null;
  readonly new: FileImage | null;
  readonly inPlace: boolean;
  /** Name of the temporary file beside the target. */
  readonly temporary: string;
}

/** Plans the write from `old` (as just read) to `updated`. Refuses before anything is written. */
export async function planWrite(
  root: string,
  old: FileImage | null,
  updated: FileImage | null,
  temporary: string,
  withAccessList: ReadonlySet<ByteString> = new Set(),
): Promise<Result<FileWrite>> {
  for (const image of [old, updated]) {
    const free = image === null ? ok(undefined) : await checkWay(root, image);
    if (!free.ok) return free;
  }
  const write = { root, old, new: updated, temporary, inPlace: false };
  if (old === null || old.type !== 'file') return ok(write);
  const file = absolutePath(root, old.path);
  const found = await lstatOrNull(file);
  if (found === null) return fail('refused', `${displayBytes(old.path)} is gone.`);
  if ((found.mode & 0o200) === 0) {
    return fail(
      'refused',
      `${displayBytes(old.path)} is read-only; nothing was written.`,
      'Make it writable (chmod u+w), then decide again.',
    );
  }
  const samePlace = updated !== null && updated.type === 'file' && updated.path === old.path;
  return ok({
    ...write,
    inPlace:
      samePlace &&
      (withAccessList.has(old.path) ||
        (await mustStayInPlace(found, absolutePath(root, folderOf(old.path))))),
  });
}

async function checkWay(root: string, image: FileImage): Promise<Result<void>> {
  const parents = await lookAtParents(root, image.path);
  if (!parents.ok) return parents;
  if (typeof parents.value !== 'string') {
    const { path, isLink } = parents.value;
    return isLink
      ? fail('refused', behindLink(image.path, path))
      : fail('refused', `${displayBytes(image.path)}: a file stands where a folder is needed.`);
  }
  if (image.type === 'other') return fail('refused', `${displayBytes(image.path)} is not a regular file.`);
  return ok(undefined);
}

async function mustStayInPlace(
  found: { readonly nlink: number; readonly uid: number; readonly gid: number },
  folder: Buffer,
): Promise<boolean> {
  if (found.nlink > 1) return true;
  const uid = process.geteuid?.() ?? found.uid;
  if (uid !== 0 && found.uid !== uid) return true;
  if (uid !== 0 && found.gid !== process.getegid?.() && !(process.getgroups?.() ?? []).includes(found.gid))
    return true;
  try {
    await access(folder, constants.W_OK);
  } catch (thrown) {
    if (systemCode(thrown) !== null) return true;
    throw thrown;
  }
  return false;
}

/** Performs the write. After a failure, `inspectWrite` tells whether the file changed. */
export async function performWrite(write: FileWrite): Promise<Result<void>> {
  try {
    return await perform(write);
  } catch (thrown) {
    return fileFailure(thrown, displayBytes((write.new ?? write.old)?.path ?? ''));
  }
}

function perform(write: FileWrite): Promise<Result<void>> {
  const { root, old, new: updated } = write;
  if (updated === null) {
    if (old === null) return Promise.resolve(ok(undefined));
    return withFolder(root, old.path, {}, async (place) => {
      const unchanged = await checkUnchanged(place, old);
      if (unchanged.ok) await removeAt(place, old);
      return unchanged;
    });
  }
  if (old === null || old.path === updated.path)
    return withFolder(root, updated.path, { make: old === null }, (place) =>
      put(write, place, place, updated),
    );
  return withFolder(root, old.path, {}, (from) =>
    withFolder(root, updated.path, { make: true }, (place) => put(write, from, place, updated)),
  );
}

/** Puts `updated` in its place; `from` is the old file's, perhaps the same. */
async function put(write: FileWrite, from: Place, place: Place, updated: FileImage): Promise<Result<void>> {
  let isPut = false;
  try {
    const done = write.inPlace
      ? await rewrite(write, place, updated)
      : updated.type === 'submodule'
        ? await putSubmodule(write, place)
        : await replace(write, from, place, updated);
    isPut = done.ok;
    return done;
  } finally {
    await removeTemporary(place, write.temporary);
    if (!isPut) await place.folder.unmake();
  }
}

async function replace(
  { old, temporary: name }: FileWrite,
  from: Place,
  place: Place,
  updated: FileImage,
): Promise<Result<void>> {
  const moves = old === null || old.path !== updated.path;
  const isNewLink = moves && updated.type === 'symlink';
  if (!isNewLink) await prepare(place.folder.at(name), old?.type === 'file' ? from : null, updated);
  const unchanged = await checkUnchanged(from, old);
  if (!unchanged.ok) return unchanged;
  if (isNewLink) await symlink(Buffer.from(updated.bytes), place.folder.at(place.name));
  else if (moves) await putNew(place, name);
  else {
    if (old.type === 'submodule') await rmdir(place.folder.at(place.name));
    await rename(place.folder.at(name), place.folder.at(place.name));
  }
  await place.folder.sync();
  if (moves && old !== null) await removeAt(from, old);
  return ok(undefined);
}

/** A new name never replaces a file: like `symlink`, `link` fails if the path is taken. */
async function putNew({ folder, name }: Place, temporary: string): Promise<void> {
  try {
    await link(folder.at(temporary), folder.at(name));
  } catch (thrown) {
    // File systems without hard links: the check just before must be enough.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(systemCode(thrown) ?? '')) throw thrown;
    if ((await lstatOrNull(folder.at(name))) !== null)
      throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    await rename(folder.at(temporary), folder.at(name));
    return;
  }
  // Not left to the cleanup: the file would silently keep a second name.
  await unlink(folder.at(temporary));
}

async function putSubmodule({ old }: FileWrite, place: Place): Promise<Result<void>> {
  const unchanged = await checkUnchanged(place, old);
  if (!unchanged.ok || old?.type === 'submodule') return unchanged;
  if (old !== null) await unlink(place.folder.at(place.name));
  await mkdir(place.folder.at(place.name));
  await place.folder.sync();
  return ok(undefined);
}

/** Checks that the file has not changed since it was read. */
async function checkUnchanged(place: Place, old: FileImage | null): Promise<Result<void>> {
  if (old === null) return ok(undefined);
  const unchanged = await isImageAt(place.folder.at(place.name), old);
  if (!unchanged.ok) return unchanged;
  if (unchanged.value) return ok(undefined);
  return fail(
    'refused',
    `${displayBytes(old.path)} was just changed by someone else; nothing was written.`,
    'Look at the hunk again, then decide.',
  );
}

/** Writes the new image durably under its temporary name, with the mode and owner of the file at `like`. */
async function prepare(temporary: Buffer, like: Place | null, updated: FileImage): Promise<void> {
  if (updated.type === 'symlink') {
    await symlink(Buffer.from(updated.bytes), temporary);
    return;
  }
  const old = like === null ? null : await lstat(like.folder.at(like.name));
  const handle = await open(temporary, 'wx', 0o666);
  try {
    await handle.writeFile(updated.bytes);
    await handle.sync();
    const own = await handle.stat();
    if (old !== null && (own.uid !== old.uid || own.gid !== old.gid)) await handle.chown(old.uid, old.gid);
    // After `chown`, which clears set-id bits.
    await handle.chmod(withExecutable((old ?? own).mode & 0o7777, updated.executable));
  } finally {
    await handle.close();
  }
}

/** Everyone who may read may execute, or nobody may. A mode that already says so stays. */
function withExecutable(mode: number, executable: boolean): number {
  if (((mode & 0o100) !== 0) === executable) return mode;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Rewrites the file itself. On a failure half-way the old bytes are restored: they had room before. */
async function rewrite({ old }: FileWrite, place: Place, updated: FileImage): Promise<Result<void>> {
  if (old === null) return fail('internal', 'Nothing to rewrite.');
  const handle = await openToRewrite(place);
  try {
    const unchanged = await checkUnchanged(place, old);
    if (!unchanged.ok) return unchanged;
    try {
      await overwrite(handle, updated.bytes);
    } catch (thrown) {
      await overwrite(handle, old.bytes);
      throw thrown;
    }
    if (updated.executable !== old.executable) await setExecutable(handle, updated.executable);
    return ok(undefined);
  } finally {
    await handle.close();
  }
}

const openToRewrite = ({ folder, name }: Place) =>
  open(folder.at(name), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);

async function setExecutable(handle: FileHandle, executable: boolean): Promise<void> {
  await handle.chmod(withExecutable((await handle.stat()).mode & 0o7777, executable));
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, at);
    at += bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** Unlinks, then removes folders that this left empty, like git. */
export async function removeAt({ folder, name, depth }: Place, image: FileImage): Promise<void> {
  if (image.type === 'submodule') await rmdir(folder.at(name));
  else await unlink(folder.at(name));
  await folder.removeEmpty(depth);
}

/** Removes the temporary file if it exists. */
export const removeTemporary = ({ folder }: Place, name: string): Promise<void> =>
  unlessSystemFails(() => unlink(folder.at(name)), undefined);

/** Completes a torn rewrite: all new bytes, and the executable bit. */
export async function completeRewrite(
  root: string,
  path: ByteString,
  { bytes, executable }: { readonly bytes: Uint8Array; readonly executable: boolean },
): Promise<Result<void>> {
  try {
    return await withFolder(root, path, {}, async (place) => {
      const handle = await openToRewrite(place);
      try {
        await overwrite(handle, bytes);
        await setExecutable(handle, executable);
      } finally {
        await handle.close();
      }
      return ok(undefined);
    });
  } catch (thrown) {
    return fileFailure(thrown, displayBytes(path));
  }
}

/** A file name that is not in use, for `planWrite`. */
export const temporaryName = (unique: string): string => `.copane-${unique}.tmp`;
