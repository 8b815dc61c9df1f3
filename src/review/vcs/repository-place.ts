/** Where a repository lies, read from its files: git is not asked, because it would obey the configuration there. */
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { FileRefusal, readRegular } from '../../platform/regular-file.ts';
import { systemCode, systemWords } from '../../platform/system-error.ts';

export interface RepositoryPlace {
  /** The top folder of the working tree, without links. */
  readonly top: string;
  /** Of this working tree: HEAD, index. */
  readonly gitDir: string;
  /** Of the repository: objects, refs, configuration. */
  readonly commonDir: string;
}

/** The nearest folder that holds a `.git`; null for none. */
export function topOf(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return null;
  }
}

/** The nearest folder, from `folder` up to a working tree's top at `top`, that is a repository itself: git takes it for that. */
export async function gitFolderAround(folder: string, top: string | null): Promise<string | null> {
  for (let at = folder; at !== top; at = path.dirname(at)) {
    if (await isGitFolder(at)) return at;
    if (at === path.dirname(at)) return null;
  }
  return null;
}

async function isGitFolder(folder: string): Promise<boolean> {
  if (!['objects', 'refs'].every((name) => existsSync(path.join(folder, name)))) return false;
  // What cannot be read, such as a FIFO, is no HEAD for git either.
  const head = await readOrNull(path.join(folder, 'HEAD')).catch(() => null);
  return head !== null && /^(?:ref: *refs\/|[0-9a-f]{40})/.test(head);
}

export const unreadable = (top: string, why: string) =>
  fail('refused', `The repository of ${top} cannot be read: ${why}.`);

/** The repository whose working tree has its top at `top`, a folder that holds a `.git`. */
export async function placeAt(top: string): Promise<Result<RepositoryPlace>> {
  try {
    const entry = path.join(top, '.git');
    const pointer = (await stat(entry)).isDirectory() ? null : await readGitFile(entry);
    const named = pointer === null ? '.git' : /^gitdir: (.+?)[\r\n]*$/s.exec(pointer)?.[1];
    if (named === undefined) return unreadable(top, 'its .git names no folder');
    const gitDir = await realpath(path.resolve(top, named));
    const common = await readOrNull(path.join(gitDir, 'commondir'));
    const commonDir = await realpath(path.resolve(gitDir, common?.trim() ?? '.'));
    return ok({ top, gitDir, commonDir });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    if (thrown instanceof FileRefusal) return unreadable(top, thrown.message);
    return unreadable(top, code === 'ENOENT' ? 'a part of it is gone' : systemWords(code).what);
  }
}

/** A million packed refs are 64 MB. */
const GIT_FILE_MAX_BYTES = 128 * 1024 * 1024;

/** A file of a repository as text. Throws as `node:fs` does. */
export async function readGitFile(file: string): Promise<string> {
  return String(await readRegular(file, { maxBytes: GIT_FILE_MAX_BYTES }));
}

/** A small file of a repository; null when it is not there. */
export async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readGitFile(file);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw thrown;
  }
}
