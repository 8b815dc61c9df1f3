/** Entries of a tree or an index, and how to put a change of ours into them unless they differ at its place. */

import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, CR, displayBytes, sameBytes } from '../core/bytes.ts';
import { type FileImage, modeOf } from '../core/file-state.ts';
import { lineTable } from '../core/line-table.ts';
import { merge3 } from '../core/merge3.ts';
import { type GitOptions, git, openRepository } from './git.ts';
import { gitList, gitWord, namesAsArguments } from './git-output.ts';
import { findWorkspace } from './jj.ts';

/** The mode and blob of a repository path in a tree or an index; null if it is not there. */
export type Entry = {
  readonly mode: string;
  readonly blob: string;
  /** `git add -N`: the index has only the name, with an empty file's blob. */
  readonly announced?: boolean;
} | null;

export const sameEntry = (a: Entry, b: Entry) =>
  a?.blob === b?.blob && a?.mode === b?.mode && a?.announced === b?.announced;

export interface Where {
  readonly options: GitOptions;
  /** The working copy's path in the repository, with a slash. */
  readonly prefix: ByteString;
}

/** The repository around `root`, and where in it `root` is. */
export async function openWhere(root: string): Promise<Result<Where>> {
  const opened = await openRepository(root);
  if (!opened.ok) {
    const hint = 'With jj, what was accepted is already in your working-copy change: "jj commit" ends it.';
    const isJj = (await findWorkspace(root)) !== null;
    return isJj ? fail('refused', opened.error.message, hint) : opened;
  }
  const repository = opened.value;
  const prefix = path.relative(repository.top, root);
  return ok({
    options: { repository },
    prefix: prefix === '' ? '' : `${Buffer.from(prefix).toString('latin1')}/`,
  });
}

/** A line for `update-index --index-info` that removes this name from the index. */
export const goneLine = ({ repository }: GitOptions, name: ByteString) =>
  `0 ${repository.noObject}\t${name}\0`;

/** How long another git may hold the index; one that only reads releases it at once. */
const LOCK_MAX_WAIT_MS = 2_000;
const LOCK_RETRY_MS = 50;

/** Runs a git that writes the index, once no other holds it. */
export async function gitOnIndex(args: readonly string[], options: GitOptions): Promise<Result<unknown>> {
  for (let waited = 0; ; waited += LOCK_RETRY_MS) {
    const done = await git(args, options);
    if (done.ok || !/index\.lock': File exists/.test(done.error.message)) return done;
    const { top, gitDir } = options.repository;
    if (waited >= LOCK_MAX_WAIT_MS)
      return fail(
        'refused',
        `Another git process holds the index of ${top}; it was not changed.`,
        `Wait until that one has ended; if none runs, delete ${path.join(gitDir, 'index.lock')}.`,
      );
    await setTimeout(LOCK_RETRY_MS);
  }
}

/** Writes entries into the index that `options` name. */
export function updateIndex(
  options: GitOptions,
  entries: readonly (readonly [ByteString, Entry])[],
): Promise<Result<unknown>> {
  const lines = entries.map(([name, entry]) =>
    entry === null ? goneLine(options, name) : `${entry.mode} ${entry.blob}\t${name}\0`,
  );
  return gitOnIndex(['update-index', '-z', '--index-info'], {
    ...options,
    input: Buffer.from(lines.join(''), 'latin1'),
  });
}

/** What a tree or the index (empty) has as `name`; a null tree, as before the first commit, has nothing. */
export async function entryAt(
  tree: string | null,
  name: ByteString,
  options: GitOptions,
): Promise<Result<Entry>> {
  if (tree === null) return ok(null);
  if (tree === '') {
    const staged = await entriesAt([name], options);
    return staged.ok ? ok(staged.value.get(name) ?? null) : staged;
  }
  const entries = await entriesOfTree(tree, [name], options);
  return entries.ok ? ok(entries.value.get(name) ?? null) : entries;
}

/** What a tree has under these names; under all if there are none. */
export async function entriesOfTree(
  tree: string,
  names: readonly ByteString[],
  options: GitOptions,
): Promise<Result<ReadonlyMap<ByteString, Entry>>> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', tree, '--', ...namesAsArguments(names)];
  const listed = await git(args, options);
  return listed.ok ? ok(entriesIn(listed.value.stdout)) : listed;
}

/** Refuses a file under a filter with a program in some configuration: only that could tell what git stores. */
async function checkFilter(path: ByteString, { options, prefix }: Where): Promise<Result<void>> {
  const { filters } = options.repository;
  if (filters.size === 0) return ok(undefined);
  const name = Buffer.from(`${prefix}${path}`, 'latin1').toString('utf8');
  const checked = await gitList(['check-attr', '-z', 'filter', '--', name], options);
  if (!checked.ok) return checked;
  const filter = checked.value[2] ?? '';
  if (!filters.has(filter)) return ok(undefined);
  const why = `is under the filter "${filter}", which does not run here`;
  return fail('refused', `${displayBytes(path)} ${why}.`, 'Stage and commit it yourself.');
}

/** What the index has under these names; omits missing ones. */
export async function entriesAt(
  names: readonly ByteString[],
  options: GitOptions,
): Promise<Result<ReadonlyMap<ByteString, Entry>>> {
  const listed = await git(['ls-files', '-s', '-z', '--debug', '--', ...namesAsArguments(names)], options);
  return listed.ok ? ok(entriesIn(listed.value.stdout)) : listed;
}

