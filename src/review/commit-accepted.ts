/**
 * Commits what was accepted, and nothing else: HEAD with our changes, made in a private index. What the user has
 * staged stays staged, what the user has edited stays edited. Refused, with nothing done, where the two cannot be
 * told apart.
 */
import path from 'node:path';
import { fail, ok, type Result } from '../lib/result.ts';
import { type ByteString, displayBytes, sameBytes } from './core/bytes.ts';
import type { FileReview } from './core/file-review.ts';
import { type FileImage, sameImage } from './core/file-state.ts';
import { isUniformCrlf, withCrlf } from './core/line-ends.ts';
import { lineTable } from './core/line-table.ts';
import { merge3 } from './core/merge3.ts';
import { type GitOptions, git, openRepository, withScratch } from './git.ts';

/** A path of the repository in a tree or an index: its mode and blob; null when it is not there. */
type Entry = { readonly mode: string; readonly blob: string } | null;

interface FileChange {
  readonly path: ByteString;
  readonly head: Entry;
  /** After the commit. */
  readonly next: Entry;
  readonly staged: Entry;
  readonly nextStaged: Entry;
}

export interface CommitRequest {
  /** The working copy. */
  readonly root: string;
  readonly message: string;
  readonly reviews: readonly FileReview[];
}

/** Commits the accepted changes of `reviews`; gives the new commit. */
export async function commitAccepted(request: CommitRequest): Promise<Result<string>> {
  const repository = await openRepository(request.root);
  if (repository === null) return fail('refused', `${request.root} is in no git repository.`);
  const options: GitOptions = { cwd: repository.top, config: repository.withoutFilters };
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    ...options,
    okCodes: [0, 1],
  });
  if (!head.ok) return head;
  const parent = head.value.stdout.toString().trim();
  if (parent === '') return fail('refused', 'The repository has no commit yet; make the first one yourself.');
  const prefix = path.relative(repository.top, request.root);
  const changes: FileChange[] = [];
  for (const review of request.reviews) {
    const added = await changesOf(review, {
      options,
      prefix: prefix === '' ? '' : `${Buffer.from(prefix).toString('latin1')}/`,
    });
    if (!added.ok) return added;
    changes.push(...added.value);
  }
  if (changes.length === 0)
    return fail('refused', 'Nothing of this suggestion is accepted: there is nothing to commit.');
  return withScratch(async (scratch) => {
    const env = { GIT_INDEX_FILE: path.join(scratch, 'index') };
    const commit = await makeCommit({ ...options, env }, { parent, message: request.message, changes });
    return commit.ok ? moveHead(options, { parent, commit: commit.value, changes }) : commit;
  });
}

async function makeCommit(
  options: GitOptions,
  {
    parent,
    message,
    changes,
  }: { readonly parent: string; readonly message: string; readonly changes: readonly FileChange[] },
): Promise<Result<string>> {
  const read = await git(['read-tree', parent], options);
  if (!read.ok) return read;
  const updated = await updateIndex(
    options,
    changes.map(({ path: name, next }) => [name, next]),
  );
  if (!updated.ok) return updated;
  const tree = await git(['write-tree'], options);
  if (!tree.ok) return tree;
  const text = message.trim() === '' ? 'Accept reviewed changes\n' : `${message.trimEnd()}\n`;
  const commit = await git(['commit-tree', tree.value.stdout.toString().trim(), '-p', parent], {
    ...options,
    input: text,
  });
  return commit.ok ? ok(commit.value.stdout.toString().trim()) : commit;
}

/** The index first: it may be locked by another git, and then nothing has happened yet. */
async function moveHead(
  options: GitOptions,
  {
    parent,
    commit,
    changes,
  }: { readonly parent: string; readonly commit: string; readonly changes: readonly FileChange[] },
): Promise<Result<string>> {
  const updated = await updateIndex(
    options,
    changes.map((change) => [change.path, change.nextStaged]),
  );
  if (!updated.ok) return updated;
  const moved = await git(['update-ref', '-m', 'copane: accepted changes', 'HEAD', commit, parent], options);
  if (moved.ok) return ok(commit);
  await updateIndex(
    options,
    changes.map((change) => [change.path, change.staged]),
  );
  return moved;
}

function updateIndex(
  options: GitOptions,
  entries: readonly (readonly [ByteString, Entry])[],
): Promise<Result<unknown>> {
  const lines = entries.map(([name, entry]) =>
    entry === null ? `0 ${'0'.repeat(40)}\t${name}\0` : `${entry.mode} ${entry.blob}\t${name}\0`,
  );
  return git(['update-index', '-z', '--index-info'], {
    ...options,
    input: Buffer.from(lines.join(''), 'latin1'),
  });
}

interface Where {
  readonly options: GitOptions;
  /** Of the working copy within the repository, with its slash. */
  readonly prefix: ByteString;
}

