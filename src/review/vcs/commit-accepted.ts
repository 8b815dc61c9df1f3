/** Commits exactly what was accepted, in a private index. Refused, with nothing done, if edits cannot be told apart. */

import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import type { ByteString } from '../core/bytes.ts';
import { FileReview } from '../core/file-review.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { sha256 } from '../files/hash.ts';
import { emptyTree, findCommit } from './commits.ts';
import { type GitOptions, git, gitAsUser, type Repository, withScratch } from './git.ts';
import { gitList, gitWord, unmergedNames, writeTree } from './git-output.ts';
import {
  type Entry,
  entryAt,
  openWhere,
  sameEntry,
  updateIndex,
  type Where,
  withOurs,
} from './index-entries.ts';

interface FileChange {
  readonly path: ByteString;
  readonly head: Entry;
  /** The entry after the commit. */
  readonly next: Entry;
  readonly staged: Entry;
  readonly nextStaged: Entry;
}

export interface CommitRequest {
  /** The working copy. */
  readonly root: string;
  readonly message: string;
  /** Nobody wrote the message. */
  readonly isUnwritten: boolean;
  readonly reviews: readonly FileReview[];
  /** Runs hooks and signs, as the user's own git does. */
  readonly asUser: boolean;
}

export interface Committed {
  readonly commit: string;
  /** The omissions, in words. */
  readonly notes: readonly string[];
}

/** Commits the accepted changes of `reviews`; returns the new commit. */
export async function commitAccepted(request: CommitRequest): Promise<Result<Committed>> {
  const where = await openWhere(request.root);
  if (!where.ok) return where;
  const { options } = where.value;
  const head = await findCommit(options, 'HEAD');
  if (!head.ok) return head;
  const parent = head.value;
  const busy = await underWay(options);
  if (busy !== null) return busy;
  const changes: FileChange[] = [];
  for (const review of request.reviews) {
    const added = await changesOf(review, { ...where.value, parent });
    if (!added.ok) return added;
    changes.push(...added.value);
  }
  if (changes.length === 0)
    return fail('refused', 'Nothing in this suggestion is accepted, so there is nothing to commit.');
  return withScratch(async (scratch) => {
    const env = { GIT_INDEX_FILE: path.join(scratch, 'index') };
    const { message, asUser } = request;
    const text = message.trim() === '' ? 'Accept reviewed changes\n' : `${message.trimEnd()}\n`;
    const work = { parent, message: text, changes };
    const prepared = await fillIndex({ ...options, env }, work);
    if (!prepared.ok) return prepared;
    const notes = request.isUnwritten ? withoutTemplate(options.repository) : [];
    if (asUser) {
      const commit = await commitAsUser({ ...options, env }, text);
      return commit.ok ? followCommit(options, { parent, commit: commit.value, changes, notes }) : commit;
    }
    const commit = await makeCommit({ ...options, env }, work);
    const moved = commit.ok ? await moveHead(options, { parent, commit: commit.value, changes }) : commit;
    if (!moved.ok) return moved;
    return ok({ commit: moved.value, notes: [...notes, ...(await leftOut(options.repository))] });
  });
}

/** An operation that git commits only as a whole. */
async function underWay(options: GitOptions): Promise<Result<never> | null> {
  const { gitDir, top } = options.repository;
  const [kind] = ['merge', 'cherry-pick', 'revert'].filter((name) =>
    existsSync(path.join(gitDir, `${name.replace('-', '_').toUpperCase()}_HEAD`)),
  );
  const unmerged = await unmergedNames(options);
  if (!unmerged.ok) return unmerged;
  const hint = 'Resolve it and run "git commit", or abort it; then finish the review.';
  if (kind !== undefined)
    return fail('refused', `A ${kind} is in progress in ${top}: git cannot commit a part of it.`, hint);
  return unmerged.value.length === 0
    ? null
    : fail('refused', `Files in ${top} have conflicts, so git commits nothing.`, hint);
}

interface Work {
  /** Null before the first commit. */
  readonly parent: string | null;
  readonly message: string;
  readonly changes: readonly FileChange[];
}

async function fillIndex(options: GitOptions, { parent, changes }: Work): Promise<Result<unknown>> {
  const read = await git(['read-tree', parent ?? '--empty'], options);
  if (!read.ok) return read;
  return updateIndex(
    options,
    changes.map(({ path: name, next }) => [name, next]),
  );
}

/** Updates the user's index after a commit by git: a hook may have written other bytes and other files than we did. */
async function followCommit(
  options: GitOptions,
  done: {
    readonly parent: string | null;
    readonly commit: string;
    readonly changes: readonly FileChange[];
    readonly notes: readonly string[];
  },
): Promise<Result<Committed>> {
  const { parent, commit, changes, notes } = done;
  const entries: (readonly [ByteString, Entry])[] = [];
  for (const { path: name, head, staged, nextStaged } of changes) {
    const entry = sameEntry(head, staged) ? await entryAt(commit, name, options) : ok(nextStaged);
    if (!entry.ok) return entry;
    entries.push([name, entry.value]);
  }
  const ours = new Set(changes.map(({ path: name }) => name));
  const base = parent === null ? await emptyTree(options) : ok(parent);
  if (!base.ok) return base;
  const all = await gitList(
    ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base.value, commit],
    options,
  );
  if (!all.ok) return all;
  for (const name of all.value) {
    if (ours.has(name)) continue;
    const [before, staged, after] = [
      await entryAt(parent, name, options),
      await entryAt('', name, options),
      await entryAt(commit, name, options),
    ];
    if (before.ok && staged.ok && after.ok && sameEntry(before.value, staged.value))
      entries.push([name, after.value]);
  }
  const updated = await updateIndex(options, entries);
  const failed = updated.ok ? [] : [`The index was not updated: ${updated.error.message}`];
  return ok({ commit, notes: [...notes, ...failed] });
}