/** An entry in the format of `ls-tree`, or of `ls-files -s --debug` with its flags. */
const LISTED =
  /(\d{6}) (?:blob |commit )?([0-9a-f]{40,64})(?: \d)?\t([^\0]*)\0(?: {2}ctime: (?:.*\n){4}.*\tflags: (.*)\n)?/g;
const INTENT_TO_ADD = 0x2000_0000;

function entriesIn(listed: Buffer): ReadonlyMap<ByteString, Entry> {
  const entries = new Map<ByteString, Entry>();
  for (const [, mode = '', blob = '', name = '', flags = ''] of listed.toString('latin1').matchAll(LISTED)) {
    const announced = (Number.parseInt(flags, 16) & INTENT_TO_ADD) !== 0;
    entries.set(name, { mode, blob, ...(announced ? { announced } : {}) });
  }
  return entries;
}

/** `entry` with the change from `base` to `image`, as a new entry. */
export async function withOurs(
  entry: Entry,
  base: FileImage | null,
  image: FileImage | null,
  where: Where,
): Promise<Result<Entry>> {
  const path = (image ?? base)?.path ?? '';
  const allowed = await checkFilter(path, where);
  if (!allowed.ok) return allowed;
  const conflict = () =>
    fail(
      'refused',
      `${displayBytes(path)}: what HEAD or the index has differs where the accepted change is.`,
      'Commit it yourself.',
    );
  if (base === null || entry === null) {
    if (image === null) return entry === null ? ok(null) : conflict();
    if (base !== null) return conflict();
    const whole = await storeImage(image, image.bytes, where);
    return !whole.ok || entry === null || entry.blob === whole.value?.blob ? whole : conflict();
  }
  // Its content at that commit is unknown here.
  if (base.type === 'submodule') return storeImage(base, base.bytes, where);
  const content = await git(['cat-file', 'blob', entry.blob], where.options);
  if (!content.ok) return content;
  const old = content.value.stdout;
  if (image !== null && (image.type !== 'file' || base.type !== 'file'))
    return sameBytes(old, base.bytes) ? storeImage(image, image.bytes, where) : conflict();
  // If git stores the disk's CRLF or idents differently, both sides are compared in stored form.
  const before = await asKept(base, old, where);
  if (!before.ok) return before;
  if (image === null) return sameBytes(old, before.value) ? ok(null) : conflict();
  const after = await asKept(image, old, where);
  if (!after.ok) return after;
  const merged = merge3(lineTable(before.value), lineTable(old), lineTable(after.value));
  if (merged.conflicts > 0) return conflict();
  const keepsMode = base.executable === image.executable;
  if (keepsMode && sameBytes(merged.text, old)) return ok(entry);
  const stored = await storeImage(image, merged.text, where, 'kept');
  return stored.ok && stored.value !== null && keepsMode ? ok({ ...stored.value, mode: entry.mode }) : stored;
}

/** The file's bytes as git stores them in place of `old`: with the configured line ends, and no ident. */
async function asKept(image: FileImage, old: Uint8Array, where: Where): Promise<Result<Uint8Array>> {
  const { bytes } = image;
  if (image.type !== 'file' || !(bytes.includes(CR) || Buffer.from(bytes).includes('$Id'))) return ok(bytes);
  const own = await keepsCrlf(image, old, where);
  if (!own.ok || own.value) return own.ok ? ok(bytes) : own;
  const stored = await storeImage(image, bytes, where);
  if (!stored.ok) return stored;
  const read = await git(['cat-file', 'blob', stored.value?.blob ?? ''], where.options);
  return read.ok ? ok(read.value.stdout) : read;
}

/** If git guesses what is text, it keeps the line ends of a file stored with CRLF. */
async function keepsCrlf(image: FileImage, old: Uint8Array, where: Where): Promise<Result<boolean>> {
  if (!Buffer.from(old).includes('\r\n')) return ok(false);
  const checked = await gitList(
    ['check-attr', '-z', 'text', 'eol', 'ident', '--', nameOf(image, where)],
    where.options,
  );
  if (!checked.ok) return checked;
  const [, , text, , , eol, , , ident] = checked.value;
  const isGuessed = text === 'auto' || (text === 'unspecified' && eol === 'unspecified');
  return ok(isGuessed && ident !== 'set');
}

const nameOf = ({ path: name }: FileImage, { prefix }: Where) =>
  Buffer.from(`${prefix}${name}`, 'latin1').toString('utf8');

/** Git's stored form of the file with `bytes`, given as on disk or in git. Refused if only a filter could tell. */
export async function storeImage(
  image: FileImage,
  bytes: Uint8Array,
  where: Where,
  form: 'disk' | 'kept' = 'disk',
): Promise<Result<Entry>> {
  const allowed = image.type === 'file' ? await checkFilter(image.path, where) : ok(undefined);
  if (!allowed.ok) return allowed;
  if (image.type === 'submodule' || image.type === 'other') {
    return fail(
      'refused',
      `${displayBytes(image.path)} cannot be committed from here.`,
      'Commit it yourself.',
    );
  }
  // `--path` converts CRLF to the stored form; a link is stored as it is.
  const how = image.type === 'symlink' || form === 'kept' ? '--no-filters' : `--path=${nameOf(image, where)}`;
  const written = await gitWord(['hash-object', '-w', '--stdin', how], { ...where.options, input: bytes });
  return written.ok ? ok({ mode: modeOf(image).toString(8), blob: written.value }) : written;
}
