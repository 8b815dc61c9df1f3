/** Admits a patch: refuses what may not be touched, and compares each file with the patch's original. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { Slices } from '../../platform/slices.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import { contains, type Step } from '../core/carry-over.ts';
import type { Subject } from '../core/change.ts';
import type { FileImage } from '../core/file-state.ts';
import { invertHunks } from '../core/invert.ts';
import { isUniformCrlf, withLf } from '../core/line-ends.ts';
import { parseSteps } from '../core/parse-patch.ts';
import type { FilePatch, Patch } from '../core/patch-model.ts';
import { pathProblem } from '../core/safe-path.ts';
import type { IsSecret } from '../core/secret-files.ts';
import { linesOfPatch, withSentLines } from '../core/sent-lines.ts';
import { isBlobNamed, sha256 } from '../files/hash.ts';
import { findImage } from '../files/target-files.ts';
import { checkOutsideControl } from '../files/target-folder.ts';
import type { Blobs, StoredFile } from '../records/records.ts';
import { buildSubjects, keepIds, type PatchFacts, pathsOf, selectFiles } from '../records/stored-patch.ts';
import { blobsAt } from '../vcs/blobs.ts';
import { openRepository } from '../vcs/git.ts';
import { prefixOf, resolveBinaries } from './binary-contents.ts';
import { dosFiles } from './dos-files.ts';
import type { IsWanted } from './file-scope.ts';
import { checkForeign } from './foreign-patch.ts';
import { type GeneratedAttributes, generatedAttributes, generatedLast } from './generated-last.ts';
import { joinSeries, repeatedPath } from './join-series.ts';
import { FILES_AT_ONCE, readImages } from './read-images.ts';

export interface Prepared {
  readonly patch: Uint8Array;
  readonly facts: PatchFacts;
  readonly subjects: readonly Subject[];
  readonly files: readonly StoredFile[];
  readonly notes: readonly string[];
  readonly generated: GeneratedAttributes;
}

export interface PrepareOptions {
  /** Absolute, no links. */
  readonly root: string;
  readonly patch: Uint8Array;
  readonly inPlace: boolean;
  /** Someone wrote the patch: one forbidden or unreadable path makes all of it refused. */
  readonly isGiven: boolean;
  /** For a patch whose author may not read files here. */
  readonly isSecret?: IsSecret | undefined;
  readonly isWanted: IsWanted;
  /** The files' contents, if they differ from the disk. */
  readonly images?: ReadonlyMap<ByteString, FileImage> | undefined;
  /** Files that were just read from the disk. */
  readonly read?: ReadonlyMap<ByteString, FileImage> | undefined;
  readonly blobs: Blobs;
}

/** Reads, checks and matches a patch against its target. Writes nothing there. */
export async function preparePatch(options: PrepareOptions): Promise<Result<Prepared>> {
  const slices = new Slices();
  const parsed = await slices.run(parseSteps(options.patch));
  if (!parsed.ok) return parsed;
  const outside = await checkOutsideControl(options.root);
  if (!outside.ok) return outside;
  const chosen = await chooseFiles(parsed.value.files, options, slices);
  if (!chosen.ok) return chosen;
  const notes = [...parsed.value.notes, ...chosen.value.notes];
  const generated = await generatedAttributes(options.root, parsed.value.files);
  const positions = generatedLast(chosen.value.positions, parsed.value.files, generated);
  const isAsGiven = positions.length === parsed.value.files.length && positions.every((at, i) => at === i);
  const selected = isAsGiven ? null : positions;
  const patch = selectFiles(parsed.value, selected);
  if (patch.files.length === 0) {
    const why = notes.length > 0 ? notes : ['No file or line that was asked for has changed.'];
    return fail('invalid', ['There is nothing to review.', ...why].join(' '));
  }
  const allowed =
    options.isSecret === undefined
      ? ok(undefined)
      : await checkForeign(options.root, patch.files.flatMap(touchedBy), options.isSecret);
  if (!allowed.ok) return allowed;
  const repeated = options.inPlace ? null : repeatedPath(patch);
  if (repeated === null) return prepare(patch, selected, { ...options, generated }, notes);
  const all = await joinPatch(patch, options);
  const joined =
    !all.ok || options.isSecret === undefined
      ? all
      : await slices.run(withSentLines(all.value, await slices.run(linesOfPatch(patch))));
  if (!joined.ok) return joined;
  const again = await slices.run(parseSteps(joined.value));
  if (!again.ok)
    return fail('invalid', 'No changes to publish: the steps of the patch cancel each other out.');
  const note = `The patch changes ${displayBytes(repeated)} more than once; its steps were joined into one diff.`;
  return prepare(again.value, null, { ...options, generated, patch: joined.value }, [...notes, note]);
}

