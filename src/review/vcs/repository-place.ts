/** Where a repository lies, read from its files: git is not asked, because it would obey the configuration there. */
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
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

/** Entries that a look for special files goes through. */
const LOOKED_AT_MAX_ENTRIES = 200_000;

/**
 * The first FIFO or terminal in the repository, named by its configuration, or in place of `.gitignore` and the like in
 * the working tree: a git that opens it waits for whoever writes. Null when none is found.
 */
export async function specialFileIn({
  top,
  gitDir,
  commonDir,
}: Pick<RepositoryPlace, 'top' | 'gitDir' | 'commonDir'>): Promise<string | null> {
  const budget = { entries: LOOKED_AT_MAX_ENTRIES };
  for (const folder of new Set([gitDir, commonDir])) {
    const found =
      (await specialFileBelow(folder, () => true, budget)) ?? (await specialFileNamed(top, folder));
    if (found !== null) return found;
  }
  return specialFileBelow(top, (name) => /^\.git(?:ignore|attributes|modules)$/.test(name), budget);
}

/** `core.excludesFile`, `core.attributesFile`, `include.path`: files that git opens wherever they lie. */
const NAMED_FILE = /\b(?:excludesfile|attributesfile|path)\s*=\s*"?([^"\n]+?)"?\s*$/gim;

async function specialFileNamed(top: string, folder: string): Promise<string | null> {
  for (const name of ['config', 'config.worktree']) {
    const config = (await readOrNull(path.join(folder, name)).catch(() => null)) ?? '';
    for (const [, value = ''] of config.matchAll(NAMED_FILE)) {
      for (const base of [top, folder]) {
        const file = path.resolve(base, value);
        if (await isSpecial(file)) return file;
      }
    }
  }
  return null;
}

async function specialFileBelow(
  folder: string,
  isOpened: (name: string) => boolean,
  budget: { entries: number },
): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  budget.entries -= entries.length;
  for (const entry of entries) {
    if (budget.entries < 0) return null;
    const at = path.join(folder, entry.name);
    const isFolder = entry.isDirectory() && (entry.name !== '.git' || isOpened(entry.name));
    const found = isFolder
      ? await specialFileBelow(at, isOpened, budget)
      : isOpened(entry.name) && !entry.isFile() && (await isSpecial(at))
        ? at
        : null;
    if (found !== null) return found;
  }
  return null;
}

/** A socket is not: it cannot be opened as a file, and git's own daemon has one in the repository. */
async function isSpecial(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && (found.isFIFO() || found.isCharacterDevice());
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