async function makeCommit(options: GitOptions, { parent, message }: Work): Promise<Result<string>> {
  const tree = await writeTree(options);
  if (!tree.ok) return tree;
  const parents = parent === null ? [] : ['-p', parent];
  return gitWord(['commit-tree', tree.value, ...parents], { ...options, input: message });
}

/** The index first: another git may have locked it, and then nothing has happened yet. */
async function moveHead(
  options: GitOptions,
  {
    parent,
    commit,
    changes,
  }: {
    readonly parent: string | null;
    readonly commit: string;
    readonly changes: readonly FileChange[];
  },
): Promise<Result<string>> {
  const updated = await updateIndex(
    options,
    changes.map((change) => [change.path, change.nextStaged]),
  );
  if (!updated.ok) return updated;
  const old = parent ?? '0'.repeat(commit.length);
  const moved = await git(['update-ref', '-m', 'copane: accepted changes', 'HEAD', commit, old], options);
  if (moved.ok) return ok(commit);
  await updateIndex(
    options,
    changes.map((change) => [change.path, change.staged]),
  );
  return moved;
}

/** The file with only accepted changes: in place, it also has undecided ones. */
export function withAccepted(review: FileReview): FileReview {
  if (!review.state.inPlace) return review;
  const state = { ...review.state, inPlace: false };
  return new FileReview(review.subject, state, { newPathProblem: null, hash: sha256 });
}

interface Place extends Where {
  readonly parent: string | null;
}

async function changesOf(any: FileReview, where: Place): Promise<Result<FileChange[]>> {
  const review = withAccepted(any);
  const { base } = review.state;
  const image = review.image();
  if (sameImage(base, image)) return ok([]);
  const changes: FileChange[] = [];
  const moves = base !== null && image !== null && base.path !== image.path;
  if (moves && review.subject.operation === 'rename') {
    const gone = await changeOf(base.path, { before: base, image: null, isWhole: true }, where);
    if (!gone.ok) return gone;
    changes.push(gone.value);
  }
  const before = moves ? null : base;
  const made = moves
    ? await movedChange(base, image, where)
    : await changeOf(
        review.path(),
        { before, image, isWhole: any.state.inPlace && sameImage(any.image(), image) },
        where,
      );
  return made.ok ? ok([...changes, made.value]) : made;
}

/** A file's new name: HEAD's content of the old one, with our changes. */
async function movedChange(base: FileImage, image: FileImage, where: Place): Promise<Result<FileChange>> {
  const old = await entryAt(where.parent, `${where.prefix}${base.path}`, where.options);
  if (!old.ok) return old;
  const next = await withOurs(old.value, base, image, where);
  if (!next.ok) return next;
  const name = `${where.prefix}${image.path}`;
  const staged = await entryAt('', name, where.options);
  if (!staged.ok) return staged;
  return ok({ path: name, head: null, next: next.value, staged: staged.value, nextStaged: next.value });
}

interface Move {
  readonly before: FileImage | null;
  readonly image: FileImage | null;
  /** In place, the disk has only accepted changes, and what is staged is an earlier state of them. */
  readonly isWhole: boolean;
}

async function changeOf(
  path: ByteString,
  { before: base, image, isWhole }: Move,
  where: Place,
): Promise<Result<FileChange>> {
  const name = `${where.prefix}${path}`;
  const head = await entryAt(where.parent, name, where.options);
  if (!head.ok) return head;
  const staged = await entryAt('', name, where.options);
  if (!staged.ok) return staged;
  const next = await withOurs(head.value, base, image, where);
  if (!next.ok) return next;
  const merged = sameEntry(head.value, staged.value)
    ? next
    : await withOurs(staged.value, base, image, where);
  const nextStaged = !merged.ok && isWhole ? next : merged;
  if (!nextStaged.ok) return nextStaged;
  return ok({
    path: name,
    head: head.value,
    next: next.value,
    staged: staged.value,
    nextStaged: nextStaged.value,
  });
}

const COMMIT_HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'] as const;

/** What our commit omitted, in words; empty if the user's git would have done the same. */
async function leftOut({ top, commonDir, commits }: Repository): Promise<string[]> {
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
function withoutTemplate({ commits }: Repository): string[] {
  const { template } = commits;
  if (template === null) return [];
  return [
    `The commit message is the name of the review, not commit.template (${template}). Use --message to write your own.`,
  ];
}

async function isProgram(file: string): Promise<boolean> {
  return unlessSystemFails(async () => {
    await access(file, constants.X_OK);
    return true;
  }, false);
}

/** Commits the index that `options` name, with the user's hooks and signature; returns the commit. */
async function commitAsUser({ repository, env }: GitOptions, message: string): Promise<Result<string>> {
  const done = await gitAsUser(['commit', '--quiet', '-F', '-'], {
    repository,
    input: message,
    ...(env === undefined ? {} : { env }),
  });
  return done.ok ? gitWord(['rev-parse', '--verify', 'HEAD'], { repository }) : done;
}
