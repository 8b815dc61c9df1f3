/** Edits that git does not store: it would write something else than what is on disk. */

import { ok, type Result } from '../../lib/result.ts';
import { type ByteString, sameBytes } from '../core/bytes.ts';
import { isBlobNamed } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import { type GitOptions, git, withScratch } from '../vcs/git.ts';
import { namesAsInput } from '../vcs/git-output.ts';
import type { ChangedFile } from './set-aside.ts';

/** File bytes to compare per git process, which may write ten times as much for "$Id$". */
const COMPARED_BYTES = 16 * 1024 * 1024;
/** Git's exit codes if it cannot write some of the files; those are reported. */
const CHECKED_OUT: readonly number[] = [0, 1, 128];

/** Those of `files`, stored as before, that differ from what git would write. */
export async function keptOtherwise(
  files: readonly ChangedFile[],
  top: string,
  options: GitOptions,
): Promise<Result<readonly ByteString[]>> {
  const over: ByteString[] = [];
  let onDisk = new Map<ByteString, Uint8Array>();
  let size = 0;
  for (const [at, { name, blob }] of files.entries()) {
    const image = await readImage(top, name);
    if (image.ok && image.value?.type === 'file' && blob !== null && !isBlobNamed(image.value.bytes, blob)) {
      onDisk.set(name, image.value.bytes);
      size += image.value.bytes.length;
    }
    if (onDisk.size === 0 || (size < COMPARED_BYTES && at < files.length - 1)) continue;
    const otherwise = await writtenOtherwise(onDisk, options);
    if (!otherwise.ok) return otherwise;
    over.push(...otherwise.value);
    [onDisk, size] = [new Map(), 0];
  }
  return ok(over);
}

/** Lets git write the files into a folder of our own. This works for any name, even with a line feed. */
function writtenOtherwise(
  onDisk: ReadonlyMap<ByteString, Uint8Array>,
  options: GitOptions,
): Promise<Result<readonly ByteString[]>> {
  return withScratch(async (folder) => {
    const written = await git(['checkout-index', '--quiet', `--prefix=${folder}/`, '-z', '--stdin'], {
      ...options,
      // Without helpers: the repository could ask for thousands.
      config: [...(options.config ?? []), ['checkout.workers', '1']],
      input: namesAsInput([...onDisk.keys()]),
      okCodes: CHECKED_OUT,
    });
    if (!written.ok) return written;
    const over: ByteString[] = [];
    for (const [name, bytes] of onDisk) {
      const image = await readImage(folder, name);
      if (!image.ok || image.value === null || !sameBytes(image.value.bytes, bytes)) over.push(name);
    }
    return ok(over);
  });
}
