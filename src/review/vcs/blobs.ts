/** Reads git's object store: the names and contents of files. */

import { ok, type Result } from '../../lib/result.ts';
import { type GitOptions, git, type Repository } from './git.ts';
import { gitList, namesAsArguments } from './git-output.ts';

/** Git's name for each file in a commit's tree, by path; files not in the commit are left out. */
export async function blobsAt(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const blobs = new Map<string, string>();
  // `ls-tree` takes paths only as arguments; listing the whole tree of a large repository is cheaper than many calls.
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...namesAsArguments(paths)];
  const listed = await gitList(args, { repository });
  if (!listed.ok) return blobs;
  for (const entry of listed.value) {
    const match = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry);
    if (match?.[1] !== undefined && match[2] !== undefined) blobs.set(match[2], match[1]);
  }
  return blobs;
}

/** The content of blobs by name. Missing ones are left out. */
export async function readBlobs(
  names: readonly string[],
  options: GitOptions,
): Promise<Result<ReadonlyMap<string, Buffer>>> {
  const contents = new Map<string, Buffer>();
  if (names.length === 0) return ok(contents);
  const read = await git(['cat-file', '--batch'], { ...options, input: `${names.join('\n')}\n` });
  if (!read.ok) return read;
  const bytes = read.value.stdout;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const [name = '', , size] = bytes.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    contents.set(name, bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return ok(contents);
}
