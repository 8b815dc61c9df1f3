/** What git prints, as values: a word, a list, the files of a diff. And file names in the form git reads. */
import { isUtf8 } from 'node:buffer';
import { ok, type Result } from '../../lib/result.ts';
import type { ByteString } from '../core/bytes.ts';
import { type GitOptions, git } from './git.ts';

/** Most paths as arguments of one call; for more, everything is listed. */
const NAMES_MAX = 200;
const NO_BLOB = /^0+$/;

/** Paths for a command line; empty, meaning all, if they are too many or one is not text. */
export function namesAsArguments(names: readonly ByteString[]): readonly string[] {
  const bytes = names.map((name) => Buffer.from(name, 'latin1'));
  return names.length <= NAMES_MAX && bytes.every(isUtf8) ? bytes.map(String) : [];
}

/** Paths for a command with `-z --stdin`. */
export const namesAsInput = (names: readonly ByteString[]): Buffer =>
  Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1');

/** The one word that a command prints, such as a commit; empty if it prints none. */
export async function gitWord(args: readonly string[], options: GitOptions): Promise<Result<string>> {
  const done = await git(args, options);
  return done.ok ? ok(done.value.stdout.toString().trim()) : done;
}

/** The list that a command with `-z` prints. */
export async function gitList(args: readonly string[], options: GitOptions): Promise<Result<ByteString[]>> {
  const done = await git(args, options);
  return done.ok ? ok(listIn(done.value.stdout)) : done;
}

/** Everything up to a zero byte is one part. */
const listIn = (printed: Buffer): ByteString[] => printed.toString('latin1').split('\0').slice(0, -1);

/** Those of these files that git ignores, from the folder of the call; a tracked one is not ignored. */
export async function ignoredNames(
  names: readonly ByteString[],
  options: GitOptions,
): Promise<Result<ByteString[]>> {
  const listed = await gitList(['check-ignore', '-z', '--stdin'], {
    ...options,
    // Git reads patterns here, but a name that begins with a dot is literal.
    input: namesAsInput(names.map((name) => `./${name}`)),
    env: { ...options.env, GIT_LITERAL_PATHSPECS: '0' },
    okCodes: [0, 1],
  });
  return listed.ok ? ok(listed.value.map((name) => name.slice(2))) : listed;
}

/** One file of a diff. Old, then new. */
export interface DiffRow {
  readonly path: ByteString;
  readonly modes: readonly [number, number];
  /** Null for no file, and for content that git has not stored. */
  readonly blobs: readonly [string | null, string | null];
  /** Its first letter: `A`, `D`, `M`, `T`, or `U` for an unmerged file. */
  readonly status: string;
}

/** The files that a `diff` command finds, without looking for renames. */
export async function diffRows(
  [command = '', ...rest]: readonly string[],
  options: GitOptions,
): Promise<Result<DiffRow[]>> {
  const flags = ['--raw', '-z', '--no-renames', '--no-abbrev'];
  const listed = await gitList([command, ...flags, ...rest], options);
  if (!listed.ok) return listed;
  const rows: DiffRow[] = [];
  for (let i = 0; i + 1 < listed.value.length; i += 2) {
    const [facts = '', name = ''] = listed.value.slice(i, i + 2);
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', status = ''] = facts.slice(1).split(' ');
    rows.push({
      path: name,
      modes: [Number.parseInt(oldMode, 8), Number.parseInt(newMode, 8)],
      blobs: [NO_BLOB.test(oldBlob) ? null : oldBlob, NO_BLOB.test(newBlob) ? null : newBlob],
      status: status.charAt(0),
    });
  }
  return ok(rows);
}

/** Files with an unresolved merge. */
export async function unmergedNames(options: GitOptions): Promise<Result<ByteString[]>> {
  const listed = await gitList(['ls-files', '--unmerged', '-z'], options);
  return listed.ok ? ok([...new Set(listed.value.flatMap((entry) => entry.split('\t')[1] ?? []))]) : listed;
}

/** The index as a tree. */
export const writeTree = (options: GitOptions): Promise<Result<string>> =>
  gitWord(['write-tree', '--missing-ok'], options);

/** As the index recorded them: the time `seconds:nanoseconds` (`0:0` if unknown), and the size in bytes. */
export interface IndexedStat {
  readonly time: string;
  readonly size: number;
}

/** What the index recorded of these files on disk; of all files if there are many names. */
export async function statsInIndex(
  names: readonly ByteString[],
  options: GitOptions,
): Promise<Result<ReadonlyMap<ByteString, IndexedStat>>> {
  const listed = await git(['ls-files', '--debug', '-z', '--', ...namesAsArguments(names)], options);
  if (!listed.ok) return listed;
  const found = listed.value.stdout
    .toString('latin1')
    .matchAll(/([^\0]+)\0 {2}ctime: .*\n {2}mtime: ([\d:]+)\n(?:.*\n){2} {2}size: (\d+)\t.*\n/g);
  return ok(
    new Map([...found].map(([, name = '', time = '', size]) => [name, { time, size: Number(size) }])),
  );
}
