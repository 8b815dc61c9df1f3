/** Project files that a model is not shown: those with secrets, and those that git ignores. */
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { IsSecret } from '../../review/core/secret-files.ts';
import { git, openRepository } from '../../review/vcs/git.ts';
import type { ProjectPath } from './project-path.ts';

export interface KeptBackContext {
  readonly root: string;
  readonly isSecret: IsSecret;
  /** Files that git ignores are also hidden. */
  readonly skipIgnored: boolean;
  /** Whether the user has named the file. */
  readonly isNamed: IsSecret;
}

/** For an agent that got its files in advance. */
export const NOTHING_KEPT_BACK: Omit<KeptBackContext, 'root'> = {
  isSecret: () => false,
  skipIgnored: false,
  isNamed: () => true,
};

/** Refuses a hidden file. `given`: the path as the model wrote it, which may be a link to another file. */
export async function refuseKeptBack(
  file: ProjectPath,
  given: string,
  { root, isSecret, skipIgnored, isNamed }: KeptBackContext,
): Promise<Result<void>> {
  const written = path.relative(root, path.resolve(root, given));
  if (isSecret(file.relative) || isSecret(written)) {
    return fail('refused', 'This file holds secrets, by its name.', 'Ask the user for what you need of it.');
  }
  if (!skipIgnored || isNamed(file.relative) || isNamed(written)) return ok(undefined);
  for (const folder of [root, path.dirname(file.absolute)]) {
    const ignored = await ignores(folder, file.absolute);
    const why = ignored.ok ? 'Git ignores this file.' : `Git may ignore this file: ${ignored.error.message}`;
    if (!ignored.ok || ignored.value) return fail('refused', why, 'Ask the user to name it, if you need it.');
  }
  return ok(undefined);
}

/** Whether the repository around `folder` ignores the file; false without a repository, or if it tracks the file. */
async function ignores(folder: string, file: string): Promise<Result<boolean>> {
  const repository = await openRepository(folder);
  if (!repository.ok) {
    const { code, message } = repository.error;
    return code === 'not_found' || message.includes('not a git repository') ? ok(false) : repository;
  }
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', file];
  const listed = await git(args, { repository: repository.value });
  return listed.ok ? ok(listed.value.stdout.length > 0) : listed;
}
