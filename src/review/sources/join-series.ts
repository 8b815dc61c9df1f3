/** Joins a patch that changes one file more than once (a mailbox) into one diff against the target. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import { type ByteString, concatBytes, displayBytes } from '../core/bytes.ts';
import type { Subject } from '../core/change.ts';
import { FileReview } from '../core/file-review.ts';
import type { FileImage } from '../core/file-state.ts';
import { EXISTS } from '../core/hunk-placer.ts';
import type { Patch } from '../core/patch-model.ts';
import { sha256 } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import { imagePatch } from './folder-source.ts';

/** Limit for all texts of the steps: each step makes its whole file again. */
const JOINED_MAX_BYTES = 64 * 1024 * 1024;

/** The first path that several diffs of the patch change; a type change counts as one. */
export function repeatedPath(patch: Patch): ByteString | null {
  const seen = new Set<ByteString>();
  for (const [i, file] of patch.files.entries()) {
    const path = file.newPath ?? file.oldPath ?? '';
    const previous = patch.files[i - 1];
    const isTypeChange =
      file.operation === 'create' && previous?.operation === 'delete' && previous.oldPath === path;
    const source = file.operation === 'rename' ? (file.oldPath ?? '') : path;
    if (!isTypeChange && (seen.has(path) || seen.has(source))) return path;
    seen.add(path);
    seen.add(source);
  }
  return null;
}

/** Applies all subjects in sequence to the target's content in memory, and returns the difference. */
export async function joinSeries(root: string, subjects: readonly Subject[]): Promise<Result<Uint8Array>> {
  const before = new Map<ByteString, FileImage | null>();
  const now = new Map<ByteString, FileImage | null>();
  const load = async (path: ByteString): Promise<Result<FileImage | null>> => {
    const known = now.get(path);
    if (known !== undefined) return ok(known);
    const found = await readImage(root, path);
    if (!found.ok) return found;
    before.set(path, found.value);
    now.set(path, found.value);
    return found;
  };
  const slices = new Slices();
  let bytes = 0;
  for (const subject of subjects) {
    await slices.pause();
    const applied = await applyWhole(subject, load);
    if (!applied.ok) return applied;
    bytes += applied.value.image?.bytes.length ?? 0;
    if (bytes > JOINED_MAX_BYTES) return tooLong();
    const { removed, image } = applied.value;
    if (removed !== null) now.set(removed, null);
    if (image !== null) now.set(image.path, image);
  }
  const parts: Uint8Array[] = [];
  for (const [path, image] of now) {
    parts.push(imagePatch(before.get(path) ?? null, image === null ? null : { ...image, path }));
  }
  return ok(concatBytes(parts));
}

const tooLong = () =>
  fail(
    'refused',
    'The patch changes the same files too many times to join its steps.',
    'Make one diff of the whole change: git diff BASE HEAD.',
  );

async function applyWhole(
  subject: Subject,
  load: (path: ByteString) => Promise<Result<FileImage | null>>,
): Promise<Result<{ removed: ByteString | null; image: FileImage | null }>> {
  const from = await load(subject.oldPath ?? subject.newPath ?? '');
  if (!from.ok) return from;
  const to = await load(subject.newPath ?? subject.oldPath ?? '');
  if (!to.ok) return to;
  const moves = subject.operation === 'rename' || subject.operation === 'copy';
  const review = new FileReview(
    subject,
    { base: from.value, unmoved: true, inPlace: false, changes: new Map(), parts: new Map() },
    { newPathProblem: moves && to.value !== null ? EXISTS : null, hash: sha256 },
  );
  const accepted = review.decide(new Set(review.changes.map((change) => change.id)), 'accept');
  if (!accepted.ok) {
    const path = displayBytes(subject.newPath ?? subject.oldPath ?? '');
    return fail(
      'refused',
      `The patch changes ${path} more than once, and its steps do not fit the target: ${accepted.error.message}`,
    );
  }
  return ok({
    removed: subject.operation === 'copy' ? null : subject.oldPath,
    image: accepted.value.image(),
  });
}
