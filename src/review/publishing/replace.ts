/** A review of the same source, or of other turns of the session, replaces the previous one and keeps its decisions. */
import type { CommandInput } from '../../protocol/command.ts';
import { partOf, type Subject } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { sha256 } from '../files/hash.ts';
import type {
  ReviewRecords,
  StoredChange,
  StoredComment,
  StoredFile,
  StoredSuggestion,
} from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';
import { grownParts, linesBeside } from './grown-hunks.ts';
import { type FileBefore, fresh, keptHunks, lostOf, ownNotes, withMoved } from './kept-hunks.ts';

type Input = Pick<CommandInput<'review/publish'>, 'source' | 'filter' | 'stage' | 'author'>;

/** Reviews of a session to search for decisions, newest first. */
const ASKED_MAX_REVIEWS = 50;

/** The user's request in a form that can be recognized; null if repeats cannot be recognized. */
export function askedFor({ source, filter, stage, author }: Input): string | null {
  // A patch on stdin is always new; sandboxes and authors are told apart by other means.
  const { kind } = source;
  if (author !== null || kind === 'patch' || kind === 'sandbox') return null;
  const { files, exclude, paths, lines } = filter;
  return JSON.stringify([source, files, exclude, paths, lines, stage]);
}

/** Whether both are reviews of one source, so that one is enough. */
function isSameSource(one: StoredSuggestion, other: StoredSuggestion): boolean {
  if (one.target !== other.target) return false;
  if (other.turns !== undefined) return one.turns?.session.sessionId === other.turns.session.sessionId;
  return other.asked != null && one.asked === other.asked;
}

