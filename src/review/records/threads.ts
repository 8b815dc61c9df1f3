/** A hunk's comments with the author's replies. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { hunkOf, type Loaded } from './load-suggestion.ts';
import type { StoredChange, StoredComment } from './records.ts';

/** Most comments on one hunk, with replies; they are sent with the hunk. */
export const COMMENTS_MAX = 200;
export const REPLIES_MAX = 100;

const NO_COMMENT = 'There is no comment on this hunk to reply to.';

/** A reply, and the number of the comment that it answers, from 1; null: the reviewer's last. */
export interface Reply {
  readonly text: string;
  readonly to: number | null;
}

/** Whether the author wrote it, not the reviewer. */
export const isReply = (comment: StoredComment) => typeof comment !== 'string' && comment.by === 'author';

/** The comments plus a new one by the reviewer. */
export function withComment(
  comments: readonly StoredComment[],
  comment: StoredComment,
): Result<readonly StoredComment[]> {
  if (comments.filter((one) => !isReply(one)).length >= COMMENTS_MAX)
    return fail('limit', `This hunk already has ${COMMENTS_MAX} comments.`);
  return ok([...comments, comment]);
}

/** The change with a reply to a comment shown on this hunk: its own, or one on the hunk that it is part of. */
export function replyOn(loaded: Loaded, hunk: string, { text, to }: Reply): Result<StoredChange> {
  const found = hunkOf(loaded, hunk);
  if (!found.ok) return found;
  const { parent } = found.value.change;
  const whole = loaded.changes.get(parent ?? hunk);
  const part = parent === null ? undefined : loaded.changes.get(hunk);
  const above = whole?.comments.length ?? 0;
  const all = above + (part?.comments.length ?? 0);
  if (to !== null && all > 0 && to > all)
    return fail('not_found', `There is no comment ${to}: this hunk has ${all}.`);
  const isOnPart = part !== undefined && (to === null ? part.comments.length > 0 : to > above);
  const answered = isOnPart ? part : whole;
  const replied = withReply(answered?.comments ?? [], {
    text,
    to: isOnPart && to !== null ? to - above : to,
  });
  if (!replied.ok || answered === undefined) return replied.ok ? fail('not_found', NO_COMMENT) : replied;
  return ok({ ...answered, comments: replied.value });
}

/** The comments with the reply inserted after the one that it answers, about the same lines. */
function withReply(
  comments: readonly StoredComment[],
  { text, to }: Reply,
): Result<readonly StoredComment[]> {
  const last = comments.findLastIndex((one) => !isReply(one));
  const asked = to === null ? last : comments.findLastIndex((one, at) => at < to && !isReply(one));
  const comment = comments[asked];
  if (comment === undefined) return fail('refused', NO_COMMENT);
  if (comments.filter(isReply).length >= REPLIES_MAX)
    return fail('limit', `This hunk already has ${REPLIES_MAX} replies.`);
  const next = comments.findIndex((one, at) => at > asked && !isReply(one));
  const about = typeof comment === 'string' ? { lines: null } : comment;
  return ok(comments.toSpliced(next < 0 ? comments.length : next, 0, { ...about, text, by: 'author' }));
}
