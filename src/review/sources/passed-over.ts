/**
 * What git passes over without a word in a working tree: files that it is told not to look at, edits of which it keeps
 * nothing, content that is staged alone, and what is in a submodule. All of it is named.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { type ByteString, sameBytes } from '../core/bytes.ts';
import { isBlobNamed } from '../files/hash.ts';
import { absolutePath, readImage } from '../files/target-files.ts';
import { type GitOptions, git, openRepository } from '../vcs/git.ts';
import type { ChangedFile, SetAside } from './set-aside.ts';

/** Files, or submodules, looked at side by side: most of the time is waiting. */
const LOOKS_AT_ONCE = 4;
/** An entry that is flagged, or one that is a submodule, as `ls-files -v -s` lists it. */
const ENTRY = /(?:^|\0)(?:([a-zS]) \d+|H 160000) [0-9a-f]+ \d\t([^\0]+)/g;

export interface Unlooked {
  /** Files that git is told not to look at, and how. */
  readonly flagged: SetAside;
  readonly submodules: readonly ByteString[];
}

/** Finds what git does not look into, and has it look at files that are flagged: `options` name an index of our own. */
export async function unlooked(options: GitOptions): Promise<Result<Unlooked>> {
  const listed = await git(['ls-files', '-v', '-s', '-z'], options);
  if (!listed.ok) return listed;
  const flagged = new Map<ByteString, string>();
  const assumed: ByteString[] = [];
  const submodules: ByteString[] = [];
  for (const [, flag, name = ''] of listed.value.stdout.toString('latin1').matchAll(ENTRY)) {
    if (flag === undefined) submodules.push(name);
    else
      flagged.set(
        name,
        `git is told not to look at it (${flag === 'S' ? 'skip-worktree' : 'assume-unchanged'})`,
      );
    if (flag !== undefined && flag !== 'S') assumed.push(`${name}\0`);
  }
  const input = Buffer.from(assumed.join(''), 'latin1');
  const looks = ['update-index', '--no-assume-unchanged', '-z', '--stdin'];
  const done = assumed.length === 0 ? ok(null) : await git(looks, { ...options, input });
  return done.ok ? ok({ flagged, submodules }) : done;
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
  const note = (names: readonly ByteString[], reasons: readonly (string | null)[]) => {
    for (const [at, name] of names.entries()) {
      const reason = reasons[at] ?? null;
      if (reason !== null) over.set(name, reason);
    }
  };
  const left = files.filter(({ name }) => !seen.has(name));
  const staged = new Set(left.filter(({ onDisk }) => !onDisk).map(({ name }) => name));
  for (const name of staged) over.set(name, 'staged otherwise than it is on disk; "--staged" shows that');
  const edited = left.filter(({ name, status }) => status === 'M' && !staged.has(name));
  note(
    edited.map(({ name }) => name),
    await sideBySide(edited, LOOKS_AT_ONCE, (file) => keptOtherwise(file, taken)),
  );
  note(submodules, await sideBySide(submodules, LOOKS_AT_ONCE, (name) => editedWithin(taken.top, name)));
  return ok(over);
}

/** Git would keep the same of the file as before, although it would write something else. */
async function keptOtherwise({ name, blob }: ChangedFile, { top, options }: Taken): Promise<string | null> {
  const image = await readImage(top, name);
  if (!image.ok || image.value?.type !== 'file' || blob === null) return null;
  const { bytes } = image.value;
  if (isBlobNamed(bytes, blob)) return null;
  const at = Buffer.from(name, 'latin1').toString('utf8');
  const written = await git(['cat-file', '--filters', `--path=${at}`, blob], options);
  if (!written.ok || sameBytes(written.value.stdout, bytes)) return null;
  return 'changed on disk, where git keeps none of it (line ends, or what "$Id$" stands for)';
}

/** A repository of its own is asked under settings of its own. */
async function editedWithin(top: string, name: ByteString): Promise<string | null> {
  const folder = absolutePath(top, name).toString();
  if (!existsSync(path.join(folder, '.git')) || (await realpath(folder)) !== folder) return null;
  const repository = await openRepository(folder);
  if (!repository.ok) return 'a submodule that cannot be read';
  const status = await git(['status', '--porcelain', '-z', '--ignore-submodules=all'], {
    repository: repository.value,
  });
  if (status.ok && status.value.stdout.length === 0) return null;
  return 'a submodule that was edited; "copane review" in its folder shows that';
}
