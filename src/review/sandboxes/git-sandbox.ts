/** A sandbox as a git worktree on its own branch. The target's working tree, index and HEAD stay; no hook runs. */

import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { removeTree } from '../../platform/held-folder.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { systemCode, systemWords } from '../../platform/system-error.ts';
import { whileWanted } from '../../platform/wanted.ts';
import { displayBytes } from '../core/bytes.ts';
import { mergeBase, type OpenSandbox, openSandbox, withBorrowed } from '../sources/sandbox-source.ts';
import { takeSnapshot } from '../sources/snapshot.ts';
import { commitNamed } from '../vcs/commits.ts';
import { type GitOptions, git, openRepository, Repository } from '../vcs/git.ts';
import { diffRows, gitWord } from '../vcs/git-output.ts';
import { namesIn, type SandboxRecord } from './sandbox-store.ts';

/** For a file with one path. */
const GITDIR_MAX_BYTES = 64 * 1024;

/** For a checkout of a very large repository on a slow disk. */
const CHECKOUT_TIMEOUT_MS = 30 * 60_000;
/** The author of commits that nobody sees. */
export const NOBODY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'copane',
  GIT_AUTHOR_EMAIL: 'copane@localhost',
  GIT_COMMITTER_NAME: 'copane',
  GIT_COMMITTER_EMAIL: 'copane@localhost',
};

export const branchOf = (name: string) => `copane/${name}`;

/** The commit from which a new sandbox starts. */
export async function commitOf(folder: string, name: string): Promise<Result<string>> {
  const repository = await openRepository(folder);
  if (!repository.ok) return repository;
  const found = await commitNamed(repository.value, name);
  if (found.ok || name !== 'HEAD' || found.error.code !== 'not_found') return found;
  return fail('refused', `${folder} has no commit yet.`, 'Make the first commit; a sandbox starts from one.');
}

/** Refuses an existing branch. */
export async function checkBranch(folder: string, branch: string): Promise<Result<void>> {
  const repository = await openRepository(folder);
  const taken = repository.ok ? await branchCommit({ repository: repository.value }, branch) : repository;
  if (!taken.ok) return taken;
  if (taken.value === null) return ok(undefined);
  return fail('refused', `The branch ${branch} already exists.`, 'Choose another name for the sandbox.');
}

/** A branch's commit; null if there is no such branch. */
async function branchCommit(options: GitOptions, branch: string): Promise<Result<string | null>> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
  const found = await gitWord(args, { ...options, okCodes: [0, 1] });
  return found.ok ? ok(found.value || null) : found;
}

/** Creates the worktree unless `signal` aborts. `removeWorktree` cleans up after a failure. */
export async function createWorktree(record: SandboxRecord, signal?: AbortSignal): Promise<Result<unknown>> {
  const repository = await openRepository(record.target);
  if (!repository.ok) return repository;
  const add = ['worktree', 'add', '--quiet', '--no-track', '-b', record.branch, record.folder, record.base];
  return whileWanted(signal, () =>
    git(add, {
      repository: repository.value,
      // Files are written in parallel: someone waits for the checkout.
      config: [
        ['checkout.workers', '0'],
        ['advice.detachedHead', 'false'],
      ],
      userFilters: true,
      timeoutMs: CHECKOUT_TIMEOUT_MS,
    }),
  );
}

export interface SandboxWork {
  readonly branch: string | null;
  /** Where it branched off from the target. */
  readonly base: string;
  readonly head: string | null;
  /** Commits beyond the base. */
  readonly ahead: number;
  /** Files that differ from the base, and the uncommitted ones among them. */
  readonly changed: readonly ChangedFile[];
  readonly dirty: number;
  /** Files and folders that a suggestion cannot contain. */
  readonly left: readonly string[];
}

export interface ChangedFile {
  readonly path: string;
  /** Git's name for the sandbox's version; null if deleted there. */
  readonly blob: string | null;
}

/** What a sandbox has beyond the target. */
export async function lookAtSandbox(folder: string, target: string): Promise<Result<SandboxWork>> {
  const opened = await openSandbox(folder, target);
  if (!opened.ok) return opened;
  return withBorrowed(opened.value, async ({ options, plan }) => {
    const { own, targetHead } = opened.value;
    const base = await mergeBase(options, own.head, targetHead);
    if (!base.ok) return base;
    const planned = await plan(base.value);
    const taken = planned.ok ? await takeSnapshot(planned.value) : planned;
    if (!taken.ok) return taken;
    const changed = await changedFiles(options, base.value, taken.value.tree);
    if (!changed.ok) return changed;
    const dirty = own.head === null ? changed : await changedFiles(options, own.head, taken.value.tree);
    if (!dirty.ok) return dirty;
    const ahead = own.head === null ? ok(0) : await countCommits(options, `${base.value}..${own.head}`);
    if (!ahead.ok) return ahead;
    return ok({
      branch: own.branch,
      base: base.value,
      head: own.head,
      ahead: ahead.value,
      changed: changed.value,
      dirty: dirty.value.length,
      left: taken.value.left,
    });
  });
}

