/**
 * Patches out of git: a working tree with its untracked files, the index, a range, a sandbox. Works on copies: the
 * user's index, refs and object store are read, never written.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, realpath, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { DIFF_FLAGS, type GitOptions, git, openRepository, type Repository, withScratch } from '../git.ts';
import { systemCode } from '../target-files.ts';

/** A patch and what it is, for people. */
export interface SourcedPatch {
  readonly patch: Uint8Array;
  readonly label: string;
  /** The folder that the patch's paths are in. */
  readonly root: string;
  /** The changes stand in that folder already. */
  readonly inPlace: boolean;
}

const notARepository = (folder: string) =>
  fail('invalid', `${folder} is in no git repository.`, 'Publish a patch, or compare two folders.');

/** The working tree with its untracked files against HEAD or the index. */
export async function workingTree(folder: string, against: 'head' | 'index'): Promise<Result<SourcedPatch>> {
  const repository = await openRepository(folder);
  if (repository === null) return notARepository(folder);
  return withScratch(async (scratch) => {
    const env = await privateIndex(repository, scratch);
    const options = { cwd: repository.top, env, config: repository.withoutFilters };
    const base = against === 'head' ? await headOrEmpty(repository, env) : await writeTree(options);
    if (!base.ok) return base;
    const patch = await snapshotDiff(options, base.value);
    return patch.ok
      ? ok({ patch: patch.value, label: 'working tree', root: repository.top, inPlace: true })
      : patch;
  });
}

/** The index against HEAD. */
export async function indexPatch(folder: string): Promise<Result<SourcedPatch>> {
  const repository = await openRepository(folder);
  if (repository === null) return notARepository(folder);
  const base = await headOrEmpty(repository, {});
  if (!base.ok) return base;
  const diff = await git(['diff', '--cached', ...DIFF_FLAGS, base.value], {
    cwd: repository.top,
    config: repository.withoutFilters,
  });
  return diff.ok
    ? ok({ patch: diff.value.stdout, label: 'index', root: repository.top, inPlace: true })
    : diff;
}

/** `A..B`, `A...B`, or a branch: what it has beyond its merge base with HEAD. */
export async function rangePatch(folder: string, range: string): Promise<Result<SourcedPatch>> {
  const repository = await openRepository(folder);
  if (repository === null) return notARepository(folder);
  const resolved = await resolveRange(repository, range);
  if (!resolved.ok) return resolved;
  const { from, to } = resolved.value;
  const diff = await git(['diff', ...DIFF_FLAGS, from, to], { cwd: repository.top });
  return diff.ok
    ? ok({ patch: diff.value.stdout, label: `git ${range}`, root: repository.top, inPlace: false })
    : diff;
}

async function resolveRange(
  repository: Repository,
  range: string,
): Promise<Result<{ from: string; to: string }>> {
  const match = /^(.*?)(\.\.\.?)(.*)$/.exec(range);
  const [left, dots, right] =
    match === null ? ['HEAD', '...', range] : [match[1] || 'HEAD', match[2], match[3] || 'HEAD'];
  const from = await commitOf(repository, left);
  if (!from.ok) return from;
  const to = await commitOf(repository, right ?? 'HEAD');
  if (!to.ok) return to;
  if (dots === '..') return ok({ from: from.value, to: to.value });
  const base = await git(['merge-base', from.value, to.value], { cwd: repository.top });
  if (!base.ok) return fail('refused', `${left} and ${right} have no common ancestor.`);
  return ok({ from: base.value.stdout.toString().trim(), to: to.value });
}

async function commitOf(repository: Repository, name: string): Promise<Result<string>> {
  // A name that begins with a dash would be an option.
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
    cwd: repository.top,
  });
  return found.ok
    ? ok(found.value.stdout.toString().trim())
    : fail('not_found', `There is no commit "${name}" in ${repository.top}.`);
}

/**
 * What a sandbox has beyond its merge base with the target, untracked files too. Its repository is looked at from
 * a repository of our own that borrows its objects, so that none of its configuration is in force.
 */
export async function sandboxPatch(sandbox: string, target: string): Promise<Result<SourcedPatch>> {
  const targetRepository = await openRepository(target);
  const found = await findSandbox(sandbox, targetRepository);
  if (!found.ok) return found;
  const own = found.value;
  const targetHead = targetRepository === null ? null : await headOf(target, []);
  const settings = await harmlessSettings(own.top);
  return withScratch(async (scratch) => {
    const bare = path.join(scratch, 'git');
    const made = await git(['init', '--quiet', '--bare', bare], { cwd: scratch });
    if (!made.ok) return made;
    const stores = [own.commonDir, ...(targetRepository === null ? [] : [targetRepository.commonDir])];
    await writeFile(
      path.join(bare, 'objects/info/alternates'),
      stores.map((store) => `${store}/objects\n`).join(''),
    );
    const exclude = path.join(own.commonDir, 'info/exclude');
    const env = { GIT_DIR: bare, GIT_WORK_TREE: own.top, GIT_INDEX_FILE: path.join(scratch, 'index') };
    const config = ['core.bare=false', `core.excludesFile=${exclude}`, ...settings];
    const options = { cwd: own.top, env, config };
    const base = await mergeBase(options, own.head, targetHead);
    if (!base.ok) return base;
    const read = await git(['read-tree', base.value], options);
    if (!read.ok) return read;
    const patch = await snapshotDiff(options, base.value);
    return patch.ok ? ok({ patch: patch.value, label: sandbox, root: own.top, inPlace: false }) : patch;
  });
}

