/** What a sandbox (clone, worktree) has beyond its merge base with the target, through our own repository. */

import { constants } from 'node:fs';
import { access, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import { displayBytes, latin1 } from '../core/bytes.ts';
import { readImage } from '../files/target-files.ts';
import { commitNamed, emptyTree } from '../vcs/commits.ts';
import { type GitOptions, git, openRepository, Repository, withScratch } from '../vcs/git.ts';
import { gitWord, unmergedNames } from '../vcs/git-output.ts';
import { borrowRepository } from './borrowed-repository.ts';
import type { SourcedPatch } from './git-source.ts';
import { copyIndex, type SnapshotPlan, snapshotPatch } from './snapshot.ts';
import { filtersIn, findWorkingCopy, type WorkingCopy } from './working-copy.ts';

/** Options for a sandbox whose target is not here to compare with. */
export interface SandboxOptions {
  /** A commit, a branch or a remote branch of the sandbox. */
  readonly base?: string | null;
}

const CONFLICT_MARKER = /^<{7} /m;

const notARepository = (folder: string) =>
  fail(
    'invalid',
    `${folder} is not in a git repository.`,
    'Publish a patch; or name a plain folder as the target, to be compared with.',
  );

/** The patch of the sandbox around `folder` (no links), with untracked but not ignored files. */
export async function sandboxPatch(
  folder: string,
  target: string | null,
  { base = null }: SandboxOptions = {},
): Promise<Result<SourcedPatch>> {
  const opened = await openSandbox(folder, target);
  if (!opened.ok) return opened;
  const { own, targetHead } = opened.value;
  return withBorrowed(opened.value, async (borrowed) => {
    const from =
      base === null
        ? await mergeBase(borrowed.options, own.head, targetHead)
        : await baseNamed(borrowed.options, own, base);
    if (!from.ok) return from;
    const plan = await borrowed.plan(from.value);
    if (!plan.ok) return plan;
    const taken = await snapshotPatch(plan.value);
    if (!taken.ok) return taken;
    const { patch, notes } = taken.value;
    const writable = await isOurs(own.top);
    return ok({
      patch,
      notes,
      label: own.top,
      // Its paths are relative to the whole repository, wherever in it the target is.
      root: opened.value.targetTop ?? target ?? own.top,
      inPlace: false,
      sandbox: writable ? own.top : null,
    });
  });
}

export interface OpenSandbox {
  readonly own: WorkingCopy;
  readonly targetCommonDir: string | null;
  readonly targetHead: string | null;
  /** The top folder of the target's working tree. */
  readonly targetTop: string | null;
}

/** Finds the sandbox. Refuses one that would reveal files that its author must not see. */
export async function openSandbox(folder: string, target: string | null): Promise<Result<OpenSandbox>> {
  const found = await findWorkingCopy(folder);
  if (!found.ok) return found;
  if (found.value === null) return notARepository(folder);
  const own = found.value;
  const looked = target === null ? null : await openRepository(target);
  const repository = looked?.ok ? looked.value : null;
  const targetCommonDir = repository === null ? null : await realpath(repository.commonDir);
  const isOwn = own.commonDir.startsWith(`${own.top}/`);
  // Without a target, the sandbox is the caller's: its worktrees may have their repository elsewhere.
  if (!isOwn && target !== null && own.commonDir !== targetCommonDir) {
    return fail(
      'refused',
      `The repository of ${own.top} is elsewhere (${own.commonDir}).`,
      'Use a clone, or a worktree of the target; or publish a patch.',
    );
  }
  const head = target === null ? null : await findWorkingCopy(repository?.top ?? target);
  if (head !== null && !head.ok) return head;
  const targetHead = head?.value?.head ?? null;
  return ok({ own, targetCommonDir, targetHead, targetTop: repository?.top ?? null });
}

export interface Borrowed {
  readonly options: GitOptions;
  readonly scratch: string;
  /** How to take a snapshot of the working tree against `base`. */
  plan(base: string): Promise<Result<SnapshotPlan>>;
}

/** Runs `work` with our own repository that has the objects of sandbox and target. */
export function withBorrowed<T>(
  { own, targetCommonDir }: Pick<OpenSandbox, 'own' | 'targetCommonDir'>,
  work: (borrowed: Borrowed) => Promise<Result<T>>,
): Promise<Result<T>> {
  return withScratch(async (scratch) => {
    const stores = [own.commonDir, ...(targetCommonDir === null ? [] : [targetCommonDir])];
    const borrowed = await borrowRepository(path.join(scratch, 'git'), own, { stores });
    if (!borrowed.ok) return borrowed;
    const { repository, settings } = borrowed.value;
    const filters = new Set([...repository.filters, ...filtersIn(settings)]);
    const options: GitOptions = {
      repository,
      env: { GIT_INDEX_FILE: path.join(scratch, 'index') },
    };
    const plan = async (base: string): Promise<Result<SnapshotPlan>> => {
      const read = await readBase(own, options, base);
      return read.ok ? ok({ top: own.top, options, base, filters }) : read;
    };
    return work({ options, scratch, plan });
  });
}

/** The base as an index, built on the sandbox's own, which knows the unchanged files. */
async function readBase(own: WorkingCopy, options: GitOptions, base: string): Promise<Result<unknown>> {
  const index = options.env?.GIT_INDEX_FILE ?? '';
  if (await copyIndex(path.join(own.gitDir, 'index'), index)) {
    const merged = await refuseConflicts(own, options);
    if (!merged.ok) return merged;
    const known = await git(['read-tree', '--reset', base], options);
    if (known.ok) return known;
    // A split or damaged index: without it every file is read.
    await writeFile(index, '');
  }
  return git(['read-tree', '--empty'], options).then((emptied) =>
    emptied.ok ? git(['read-tree', base], options) : emptied,
  );
}

/** Refuses an unresolved merge there: its file contents are nobody's proposal. */
async function refuseConflicts(own: WorkingCopy, options: GitOptions): Promise<Result<void>> {
  const unmerged = await unmergedNames(options);
  if (!unmerged.ok) return ok(undefined);
  for (const name of unmerged.value) {
    const image = await readImage(own.top, name);
    if (!image.ok || image.value === null || !CONFLICT_MARKER.test(latin1(image.value.bytes))) continue;
    return fail(
      'refused',
      `${displayBytes(name)} holds conflicts of a merge in the sandbox.`,
      'Resolve them there, then publish.',
    );
  }
  return ok(undefined);
}

/** The last common commit; without a target, the sandbox's own. */
export async function mergeBase(
  options: GitOptions,
  head: string | null,
  targetHead: string | null,
): Promise<Result<string>> {
  if (head === null) return emptyTree(options);
  if (targetHead === null) return ok(head);
  const base = await gitWord(['merge-base', targetHead, head], { ...options, okCodes: [0, 1] });
  if (!base.ok) {
    return fail(
      'refused',
      'The history of the sandbox, or of the target, is not complete: their common commit cannot be found.',
      'Fetch it, or publish a patch instead.',
    );
  }
  return base.value === ''
    ? fail('refused', 'The sandbox and the target have no common commit.', 'Publish a patch instead.')
    : base;
}

/** Where the sandbox branched off from `name`, a branch of its own repository. */
async function baseNamed(options: GitOptions, own: WorkingCopy, name: string): Promise<Result<string>> {
  // Looks names up among the sandbox's refs, which our own repository does not have.
  const repository = await Repository.at(own);
  if (!repository.ok) return repository;
  const found = await commitNamed(repository.value, name);
  return found.ok ? mergeBase(options, own.head, found.value) : found;
}

/** Whether it is the user's own folder that may be written: rejected hunks are removed there. */
async function isOurs(top: string): Promise<boolean> {
  return unlessSystemFails(async () => {
    await access(top, constants.W_OK);
    return (await stat(top)).uid === process.getuid?.();
  }, false);
}
