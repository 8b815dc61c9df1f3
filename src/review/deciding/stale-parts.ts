/** Finds the parts that a new split or a join removes, and moves their comments to the hunks with their lines. */
import type { FileReview } from '../core/file-review.ts';
import { leavesOf } from '../core/split.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { StoredComment } from '../records/records.ts';

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
  const left = new Map<string, StoredComment[]>();
  for (const { id, parent, picked } of stale.length === 0 ? [] : before.changes) {
    if (parent === null || picked === null || !stale.includes(id)) continue;
    const heirs = leavesOf(next, parent).map((heir) => ({
      id: heir.id,
      lines: [...picked].filter((line) => heir.picked?.has(line) ?? true),
    }));
    const holding = heirs.filter(({ lines }) => lines.length > 0);
    for (const comment of changes.get(id)?.comments ?? []) {
      const heir = holding.find(({ lines }) => lines.some((line) => isAbout(comment, line))) ?? holding[0];
      const place = heir?.id ?? parent;
      left.set(place, [...(left.get(place) ?? []), comment]);
    }
  }
  return (id) => [...(changes.get(id)?.comments ?? []), ...(left.get(id) ?? [])];
}

const isAbout = (comment: StoredComment, line: number) =>
  typeof comment === 'string' ||
  comment.lines === null ||
  (line + 1 >= comment.lines.first && line < comment.lines.last);