/** A sandbox may belong to another user; nothing of its configuration is used, so git need not refuse it. */
const FOREIGN_OWNER: readonly string[] = ['safe.directory=*'];

interface Sandbox {
  readonly top: string;
  readonly commonDir: string;
  readonly head: string | null;
}

/**
 * The sandbox by what is on disk, not by what its configuration says: `core.worktree` or a `.git` file could lead to
 * files that are none of its author's business, and a patch would show them.
 */
async function findSandbox(folder: string, target: Repository | null): Promise<Result<Sandbox>> {
  const top = topOf(folder);
  if (top === null) return notARepository(folder);
  const answer = await git(['rev-parse', '--git-common-dir'], { cwd: top, config: FOREIGN_OWNER });
  if (!answer.ok) return answer;
  const commonDir = await realpath(path.resolve(top, answer.value.stdout.toString('utf8').trimEnd()));
  const isOwn = commonDir.startsWith(`${top}/`);
  const isOfTarget = target !== null && commonDir === (await realpath(target.commonDir));
  if (!isOwn && !isOfTarget) {
    return fail(
      'refused',
      `The repository of ${top} lies elsewhere (${commonDir}).`,
      'Use a clone, or a worktree of the target; or publish a patch.',
    );
  }
  return ok({ top, commonDir, head: await headOf(top, FOREIGN_OWNER) });
}

/** The nearest folder that holds a `.git`. */
function topOf(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return null;
  }
}

async function headOf(folder: string, config: readonly string[]): Promise<string | null> {
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: folder, config });
  return head.ok ? head.value.stdout.toString().trim() : null;
}

async function mergeBase(
  options: GitOptions,
  head: string | null,
  targetHead: string | null,
): Promise<Result<string>> {
  if (head === null) return emptyTree(options);
  if (targetHead === null) return ok(head);
  const base = await git(['merge-base', targetHead, head], { ...options, okCodes: [0, 1] });
  if (!base.ok) return base;
  const name = base.value.stdout.toString().trim();
  return name === ''
    ? fail('refused', 'The sandbox and the target have no common commit.', 'Publish a patch instead.')
    : ok(name);
}

/** Settings of a repository that change what its files are, and run nothing. */
async function harmlessSettings(folder: string): Promise<string[]> {
  const settings: string[] = [];
  for (const name of [
    'core.autocrlf',
    'core.eol',
    'core.fileMode',
    'core.symlinks',
    'core.ignoreCase',
    'core.precomposeUnicode',
  ]) {
    const found = await git(['config', '--get', name], {
      cwd: folder,
      config: FOREIGN_OWNER,
      okCodes: [0, 1],
    });
    const value = found.ok ? found.value.stdout.toString().trim() : '';
    if (/^[a-z]+$/.test(value)) settings.push(`${name}=${value}`);
  }
  return settings;
}

/** Takes everything in the working tree but what is ignored into the private index, and compares. */
async function snapshotDiff(options: GitOptions, base: string): Promise<Result<Uint8Array>> {
  const added = await git(['add', '--all', '--ignore-errors', '.'], {
    ...options,
    config: [...(options.config ?? []), 'advice.addEmbeddedRepo=false', 'core.safecrlf=false'],
  });
  if (!added.ok) return added;
  const diff = await git(['diff', '--cached', ...DIFF_FLAGS, base], options);
  return diff.ok ? ok(diff.value.stdout) : diff;
}

/** A copy of the index, and an object store that only we write. */
async function privateIndex(repository: Repository, scratch: string): Promise<Record<string, string>> {
  const index = path.join(scratch, 'index');
  try {
    const original = path.join(repository.gitDir, 'index');
    await copyFile(original, index);
    // Git takes a file that is no younger than the index for unchanged, if its size is the same: a copy must not be
    // younger than what it is a copy of, or an edit in the same second would be missed.
    const second = Math.floor((await stat(original)).mtimeMs / 1000);
    await utimes(index, second, second);
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown;
  }
  const objects = path.join(scratch, 'objects');
  await mkdir(objects);
  return {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(repository.commonDir, 'objects'),
  };
}

async function writeTree(options: GitOptions): Promise<Result<string>> {
  const tree = await git(['write-tree'], options);
  return tree.ok ? ok(tree.value.stdout.toString().trim()) : tree;
}

/** HEAD, or the empty tree before the first commit. */
async function headOrEmpty(
  repository: Repository,
  env: Readonly<Record<string, string>>,
): Promise<Result<string>> {
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    cwd: repository.top,
    okCodes: [0, 1],
  });
  if (!head.ok) return head;
  const name = head.value.stdout.toString().trim();
  return name === '' ? emptyTree({ cwd: repository.top, env }) : ok(name);
}

async function emptyTree(options: GitOptions): Promise<Result<string>> {
  const tree = await git(['hash-object', '-t', 'tree', '-w', '--stdin'], { ...options, input: '' });
  return tree.ok ? ok(tree.value.stdout.toString().trim()) : tree;
}
