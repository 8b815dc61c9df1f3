/** Patches from git: a working tree, the index, a range. Works on copies: nothing of the user's is written. */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { ByteString } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import type { PatchHunk } from '../core/patch-model.ts';
import { commitNamed, emptyTree, findCommit } from '../vcs/commits.ts';
import {
  DIFF_FLAGS,
  type GitOptions,
  git,
  openRepository,
  quotedPath,
  type Repository,
  withScratch,
} from '../vcs/git.ts';
import { gitWord, unmergedNames, writeTree } from '../vcs/git-output.ts';
import { updateIndex } from '../vcs/index-entries.ts';
import { asOnDisk, imagesInIndex, imagesOnDisk } from './disk-patch.ts';
import { type FileFilter, fileScope } from './file-scope.ts';
import { copyIndex, snapshotPatch } from './snapshot.ts';

/** A note on a change; or it is unknown whether the author made it, so it may be the user's. */
export type HunkNote =
  | { readonly kind: 'note'; readonly text: string }
  /** It is unknown whether the author made it. `untold`: nothing is known here; an earlier review may say more. */
  | { readonly kind: 'unsure' | 'untold' };

export interface SourcedPatch {
  readonly patch: Uint8Array;
  readonly label: string;
  /** The folder that the patch's paths are in. */
  readonly root: string;
  /** The folder already has the changes. */
  readonly inPlace: boolean;
  /** Someone wrote it: one forbidden path makes all of it refused. */
  readonly isGiven?: boolean;
  /** Its author may not read files here. */
  readonly isForeign?: boolean;
  /** The files' contents, if they differ from the disk; null for none. */
  readonly images?: ReadonlyMap<ByteString, FileImage>;
  /** Files that were read from the disk for it: they need no second reading. */
  readonly read?: ReadonlyMap<ByteString, FileImage>;
  /** What the source knows about a hunk, or a file's change without lines; null for nothing. */
  readonly noteOn?: (path: ByteString, hunk: PatchHunk | null) => HunkNote | null;
  /** The omissions, in words. */
  readonly notes: readonly string[];
  /** The sandbox's top folder, if we may write it: decisions are repeated there. */
  readonly sandbox: string | null;
}

/** Defaults for most sources: nothing omitted, and nowhere to repeat decisions. */
const PLAIN = { notes: [], sandbox: null } as const;

/** What is compared in place: the working tree (with untracked files) and HEAD or the index, or the index and HEAD. */
export type InPlace = 'tree-and-head' | 'tree-and-index' | 'index-and-head';

/** The changes in the working tree or in the index. */
export async function changesInPlace(
  folder: string,
  compared: InPlace,
  filter: FileFilter,
): Promise<Result<SourcedPatch>> {
  const opened = await openRepository(folder);
  if (!opened.ok) return opened;
  const repository = opened.value;
  return withScratch(async (scratch) => {
    const env = await privateIndex(repository, scratch);
    const options = { repository, env };
    const base =
      compared === 'tree-and-index' ? await indexTree(options, scratch) : await headOrEmpty(repository, env);
    if (!base.ok) return base;
    const { top, filters } = repository;
    const scope = fileScope(top, filter);
    if (!scope.ok) return scope;
    const stagedOnly = compared === 'index-and-head';
    const plan = {
      top,
      options,
      base: base.value,
      filters,
      isWanted: scope.value,
      inPlace: true,
      stagedOnly,
    };
    const taken = await snapshotPatch(plan);
    if (!taken.ok) return taken;
    const { patch, notes } = taken.value;
    const common = { ...PLAIN, notes, root: top, inPlace: true };
    if (!stagedOnly) {
      const read = new Map<ByteString, FileImage>();
      const shown = await asOnDisk(patch, imagesOnDisk(top, read), plan);
      return ok({ ...common, patch: shown, read, label: 'working tree' });
    }
    const images = await imagesInIndex(patch, top, options);
    if (!images.ok) return images;
    const imageOf = async (name: ByteString) => images.value.get(name) ?? null;
    return ok({
      ...common,
      patch: await asOnDisk(patch, imageOf, plan),
      images: images.value,
      label: 'index',
    });
  });
}

