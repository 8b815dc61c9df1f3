/** Decides which folders outside repositories are small enough to be scanned completely. */
import { lstat, opendir, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';

/** For a folder outside repositories, whose files are copied once. */
const PLAIN_MAX_FILES = 5_000;
const PLAIN_MAX_BYTES = 64 * 1024 * 1024;
/** Files that other programs or people put into a folder without a `.gitignore`. */
const OTHERS = new Set(['node_modules', '.venv', '__pycache__']);

/** The same for git's `info/exclude`. */
export const PLAIN_EXCLUDES = [...OTHERS].map((name) => `${name}/\n`).join('');

/** The resolved folder; `not_found` if it is not a project, or too large. */
export async function plainFolder(folder: string): Promise<Result<string>> {
  const unreadable = fail('not_found', `${folder} cannot be read: no snapshots are taken of it.`);
  return unlessSystemFails(async () => {
    const top = await realpath(folder);
    const isHome = top === (await realpath(os.homedir()).catch(() => null));
    if (isHome || top === path.parse(top).root)
      return fail('not_found', `${top} is no project: no snapshots are taken of it.`);
    const budget = { files: PLAIN_MAX_FILES, bytes: PLAIN_MAX_BYTES };
    await spend(top, budget);
    if (budget.files >= 0 && budget.bytes >= 0) return ok(top);
    return fail('not_found', `${top} is in no git repository, and too large for snapshots.`);
  }, unreadable);
}

/** Subtracts the files below a folder from the budget, and stops when that is used up. */
async function spend(folder: string, budget: { files: number; bytes: number }): Promise<void> {
  const inner: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (budget.files < 0 || budget.bytes < 0) return;
    if (OTHERS.has(entry.name)) continue;
    budget.files -= 1;
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) inner.push(at);
    else budget.bytes -= (await lstat(at).catch(() => null))?.size ?? 0;
  }
  for (const at of inner) await unlessSystemFails(() => spend(at, budget), undefined);
}
