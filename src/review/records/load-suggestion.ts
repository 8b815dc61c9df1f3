/** One suggestion in memory: its subjects, and its files' reviews against the current target. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { carryOver } from '../core/carry-over.ts';
import type { Change, Subject } from '../core/change.ts';
import { FileReview } from '../core/file-review.ts';
import { type ChangeState, type FileImage, type FileState, isPresent, stateOf } from '../core/file-state.ts';
import { blockedBy, EXISTS, HunkPlacer } from '../core/hunk-placer.ts';
import { sha256 } from '../files/hash.ts';
import { absolutePath, findImage, isOnDisk, lookAtParents, lstatOrNull } from '../files/target-files.ts';
import type { Blobs, ReviewRecords, StoredChange, StoredFile, StoredSuggestion } from './records.ts';
import { changesOf, freshState, isBegun, partsOf, unpackChange } from './stored-file.ts';
import { buildSubjects, readPatch } from './stored-patch.ts';

export interface Loaded {
  readonly stored: StoredSuggestion;
  readonly subjects: readonly Subject[];
  readonly files: readonly StoredFile[];
  /** Replaced by each decision; only what it did to the index is added afterwards. */
  readonly changes: Map<string, StoredChange>;
  /** Reviews opened at this revision, with only stored data and the disk's content at that time. */
  readonly reviews: Map<number, FileReview>;
  /** The hunks of the reviewer's last round; omitted: none, or unknown. */
  readonly round?: ReadonlySet<string>;
}

/** A file's review, and the disk's content when it was opened. */
export interface OpenFile {
  readonly position: number;
  readonly review: FileReview;
  readonly found: FileImage | null;
  /** The stored base, before the user's later edits were merged in. */
  readonly kept: FileImage | null;
  readonly keptChanges: FileState['changes'];
  /** What the disk should have for this review. */
  readonly imageFor: (next: FileReview) => FileImage | null;
}

/** Loads a stored suggestion. `known` saves reading the patch again. */
export async function load(
  records: ReviewRecords,
  blobs: Blobs,
  id: string,
  known: Loaded | null,
): Promise<Result<Loaded>> {
  const stored = records.suggestion(id);
  if (stored === null)
    return fail('not_found', `Suggestion not found: ${id}`, 'Run "copane suggestions" to see them.');
  if (known !== null && known.stored.revision === stored.revision) return ok(known);
  const changes = new Map(records.changes(id).map((change) => [change.id, change]));
  const files = records.files(id);
  const rest = { changes, files, reviews: new Map(), ...(await lastRound(stored, blobs)) };
  if (known?.stored.patch === stored.patch) return ok({ stored, subjects: known.subjects, ...rest });
  const bytes = await blobs.get(stored.patch);
  if (!bytes.ok) {
    const hint = `Discard it with "copane finish ${id} discard", and have it published again.`;
    return fail('internal', `The patch of suggestion ${id} is lost. ${bytes.error.message}`, hint);
  }
  const patch = await readPatch(bytes.value, stored.selected);
  if (!patch.ok) return patch;
  return ok({ stored, subjects: await buildSubjects(patch.value, stored, blobs), ...rest });
}

/** The hunks of the reviewer's last round, if there was one. */
export async function lastRound(
  { round }: Pick<StoredSuggestion, 'round'>,
  blobs: Blobs,
): Promise<Pick<Loaded, 'round'>> {
  const kept = round === undefined ? null : await blobs.get(round);
  if (kept?.ok !== true) return {};
  return { round: new Set(Buffer.from(kept.value).toString('latin1').split('\n')) };
}

/** A suggestion whose patch is lost and that can only be finished; null if there is no such suggestion. */
export function loadWithoutPatch(records: ReviewRecords, id: string): Loaded | null {
  const stored = records.suggestion(id);
  if (stored === null) return null;
  return { stored, subjects: [], files: [], changes: new Map(), reviews: new Map() };
}

