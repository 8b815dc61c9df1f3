/** What a patch may touch if its sender may not read files here: each answer says which of its lines a file has. */
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import type { IsSecret } from '../core/secret-files.ts';
import { isThere } from '../files/target-files.ts';
import { openRepository } from '../vcs/git.ts';
import { gitList, ignoredNames, namesAsArguments } from '../vcs/git-output.ts';

/** A file of a patch. */
export interface TouchedFile {
  readonly path: ByteString;
  /** The patch creates it, so it need not exist. */
  readonly isNew: boolean;
}

/** Refuses files that git ignores, and those with secrets that git does not track. */
export async function checkForeign(
  root: string,
  files: readonly TouchedFile[],
  isSecret: IsSecret,
): Promise<Result<void>> {
  const touched = new Set(files.filter(({ isNew }) => !isNew).map(({ path: name }) => name));
  for (const { path: name } of files)
    if (!touched.has(name) && (await isThere(root, name))) touched.add(name);
  const paths = [...touched];
  if (paths.length === 0) return ok(undefined);
  const opened = await openRepository(root);
  if (!opened.ok && opened.error.code !== 'not_found') return opened;
  const repository = opened.ok ? opened.value : null;
  const within = path.relative(repository?.top ?? root, root);
  // The target may itself be a folder of secrets.
  const secret = paths.filter((name) =>
    [path.join(within, displayBytes(name)), path.join(root, displayBytes(name)).slice(1)].some(isSecret),
  );
  if (repository === null)
    return secret[0] === undefined ? ok(undefined) : keptBack(secret[0], HOLDS_SECRETS);
  const options = { repository, cwd: root };
  const ignored = await ignoredNames(paths, options);
  if (!ignored.ok) return ignored;
  if (ignored.value[0] !== undefined) return keptBack(ignored.value[0], 'git ignores it.');
  if (secret.length === 0) return ok(undefined);
  const tracked = await gitList(['ls-files', '-z', '--', ...namesAsArguments(secret)], options);
  if (!tracked.ok) return tracked;
  const known = new Set(tracked.value);
  const untracked = secret.find((name) => !known.has(name));
  return untracked === undefined ? ok(undefined) : keptBack(untracked, HOLDS_SECRETS);
}

const HOLDS_SECRETS = 'it holds secrets, by its name, and git does not track it.';

const keptBack = (name: ByteString, why: string) =>
  fail(
    'refused',
    `No author may change ${displayBytes(name)}: ${why}`,
    'Leave it out, and ask the user to change it.',
  );
