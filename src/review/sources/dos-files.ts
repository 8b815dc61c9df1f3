/** Finds the files with LF in a patch and CRLF in the target, so that the patch is read with CRLF. */
import type { Steps } from '../../lib/steps.ts';
import { type ByteString, CR, displayBytes } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import { isUniformCrlf, withLf } from '../core/line-ends.ts';
import type { FilePatch, Patch } from '../core/patch-model.ts';
import { isBlobNamed } from '../files/hash.ts';

type Images = ReadonlyMap<ByteString, FileImage | null>;

interface DosFiles {
  readonly positions: readonly number[];
  /** The files that the patch names by blob. */
  readonly named: ReadonlySet<ByteString>;
  readonly notes: readonly string[];
}

/** In steps of one file. `inPlace`: the patch was made from the files as they are. `isGiven`: someone wrote it. */
export function* dosFiles(
  patch: Patch,
  images: Images,
  { inPlace, isGiven }: { readonly inPlace: boolean; readonly isGiven: boolean },
): Steps<DosFiles> {
  const [positions, notes]: [number[], string[]] = [[], []];
  const named = new Set<ByteString>();
  for (const [at, file] of patch.files.entries()) {
    yield;
    const path = file.oldPath ?? '';
    const image = images.get(path);
    if (inPlace || image?.type !== 'file') continue;
    if (isNamed(file, image.bytes)) named.add(path);
    else if (isGiven && isMeant(patch, file, image.bytes))
      notes.push(`The lines of ${displayBytes(path)} end in CRLF; those of the patch are read so, too.`);
    else continue;
    positions.push(at);
  }
  return { positions, named, notes };
}

/** The repository stores LF, as git's blob name shows; the disk has CRLF. */
function isNamed({ oldBlob }: FilePatch, disk: Uint8Array): boolean {
  if (oldBlob === null || isBlobNamed(disk, oldBlob)) return false;
  return isUniformCrlf(disk) && isBlobNamed(withLf(disk), oldBlob);
}

/** The patch was written or sent with LF only, so its old lines could not be in a CRLF file. */
function isMeant({ bytes }: Patch, { hunks }: FilePatch, disk: Uint8Array): boolean {
  const isLfOnly = hunks.every(
    ({ oldCount, bodyStart, bodyEnd }) => oldCount > 0 && !bytes.subarray(bodyStart, bodyEnd).includes(CR),
  );
  return hunks.length > 0 && isLfOnly && isUniformCrlf(disk);
}
