/** Finds a repository from its files: git is not asked, because it would obey the configuration there. */
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { FileRefusal, readRegular } from '../../platform/regular-file.ts';
import { systemCode, systemWords, unlessSystemFails } from '../../platform/system-error.ts';

export interface RepositoryPlace {
  /** The top folder of the working tree, no links. */
  readonly top: string;
  /** This working tree's: HEAD, index. */
  readonly gitDir: string;
  /** The repository's: objects, refs, configuration. */
  readonly commonDir: string;
}

/** The nearest folder that has a `.git`; null if there is none. */
export function topOf(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return null;
  }
}

/** The nearest folder from `folder` up to `top` that is itself a repository: git would use it. */
export async function gitFolderAround(folder: string, top: string | null): Promise<string | null> {
  for (let at = folder; at !== top; at = path.dirname(at)) {
    if (await isGitFolder(at)) return at;
    if (at === path.dirname(at)) return null;
  }
  return null;
}

async function isGitFolder(folder: string): Promise<boolean> {
  if (!['objects', 'refs'].every((name) => existsSync(path.join(folder, name)))) return false;
  // If it is unreadable, like a FIFO, it is not a HEAD for git either.
  const head = await readOrNull(path.join(folder, 'HEAD')).catch(() => null);
  return head !== null && /^(?:ref: *refs\/|[0-9a-f]{40})/.test(head);
}

export const unreadable = (top: string, why: string) =>
  fail('refused', `The repository of ${top} cannot be read: ${why}.`);

/** The repository with its working tree at `top`, a folder that has a `.git`. */
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

/** A repository file as text. Throws like `node:fs`. */
export async function readGitFile(file: string): Promise<string> {
  return String(await readRegular(file, { maxBytes: GIT_FILE_MAX_BYTES }));
}

/** A small repository file; null if it is missing. */
export const readOrNull = (file: string): Promise<string | null> =>
  unlessSystemFails(() => readGitFile(file), null, ['ENOENT', 'ENOTDIR', 'EISDIR']);
