/**
 * Checks the git variables that a hook or a shell may have set. copane finds a repository by its folder, so a variable
 * that names another repository or index is refused instead of ignored.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../lib/result.ts';
import { placeAt, topOf } from '../review/vcs/repository-place.ts';
import type { CliContext } from './cli-context.ts';

const HINT = 'Unset it for this command; copane finds the repository by its folder.';

/** Checks only the current folder: one that the user names wins over the variables. */
export async function checkGitVariables({ env, cwd }: CliContext, folder: string): Promise<Result<void>> {
  if (folder !== cwd) return ok(undefined);
  const here = await real(folder);
  const top = topOf(here);
  const place = top === null ? null : await placeAt(top);
  const own = place?.ok === true ? place.value : null;
  const { GIT_DIR: dir, GIT_WORK_TREE: tree, GIT_INDEX_FILE: index, GIT_CEILING_DIRECTORIES: ceilings } = env;
  const no = (name: string, what: string) => fail('refused', `${name} ${what}.`, HINT);
  if (dir && (await real(path.resolve(cwd, dir))) !== own?.gitDir)
    return no('GIT_DIR', `names another repository than that of ${folder}: ${dir}`);
  if (tree && (await real(path.resolve(cwd, tree))) !== own?.top)
    return no('GIT_WORK_TREE', `names another working tree than that of ${folder}: ${tree}`);
  // Git resolves a relative path from the top of the working tree.
  const given = index ? await real(path.resolve(top ?? cwd, index)) : null;
  if (given !== null && given !== (await real(path.join(own?.gitDir ?? '', 'index'))))
    return no('GIT_INDEX_FILE', `names another index than that of ${folder}: ${index}`);
  for (const ceiling of ceilings?.split(path.delimiter).filter(path.isAbsolute) ?? []) {
    const end = await real(ceiling);
    const isHidden = top !== null && here.startsWith(within(end)) && within(end).startsWith(within(top));
    if (isHidden) return no('GIT_CEILING_DIRECTORIES', `hides the repository of ${top} from git: ${ceiling}`);
  }
  return ok(undefined);
}

const within = (folder: string) => (folder.endsWith('/') ? folder : `${folder}/`);

/** Resolves links; returns the path unchanged if there is no such file. */
const real = (file: string) => realpath(file).catch(() => file);
