/** What the user's own git does at a commit: hooks and a signature. Ours does it when asked, and says so when it was not. */
import { access, constants } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { systemCode } from '../../platform/system-error.ts';
import { type GitOptions, git, gitAsUser, type Repository } from './git.ts';

const COMMIT_HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'] as const;

/** What a commit of ours has left out, in words; nothing where the user's git would have done the same. */
export async function leftOut({ top, commonDir, commits }: Repository): Promise<string[]> {
  const folder = commits.hooksPath?.replace(/^~(?=\/)/, os.homedir()) ?? path.join(commonDir, 'hooks');
  const found: string[] = [];
  for (const name of COMMIT_HOOKS) if (await isProgram(path.resolve(top, folder, name))) found.push(name);
  const missing = [
    ...(found.length > 0 ? [`without its hooks (${found.join(', ')})`] : []),
    ...(commits.signs ? ['without a signature'] : []),
  ];
  if (missing.length === 0) return [];
  return [`Committed ${missing.join(' and ')}. With --hooks git commits as it does for you.`];
}

/** That a message which nobody wrote does not begin with the user's template. */
export function withoutTemplate({ commits }: Repository): string[] {
  const { template } = commits;
  if (template === null) return [];
  return [
    `The message is the name of the review, not commit.template (${template}). With --message it is yours.`,
  ];
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return false;
  }
}

/** Commits what stands in the index that `options` name, with the user's hooks and signature; gives the commit. */
export async function commitAsUser(
  { repository, env }: GitOptions,
  message: string,
): Promise<Result<string>> {
  const done = await gitAsUser(['commit', '--quiet', '-F', '-'], {
    repository,
    input: message,
    ...(env === undefined ? {} : { env }),
  });
  if (!done.ok) return done;
  const head = await git(['rev-parse', '--verify', 'HEAD'], { repository });
  if (!head.ok) return head;
  return ok(head.value.stdout.toString().trim());
}
