/** Builds single-file reviews from strings (one character per byte), for tests of the review core. */
import { createHash } from 'node:crypto';
import { runAtOnce } from '../../src/lib/steps.ts';
import { fromLatin1, latin1 } from '../../src/review/core/bytes.ts';
import type { HashBytes, Subject } from '../../src/review/core/change.ts';
import { FileReview } from '../../src/review/core/file-review.ts';
import { type FileImage, type FileState, stateOf } from '../../src/review/core/file-state.ts';
import { formatFile } from '../../src/review/core/format-diff.ts';
import { HunkPlacer } from '../../src/review/core/hunk-placer.ts';
import { lineTable } from '../../src/review/core/line-table.ts';
import { parsePatch } from '../../src/review/core/parse-patch.ts';
import { subjectSteps } from '../../src/review/core/subjects.ts';

export const testHash: HashBytes = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** An image of a plain file. */
export function testImage(text: string, path = 'f'): FileImage {
  return { path, type: 'file', executable: false, bytes: fromLatin1(text) };
}

/** The diff from `old` to `updated` in git's form; null is a missing file. */
export function testDiff(old: string | null, updated: string | null, contextLines = 3): string {
  const side = (text: string | null) =>
    text === null
      ? null
      : { path: 'f', mode: 0o100644, table: lineTable(fromLatin1(text)), blob: '1'.repeat(40) };
  return latin1(formatFile(side(old), side(updated), contextLines));
}

/** The subjects of a patch that must parse. */
export function testSubjects(patch: string): Subject[] {
  const parsed = parsePatch(fromLatin1(patch));
  if (!parsed.ok) throw new Error(parsed.error.message);
  const binary = () => ({ problem: 'no binary content in this test' });
  return runAtOnce(subjectSteps(parsed.value, testHash, binary));
}

export interface TestReviewOptions {
  readonly unmoved?: boolean;
  readonly inPlace?: boolean;
  readonly newPathProblem?: string;
}

/** A review of the patch's only file against `target`. */
export function testReview(
  patch: string,
  target: string | null,
  options: TestReviewOptions = {},
): FileReview {
  const [subject] = testSubjects(patch);
  if (subject === undefined) throw new Error('the patch names no file');
  const state: FileState = {
    base: target === null ? null : testImage(target, subject.oldPath ?? subject.newPath ?? 'f'),
    unmoved: options.unmoved ?? true,
    inPlace: options.inPlace ?? false,
    changes: new Map(),
    parts: new Map(),
  };
  const facts = { newPathProblem: options.newPathProblem ?? null, hash: testHash };
  const review = new FileReview(subject, state, facts);
  return options.inPlace === true ? placedInPlace(review) : review;
}

/** The file already has all changes, as in the review of a working copy. */
function placedInPlace(review: FileReview): FileReview {
  const placer = new HunkPlacer(review.subject, review.state, null);
  const changes = new Map(
    review.changes.map((change) => {
      const place = placer.place(change, false);
      if (place.kind !== 'pieces') throw new Error(`no place: ${JSON.stringify(place)}`);
      return [change.id, { ...stateOf(review.state, change.id), pieces: place.pieces }] as const;
    }),
  );
  return new FileReview(
    review.subject,
    { ...review.state, changes },
    { newPathProblem: null, hash: testHash },
  );
}

/** The file's current content; null when there is none. */
export function textOf(review: FileReview): string | null {
  const image = review.image();
  return image === null ? null : latin1(image.bytes);
}

/** The value of a result that must be ok. */
export function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