async function countCommits(options: GitOptions, range: string): Promise<Result<number>> {
  const counted = await gitWord(['rev-list', '--count', range], options);
  return counted.ok ? ok(Number(counted.value)) : counted;
}

/** Files that differ between two trees. */
export async function changedFiles(
  options: GitOptions,
  from: string,
  to: string,
): Promise<Result<ChangedFile[]>> {
  const rows = await diffRows(['diff', from, to], options);
  return rows.ok
    ? ok(rows.value.map(({ path: name, blobs: [, blob] }) => ({ path: displayBytes(name), blob })))
    : rows;
}

/** Removes the worktree and its branch; returns its commit if the target lacks it. `isUnfinished`: not if it moved. */
export async function removeWorktree(
  record: SandboxRecord,
  { isUnfinished = false } = {},
): Promise<Result<string | null>> {
  const repository = await openRepository(record.target);
  if (!repository.ok) return repository;
  const options: GitOptions = { repository: repository.value, timeoutMs: CHECKOUT_TIMEOUT_MS };
  // Not by git: it uses paths, and a program in the sandbox could replace a folder with a link. It also refuses locked
  // worktrees, and an interrupted checkout leaves one locked.
  const removed = await removeFolder(record.folder);
  if (!removed.ok) return removed;
  await forgetWorktree(repository.value.commonDir, record.folder);
  const found = await branchCommit(options, record.branch);
  if (!found.ok) return found;
  const commit = found.value;
  if (commit === null || (isUnfinished && commit !== record.base)) return ok(null);
  const merged = await git(['merge-base', '--is-ancestor', commit, 'HEAD'], {
    ...options,
    okCodes: [0, 1, 128],
  });
  const dropped = await git(['update-ref', '-d', `refs/heads/${record.branch}`, commit], options);
  if (!dropped.ok) return dropped;
  return ok(merged.ok && merged.value.code === 0 ? null : commit);
}

/** Removes a sandbox's folder and its contents. */
export async function removeFolder(folder: string): Promise<Result<void>> {
  try {
    await removeTree(folder);
    return ok(undefined);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    const { what, hint } = systemWords(code);
    return fail('refused', `The folder ${folder} could not be removed: ${what}.`, hint);
  }
}

/** Like `git worktree prune`, but only for this one: others that are temporarily missing are not ours to prune. */
async function forgetWorktree(commonDir: string, folder: string): Promise<void> {
  const all = path.join(commonDir, 'worktrees');
  for (const name of await namesIn(all)) {
    const admin = path.join(all, name);
    const [gitdir] = await Promise.allSettled([
      readRegular(path.join(admin, 'gitdir'), { maxBytes: GITDIR_MAX_BYTES }),
    ]);
    // Relative to itself under worktree.useRelativePaths.
    const named = gitdir.status === 'fulfilled' ? path.resolve(admin, String(gitdir.value).trim()) : null;
    if (named === path.join(folder, '.git')) await removeTree(admin);
  }
}

/** Moves a sandbox onto `onto`, keeping its extra work uncommitted. Refused without changes if the two conflict. */
export async function rebaseSandbox(folder: string, target: string, onto: string): Promise<Result<void>> {
  const opened = await openSandbox(folder, target);
  if (!opened.ok) return opened;
  const { own, targetCommonDir } = opened.value;
  if (own.commonDir !== targetCommonDir) {
    return fail('refused', `${own.top} is a clone, not a worktree: it is not moved.`, 'Pull there instead.');
  }
  const moved = await withBorrowed(opened.value, async ({ options, plan }) => {
    const base = await mergeBase(options, own.head, onto);
    if (!base.ok) return base;
    const planned = await plan(base.value);
    const taken = planned.ok ? await takeSnapshot(planned.value) : planned;
    if (!taken.ok) return taken;
    const asNobody = { ...options, env: { ...options.env, ...NOBODY } };
    const work = await gitWord(['commit-tree', taken.value.tree, '-p', base.value], {
      ...asNobody,
      input: 'work\n',
    });
    if (!work.ok) return work;
    const merged = await git(['merge-tree', '--write-tree', '--name-only', '-z', work.value, onto], {
      ...asNobody,
      okCodes: [0, 1],
    });
    if (!merged.ok) return merged;
    const [tree = '', ...names] = merged.value.stdout.toString('latin1').split('\0');
    if (merged.value.code === 1)
      return fail(
        'refused',
        `${own.top} stays where it is: ${displayBytes(names[0] ?? '')} was changed on both sides.`,
      );
    return git(['read-tree', '-m', '-u', taken.value.tree, tree], options);
  });
  return moved.ok ? moveBranch(opened.value, onto) : moved;
}

async function moveBranch({ own }: OpenSandbox, onto: string): Promise<Result<void>> {
  const repository = await Repository.at(own);
  if (!repository.ok) return repository;
  const options: GitOptions = { repository: repository.value };
  const ref = await git(
    ['update-ref', '-m', 'copane: the sandbox goes on from here', 'HEAD', onto, own.head ?? ''],
    options,
  );
  if (!ref.ok) return ref;
  // Over the existing index, which knows what a sparse checkout omits.
  const index = await git(['read-tree', '--reset', onto], options);
  return index.ok ? ok(undefined) : index;
}
