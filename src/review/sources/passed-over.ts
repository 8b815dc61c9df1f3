/**
 * What git passes over without a word in a working tree: files that it is told not to look at, edits of which it keeps
 * nothing, content that is staged alone, and what is in a submodule. All of it is named.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { type ByteString, latin1 } from '../core/bytes.ts';
import { isBlobNamed } from '../files/hash.ts';
import { absolutePath, readImage } from '../files/target-files.ts';
import { type GitOptions, git, openRepository } from '../vcs/git.ts';
import type { ChangedFile, SetAside } from './set-aside.ts';

/** Files, or submodules, looked at side by side: most of the time is waiting. */
const LOOKS_AT_ONCE = 4;
/** So much of the files on disk is compared by one git, which may write some ten times as much for "$Id$". */
const COMPARED_BYTES = 16 * 1024 * 1024;
const LIST_ENTRIES: readonly string[] = ['ls-files', '-v', '-s', '-z'];
/** An entry that is flagged, or one that is a submodule, as `ls-files -v -s` lists it. */
const ENTRY = /(?:^|\0)(?:([a-zS]) \d+|H 160000) [0-9a-f]+ \d\t([^\0]+)/g;

export interface Unlooked {
  /** Files that git is told not to look at, and how. */
  readonly flagged: SetAside;
  readonly submodules: readonly ByteString[];
}

/**
 * Finds what git does not look into, and has it look at files that are flagged: `options` name an index of our own.
 * `isOwn`: the repository that is asked is the one of the working tree, with all of its configuration.
 */
export async function unlooked(options: GitOptions, isOwn: boolean): Promise<Result<Unlooked>> {
  const listed = await git(LIST_ENTRIES, options);
  if (!listed.ok) return listed;
  const flagged = new Map<ByteString, string>();
  const submodules: ByteString[] = [];
  const looks = { '--no-assume-unchanged': '', '--no-skip-worktree': '' };
  for (const [, flag, name = ''] of listed.value.stdout.toString('latin1').matchAll(ENTRY)) {
    if (flag === undefined) {
      submodules.push(name);
      continue;
    }
    const how = flag === 'S' ? 'skip-worktree' : 'assume-unchanged';
    flagged.set(name, `git is told not to look at it (${how})`);
    if (flag !== 'S') looks['--no-assume-unchanged'] += `${name}\0`;
    if (/s/i.test(flag)) looks['--no-skip-worktree'] += `${name}\0`;
  }
  // A file that a sparse checkout leaves out is missing by right; git looks at it where it stands on disk all the same.
  if (looks['--no-skip-worktree'] !== '' && (!isOwn || (await isSparse(options))))
    looks['--no-skip-worktree'] = '';
  for (const [look, names] of Object.entries(looks)) {
    if (names === '') continue;
    const input = Buffer.from(names, 'latin1');
    const done = await git(['update-index', look, '-z', '--stdin'], { ...options, input });
    if (!done.ok) return done;
  }
  return ok({ flagged, submodules });
}

async function isSparse(options: GitOptions): Promise<boolean> {
  const said = await git(['config', '--type=bool', 'core.sparseCheckout'], options);
  return said.ok && said.value.stdout.toString().trim() === 'true';
}

export interface Taken {
  readonly top: string;
  readonly options: GitOptions;
  readonly base: string;
  readonly tree: string;
  /** What git lists as changed, without what is set aside. */
  readonly files: readonly ChangedFile[];
  readonly submodules: readonly ByteString[];
}

/** What is changed, and makes no difference between base and tree, by the reason in words. */
export async function passedOver(taken: Taken): Promise<Result<SetAside>> {
  const { base, tree, files, submodules, options } = taken;
  const differing = await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, tree], options);
  if (!differing.ok) return differing;
  const seen = new Set(differing.value.stdout.toString('latin1').split('\0'));
  const over = new Map<ByteString, string>();
  const left = files.filter(({ name }) => !seen.has(name));
  const staged = new Set(left.filter(({ onDisk }) => !onDisk).map(({ name }) => name));
  for (const name of staged) over.set(name, 'staged otherwise than it is on disk; "--staged" shows that');
  const edited = left.filter(({ name, status }) => status === 'M' && !staged.has(name));
  const kept = await keptOtherwise(edited, taken);
  if (!kept.ok) return kept;
  for (const name of kept.value)
    over.set(name, 'changed on disk, where git keeps none of it (line ends, or what "$Id$" stands for)');
  const within = await sideBySide(submodules, LOOKS_AT_ONCE, (name) => editedWithin(taken.top, name));
  for (const [at, name] of submodules.entries()) if (within[at]) over.set(name, within[at]);
  return ok(over);
}

/** Files of which git would keep the same as before, although it would write something else. */
async function keptOtherwise(
  files: readonly ChangedFile[],
  { top, options }: Taken,
): Promise<Result<readonly ByteString[]>> {
  const over: ByteString[] = [];
  // Nothing that a file could hold.
  const mark = `${randomUUID()} `;
  const onDisk = new Map<ByteString, ByteString>();
  let asked = '';
  let size = 0;
  for (const [at, { name, blob }] of files.entries()) {
    const image = await readImage(top, name);
    if (image.ok && image.value?.type === 'file' && blob !== null && !isBlobNamed(image.value.bytes, blob)) {
      // A line feed would ask for more. Without an answer the file is named, as is one that begins with a blank.
      if (!name.includes('\n')) asked += `${blob} ${name}\n`;
      onDisk.set(name, `${name}\n${latin1(image.value.bytes)}\n`);
      size += image.value.bytes.length;
    }
    if (onDisk.size === 0 || (size < COMPARED_BYTES && at < files.length - 1)) continue;
    const read = await git(['cat-file', '--buffer', `--batch=${mark}%(rest)`, '--filters'], {
      ...options,
      input: Buffer.from(asked, 'latin1'),
    });
    if (!read.ok) return read;
    const written = new Set(read.value.stdout.toString('latin1').split(mark));
    for (const [one, text] of onDisk) if (!written.has(text)) over.push(one);
    onDisk.clear();
    [asked, size] = ['', 0];
  }
  return ok(over);
}

/** A repository of its own is asked under settings of its own, and so is each one in it. */
async function editedWithin(top: string, name: ByteString): Promise<string | null> {
  const folder = absolutePath(top, name).toString();
  if (!existsSync(path.join(folder, '.git')) || (await realpath(folder)) !== folder) return null;
  const repository = await openRepository(folder);
  if (!repository.ok) return 'a submodule that cannot be read';
  const options = { repository: repository.value };
  const edited = 'a submodule that was edited; "copane review" in its folder shows that';
  const status = await git(['status', '--porcelain', '-z', '--ignore-submodules=dirty'], options);
  const listed = await git(LIST_ENTRIES, options);
  if (!status.ok || !listed.ok || status.value.stdout.length > 0) return edited;
  for (const [, flag, inner = ''] of listed.value.stdout.toString('latin1').matchAll(ENTRY))
    if (flag === undefined && (await editedWithin(folder, inner)) !== null) return edited;
  return null;
}
