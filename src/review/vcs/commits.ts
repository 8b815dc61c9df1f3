/** Commits by name, and the empty tree. */

import { fail, ok, type Result } from '../../lib/result.ts';
import type { GitOptions, Repository } from './git.ts';
import { gitWord } from './git-output.ts';

/** The commit that `name` stands for; null if there is none. */
export async function findCommit(options: GitOptions, name: string): Promise<Result<string | null>> {
  // A name that begins with a dash would be an option.
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const found = await gitWord(args, { ...options, okCodes: [0, 1] });
  // All that git says about a missing reflog entry such as HEAD@{99}.
  if (!found.ok && found.error.message.endsWith('exit 128')) return ok(null);
  return found.ok ? ok(found.value || null) : found;
}

/** The commit that a person named. */
export async function commitNamed(repository: Repository, name: string): Promise<Result<string>> {
  const found = await findCommit({ repository }, name);
  if (!found.ok) return found;
  if (found.value !== null) return ok(found.value);
  return fail(
    'not_found',
    `There is no commit "${name}" in ${repository.top}.`,
    'Branches: git branch --all. Commits: git log --oneline. A file or folder is named by its path, as in ./NAME.',
  );
}

export const emptyTree = (options: GitOptions): Promise<Result<string>> =>
  gitWord(['hash-object', '-t', 'tree', '-w', '--stdin'], { ...options, input: '' });
