/**
 * Brings one file of a target from one image to another: the old or the new is there at every moment. Refuses when
 * the file is no longer what was looked at. Where a rename would cost a hard link, an owner or an access list, the
 * file is rewritten in place; then a crash leaves a mixture that the journal can tell and mend.
 */
import { constants } from 'node:fs';
import {
  access,
  chmod,
  chown,
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
import { type ByteString, displayBytes } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import { fingerprint } from './hash.ts';
import {
  absolutePath,
  checkParents,
  fileFailure,
  folderOf,
  isOnDisk,
  lstatOrNull,
  readImage,
  systemCode,
} from './target-files.ts';

export interface FileWrite {
  readonly root: string;
  readonly old: FileImage | null;
  readonly new: FileImage | null;
  readonly inPlace: boolean;
  /** Name of the temporary file, beside the target. */
  readonly temporary: string;
}

/** Plans the way from `old` (as just read) to `neu`; refuses what cannot be written, before anything is. */
export async function planWrite(
  root: string,
  old: FileImage | null,
  neu: FileImage | null,
  temporary: string,
  withAccessList: ReadonlySet<ByteString> = new Set(),
): Promise<Result<FileWrite>> {
  for (const image of [old, neu]) {
    if (image === null) continue;
    const parents = await checkParents(root, image.path);
    if (!parents.ok) return parents;
    if (parents.value === 'blocked')
      return fail('refused', `${displayBytes(image.path)}: a file stands where a folder is needed.`);
    if (image.type === 'other') return fail('refused', `${displayBytes(image.path)} is no plain file.`);
  }
  const write = { root, old, new: neu, temporary, inPlace: false };
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
  const samePlace = neu !== null && neu.type === 'file' && neu.path === old.path;
  return ok({
    ...write,
    inPlace:
      samePlace &&
      (withAccessList.has(old.path) ||
        (await mustStayInPlace(found, absolutePath(root, folderOf(old.path))))),
  });
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

/** Does it. On failure the old file stands as it was. */
export async function performWrite(write: FileWrite): Promise<Result<void>> {
  const path = (write.new ?? write.old)?.path ?? '';
  try {
    return await perform(write);
  } catch (thrown) {
    const failure = fileFailure(thrown, path);
    if (failure === null) throw thrown;
    return failure;
  } finally {
    await removeTemporary(write.root, path, write.temporary);
  }
}

async function perform(write: FileWrite): Promise<Result<void>> {
  const { root, old, new: neu } = write;
  if (neu === null) {
    const unchanged = await checkUnchanged(root, old);
    if (!unchanged.ok || old === null) return unchanged;
    await remove(root, old);
    return ok(undefined);
  }
  if (write.inPlace) return rewrite(write, neu);
  if (neu.type === 'submodule') return makeSubmodule(write, neu);
  await makeFolders(root, neu.path);
  const temporary = absolutePath(root, beside(neu.path, write.temporary));
  await prepare(temporary, write, neu);
  const unchanged = await checkUnchanged(root, old);
  if (!unchanged.ok) return unchanged;
  const file = absolutePath(root, neu.path);
  const moves = old === null || old.path !== neu.path;
  if (moves) await putNew(temporary, file, neu);
  else {
    if (old.type === 'submodule') await rmdir(file);
    await rename(temporary, file);
  }
  await syncFolder(absolutePath(root, folderOf(neu.path)));
  if (moves && old !== null) await remove(root, old);
  return ok(undefined);
}

/** A new name never replaces a file: `link` fails where something stands. */
async function putNew(temporary: Buffer, file: Buffer, neu: FileImage): Promise<void> {
  if (neu.type === 'symlink') {
    await symlink(Buffer.from(neu.bytes), file);
    return;
  }
  try {
    await link(temporary, file);
  } catch (thrown) {
    // File systems without hard links: the check just before is all there is.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(systemCode(thrown) ?? '')) throw thrown;
    if ((await lstatOrNull(file)) !== null) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    await rename(temporary, file);
  }
}

async function makeSubmodule({ root, old }: FileWrite, neu: FileImage): Promise<Result<void>> {
  const unchanged = await checkUnchanged(root, old);
  if (!unchanged.ok) return unchanged;
  if (old !== null && old.type !== 'submodule') await remove(root, old);
  await makeFolders(root, neu.path);
  if (old === null || old.type !== 'submodule') await mkdir(absolutePath(root, neu.path));
  return ok(undefined);
}

/** The file is what it was when it was looked at. */
async function checkUnchanged(root: string, old: FileImage | null): Promise<Result<void>> {
  if (old === null) return ok(undefined);
  const unchanged = await isOnDisk(root, old);
  if (!unchanged.ok) return unchanged;
  if (unchanged.value) return ok(undefined);
  return fail(
    'refused',
    `${displayBytes(old.path)} has just been changed by somebody else; nothing was written.`,
    'Look at the hunk again, then decide.',
  );
}

/** Writes the new image under its temporary name, durably, with the mode and owner that it shall have. */
async function prepare(temporary: Buffer, write: FileWrite, neu: FileImage): Promise<void> {
  if (neu.type === 'symlink') {
    if (write.old?.path === neu.path) await symlink(Buffer.from(neu.bytes), temporary);
    return;
  }
  const like = write.old?.type === 'file' ? await lstat(absolutePath(write.root, write.old.path)) : null;
  const handle = await open(temporary, 'wx', 0o666);
  try {
    await handle.writeFile(neu.bytes);
    await handle.sync();
    if (like !== null) {
      const own = await handle.stat();
      if (own.uid !== like.uid || own.gid !== like.gid) await chown(temporary, like.uid, like.gid);
    }
    // After `chown`, which clears set-id bits.
    const mode = (like ?? (await handle.stat())).mode & 0o7777;
    await handle.chmod(withExecutable(mode, neu.executable));
  } finally {
    await handle.close();
  }
}

/** Who may read may run, or nobody may. A mode that says so already stays as it is. */
function withExecutable(mode: number, executable: boolean): number {
  if (((mode & 0o100) !== 0) === executable) return mode;
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Rewrites the file itself. When that fails half-way the old bytes are put back: they had room before. */
async function rewrite(write: FileWrite, neu: FileImage): Promise<Result<void>> {
  const { root, old } = write;
  if (old === null) return fail('internal', 'Nothing to rewrite.');
  const file = absolutePath(root, old.path);
  const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const unchanged = await checkUnchanged(root, old);
    if (!unchanged.ok) return unchanged;
    try {
      await overwrite(handle, neu.bytes);
    } catch (thrown) {
      await overwrite(handle, old.bytes);
      throw thrown;
    }
    if (neu.executable !== old.executable)
      await chmod(file, withExecutable((await handle.stat()).mode & 0o7777, neu.executable));
    return ok(undefined);
  } finally {
    await handle.close();
  }
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, at);
    at += bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

async function makeFolders(root: string, path: ByteString): Promise<void> {
  const folder = folderOf(path);
  if (folder !== '') await mkdir(absolutePath(root, folder), { recursive: true });
}

/** Unlinks, then takes away the folders that are empty by that, as git does. */
async function remove(root: string, image: FileImage): Promise<void> {
  const file = absolutePath(root, image.path);
  if (image.type === 'submodule') await rmdir(file);
  else await unlink(file);
  for (let folder = folderOf(image.path); folder !== ''; folder = folderOf(folder)) {
    try {
      await rmdir(absolutePath(root, folder));
    } catch (thrown) {
      if (systemCode(thrown) === null) throw thrown;
      await syncFolder(absolutePath(root, folder));
      return;
    }
  }
  await syncFolder(Buffer.from(root));
}

async function syncFolder(folder: Buffer): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `name` in the folder of `path`. */
function beside(path: ByteString, name: string): ByteString {
  const folder = folderOf(path);
  return folder === '' ? name : `${folder}/${name}`;
}

async function removeTemporary(root: string, path: ByteString, name: string): Promise<void> {
  try {
    await unlink(absolutePath(root, beside(path, name)));
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
  }
}

/** What a write that was cut short left behind. */
export type WriteOutcome = 'old' | 'new' | 'torn' | 'foreign';

export interface InterruptedWrite {
  readonly root: string;
  readonly oldPath: ByteString | null;
  readonly newPath: ByteString | null;
  /** Fingerprints. */
  readonly old: string | null;
  readonly new: string | null;
  readonly temporary: string;
}

/**
 * Looks at what a crash left, takes the temporary file away and ends a move that was half done. `torn` is a mixture
 * that only a rewrite in place can leave; `foreign` is a file that somebody edited since.
 */
export async function inspectWrite(
  write: InterruptedWrite,
  sides: { readonly old: Uint8Array; readonly new: Uint8Array } | null,
): Promise<Result<WriteOutcome>> {
  const path = write.newPath ?? write.oldPath ?? '';
  await removeTemporary(write.root, path, write.temporary);
  if (write.oldPath !== null && write.newPath !== null && write.oldPath !== write.newPath)
    return inspectMove(write, write.oldPath, write.newPath);
  const found = await readImage(write.root, path);
  if (!found.ok) return found;
  const print = fingerprint(found.value);
  if (print === write.new) return ok('new');
  if (print === write.old) return ok('old');
  const mixed = sides !== null && found.value?.type === 'file' && isMixture(found.value.bytes, sides);
  return ok(mixed ? 'torn' : 'foreign');
}

async function inspectMove(
  write: InterruptedWrite,
  oldPath: ByteString,
  newPath: ByteString,
): Promise<Result<WriteOutcome>> {
  const before = await readImage(write.root, oldPath);
  if (!before.ok) return before;
  const after = await readImage(write.root, newPath);
  if (!after.ok) return after;
  if (fingerprint(after.value) !== write.new)
    return ok(fingerprint(before.value) === write.old ? 'old' : 'foreign');
  if (before.value !== null && fingerprint(before.value) === write.old)
    await remove(write.root, before.value);
  return ok('new');
}

/** The beginning of the new bytes over the old ones, or all of them with the mode still to come: what an interrupted rewrite can be. */
function isMixture(
  found: Uint8Array,
  sides: { readonly old: Uint8Array; readonly new: Uint8Array },
): boolean {
  if (Buffer.compare(found, sides.new) === 0) return true;
  let at = 0;
  while (at < found.length && at < sides.new.length && found[at] === sides.new[at]) at += 1;
  return (
    found.length === Math.max(at, sides.old.length) &&
    Buffer.compare(found.subarray(at), sides.old.subarray(at)) === 0
  );
}

/** Ends a torn rewrite: writes all of the new bytes, and the permission to run. */
export async function completeRewrite(
  root: string,
  path: ByteString,
  bytes: Uint8Array,
  wanted: string | null,
): Promise<Result<void>> {
  try {
    const file = absolutePath(root, path);
    const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      await overwrite(handle, bytes);
      const { mode } = await handle.stat();
      const executable = fingerprint({ path, type: 'file', executable: true, bytes }) === wanted;
      await handle.chmod(withExecutable(mode & 0o7777, executable));
    } finally {
      await handle.close();
    }
    return ok(undefined);
  } catch (thrown) {
    const failure = fileFailure(thrown, path);
    if (failure === null) throw thrown;
    return failure;
  }
}

/** A name that no other file has, for `planWrite`. */
export function temporaryName(unique: string): string {
  return `.copane-${unique}.tmp`;
}
