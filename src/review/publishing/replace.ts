/** A review of the same source, or of other turns of the session, replaces the one before and takes over its decisions. */
import type { CommandInput } from '../../protocol/command.ts';
import { partOf, type Subject } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { sha256 } from '../files/hash.ts';
import type { ReviewRecords, StoredChange, StoredFile, StoredSuggestion } from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';
import { grownParts, linesBeside } from './grown-hunks.ts';

type Input = Pick<CommandInput<'review/publish'>, 'source' | 'filter' | 'stage' | 'author'>;

/** Reviews of a session that are asked for decisions, the newest first. */
const ASKED_MAX_REVIEWS = 50;

/** What the user asked for, so that the same is known again; null where nothing tells that it is the same. */
export function askedFor({ source, filter, stage, author }: Input): string | null {
  // A patch on stdin is another one each time; sandboxes and authors are told apart by other means.
  const { kind } = source;
  if (author !== null || kind === 'patch' || kind === 'sandbox') return null;
  const { files, exclude, paths, lines } = filter;
  return JSON.stringify([source, files, exclude, paths, lines, stage]);
}

/** Both are reviews of one source, of which one is enough. */
function isSameSource(one: StoredSuggestion, other: StoredSuggestion): boolean {
  if (one.target !== other.target) return false;
  if (other.turns !== undefined) return one.turns?.session.sessionId === other.turns.session.sessionId;
  return other.asked != null && one.asked === other.asked;
}

