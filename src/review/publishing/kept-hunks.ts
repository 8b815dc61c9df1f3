/** Carries splits and comments over to the next version of a file, by the text of their lines. Pure. */
import { type Change, partOf, type Subject } from '../core/change.ts';
import { changedLines } from '../core/hunk-body.ts';
import { sharedLines } from '../core/moved-lines.ts';
import { movedComment, placedComment } from '../deciding/moved-comments.ts';
import { sha256 } from '../files/hash.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { StoredChange, StoredComment, StoredFile, StoredSuggestion } from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';

/** A file of an earlier review, with the records of its hunks. */
export interface FileBefore {
  readonly subject: Subject;
  readonly file: StoredFile;
  readonly changes: readonly StoredChange[];
}

/** The files of a stored review. */
export const filesOf = ({ subjects, files, changes }: Loaded): readonly FileBefore[] =>
  subjects.flatMap((subject, at) => {
    const file = files[at];
    const own = [...changes.values()].filter((change) => change.file === at);
    return file === undefined ? [] : { subject, file, changes: own };
  });

export interface KeptHunks {
  readonly parts: StoredFile['parts'];
  /** Records of hunks and parts that are still there, under their current ids. */
  readonly changes: readonly StoredChange[];
  /** Records of hunks and parts that are gone; each comment with the new hunk about the same lines, or null. */
  readonly gone: readonly {
    readonly change: StoredChange;
    readonly comments: readonly { readonly on: string | null; readonly comment: StoredComment }[];
  }[];
}

export function keptHunks({ subject: old, file, changes }: FileBefore, subject: Subject): KeptHunks {
  const { parts, names } = movedParts(old.changes, subject.changes, file.parts);
  const before = byId(old, file.parts);
  const now = byId(subject, parts);
  const known = new Set(old.changes.map(({ id }) => id));
  const kept: StoredChange[] = [];
  const gone: KeptHunks['gone'][number][] = [];
  for (const change of changes) {
    const was = before.get(change.id);
    const is = now.get(names.get(change.id) ?? change.id);
    if (was === undefined) continue;
    if (is !== undefined) {
      kept.push({ ...change, id: is.id, comments: change.comments.map((one) => movedComment(was, is, one)) });
      continue;
    }
    const about = subject.changes.filter(
      (one) => one.id === was.parent || (!known.has(one.id) && isAboutSameLines(was, one)),
    );
    gone.push({ change, comments: change.comments.map((comment) => placedComment(was, about, comment)) });
  }
  return { parts, changes: kept, gone };
}

/** The records, with the comments of hunks that are gone. */
export function withMoved(
  changes: readonly StoredChange[],
  gone: KeptHunks['gone'],
  file: number,
): readonly StoredChange[] {
  const all = new Map(changes.map((change) => [change.id, change]));
  for (const { on, comment } of gone.flatMap(({ comments }) => comments)) {
    if (on === null) continue;
    const one = all.get(on) ?? fresh({ id: on, file, comments: [], decision: 'pending' });
    all.set(on, { ...one, comments: [...one.comments, comment] });
  }
  return [...all.values()];
}

/** A record without a place: it is searched for in the new base. */
export const fresh = (of: Pick<StoredChange, 'id' | 'file' | 'decision' | 'comments'>): StoredChange => ({
  ...of,
  pieces: null,
  modified: null,
  redundant: false,
  frozen: null,
  past: of.decision === 'pending' ? [] : ['pending'],
  future: [],
});

/** A file's changes by id: whole ones, and the parts of split ones. */
function byId(subject: Subject, parts: StoredFile['parts']): ReadonlyMap<string, Change> {
  const all = [...subject.changes, ...changesOf(subject, { parts })];
  return new Map(all.map((change) => [change.id, change]));
}

/** The splits of hunks that are still there, and the new names of their parts, which follow from their lines. */
function movedParts(old: readonly Change[], now: readonly Change[], parts: StoredFile['parts']) {
  const names = new Map<string, string>();
  const moved = parts.flatMap(([root, split]) => {
    const [from, to] = [old, now].map((all) => all.find(({ id }) => id === root));
    const away = from === undefined || to === undefined ? null : awayOf(from, to);
    if (from === undefined || to === undefined || away === null) return [];
    const next = split.map((lines) => lines.map((line) => line + away));
    for (const [at, lines] of split.entries())
      names.set(partOf(from, new Set(lines), sha256).id, partOf(to, new Set(next[at]), sha256).id);
    return [[root, next] as const];
  });
  return { parts: moved, names };
}

/** How many more lines a hunk shows above its changed ones; null where these are not the same, line by line. */
function awayOf({ body: from }: Change, { body: to }: Change): number | null {
  if (from === null || to === null) return null;
  const [old, now] = [changedLines(from), changedLines(to)];
  const away = (now[0] ?? 0) - (old[0] ?? 0);
  const isSame = (line: number, at: number) =>
    now[at] === line + away && from.op(line) === to.op(line + away);
  return old.length === now.length && old.every(isSame) ? away : null;
}

/** Compares the old lines; if there are none, the line numbers. */
function isAboutSameLines(old: Change, now: Change): boolean {
  const shared = sharedLines(old, now);
  const [one, other] = [old.hunk, now.hunk];
  if (shared === 'most' || shared === 'none') return shared === 'most';
  if (one?.oldStart == null || other?.oldStart == null) return false;
  return (
    one.oldStart < other.oldStart + Math.max(1, other.oldCount) &&
    other.oldStart < one.oldStart + Math.max(1, one.oldCount)
  );
}

/** The comments that no hunk shows. */
export const lostOf = (gone: KeptHunks['gone']): readonly StoredComment[] =>
  gone.flatMap(({ comments }) => comments.flatMap(({ on, comment }) => (on === null ? comment : [])));

const LOST = 'A comment was on a hunk that is gone: ';

/** The notes on comments that no hunk shows any more, together with earlier ones. */
export function lostWords(
  lost: readonly StoredComment[],
  { notes }: Pick<StoredSuggestion, 'notes'>,
): readonly string[] {
  const words = lost.map((one) => `${LOST}${typeof one === 'string' ? one : one.text}`);
  return [...notes.filter((note) => note.startsWith(LOST)), ...words];
}

/** Notes on the change itself. */
export const ownNotes = ({ notes }: Pick<StoredSuggestion, 'notes'>) =>
  notes.filter((note) => !note.startsWith(LOST));
