/**
 * Entries of a tree or an index, and one of our changes put into them: where what stands there differs at the place
 * of the change, the two are not mixed.
 */
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, displayBytes, sameBytes } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import { isUniformCrlf, withCrlf } from '../core/line-ends.ts';
import { lineTable } from '../core/line-table.ts';
import { merge3 } from '../core/merge3.ts';
import { type GitOptions, git, openRepository } from './git.ts';
import { findWorkspace } from './jj.ts';

/** A path of the repository in a tree or an index: its mode and blob; null when it is not there. */
export type Entry = { readonly mode: string; readonly blob: string } | null;

export interface Where {
  readonly options: GitOptions;
  /** Of the working copy within the repository, with its slash. */
  readonly prefix: ByteString;
}

/** The repository that `root` is in, and where in it. */
export async function openWhere(root: string): Promise<Result<Where>> {
  const opened = await openRepository(root);
  if (!opened.ok) {
    const hint = 'With jj, what was accepted is in your working-copy change already: "jj commit" ends it.';
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

/** Writes entries into the index that `options` name. */
export function updateIndex(
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

/** What a tree (`HEAD`) or the index (empty) has under `name`. */
export async function entryAt(tree: string, name: ByteString, options: GitOptions): Promise<Result<Entry>> {
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
export async function withOurs(
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
  // What stands at its commit cannot be told from here.
  if (base.type === 'submodule') return store(base, base.bytes, where);
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
