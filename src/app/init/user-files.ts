/** Reads, replaces and restores files of the user. Refuses what it could damage: links, special or changed files. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  // biome-ignore lint/style/noRestrictedImports: opens a new file, to write it.
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import type { LinkPart } from './integration.ts';

/** A larger file is not a configuration. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const NEW_FILE_MODE = 0o600;

/** A file with its real path and text; `text` is null if the file does not exist. */
export interface UserFile {
  readonly file: string;
  readonly real: string;
  readonly text: string | null;
}

/** Reads a file that will be edited. */
export function readUserFile(file: string, home: string): Result<UserFile> {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    const real = realOf(file);
    if (!staysHome(file, real, home)) {
      return refused(file, `it is a link to ${real}, outside your home folder`, 'Edit that file yourself.');
    }
    if (found === undefined) return writable(file, { file, real, text: null });
    const stats = statSync(real, { throwIfNoEntry: false });
    if (stats === undefined) return refused(file, `it is a link to ${real}, which does not exist`);
    if (!stats.isFile()) return refused(file, 'it is not a regular file');
    if (stats.nlink > 1) {
      return refused(
        file,
        'it has a second name (a hard link), which would keep the old text',
        'Edit it yourself.',
      );
    }
    if (stats.size > MAX_FILE_BYTES) return refused(file, 'it is too large for a configuration');
    const bytes = readRegularSync(real, { maxBytes: MAX_FILE_BYTES });
    const text = bytes.toString('utf8');
    if (!Buffer.from(text, 'utf8').equals(bytes)) return refused(file, 'it is not UTF-8 text');
    return writable(file, { file, real, text });
  } catch (thrown) {
    return refused(file, errorMessage(thrown));
  }
}

/** The real path, even of a file that does not exist yet. */
function realOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && !existsSync(file))
    return path.resolve(path.dirname(file), readlinkSync(file));
  if (found !== undefined) return realpathSync(file);
  const parent = path.dirname(file);
  return parent === file ? file : path.join(realOf(parent), path.basename(file));
}

function staysHome(file: string, real: string, home: string): boolean {
  if (real === path.resolve(file)) return true;
  return `${real}/`.startsWith(`${realOf(home).replace(/\/$/, '')}/`);
}

/** Checks permissions without trying: nothing is written before the user agrees. */
function writable(file: string, found: UserFile): Result<UserFile> {
  const asked = found.text === null ? nearestFolder(path.dirname(found.real)) : found.real;
  try {
    accessSync(asked, constants.W_OK);
    if (found.text !== null) accessSync(path.dirname(found.real), constants.W_OK);
    return ok(found);
  } catch {
    return refused(file, `you may not write ${asked}`);
  }
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === path.dirname(folder) ? folder : nearestFolder(path.dirname(folder));
}

function refused(file: string, why: string, hint?: string) {
  return fail('refused', `${file} is left alone: ${why}`, hint);
}

/** Replaces a file by rename and keeps its mode, makes it in its folders; null deletes it. Refuses if it changed since it was read. */
export function writeUserFile({ file, real, text: before }: UserFile, text: string | null): Result<void> {
  try {
    if (textOf(real) !== before) return refused(file, 'someone changed it meanwhile', 'Try again.');
    if (text !== null) makeFolders(real);
    if (text === null) rmSync(real, { force: true });
    else replace(real, text, before === null ? NEW_FILE_MODE : statSync(real).mode & 0o7777);
    return ok(undefined);
  } catch (thrown) {
    return refused(file, errorMessage(thrown));
  }
}

function textOf(real: string): string | null {
  return existsSync(real) ? String(readRegularSync(real, { maxBytes: MAX_FILE_BYTES })) : null;
}

/** Syncs the new file before it replaces the old one. */
function replace(real: string, text: string, mode: number): void {
  const temporary = `${real}.copane-${process.pid}`;
  try {
    const opened = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(opened, text);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, real);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Creates the missing parent folders; returns them, outermost first. */
export function makeFolders(file: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path.dirname(file); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const folder of missing) mkdirSync(folder, { mode: 0o700 });
  return missing;
}

/** Removes empty folders, innermost first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw thrown;
      return;
    }
  }
}

/** The target of our link; null if there is no file; a failure if it is something else, or a link of the user. */
export function readUserLink({ file, mark }: Pick<LinkPart, 'file' | 'mark'>): Result<string | null> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return ok(null);
  if (!found.isSymbolicLink()) return refused(file, 'it is not a link of copane');
  const target = readlinkSync(file);
  // A link with no target is left over from a copane that was moved.
  return existsSync(file) && !existsSync(path.join(file, mark))
    ? refused(file, `it is a link of your own, to ${target}`, 'Remove it first.')
    : ok(target);
}

/** Points a link to another target; null removes it. */
export function writeUserLink(file: string, target: string | null): Result<void> {
  try {
    rmSync(file, { force: true });
    if (target !== null) symlinkSync(target, file);
    return ok(undefined);
  } catch (thrown) {
    return refused(file, errorMessage(thrown));
  }
}