/** `A..B`, `A...B`, or a branch: its changes since the merge base with HEAD. */
export async function rangePatch(folder: string, range: string): Promise<Result<SourcedPatch>> {
  const opened = await openRepository(folder);
  if (!opened.ok) return opened;
  const repository = opened.value;
  const resolved = await resolveRange(repository, range);
  if (!resolved.ok) return resolved;
  const diff = repository.isPartial
    ? await partialRange(repository, resolved.value)
    : await gitDiff(resolved.value, { repository });
  if (!diff.ok) return diff;
  const { patch } = diff.value;
  // A branch means its changes beyond HEAD; a comparison with an older commit needs both names.
  const isBehind = patch.length === 0 && !range.includes('..');
  const notes = [...diff.value.notes, ...(isBehind ? [`${range} has nothing that HEAD does not have.`] : [])];
  return ok({ ...PLAIN, patch, notes, label: `git ${range}`, root: repository.top, inPlace: false });
}

interface Range {
  readonly from: string;
  readonly to: string;
}

async function gitDiff({ from, to }: Range, options: GitOptions): ReturnType<typeof partialRange> {
  const diff = await git(['diff', ...DIFF_FLAGS, from, to], options);
  return diff.ok ? ok({ patch: diff.value.stdout, notes: [] }) : diff;
}

/** The same through an index of our own that omits objects not present here. */
function partialRange(
  repository: Repository,
  { from, to }: Range,
): Promise<Result<{ patch: Uint8Array; notes: readonly string[] }>> {
  return withScratch(async (scratch) => {
    const options = { repository, env: await privateIndex(repository, scratch) };
    const read = await git(['read-tree', to], options);
    const plan = { top: repository.top, options, base: from, filters: new Set<string>(), stagedOnly: true };
    return read.ok ? snapshotPatch(plan) : read;
  });
}

async function resolveRange(repository: Repository, range: string): Promise<Result<Range>> {
  const match = /^(.*?)(\.\.\.?)(.*)$/.exec(range);
  const [left, dots, right] =
    match === null ? ['HEAD', '...', range] : [match[1] || 'HEAD', match[2], match[3] || 'HEAD'];
  const from = await commitNamed(repository, left);
  if (!from.ok) return from;
  const to = await commitNamed(repository, right ?? 'HEAD');
  if (!to.ok) return to;
  if (dots === '..') return ok({ from: from.value, to: to.value });
  const base = await gitWord(['merge-base', from.value, to.value], { repository });
  if (!base.ok) return fail('refused', `${left} and ${right} have no common ancestor.`);
  return ok({ from: base.value, to: to.value });
}

/** A copy of the index, and an object store that only we write. */
async function privateIndex(repository: Repository, scratch: string): Promise<Record<string, string>> {
  const index = path.join(scratch, 'index');
  await copyIndex(path.join(repository.gitDir, 'index'), index);
  const objects = path.join(scratch, 'objects');
  await mkdir(objects);
  return {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(path.join(repository.commonDir, 'objects')),
  };
}

/** The index as a tree, through another copy: an unmerged file cannot be in a tree, so it is left out. */
async function indexTree(options: GitOptions, scratch: string): Promise<Result<string>> {
  const copy = path.join(scratch, 'index-of-base');
  await copyIndex(options.env?.GIT_INDEX_FILE ?? '', copy);
  const own = { ...options, env: { ...options.env, GIT_INDEX_FILE: copy } };
  const unmerged = await unmergedNames(own);
  if (!unmerged.ok) return unmerged;
  const dropped = await updateIndex(
    own,
    unmerged.value.map((name) => [name, null]),
  );
  return dropped.ok ? writeTree(own) : dropped;
}

/** HEAD, or the empty tree before the first commit. */
async function headOrEmpty(
  repository: Repository,
  env: Readonly<Record<string, string>>,
): Promise<Result<string>> {
  const head = await findCommit({ repository }, 'HEAD');
  if (!head.ok) return head;
  return head.value === null ? emptyTree({ repository, env }) : ok(head.value);
}
