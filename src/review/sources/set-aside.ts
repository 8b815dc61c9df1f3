/** Which files of a working tree are not reviewed, and why. Filters never run: theirs are not hashed or written. */

import { lstat } from 'node:fs/promises';
import { namesByReason } from '../../lib/count.ts';
import { ok, type Result } from '../../lib/result.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import { pathProblem } from '../core/safe-path.ts';
import { absolutePath } from '../files/target-files.ts';
import { attributesOf } from '../vcs/attributes.ts';
import { type GitOptions, git } from '../vcs/git.ts';
import { statsInIndex } from '../vcs/git-output.ts';
import { hasLfsContent, readPointers } from './lfs-pointers.ts';

/** A file that differs: the disk from the index, or the index from the base. */
export interface ChangedFile {
  readonly name: ByteString;
  /** The index's entry; null for none. */
  readonly blob: string | null;
  /** The base or index entry that it differs from; null for none. */
  readonly oldBlob: string | null;
  /** As in `git diff`: `A` added, `M` modified, `D` deleted, `T` another type, `U` not merged. */
  readonly status: string;
  /** The mode in the base or the index, and the new one; 0 for nothing. */
  readonly modes: readonly [old: number, updated: number];
  /** The disk differs from the index. */
  readonly onDisk: boolean;
}

/** Files to leave out, with the reason in words. `null`: not mentioned. */
export type SetAside = ReadonlyMap<ByteString, string | null>;

export interface AsideOptions {
  readonly top: string;
  /** Git runs with our own index and object store. */
  readonly options: GitOptions;
  /** Filters that the working tree's own git would run. */
  readonly filters: ReadonlySet<string>;
  /** Whether a file is requested at all. */
  readonly isWanted: (name: ByteString) => boolean;
  /** The changes are reviewed where they are: a submodule is not moved from here. */
  readonly inPlace: boolean;
  /** The tree or commit to compare with. */
  readonly base: string;
  /** Files that git was told to ignore, and how. */
  readonly flagged: SetAside;
}

const GITLINK = 0o160000;
const LFS = 'lfs';
const ENCODING = 'working-tree-encoding';

/** Chooses which differing files to leave out. */
export async function chooseAside(
  files: readonly ChangedFile[],
  how: AsideOptions,
): Promise<Result<SetAside>> {
  const aside = new Map<ByteString, string | null>();
  for (const file of files) {
    const reason = how.isWanted(file.name) ? reasonOf(file, how) : null;
    if (reason !== undefined) aside.set(file.name, reason);
  }
  const missing = await missingObjects(how);
  if (!missing.ok) return missing;
  for (const { name, blob, oldBlob } of files)
    if (!aside.has(name) && [blob, oldBlob].some((one) => one !== null && missing.value.has(one)))
      aside.set(name, 'not fetched yet (partial clone), which "git diff" or "git log -p" does');
  const left = files.filter(({ name }) => !aside.has(name));
  const names = left.map(({ name }) => name);
  const attributes = await attributesOf(names, ['filter', ENCODING], how.options);
  if (!attributes.ok) return attributes;
  const filtered: ChangedFile[] = [];
  for (const file of left) {
    const { filter = '', [ENCODING]: encoding = 'unset' } = attributes.value.get(file.name) ?? {};
    if (how.filters.has(filter) || filter === LFS) filtered.push(file);
    else if (!/^(?:un)?set$/.test(encoding)) aside.set(file.name, `stored in another encoding (${ENCODING})`);
  }
  const known = await sameAsKept(filtered, how);
  if (!known.ok) return known;
  const staged = new Set(filtered.flatMap(({ name, onDisk }) => (onDisk ? [] : name)));
  for (const { name } of filtered) {
    const filter = attributes.value.get(name)?.filter ?? '';
    if (known.value.same.has(name) && !staged.has(name)) aside.set(name, null);
    else if (known.value.pointers.has(name)) aside.set(name, 'stored by Git LFS');
    else if (how.filters.has(filter))
      aside.set(name, `under the filter "${filter}", which does not run here`);
  }
  return ok(aside);
}

