/** Where a repository lies, read from its files: git is not asked, because it would obey the configuration there. */
import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { systemCode } from '../files/target-files.ts';

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
    const pointer = (await stat(entry)).isDirectory() ? null : await readFile(entry, 'utf8');
    const named = pointer === null ? '.git' : /^gitdir: (.+?)[\r\n]*$/s.exec(pointer)?.[1];
    if (named === undefined) return unreadable(top, 'its .git names no folder');
    const gitDir = await realpath(path.resolve(top, named));
    const common = await readOrNull(path.join(gitDir, 'commondir'));
    return ok({ top, gitDir, commonDir: await realpath(path.resolve(gitDir, common?.trim() ?? '.')) });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    return unreadable(top, code === 'ENOENT' ? 'a part of it is gone' : code);
  }
}

/** A small file of a repository; null when it is not there. */
export async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw thrown;
  }
}