/** The file of a change, by the id of a hunk, a part, or a split hunk. */
export function positionOf(loaded: Loaded, id: string): number {
  return loaded.subjects.findIndex((subject, position) => {
    if (subject.changes.some((change) => change.id === id)) return true;
    const stored = loaded.files[position];
    return (
      stored !== undefined &&
      stored.parts.length > 0 &&
      changesOf(subject, stored).some((change) => change.id === id)
    );
  });
}

/** The same for several in one pass; -1 for each that is missing. */
export function positionsOf(loaded: Loaded, ids: readonly string[]): readonly number[] {
  if (ids.length === 1) return ids.map((id) => positionOf(loaded, id));
  const known = new Map<string, number>();
  for (const [position, subject] of loaded.subjects.entries()) {
    const stored = loaded.files[position];
    const parts = stored === undefined || stored.parts.length === 0 ? [] : changesOf(subject, stored);
    for (const { id } of [...subject.changes, ...parts]) known.set(id, position);
  }
  return ids.map((id) => known.get(id) ?? -1);
}

/** The change with this id, and its file. */
export function hunkOf(loaded: Loaded, id: string): Result<{ position: number; change: Change }> {
  const position = positionOf(loaded, id);
  const [subject, stored] = [loaded.subjects[position], loaded.files[position]];
  const all =
    subject === undefined || stored === undefined ? [] : [...changesOf(subject, stored), ...subject.changes];
  const change = all.find((one) => one.id === id);
  return change === undefined ? fail('not_found', `Hunk not found: ${id}`) : ok({ position, change });
}

/** Opens a file's review against the target's current content. */
export async function openFile(loaded: Loaded, position: number, blobs: Blobs): Promise<Result<OpenFile>> {
  const subject = loaded.subjects[position];
  const stored = loaded.files[position];
  if (subject === undefined || stored === undefined)
    return fail('internal', 'A file of this suggestion is no longer stored.');
  const root = loaded.stored.target;
  const known = await reviewOf(loaded, position, subject, stored, blobs);
  if (!known.ok) return known;
  if (loaded.stored.write === 'on-save') return ok(withoutDisk(known.value, position));
  const review = known.value.withNewPath(await newPathProblem(root, subject, known.value.path()));
  const { base, changes } = known.value.state;
  const found = await foundInsteadOf(root, review);
  if (loaded.stored.source === 'index') return ok(beside(review, position, found, stored.indexOnly === true));
  if (!found.ok) return found;
  return ok({
    position,
    review: review.withDisk(found.value),
    found: found.value,
    kept: base,
    keptChanges: changes,
    imageFor: (next) => next.image(),
  });
}

/** Staged changes are decided in the index; the disk follows if it has the same text. */
function beside(
  review: FileReview,
  position: number,
  disk: Result<FileImage | null>,
  indexOnly: boolean,
): OpenFile {
  const found = disk.ok ? disk.value : null;
  const stays = !disk.ok || indexOnly;
  return {
    ...withoutDisk(review, position),
    found,
    imageFor: (next) => (stays ? found : carryOver(found, { from: review.image(), to: next.image() })),
  };
}

/** What is on disk; the very object expected if they are equal, so that cached facts about it stay valid. */
async function foundInsteadOf(root: string, review: FileReview): Promise<Result<FileImage | null>> {
  const expected = review.image();
  const same = expected === null ? ok(false) : await isOnDisk(root, expected);
  if (!same.ok) return same;
  if (same.value) return ok(expected);
  const found = await findImage(root, review.path());
  // A folder in place of a deleted file does not restore the file.
  return expected === null && found.ok && isNoFile(review, found.value) ? ok(null) : found;
}

function isNoFile({ state }: FileReview, found: FileImage | null): boolean {
  return found?.type === 'other' || (found?.type === 'submodule' && state.base?.type !== 'submodule');
}

/** For a review written on a save, the text follows from its decisions; the disk is the saver's concern. */
function withoutDisk(review: FileReview, position: number): OpenFile {
  const { base, changes } = review.state;
  const found = review.image();
  return { position, review, found, kept: base, keptChanges: changes, imageFor: () => found };
}

