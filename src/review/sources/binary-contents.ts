/** The bytes of a patch's binary files: unpacked beside the host's thread, with the old ones from the target or git. */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { fail, ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import { applyDelta, BINARIES_MAX_BYTES, BINARY_MAX_BYTES } from '../core/binary-patch.ts';
import { type ByteString, emptyBytes, latin1, sameBytes } from '../core/bytes.ts';
import { asWritten } from '../core/line-ends.ts';
import type { BinaryPart, BinaryPatch, FilePatch, Patch } from '../core/patch-model.ts';
import type { IsSecret } from '../core/secret-files.ts';
import { isBlobNamed } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import type { Blobs, StoredBinary } from '../records/records.ts';
import { keepSides } from '../records/stored-patch.ts';
import { git, openRepository, type Repository } from '../vcs/git.ts';
import type { ReadImages } from './read-images.ts';

const inflateAside = promisify(inflate);

interface BinaryOptions {
  readonly root: string;
  readonly inPlace: boolean;
  /** Given for a patch whose author may not read files here. */
  readonly isSecret?: IsSecret | undefined;
  readonly blobs: Blobs;
}

/** Both sides of each binary file of a patch, by its place. */
export async function resolveBinaries(
  patch: Patch,
  options: BinaryOptions,
  images: ReadImages['found'],
): Promise<Result<Record<string, StoredBinary>>> {
  const binaries: Record<string, StoredBinary> = {};
  const slices = new Slices();
  let bytes = 0;
  for (const [at, file] of patch.files.entries()) {
    if (file.binary === null) continue;
    bytes += file.binary.kind === 'present' ? file.binary.forward.size : 0;
    if (bytes > BINARIES_MAX_BYTES) {
      const most = BINARIES_MAX_BYTES / 1024 / 1024;
      return fail('refused', `The binary files of the patch are larger than ${most} MiB together.`);
    }
    await slices.pause();
    const found = await resolveBinary(file, options, images);
    if (!found.ok) return found;
    binaries[at] = found.value;
  }
  return ok(binaries);
}

async function resolveBinary(
  file: FilePatch,
  options: BinaryOptions,
  images: ReadImages['found'],
): Promise<Result<StoredBinary>> {
  if (file.binary === null || file.binary.kind === 'absent') {
    return ok({ problem: 'the patch does not hold the bytes of this binary file (make it with --binary).' });
  }
  const old = await oldBinary(file, options);
  if (!old.ok) return old;
  if (old.value === 'unknown')
    return ok({
      problem: 'the bytes that this binary change was made from are not here, or not named in full.',
    });
  if ((old.value?.length ?? 0) > BINARY_MAX_BYTES)
    return ok({ problem: `the binary file is larger than ${BINARY_MAX_BYTES / 1024 / 1024} MiB.` });
  const updated = file.operation === 'delete' ? ok(null) : await inflatePart(file.binary.forward, old.value);
  if (!updated.ok) return updated.error.code === 'refused' ? ok({ problem: updated.error.message }) : updated;
  if (options.isSecret !== undefined && !(await hasOldBytes(file.binary, old.value, updated.value)))
    return ok({
      problem: 'the patch does not hold the bytes that it replaces (make it with git diff --binary).',
    });
  const [kept, path] = options.inPlace ? [updated.value, file.newPath] : [old.value, file.oldPath];
  const disk = images.get(path ?? '');
  const written = (side: Uint8Array | null) =>
    side === null || kept === null || disk?.type !== 'file' ? side : asWritten(side, kept, disk.bytes);
  return keepSides(written(old.value), written(updated.value), options.blobs);
}

/** The whole name of a blob: with a part of it, or none, an author could be shown a file that it has never seen. */
const WHOLE_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The old bytes: the target's if git's name matches them, else from its repository. */
async function oldBinary(
  file: FilePatch,
  options: BinaryOptions,
): Promise<Result<Uint8Array | null | 'unknown'>> {
  if (file.oldPath === null) return ok(null);
  const { oldBlob } = file;
  if (oldBlob === null || !WHOLE_NAME.test(oldBlob)) return ok('unknown');
  const found = await readImage(options.root, file.oldPath);
  if (!found.ok) return found;
  if (found.value !== null && isBlobNamed(found.value.bytes, oldBlob)) return ok(found.value.bytes);
  const repository = await openRepository(options.root);
  if (!repository.ok) return ok('unknown');
  // A deleted file is restored as git would write it here; any other is compared with the disk.
  const isGone = options.inPlace && file.operation === 'delete';
  const name = Buffer.from(prefixOf(options.root, repository.value) + file.oldPath, 'latin1').toString(
    'utf8',
  );
  const form = isGone ? ['--filters', `--path=${name}`] : ['blob'];
  const kept = await git(['cat-file', ...form, oldBlob], { repository: repository.value });
  return ok(kept.ok ? kept.value.stdout : 'unknown');
}

/** Whether its reverse part gives the old bytes: a name alone does not prove that the author has them. */
async function hasOldBytes(
  { reverse }: Extract<BinaryPatch, { readonly kind: 'present' }>,
  old: Uint8Array | null,
  updated: Uint8Array | null,
): Promise<boolean> {
  if (old === null) return true;
  const back = reverse === null ? null : await inflatePart(reverse, updated);
  return back?.ok === true && sameBytes(back.value, old);
}

async function inflatePart(
  { kind, size, deflated }: BinaryPart,
  base: Uint8Array | null,
): Promise<Result<Uint8Array>> {
  try {
    const bytes = await inflateAside(deflated, { maxOutputLength: Math.min(BINARY_MAX_BYTES, size + 1) });
    if (bytes.length !== size)
      return fail('invalid', 'The binary part of the patch does not have the size it states.');
    return kind === 'literal' ? ok(bytes) : applyDelta(base ?? emptyBytes(), bytes);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return fail(
      'invalid',
      'The binary part of the patch cannot be decompressed.',
      'It may have been cut off.',
    );
  }
}

/** The path of a target below the top of its repository, with a closing slash. */
export const prefixOf = (root: string, { top }: Repository): ByteString =>
  root === top ? '' : `${latin1(Buffer.from(root.slice(top.length + 1)))}/`;
