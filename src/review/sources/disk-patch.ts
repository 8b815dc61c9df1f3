/** A patch that git made from its stored texts, converted to the texts in the working tree. */
import { ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { type ByteString, CR, concatBytes, fromLatin1, LF, sameBytes } from '../core/bytes.ts';
import type { FileImage } from '../core/file-state.ts';
import { ADDED, bodyLine, CONTEXT, endsLine, REMOVED, readBody } from '../core/hunk-body.ts';
import { asKept, isMostlyCrlf, isUniformCrlf, withCrlf } from '../core/line-ends.ts';
import { type LineTable, lineRange, lineTable } from '../core/line-table.ts';
import { type FilePatch, MODE_SYMLINK, MODE_TYPE_MASK, type PatchHunk } from '../core/patch-model.ts';
import { isBlobNamed } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import { readPatch } from '../records/stored-patch.ts';
import { readBlobs } from '../vcs/blobs.ts';
import { type GitOptions, git } from '../vcs/git.ts';

type ImageOf = (path: ByteString) => Promise<FileImage | null>;

/** Most deleted files to ask git how it would write them; more are restored as stored. */
const DELETED_MAX = 100;
/** Files read in parallel: most of the time is waiting. */
const FILES_AT_ONCE = 8;

const NOTHING = lineTable(new Uint8Array(0));

/** The patch's files as they are on disk; `read` keeps them. */
export const imagesOnDisk =
  (top: string, read?: Map<ByteString, FileImage>): ImageOf =>
  async (path) => {
    const image = await readImage(top, path);
    if (!image.ok || image.value === null) return null;
    read?.set(path, image.value);
    return image.value;
  };

/** The index's content of a patch's files, with the disk's line ends. */
export async function imagesInIndex(
  patch: Uint8Array,
  top: string,
  options: GitOptions,
): Promise<Result<ReadonlyMap<ByteString, FileImage>>> {
  const images = new Map<ByteString, FileImage>();
  const parsed = await readPatch(patch);
  if (!parsed.ok) return ok(images);
  const blobs = await readBlobs(
    parsed.value.files.flatMap(({ newBlob }) => newBlob ?? []),
    options,
  );
  if (!blobs.ok) return blobs;
  for (const { newPath, newBlob, newMode } of parsed.value.files) {
    const bytes = blobs.value.get(newBlob ?? '');
    if (newPath === null || bytes === undefined) continue;
    const isLink = ((newMode ?? 0) & MODE_TYPE_MASK) === MODE_SYMLINK;
    const type = isLink ? 'symlink' : 'file';
    const disk = await imagesOnDisk(top)(newPath);
    const isCrlf = type === 'file' && disk?.type === 'file' && isUniformCrlf(disk.bytes);
    images.set(newPath, {
      path: newPath,
      type,
      executable: ((newMode ?? 0) & 0o111) !== 0 || (newMode === null && disk?.executable === true),
      bytes: isCrlf ? withCrlf(bytes) : bytes,
    });
  }
  return ok(images);
}

/** The patch in the lines of these images. A file with other lines stays as it is and is refused later. */
export async function asOnDisk(
  patch: Uint8Array,
  imageOf: ImageOf,
  old: { readonly base: string; readonly options: GitOptions } | null,
): Promise<Uint8Array> {
  const parsed = await readPatch(patch);
  if (!parsed.ok) return patch;
  const { bytes, files } = parsed.value;
  const changed = files.filter(({ hunks }) => hunks.length > 0);
  const asked = new Set(changed.filter(({ newPath }) => newPath === null).slice(0, DELETED_MAX));
  const onDisk = async (file: FilePatch): Promise<ReturnType<typeof diskHunks>> => {
    if (file.newPath === null) {
      const crlf = asked.has(file) && (await isWrittenCrlf(file, old));
      return crlf ? diskHunks(bytes, file, { disk: NOTHING, crlf }) : null;
    }
    const image = await imageOf(file.newPath);
    if (image?.type !== 'file' || file.newBlob === null || isBlobNamed(image.bytes, file.newBlob))
      return null;
    const crlf = isMostlyCrlf(image.bytes) || (await isWrittenCrlf(file, old));
    return diskHunks(bytes, file, { disk: lineTable(image.bytes), crlf });
  };
  const found = await sideBySide(changed, FILES_AT_ONCE, onDisk);
  const bodies = found.flatMap((hunks) => hunks ?? []);
  return bodies.length === 0 ? patch : withBodies(bytes, bodies);
}

/** Whether git writes the old text with CRLF into this working tree. */
async function isWrittenCrlf(
  { oldPath }: FilePatch,
  old: { readonly base: string; readonly options: GitOptions } | null,
): Promise<boolean> {
  if (old === null || oldPath === null) return false;
  const name = Buffer.from(oldPath, 'latin1').toString('utf8');
  const written = await git(['cat-file', '--filters', `${old.base}:${name}`], old.options);
  return written.ok && isUniformCrlf(written.value.stdout);
}

const MARKERS = [' ', '-', '+'] as const;
const NO_NEWLINE = '\\ No newline at end of file\n';

/** The hunk's body in the disk's lines; null if the disk lacks git's text. `crlf`: the line ends of removed lines. */
function diskBody(patch: Uint8Array, hunk: PatchHunk, disk: LineTable, crlf: boolean): Uint8Array | null {
  const body = readBody(patch, hunk);
  const parts: Uint8Array[] = [];
  let line = Math.max((hunk.newStart ?? 1) - 1, 0);
  for (let i = 0; i < body.count; i += 1) {
    const op = body.op(i);
    const kept = bodyLine(body, i);
    parts.push(fromLatin1(MARKERS[op] ?? MARKERS[REMOVED]));
    if (op === ADDED || op === CONTEXT) {
      const here = lineRange(disk, line, line + 1);
      if (!sameBytes(asKept(here), asKept(kept))) return null;
      parts.push(here);
      line += 1;
    } else parts.push(crlf && endsLine(body, i) ? withCr(kept) : kept);
    if (!endsLine(body, i)) parts.push(fromLatin1(`\n${NO_NEWLINE}`));
  }
  return concatBytes(parts);
}

function withCr(line: Uint8Array): Uint8Array {
  const end = line.length - 1;
  return line[end - 1] === CR ? line : concatBytes([line.subarray(0, end), Uint8Array.of(CR, LF)]);
}

/** `file`'s hunks in the disk's lines, with removed ones in CRLF or LF; null if the texts differ. */
function diskHunks(
  patch: Uint8Array,
  file: FilePatch,
  { disk, crlf }: { readonly disk: LineTable; readonly crlf: boolean },
): readonly { readonly hunk: PatchHunk; readonly body: Uint8Array }[] | null {
  const hunks = file.hunks.map((hunk) => ({ hunk, body: diskBody(patch, hunk, disk, crlf) }));
  return hunks.every((one): one is { hunk: PatchHunk; body: Uint8Array } => one.body !== null) ? hunks : null;
}

/** The patch with these bodies instead of its own. */
function withBodies(
  patch: Uint8Array,
  hunks: readonly { readonly hunk: PatchHunk; readonly body: Uint8Array }[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { hunk, body } of hunks) {
    parts.push(patch.subarray(at, hunk.bodyStart), body);
    at = hunk.bodyEnd;
  }
  parts.push(patch.subarray(at));
  return concatBytes(parts);
}