/** The user's own review of turns or of the working tree: these are scopes of one work, and each can follow another. */
export const isScope = ({ asked }: Pick<StoredSuggestion, 'asked'>): boolean =>
  /^\[\{"kind":"(?:turn|working_tree)"/.test(asked ?? '');

/** Its reader left it for another scope. */
export const isLeft = (one: StoredSuggestion, stored: StoredSuggestion): boolean =>
  one.id === stored.scopeOf && one.target === stored.target && isScope(one) && isScope(stored);

/** The open reviews whose place `stored` takes: the one that its reader left, then the newest first. */
export function replacedBy(
  stored: StoredSuggestion,
  open: readonly StoredSuggestion[],
): readonly StoredSuggestion[] {
  const others = open.filter((one) => one.end === null && one.id !== stored.id);
  return [
    ...others.filter((one) => isLeft(one, stored)),
    ...others.filter((one) => !isLeft(one, stored) && isSameSource(one, stored)),
  ];
}

/** The open review that took the place of one that ended, over any number of others. */
export function successorOf(id: string, all: readonly StoredSuggestion[]): StoredSuggestion | undefined {
  const next = all.find(({ replaces }) => replaces === id);
  return next === undefined || next.end === null ? next : successorOf(next.id, all);
}

/** The review of the same source that was looked at last, open or not. */
export function lookedAtBefore(
  stored: StoredSuggestion,
  all: readonly StoredSuggestion[],
): StoredSuggestion | undefined {
  return all.find((one) => one.id !== stored.id && isSameSource(one, stored));
}

/** Nothing has changed since the earlier review of the same source, and no decision on it is out of date. */
export function isUnchanged(
  stored: StoredSuggestion,
  earlier: StoredSuggestion,
  { changes, files, now }: Content & { readonly now: readonly StoredFile[] },
): boolean {
  const seen = ({ patch, selected, notes }: StoredSuggestion) => JSON.stringify([patch, selected, notes]);
  return (
    stored.turns === undefined &&
    seen(stored) === seen(earlier) &&
    changes.every((change) => {
      if (change.decision === 'pending' || keeps(stored, change)) return true;
      // In place, what was taken out and is there again has come back: that is open.
      if (stored.inPlace) return false;
      return change.decision === 'rejected' || !isAsBefore(files[change.file], now[change.file]);
    })
  );
}

/** The file is again what it was before it was changed. */
function isAsBefore(was: StoredFile | undefined, is: StoredFile | undefined): boolean {
  if (was === undefined || is === undefined || was.absent !== is.absent) return false;
  return is.absent || (is.origin !== null && is.origin === was.origin);
}

/** The open review that `stored` is a later state of: of the same turns, which may go on. */
export function grownFrom(
  stored: StoredSuggestion,
  open: readonly StoredSuggestion[],
): StoredSuggestion | undefined {
  if (stored.turns === undefined) return undefined;
  return replacedBy(stored, open).find(({ asked }) => asked != null && asked === stored.asked);
}

/** The files of a review as they are kept, by their position, and what was decided on their changes. */
export interface Content {
  readonly files: readonly StoredFile[];
  readonly changes: readonly StoredChange[];
}

/** What was decided on these hunks in other reviews of the source; the newest decision counts. */
export function decidedBefore(
  stored: StoredSuggestion,
  { subjects, files, earlier = [] }: Published,
  records: Pick<ReviewRecords, 'suggestions' | 'openSuggestions' | 'files' | 'changes'>,
): Content {
  const { known, parts } = decided(stored, records);
  const carried = subjects.map((subject, position) => {
    const whole = earlier.find((one) => nameOf(one.subject) === nameOf(subject));
    const split = subject.changes.flatMap((change) => {
      const kept = parts.get(change.id);
      if (kept !== undefined || whole === undefined || known.has(change.id)) return kept ?? [];
      const grown = grownParts(change, whole);
      if (grown.length === 0) return [];
      const rest = linesBeside(change, grown);
      for (const { lines, was } of grown) {
        const { id } = partOf(change, new Set(lines), sha256);
        const before = known.get(was.id);
        const decision = was.decision === 'modified' ? 'pending' : was.decision;
        const comments = before?.change.comments ?? [];
        known.set(id, { change: fresh({ id, file: position, comments, decision }), file: undefined });
      }
      const lines = [...grown.map((one) => one.lines), ...(rest.length === 0 ? [] : [rest])];
      return lines.length < 2 ? [] : [[change.id, lines] as const];
    });
    const file = files[position] as StoredFile;
    const next = split.length === 0 ? file : { ...file, parts: split };
    const changes = changesOf(subject, next).flatMap(({ id }) => {
      const one = known.get(id);
      return one === undefined ? [] : carry(stored, one, { file: next, position });
    });
    return { file: next, changes };
  });
  return { files: carried.map(({ file }) => file), changes: carried.flatMap(({ changes }) => changes) };
}

/** What is published. `earlier`: the open review of the same session, file by file. */
interface Published {
  readonly subjects: readonly Subject[];
  readonly files: readonly StoredFile[];
  readonly earlier?: readonly FileReview[];
}

const nameOf = ({ newPath, oldPath }: Subject) => newPath ?? oldPath;

/** A change of another review, and its file there; undefined where only its decision counts. */
interface Known {
  readonly change: StoredChange;
  readonly file: StoredFile | undefined;
}

function decided(
  stored: StoredSuggestion,
  records: Pick<ReviewRecords, 'suggestions' | 'openSuggestions' | 'files' | 'changes'>,
) {
  const known = new Map<string, Known>();
  /** How hunks were split, by their ids. */
  const parts = new Map<string, StoredFile['parts']>();
  const open = replacedBy(stored, records.openSuggestions());
  // Turns come back to hunks of reviews that have ended.
  const ended = stored.turns === undefined ? [] : records.suggestions();
  const others = [...open, ...ended.filter((one) => !open.includes(one) && isSameSource(one, stored))];
  for (const { id } of others.slice(0, ASKED_MAX_REVIEWS)) {
    const changes = records.changes(id);
    const files = stored.turns === undefined || changes.length === 0 ? [] : records.files(id);
    for (const change of changes)
      if (!known.has(change.id)) known.set(change.id, { change, file: files[change.file] });
    for (const part of files.flatMap((file) => file.parts))
      if (!parts.has(part[0])) parts.set(part[0], [part]);
  }
  return { known, parts };
}

function carry(
  stored: StoredSuggestion,
  { change, file: before }: Known,
  { file, position }: { readonly file: StoredFile; readonly position: number },
): readonly StoredChange[] {
  // Where the text without our changes is the same, all that is kept of one still holds.
  const isSameBase =
    before !== undefined && before.absent === file.absent && before.base?.blob === file.base?.blob;
  if (stored.turns !== undefined && isSameBase) return [{ ...change, file: position }];
  const isKept = keeps(stored, change);
  if (!isKept && change.comments.length === 0) return [];
  const decision = isKept ? change.decision : 'pending';
  return [fresh({ id: change.id, file: position, comments: change.comments, decision })];
}

/** In place, what is in a new review is in the files: it can have been accepted. Elsewhere it is the other way round. */
function keeps(stored: StoredSuggestion, { decision, frozen, redundant }: StoredChange): boolean {
  if (stored.turns !== undefined) return decision === 'accepted' || decision === 'rejected';
  return decision === (stored.inPlace ? 'accepted' : 'rejected') && frozen === null && !redundant;
}

/** Where it stands in this base is found anew. */
export const fresh = (of: Pick<StoredChange, 'id' | 'file' | 'decision' | 'comments'>): StoredChange => ({
  ...of,
  pieces: null,
  modified: null,
  redundant: false,
  frozen: null,
  past: of.decision === 'pending' ? [] : ['pending'],
  future: [],
});