const touchedBy = ({ oldPath, newPath }: FilePatch) => [
  ...(oldPath === null ? [] : [{ path: oldPath, isNew: false }]),
  ...(newPath === null || newPath === oldPath ? [] : [{ path: newPath, isNew: true }]),
];

/** The requested files that may be touched. */
async function chooseFiles(
  files: readonly FilePatch[],
  { isWanted, isGiven }: PrepareOptions,
  slices: Slices,
): Promise<Result<{ positions: readonly number[]; notes: readonly string[] }>> {
  const positions: number[] = [];
  const notes: string[] = [];
  for (const [at, file] of files.entries()) {
    await slices.pause();
    if (!isWanted(file.newPath ?? file.oldPath ?? '')) continue;
    const problem =
      pathsOf(file)
        .map(pathProblem)
        .find((one) => one !== null) ?? null;
    if (problem === null) positions.push(at);
    else if (isGiven) return fail('refused', problem, 'The patch was not published.');
    else notes.push(`${problem} It is not part of the review.`);
  }
  return ok({ positions, notes });
}

async function joinPatch(patch: Patch, options: PrepareOptions): Promise<Result<Uint8Array>> {
  const images = await readImages(patch, options);
  if (!images.ok) return images;
  const binaries = await resolveBinaries(patch, options, images.value.found);
  if (!binaries.ok) return binaries;
  const facts = { selected: null, created: [], crlf: [], binaries: binaries.value };
  return joinSeries(options.root, await buildSubjects(patch, facts, options.blobs));
}

async function prepare(
  patch: Patch,
  selected: readonly number[] | null,
  options: PrepareOptions & Pick<Prepared, 'generated'>,
  notes: readonly string[],
): Promise<Result<Prepared>> {
  const read = await readImages(patch, options);
  if (!read.ok) return read;
  const images = read.value;
  const binaries = await resolveBinaries(patch, options, images.found);
  if (!binaries.ok) return binaries;
  const slices = new Slices();
  const dos = await slices.run(dosFiles(patch, images.found, options));
  const created = patch.files.flatMap((file, at) => (makesFile(file, images.found) ? [at] : []));
  const facts = { selected, created, crlf: dos.positions, binaries: binaries.value };
  const subjects = await buildSubjects(patch, facts, options.blobs);
  const kept = await headBlobs(options.root, subjects);
  const files: StoredFile[] = [];
  const refused = new Map<number, Result<never>>();
  const looked = await sideBySide(subjects, FILES_AT_ONCE, async (subject) => {
    await slices.pause();
    const path = subject.oldPath ?? subject.newPath ?? '';
    const unread = images.refused.get(path) ?? images.refused.get(subject.newPath ?? path);
    const image = images.found.get((options.inPlace ? subject.newPath : null) ?? path) ?? null;
    const file = options.inPlace
      ? await inPlaceFile(subject, image, options)
      : ok(proposedFile(subject, image, kept, dos.named));
    return unread ?? file;
  });
  for (const [at, file] of looked.entries()) {
    if (file.ok) files.push(file.value);
    else refused.set(at, file);
  }
  const [first] = refused.values();
  if (first !== undefined) {
    if (options.isGiven || refused.size === subjects.length) return first;
    const left = patch.files.flatMap((_, at) => (refused.has(at) ? [] : [at]));
    const why = [...refused.values()].flatMap((one) =>
      one.ok ? [] : `${one.error.message} It is not part of the review.`,
    );
    const positions = left.map((at) => selected?.[at] ?? at);
    return prepare(selectFiles(patch, left), positions, options, [...notes, ...why]);
  }
  const ids = await keepIds(subjects, options.blobs);
  if (!ids.ok) return ids;
  return ok({
    patch: options.patch,
    facts: { ...facts, ids: ids.value },
    subjects,
    files,
    notes: [...notes, ...dos.notes],
    generated: options.generated,
  });
}

/** As in git: a plain diff that only adds, at line 0 of a missing file, creates it. */
function makesFile(file: FilePatch, images: ReadonlyMap<ByteString, FileImage | null>): boolean {
  const [hunk, ...more] = file.hunks;
  if (file.operation !== 'modify' || file.oldBlob !== null || hunk === undefined || more.length > 0)
    return false;
  return hunk.oldCount === 0 && !hunk.oldStart && images.get(file.oldPath ?? '') === null;
}