/** The stored review. A cached one is reused unless its base is the disk's and that has changed. */
async function reviewOf(
  loaded: Loaded,
  position: number,
  subject: Subject,
  stored: StoredFile,
  blobs: Blobs,
): Promise<Result<FileReview>> {
  const known = loaded.reviews.get(position);
  if (known !== undefined && !isOfDisk(loaded, stored, known.state)) return ok(known);
  const fresh = known === undefined ? null : await isFresh(loaded, known.state, subject, stored);
  if (fresh !== null && !fresh.ok) return fresh;
  if (known !== undefined && fresh?.value === true) return ok(known);
  const state = await stateOfFile(loaded, position, subject, stored, blobs);
  if (!state.ok) return state;
  const review = new FileReview(subject, inPlaceState(subject, state.value), {
    newPathProblem: null,
    hash: sha256,
  });
  loaded.reviews.set(position, review);
  return ok(review);
}

/** Whether the base is not stored but is whatever is on disk. */
const isOfDisk = (loaded: Loaded, stored: StoredFile, state: FileState) =>
  stored.base === null && !loaded.stored.inPlace && !isBegun(state.changes.values());

/** Whether the disk still has what `state` was made from, so that nothing needs to be hashed or placed again. */
async function isFresh(
  loaded: Loaded,
  state: FileState,
  subject: Subject,
  stored: StoredFile,
): Promise<Result<boolean>> {
  if (state.parts.size !== stored.parts.length) return ok(false);
  const { target } = loaded.stored;
  if (state.base !== null) return isOnDisk(target, state.base);
  const disk = await findImage(target, subject.oldPath ?? subject.newPath ?? '');
  return disk.ok ? ok(disk.value === null) : disk;
}

/** Why a rename or copy cannot put its file at the new path; null if it can. */
async function newPathProblem(root: string, subject: Subject, path: string): Promise<string | null> {
  if (subject.operation !== 'rename' && subject.operation !== 'copy') return null;
  const { newPath } = subject;
  if (newPath === null || (subject.operation === 'rename' && path === newPath)) return null;
  const parents = await lookAtParents(root, newPath);
  if (!parents.ok) return parents.error.message;
  if (parents.value === 'missing') return null;
  if (parents.value !== 'there') return blockedBy(parents.value);
  return (await lstatOrNull(absolutePath(root, newPath))) === null ? null : EXISTS;
}

async function stateOfFile(
  loaded: Loaded,
  position: number,
  subject: Subject,
  stored: StoredFile,
  blobs: Blobs,
): Promise<Result<FileState>> {
  const changes = new Map<string, ChangeState>();
  for (const change of loaded.changes.values()) {
    if (change.file === position) changes.set(change.id, unpackChange(change));
  }
  const { inPlace, target } = loaded.stored;
  if (stored.base === null && !inPlace && !isBegun(changes.values())) {
    const disk = await findImage(target, subject.oldPath ?? subject.newPath ?? '');
    return disk.ok ? ok(freshState(stored, disk.value, inPlace, changes)) : disk;
  }
  const common = { unmoved: stored.unmoved, inPlace, changes, parts: partsOf(stored) };
  if (stored.base === null) return ok({ base: null, ...common });
  const bytes = await blobs.get(stored.base.blob);
  if (!bytes.ok) return bytes;
  const { path, type, executable } = stored.base;
  return ok({ base: { path, type, executable, bytes: bytes.value }, ...common });
}

/** In place, all changes are in the file from the start. */
function inPlaceState(subject: Subject, state: FileState): FileState {
  if (!state.inPlace) return state;
  const placer = new HunkPlacer(subject, state, null);
  const changes = new Map(state.changes);
  const review = new FileReview(subject, state, { newPathProblem: null, hash: sha256 });
  for (const change of review.changes) {
    const known = stateOf(state, change.id);
    if (known.pieces !== null || known.frozen !== null || known.redundant || !isPresent(state, change.id))
      continue;
    const place = placer.place(change, false);
    if (place.kind === 'pieces') changes.set(change.id, { ...known, pieces: place.pieces });
  }
  return { ...state, changes };
}