/** Whether it is the user's review of turns or the working tree: scopes of the same work can replace each other. */
export const isScope = ({ asked }: Pick<StoredSuggestion, 'asked'>): boolean =>
  /^\[\{"kind":"(?:turn|working_tree)"/.test(asked ?? '');

/** Whether its reader left it for another scope. */
export const isLeft = (one: StoredSuggestion, stored: StoredSuggestion): boolean =>
  one.id === stored.scopeOf && one.target === stored.target && isScope(one) && isScope(stored);

/** The open reviews that `stored` replaces: the one that its reader left, then newest first. */
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

/** The open review that replaced a finished one, possibly through others. */
export function successorOf(id: string, all: readonly StoredSuggestion[]): StoredSuggestion | undefined {
  const next = all.find(({ replaces }) => replaces === id);
  return next === undefined || next.end === null ? next : successorOf(next.id, all);
}

/** The most recently viewed review of the same source, open or not. */
export function lookedAtBefore(
  stored: StoredSuggestion,
  all: readonly StoredSuggestion[],
): StoredSuggestion | undefined {
  return all.find((one) => one.id !== stored.id && isSameSource(one, stored));
}

/** Whether nothing has changed since the earlier review of the source, and all its decisions still hold. */
export function isUnchanged(
  stored: StoredSuggestion,
  earlier: StoredSuggestion,
  { changes, files, now }: Content & { readonly now: readonly StoredFile[] },
): boolean {
  const seen = (one: StoredSuggestion) => JSON.stringify([one.patch, one.selected, ownNotes(one)]);
  return (
    stored.turns === undefined &&
    seen(stored) === seen(earlier) &&
    changes.every((change) => {
      if (change.decision === 'pending' || keeps(stored, change)) return true;
      // In place, a change that was taken out and is back is open.
      if (stored.inPlace) return false;
      return change.decision === 'rejected' || !isAsBefore(files[change.file], now[change.file]);
    })
  );
}

/** Whether the file is again as it was before its change. */
function isAsBefore(was: StoredFile | undefined, is: StoredFile | undefined): boolean {
  if (was === undefined || is === undefined || was.absent !== is.absent) return false;
  return is.absent || (is.origin !== null && is.origin === was.origin);
}

/** The open review of which `stored` is a later state: the same turns, perhaps still growing. */
export function grownFrom(
  stored: StoredSuggestion,
  open: readonly StoredSuggestion[],
): StoredSuggestion | undefined {
  if (stored.turns === undefined) return undefined;
  return replacedBy(stored, open).find(({ asked }) => asked != null && asked === stored.asked);
}

/** A review's stored files by position, and the decisions on their changes. */
export interface Content {
  readonly files: readonly StoredFile[];
  readonly changes: readonly StoredChange[];
}

/** Decisions and comments on these hunks in other reviews of the source; the newest counts. `lost`: comments that no hunk shows. */
export function decidedBefore(
  stored: StoredSuggestion,
  { subjects, files, earlier = [], before = [] }: Published,
  records: Pick<ReviewRecords, 'suggestions' | 'openSuggestions' | 'files' | 'changes'>,
): Content & { readonly lost: readonly StoredComment[] } {
  const { known, parts } = decided(stored, records);
  const lost = before.flatMap((one) =>
    subjects.some((subject) => nameOf(subject) === nameOf(one.subject))
      ? []
      : one.changes.filter(isOpen).flatMap(({ comments }) => comments),
  );
  const carried = subjects.map((subject, position) => {
    const whole = earlier.find((one) => nameOf(one.subject) === nameOf(subject));
    const was = before.find((one) => nameOf(one.subject) === nameOf(subject));
    const kept = was === undefined ? null : keptHunks(was, subject);
    for (const [root] of was?.file.parts ?? []) parts.delete(root);
    for (const part of kept?.parts ?? []) parts.set(part[0], [part]);
    for (const change of kept?.changes ?? []) known.set(change.id, { change, file: was?.file });
    const grownOver = new Set<string>();
    const split = subject.changes.flatMap((change) => {
      const there = parts.get(change.id);
      if (there !== undefined || whole === undefined || known.has(change.id)) return there ?? [];
      const grown = grownParts(change, whole);
      if (grown.length === 0) return [];
      const rest = linesBeside(change, grown);
      for (const { lines, was: old } of grown) {
        const { id } = partOf(change, new Set(lines), sha256);
        const comments = known.get(old.id)?.change.comments ?? [];
        const decision = old.decision === 'modified' ? 'pending' : old.decision;
        known.set(id, { change: fresh({ id, file: position, comments, decision }), file: undefined });
        grownOver.add(old.id);
      }
      const lines = [...grown.map((one) => one.lines), ...(rest.length === 0 ? [] : [rest])];
      return lines.length < 2 ? [] : [[change.id, lines] as const];
    });
    const file = files[position] as StoredFile;
    const next = split.length === 0 ? file : { ...file, parts: split };
    const ids = new Set([...subject.changes, ...changesOf(subject, next)].map(({ id }) => id));
    const stays = [...ids].flatMap((id) => {
      const one = known.get(id);
      return one === undefined ? [] : carry(stored, one, { file: next, position });
    });
    const gone = (kept?.gone ?? []).filter(({ change }) => !grownOver.has(change.id));
    lost.push(...lostOf(gone.filter(({ change }) => isOpen(change))));
    return { file: next, changes: withMoved(stays, gone, position) };
  });
  const changes = carried.flatMap((one) => one.changes);
  return { files: carried.map(({ file }) => file), changes, lost };
}

/** What is published. `earlier`: the session's open review, file by file. `before`: files of the replaced reviews. */
interface Published {
  readonly subjects: readonly Subject[];
  readonly files: readonly StoredFile[];
  readonly earlier?: readonly FileReview[];
  readonly before?: readonly FileBefore[];
}

/** What was said with a decision was told, and is settled. */
const isOpen = ({ decision }: StoredChange) => decision === 'pending';

const nameOf = ({ newPath, oldPath }: Subject) => newPath ?? oldPath;

/** A change in another review, and its file there; undefined if only its decision counts. */
interface Known {
  readonly change: StoredChange;
  readonly file: StoredFile | undefined;
}

function decided(
  stored: StoredSuggestion,
  records: Pick<ReviewRecords, 'suggestions' | 'openSuggestions' | 'files' | 'changes'>,
) {
  const known = new Map<string, Known>();
  /** How hunks were split, by id. */
  const parts = new Map<string, StoredFile['parts']>();
  const open = replacedBy(stored, records.openSuggestions());
  // Turns return to hunks of finished reviews.
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
  // If the text without our changes is equal, every stored fact about one still holds.
  const isSameBase =
    before !== undefined && before.absent === file.absent && before.base?.blob === file.base?.blob;
  if (stored.turns !== undefined && isSameBase) return [{ ...change, file: position }];
  const isKept = keeps(stored, change);
  if (!isKept && change.comments.length === 0) return [];
  const decision = isKept ? change.decision : 'pending';
  return [fresh({ id: change.id, file: position, comments: change.comments, decision })];
}

/** In place, a new review's changes are in the files, so they can have been accepted. Elsewhere it is the reverse. */
function keeps(stored: StoredSuggestion, { decision, frozen, redundant }: StoredChange): boolean {
  if (stored.turns !== undefined) return decision === 'accepted' || decision === 'rejected';
  return decision === (stored.inPlace ? 'accepted' : 'rejected') && frozen === null && !redundant;
}