/** Git's names for the subjects' files at HEAD; empty outside a repository. */
async function headBlobs(
  root: string,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<ByteString, string>> {
  const unnamed = subjects.filter((subject) => subject.oldPath !== null && subject.oldBlob === null);
  if (unnamed.length === 0) return new Map();
  const opened = await openRepository(root);
  if (!opened.ok) return new Map();
  const repository = opened.value;
  const prefix = prefixOf(root, repository);
  const blobs = await blobsAt(
    repository,
    'HEAD',
    unnamed.map((subject) => `${prefix}${subject.oldPath ?? ''}`),
  );
  return new Map(
    [...blobs].flatMap(([path, blob]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), blob] as const] : [],
    ),
  );
}

/** Whether the file is the patch's original: by its blob name, else by its last commit; without history, assumed. */
function proposedFile(
  subject: Subject,
  image: FileImage | null,
  committed: ReadonlyMap<ByteString, string>,
  crlf: ReadonlySet<ByteString>,
): StoredFile {
  const origin = image === null ? null : sha256([image.bytes]);
  const path = subject.oldPath ?? '';
  const unmoved = (): boolean => {
    if (image === null || subject.oldPath === null) return true;
    if (crlf.has(path)) return true;
    if (subject.oldBlob !== null) return isBlobNamed(image.bytes, subject.oldBlob);
    const head = committed.get(path);
    if (head === undefined || isBlobNamed(image.bytes, head)) return true;
    return isUniformCrlf(image.bytes) && isBlobNamed(withLf(image.bytes), head);
  };
  const known = unmoved();
  return { base: null, absent: image === null, origin: known ? origin : null, unmoved: known, parts: [] };
}

/** The changes are in the file; its base is found by taking them out. */
export async function inPlaceFile(
  subject: Subject,
  image: FileImage | null,
  { root, blobs, images }: Pick<PrepareOptions, 'root' | 'blobs' | 'images'>,
): Promise<Result<StoredFile>> {
  const base = baseOfInPlace(subject, image);
  if (!base.ok) return base;
  if (subject.whole?.new?.type === 'symlink' && image?.type === 'file') {
    const name = displayBytes(image.path);
    return fail('refused', `${name} is a link in git and a regular file on this disk (core.symlinks).`);
  }
  const isStaged =
    images === undefined || (await standsOnDisk(root, subject, { from: base.value, to: image }));
  const where = isStaged ? {} : ({ indexOnly: true } as const);
  if (base.value === null)
    return ok({ base: null, absent: true, origin: null, unmoved: true, parts: [], ...where });
  const blob = await blobs.put(base.value.bytes);
  if (!blob.ok) return blob;
  const { path, type, executable } = base.value;
  const stored = { blob: blob.value, path, type, executable };
  return ok({
    base: stored,
    absent: false,
    origin: sha256([base.value.bytes]),
    unmoved: true,
    parts: [],
    ...where,
  });
}

/** If a folder has a deleted file's name, the file is gone. */
async function standsOnDisk(root: string, { oldPath, newPath }: Subject, step: Step): Promise<boolean> {
  const disk = await findImage(root, newPath ?? oldPath ?? '');
  if (!disk.ok) return false;
  const isGone = step.to === null && disk.value?.type === 'other';
  return contains(isGone ? null : disk.value, step);
}

function baseOfInPlace(subject: Subject, image: FileImage | null): Result<FileImage | null> {
  if (subject.oldPath === null) return ok(null);
  const name = displayBytes(subject.oldPath);
  const executable = ((subject.oldMode ?? 0) & 0o100) !== 0;
  if (subject.whole !== null) {
    const { old } = subject.whole;
    return ok(old === null ? null : { path: subject.oldPath, type: old.type, executable, bytes: old.bytes });
  }
  const hunks = subject.changes.flatMap((change) => change.hunk ?? []);
  const bytes = invertHunks(subject.patchBytes, hunks, image?.bytes ?? new Uint8Array(0));
  if (bytes === null)
    return fail('refused', `${name} cannot be made into a patch by git, or changed while it was read.`);
  const moded = subject.oldMode !== null && subject.oldMode !== subject.newMode;
  return ok({
    path: subject.oldPath,
    type: 'file',
    executable: moded ? executable : (image?.executable ?? executable),
    bytes,
  });
}
