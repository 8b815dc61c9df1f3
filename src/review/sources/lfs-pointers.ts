/** The pointer that Git LFS stores in place of a file, and whether the file on disk matches it. */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ok, type Result } from '../../lib/result.ts';
import { readRegular, streamRegular } from '../../platform/regular-file.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import type { ByteString } from '../core/bytes.ts';
import { absolutePath } from '../files/target-files.ts';
import { readBlobs } from '../vcs/blobs.ts';
import { type GitOptions, git } from '../vcs/git.ts';

/** Larger files are compared only by size. */
const HASH_MAX_BYTES = 64 * 1024 * 1024;
const POINTER_MAX_BYTES = 1024;

export interface LfsPointer {
  readonly oid: string;
  readonly size: number;
}

/** The pointers among these files' blobs. */
export async function readPointers(
  options: GitOptions,
  all: readonly { readonly name: ByteString; readonly blob: string | null }[],
): Promise<Result<ReadonlyMap<ByteString, LfsPointer>>> {
  const pointers = new Map<ByteString, LfsPointer>();
  const files = all.filter(({ blob }) => blob !== null);
  if (files.length === 0) return ok(pointers);
  const input = `${files.map(({ blob }) => blob).join('\n')}\n`;
  const sizes = await git(['cat-file', '--batch-check=%(objectsize)'], { ...options, input });
  if (!sizes.ok) return sizes;
  const lengths = sizes.value.stdout.toString().split('\n').map(Number);
  const small = files.filter((_, i) => (lengths[i] ?? Number.NaN) <= POINTER_MAX_BYTES);
  if (small.length === 0) return ok(pointers);
  const contents = await readBlobs(
    small.flatMap(({ blob }) => blob ?? []),
    options,
  );
  if (!contents.ok) return contents;
  for (const { name, blob } of small) {
    const pointer = parsePointer(contents.value.get(blob ?? '')?.toString('latin1') ?? '');
    if (pointer !== null) pointers.set(name, pointer);
  }
  return ok(pointers);
}

function parsePointer(text: string): LfsPointer | null {
  if (!text.startsWith('version https://git-lfs.github.com/spec/')) return null;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

/** Whether the file on disk is the pointer's content, or a pointer to it. */
export async function hasLfsContent(
  top: string,
  name: ByteString,
  { oid, size }: LfsPointer,
): Promise<boolean> {
  const file = absolutePath(top, name);
  return unlessSystemFails(async () => {
    const found = await lstat(file);
    if (!found.isFile()) return false;
    if (found.size <= POINTER_MAX_BYTES) {
      const pointer = parsePointer(
        (await readRegular(file, { maxBytes: POINTER_MAX_BYTES })).toString('latin1'),
      );
      if (pointer !== null) return pointer.oid === oid;
    }
    if (found.size !== size) return false;
    if (found.size > HASH_MAX_BYTES) return true;
    const digest = createHash('sha256');
    await pipeline(streamRegular(file, { maxBytes: HASH_MAX_BYTES }), digest);
    return digest.digest('hex') === oid;
  }, false);
}