/** Undefined if the file is included. */
function reasonOf(
  { name, status, onDisk, modes: [old, updated] }: ChangedFile,
  { inPlace, flagged }: AsideOptions,
) {
  if (name.endsWith('/')) return 'a repository of its own';
  if (status === 'U') return 'not merged yet; resolve its conflict first';
  const problem = pathProblem(name);
  if (problem !== null)
    return problem.replace(/^The path "(?:[^"\\]|\\.)*"…? |\.$/g, '').replace(/^/, 'its path ');
  if (inPlace && old === GITLINK && updated === GITLINK)
    return 'a submodule at another commit; "git submodule update" brings it back, "git add" keeps it';
  if (inPlace && (old === GITLINK || updated === GITLINK))
    return `a submodule that was ${old === GITLINK ? 'removed' : 'added'}; add and remove submodules with git`;
  return inPlace && onDisk ? (flagged.get(name) ?? undefined) : undefined;
}

/** Objects of base and index that a partial clone has not fetched. Asking for one by name would fetch it. */
async function missingObjects({ options, base }: AsideOptions): Promise<Result<ReadonlySet<string>>> {
  if (!options.repository.isPartial) return ok(new Set());
  const listed = await git(
    ['rev-list', '--objects', '--missing=print', '--no-walk', '--indexed-objects', base],
    options,
  );
  if (!listed.ok) return listed;
  return ok(new Set(listed.value.stdout.toString('latin1').match(/(?<=^\?)[0-9a-f]+$/gm) ?? []));
}

/** Files under a filter that are as git left them, and those that Git LFS stores. */
async function sameAsKept(
  files: readonly ChangedFile[],
  { top, options }: AsideOptions,
): Promise<Result<{ same: ReadonlySet<ByteString>; pointers: ReadonlySet<ByteString> }>> {
  const same = new Set<ByteString>();
  const onDisk = files.filter(({ onDisk }) => onDisk);
  const staged = await stagedStats(onDisk, options);
  if (!staged.ok) return staged;
  const pointers = await readPointers(options, onDisk);
  if (!pointers.ok) return pointers;
  for (const { name } of onDisk) {
    const pointer = pointers.value.get(name);
    const kept = staged.value.get(name);
    if (kept !== undefined && kept === (await statOf(top, name))) same.add(name);
    else if (pointer !== undefined && (await hasLfsContent(top, name, pointer))) same.add(name);
  }
  return ok({ same, pointers: new Set(pointers.value.keys()) });
}

/** Size and time of files in ns, as in the index: for a file no older than it, git would have to run the filter. */
async function stagedStats(
  files: readonly ChangedFile[],
  options: GitOptions,
): Promise<Result<ReadonlyMap<ByteString, string>>> {
  const names = files.filter(({ blob }) => blob !== null).map(({ name }) => name);
  if (names.length === 0) return ok(new Map());
  const stats = await statsInIndex(names, options);
  if (!stats.ok) return stats;
  return ok(new Map([...stats.value].map(([name, { time, size }]) => [name, `${time} ${size}`])));
}

async function statOf(top: string, name: ByteString): Promise<string | null> {
  return unlessSystemFails(async () => {
    const { mtimeNs, size } = await lstat(absolutePath(top, name), { bigint: true });
    return `${mtimeNs / 1_000_000_000n}:${mtimeNs % 1_000_000_000n} ${size}`;
  }, null);
}

/** One sentence per reason, with its files. */
export function notesOn(aside: SetAside): string[] {
  const told = [...aside].flatMap(([name, reason]) =>
    reason === null ? [] : [[displayBytes(name).replace(/\/$/, ''), reason] as const],
  );
  return namesByReason(told).map((words) => `${words}; not part of the review.`);
}
