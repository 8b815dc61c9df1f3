/** Whether to admit another suggestion: not one that is already there, and not beyond the limits. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Steps } from '../../lib/steps.ts';
import { displayBytes, lineEndAt } from '../core/bytes.ts';
import type { Subject } from '../core/change.ts';
import type { StoredSuggestion } from '../records/records.ts';

/** Open suggestions in total; a runaway author must not fill the disk. */
export const OPEN_SUGGESTIONS_MAX = 500;
/** Per author, so that an endless publisher leaves room for others. */
export const AUTHOR_SUGGESTIONS_MAX = 100;
/** Files per author in all open suggestions; one suggestion may have as many as a patch. */
const AUTHOR_MAX_FILES = 20_000;
/** Runs of changed lines in a file that an author changes: nobody reviews more, and each decision joins all of them. */
export const AUTHOR_FILE_MAX_RUNS = 10_000;
/** Lines looked at between two pauses. */
const LINES_AT_ONCE = 20_000;
/** Characters of all file names: each event about the suggestion contains them. */
const NAMES_MAX_LENGTH = 1024 * 1024;

const FEWER_HINT = 'Discard those you no longer need, or wait for the review.';

/** Whether the user asked for it, not an author or a sandbox. */
const isOwn = ({ author = null, sandbox = null }: StoredSuggestion) => author === null && sandbox === null;

/** Refuses before anything is read if authors and sandboxes have no room at all. */
export function checkRoom(all: readonly StoredSuggestion[]): Result<void> {
  if (all.filter((one) => isOpen(one) && !isOwn(one)).length < OPEN_SUGGESTIONS_MAX) return ok(undefined);
  const hint = 'Finish or discard some of them first.';
  return fail('limit', `${OPEN_SUGGESTIONS_MAX} suggestions are open already.`, hint);
}

/** The oldest of the user's reviews that gives way to `fresh`: nothing was decided or said there. `open`: newest first. */
export function crowdedOut(
  fresh: StoredSuggestion,
  open: readonly StoredSuggestion[],
): readonly StoredSuggestion[] {
  const own = open.filter((one) => isOwn(one) && one.id !== fresh.id);
  if (!isOwn(fresh) || own.length < OPEN_SUGGESTIONS_MAX) return [];
  const oldest = own.findLast(({ acted, decidedCount }) => acted !== true && decidedCount === 0);
  return oldest === undefined ? [] : [oldest];
}

/** Refuses a patch whose names alone exceed an event's size. */
export function checkNames(files: readonly string[]): Result<void> {
  const length = files.reduce((sum, file) => sum + file.length, 0);
  if (length <= NAMES_MAX_LENGTH) return ok(undefined);
  const hint = 'Publish it in parts: "--files GLOB" takes some of the files.';
  return fail('limit', 'The file names in this patch are longer than 1 MiB in total.', hint);
}

/** Refuses an author's patch that changes one file in too many places, in however many hunks. */
export function* checkRuns(subjects: readonly Subject[]): Steps<Result<void>> {
  let lines = 0;
  for (const { changes, newPath, oldPath, patchBytes } of subjects) {
    let runs = 0;
    for (const { hunk } of changes) {
      let wasChanged = false;
      for (let at = hunk?.bodyStart ?? 0; at < (hunk?.bodyEnd ?? 0); at = lineEndAt(patchBytes, at)) {
        const marker = String.fromCharCode(patchBytes[at] ?? 0);
        const isChanged: boolean = marker === '+' || marker === '-' || (wasChanged && marker === '\\');
        if (isChanged && !wasChanged) runs += 1;
        wasChanged = isChanged;
        lines += 1;
        if (lines % LINES_AT_ONCE === 0) yield;
      }
    }
    if (runs > AUTHOR_FILE_MAX_RUNS) return tooManyRuns(displayBytes(newPath ?? oldPath ?? ''));
  }
  return ok(undefined);
}

const tooManyRuns = (file: string) =>
  fail(
    'limit',
    `The patch changes ${file} in more than ${AUTHOR_FILE_MAX_RUNS} separate places.`,
    'Offer the change of this file in parts, one after the other.',
  );

/** The id of an author's open suggestion with equal content; null for a new one, and always for the user's programs. */
export function admit(
  fresh: StoredSuggestion,
  all: readonly StoredSuggestion[],
  { isSandbox = false }: { readonly isSandbox?: boolean } = {},
): Result<string | null> {
  if (fresh.turns !== undefined) return ok(all.find((one) => isSameTurns(one, fresh))?.id ?? null);
  if (fresh.author === null && !isSandbox) return ok(null);
  const own = all.filter(
    (one) =>
      isOpen(one) && one.author === fresh.author && (fresh.author !== null || one.source === fresh.source),
  );
  const same = own.find((one) => offersTheSame(one, fresh));
  if (same !== undefined) return ok(same.id);
  if (own.length >= AUTHOR_SUGGESTIONS_MAX)
    return fail(
      'limit',
      `${AUTHOR_SUGGESTIONS_MAX} suggestions of this author are open already.`,
      FEWER_HINT,
    );
  const files = own.reduce((sum, one) => sum + one.files.length, fresh.files.length);
  if (own.length === 0 || files <= AUTHOR_MAX_FILES) return ok(null);
  const most = `The open suggestions of this author would have more than ${AUTHOR_MAX_FILES} files.`;
  return fail('limit', most, FEWER_HINT);
}

const isSameTurns = (one: StoredSuggestion, other: StoredSuggestion) =>
  isOpen(one) && JSON.stringify(one.turns) === JSON.stringify(other.turns) && offersTheSame(one, other);

const isOpen = ({ end }: StoredSuggestion) => end === null;

/** Whether both are the same patch for the same target. */
export function offersTheSame(one: StoredSuggestion, other: StoredSuggestion): boolean {
  return (
    one.target === other.target &&
    one.patch === other.patch &&
    JSON.stringify(one.selected) === JSON.stringify(other.selected)
  );
}