async function changesOf(review: FileReview, where: Where): Promise<Result<FileChange[]>> {
  const { base } = review.state;
  const image = review.image();
  if (sameImage(base, image)) return ok([]);
  const changes: FileChange[] = [];
  const moves = base !== null && image !== null && base.path !== image.path;
  if (moves && review.subject.operation === 'rename') {
    const gone = await changeOf(base.path, base, null, where);
    if (!gone.ok) return gone;
    changes.push(gone.value);
  }
  const before = moves ? null : base;
  const made = moves
    ? await movedChange(base, image, where)
    : await changeOf(review.path(), before, image, where);
  return made.ok ? ok([...changes, made.value]) : made;
}

/** The new name of a file: what HEAD has under the old one, with our changes. */
async function movedChange(base: FileImage, image: FileImage, where: Where): Promise<Result<FileChange>> {
  const old = await entryAt('HEAD', `${where.prefix}${base.path}`, where.options);
  if (!old.ok) return old;
  const next = await withOurs(old.value, base, image, where);
  if (!next.ok) return next;
  const name = `${where.prefix}${image.path}`;
  const staged = await entryAt('', name, where.options);
  if (!staged.ok) return staged;
  return ok({ path: name, head: null, next: next.value, staged: staged.value, nextStaged: next.value });
}

async function changeOf(
  path: ByteString,
  base: FileImage | null,
  image: FileImage | null,
  where: Where,
): Promise<Result<FileChange>> {
  const name = `${where.prefix}${path}`;
  const head = await entryAt('HEAD', name, where.options);
  if (!head.ok) return head;
  const staged = await entryAt('', name, where.options);
  if (!staged.ok) return staged;
  const next = await withOurs(head.value, base, image, { ...where, prefix: where.prefix });
  if (!next.ok) return next;
  const untouched = head.value?.blob === staged.value?.blob && head.value?.mode === staged.value?.mode;
  const nextStaged = untouched ? next : await withOurs(staged.value, base, image, where);
  if (!nextStaged.ok) return nextStaged;
  return ok({
    path: name,
    head: head.value,
    next: next.value,
    staged: staged.value,
    nextStaged: nextStaged.value,
  });
}

/** What a tree (`HEAD`) or the index (empty) has under `name`. */
async function entryAt(tree: string, name: ByteString, options: GitOptions): Promise<Result<Entry>> {
  const file = Buffer.from(name, 'latin1').toString('utf8');
  const listed = await git(
    tree === '' ? ['ls-files', '-s', '-z', '--', file] : ['ls-tree', '-z', '--full-tree', tree, '--', file],
    options,
  );
  if (!listed.ok) return listed;
  const match = /^(\d{6}) (?:blob |commit )?([0-9a-f]{40,64})/.exec(listed.value.stdout.toString('latin1'));
  return ok(match?.[1] === undefined || match[2] === undefined ? null : { mode: match[1], blob: match[2] });
}

/** `entry` with what makes `base` into `image`, as a new entry. */
async function withOurs(
  entry: Entry,
  base: FileImage | null,
  image: FileImage | null,
  where: Where,
): Promise<Result<Entry>> {
  const path = (image ?? base)?.path ?? '';
  const conflict = () =>
    fail(
      'refused',
      `${displayBytes(path)}: what HEAD or the index has differs where the accepted change is.`,
      'Commit it yourself.',
    );
  if (base === null || entry === null) {
    if (base !== null || entry !== null) return conflict();
    return image === null ? ok(null) : store(image, image.bytes, where);
  }
  const content = await git(['cat-file', 'blob', entry.blob], where.options);
  if (!content.ok) return content;
  const old =
    isUniformCrlf(base.bytes) && !isUniformCrlf(content.value.stdout)
      ? withCrlf(content.value.stdout)
      : content.value.stdout;
  if (image === null) return sameBytes(old, base.bytes) ? ok(null) : conflict();
  if (image.type !== 'file' || base.type !== 'file')
    return sameBytes(old, base.bytes) ? store(image, image.bytes, where) : conflict();
  const merged = merge3(lineTable(base.bytes), lineTable(old), lineTable(image.bytes));
  if (merged.conflicts > 0) return conflict();
  const keepsMode = base.executable === image.executable;
  const stored = await store(image, merged.text, where);
  return stored.ok && stored.value !== null && keepsMode ? ok({ ...stored.value, mode: entry.mode }) : stored;
}

async function store(
  image: FileImage,
  bytes: Uint8Array,
  { options, prefix }: Where,
): Promise<Result<Entry>> {
  if (image.type === 'submodule' || image.type === 'other') {
    return fail(
      'refused',
      `${displayBytes(image.path)} cannot be committed from here.`,
      'Commit it yourself.',
    );
  }
  // `--path` makes CRLF into what the repository keeps; a link is kept as it is.
  const name = Buffer.from(`${prefix}${image.path}`, 'latin1').toString('utf8');
  const how = image.type === 'symlink' ? ['--no-filters'] : [`--path=${name}`];
  const written = await git(['hash-object', '-w', '--stdin', ...how], { ...options, input: bytes });
  if (!written.ok) return written;
  const mode = image.type === 'symlink' ? '120000' : image.executable ? '100755' : '100644';
  return ok({ mode, blob: written.value.stdout.toString().trim() });
}
