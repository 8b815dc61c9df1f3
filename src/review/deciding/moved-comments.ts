/** Moves comments from hunks that are gone to those with their lines: after a split, a join, or in a next version. */
import type { Change } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { movedLines } from '../core/moved-lines.ts';
import { leavesOf } from '../core/split.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { StoredComment } from '../records/records.ts';
import { describeComment } from '../showing/describe-comment.ts';

/** The ids of stored parts that the file no longer has. */
export function staleParts(loaded: Loaded, position: number, next: FileReview): string[] {
  const before = loaded.files[position];
  if (before === undefined || (before.parts.length === 0 && next.state.parts.size === 0)) return [];
  const now = new Set(next.changes.map((change) => change.id));
  const roots = new Set(next.subject.changes.map((change) => change.id));
  return [...loaded.changes.values()]
    .filter((change) => change.file === position && !now.has(change.id) && !roots.has(change.id))
    .map((change) => change.id);
}

/** The comments on a hunk, by its id. */
export type CommentsOf = (id: string) => readonly StoredComment[];

/** The comments of all hunks; those of stale parts move to the hunk that now has their lines. */
export function commentsAfter(
  { changes }: Loaded,
  { before, next, stale }: { before: FileReview; next: FileReview; stale: readonly string[] },
): CommentsOf {
  const moved = new Map<string, StoredComment[]>();
  for (const was of stale.length === 0 ? [] : before.changes) {
    const { id, parent, picked } = was;
    if (parent === null || picked === null || !stale.includes(id)) continue;
    const heirs = leavesOf(next, parent).filter((heir) => [...picked].some((line) => decides(heir, line)));
    for (const comment of changes.get(id)?.comments ?? []) {
      const on = placedComment(was, heirs, comment).on ?? parent;
      moved.set(on, [...(moved.get(on) ?? []), comment]);
    }
  }
  return (id) => [...(changes.get(id)?.comments ?? []), ...(moved.get(id) ?? [])];
}

const decides = ({ picked }: Change, line: number) => picked?.has(line) ?? true;

/** The comment on the first of these hunks that decides its lines, else that shows them, else on the first one. */
export function placedComment(was: Change, heirs: readonly Change[], comment: StoredComment) {
  const places = heirs.map((heir) => ({ heir, on: heir.id, comment: movedComment(was, heir, comment) }));
  const showing = places.filter((one) => !isLineGone(one.comment));
  const place = showing.find((one) => isAbout(one.comment, one.heir)) ?? showing[0] ?? places[0];
  return { on: place?.on ?? null, comment: place?.comment ?? comment };
}

function isAbout(comment: StoredComment, { picked }: Change): boolean {
  if (typeof comment === 'string' || comment.lines === null || picked === null) return true;
  const { first, last } = comment.lines;
  return [...picked].some((line) => line + 1 >= first && line < last);
}

const isLineGone = (comment: StoredComment) =>
  typeof comment !== 'string' && comment.lines === null && comment.quote !== undefined;

/** Moves a comment to the same lines of another hunk; if they are gone, to the whole hunk, with a quote of them. */
export function movedComment(old: Change, now: Change, comment: StoredComment): StoredComment {
  if (typeof comment === 'string' || comment.lines === null || old.body === now.body) return comment;
  const lines = movedLines(old, now, comment.lines);
  const isWithin = lines !== null && lines.first >= 1 && lines.last <= (now.body?.count ?? 0);
  const { quote: _, ...rest } = comment;
  return { ...rest, lines, ...(isWithin ? {} : { quote: describeComment(old, comment).quote }) };
}
