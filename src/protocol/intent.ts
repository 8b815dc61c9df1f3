/** A reviewer's intents, from a key, a command or a script; the host's desk decides what follows. */
import * as z from 'zod';
import { COMMENT_MAX_LENGTH } from './limits.ts';
import {
  commentedLinesSchema,
  hunkSchema,
  hunkStatusSchema,
  lineRangeSchema,
  suggestionSummarySchema,
} from './review.ts';

/** The replacement for a hunk: an edited diff, the new text of its region, or the three-way merge. */
export const modifiedSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('diff'), base64: z.base64() }),
  z.strictObject({ kind: z.literal('text'), base64: z.base64() }),
  z.strictObject({ kind: z.literal('merge') }),
]);

const onHunk = {
  /** Null: the hunk that this client has marked. */
  hunk: z.string().nullable().default(null),
  /** The status that the client showed. If it has changed since, nothing is done. Null: not checked. */
  seen: hunkStatusSchema.nullable().default(null),
};
/** Lines as shown in the diff of the hunk or of its part; null: all. */
const shownLines = lineRangeSchema.nullable().default(null);

/** What to do with accepted changes when a review is finished. After a commit, the sandbox continues from it. */
export const syncSchema = z.enum(['keep', 'commit', 'push']);
export type Sync = z.output<typeof syncSchema>;

export const intentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal(['accept', 'reject']), ...onHunk, lines: shownLines }),
  z.strictObject({ kind: z.literal(['accept_file', 'reject_file']), ...onHunk }),
  z.strictObject({ kind: z.literal('modify'), ...onHunk, modified: modifiedSchema }),
  z.strictObject({
    kind: z.literal('comment'),
    ...onHunk,
    lines: commentedLinesSchema.nullable().default(null),
    text: z.string().max(COMMENT_MAX_LENGTH),
  }),
  /** At these lines, or at the change at (or after) the shown line `at`. */
  z.strictObject({
    kind: z.literal('split'),
    ...onHunk,
    lines: shownLines,
    at: z.int().min(1).nullable().default(null),
  }),
  z.strictObject({ kind: z.literal('join'), ...onHunk }),
  /** Undoes this client's last action, or the decision on the hunk if someone else made it. */
  z.strictObject({ kind: z.literal('undo'), ...onHunk }),
  z.strictObject({ kind: z.literal('mark'), hunk: z.string() }),
  /** Marks the hunk as seen and goes to the next unseen one, or marks it as unseen. Decides nothing. */
  z.strictObject({ kind: z.literal('view'), hunk: z.string(), viewed: z.boolean() }),
  /** Finishes the review. `sync`: what to do with accepted changes. */
  z.strictObject({ kind: z.literal('finish'), sync: syncSchema.default('keep') }),
  /** Finishes the review and commits accepted changes as the user's git would. */
  z.strictObject({ kind: z.literal('commit'), message: z.string().max(COMMENT_MAX_LENGTH) }),
  z.strictObject({
    kind: z.literal([
      'next',
      'previous',
      'next_open',
      'accept_all',
      'reject_all',
      'redo',
      'undo_all',
      'discard',
      'reopen',
    ]),
  }),
]);
export type Intent = z.output<typeof intentSchema>;
/** What a caller passes; defaults may be omitted. */
export type IntentParams = z.input<typeof intentSchema>;

export const intentResultSchema = z.strictObject({
  /** `asked`: nothing was done; repeat the intent with `confirmed`. `refused`: `problem` says why. */
  kind: z.enum(['done', 'asked', 'said', 'refused']),
  /** For people; null if the screen shows it anyway. */
  words: z.string().nullable(),
  problem: z.strictObject({ message: z.string(), hint: z.string().nullable() }).nullable(),
  question: z.string().nullable(),
  /** For the question whether to finish: the variant for each way to do it, the last one used first. */
  ways: z.array(z.strictObject({ sync: syncSchema, question: z.string() })).optional(),
  /** The revision to pass when the question is confirmed. */
  revision: z.int(),
  /** The position of this client's mark now. */
  mark: z.string().nullable(),
  suggestion: suggestionSummarySchema.nullable(),
  /** The affected hunks in their current state. */
  hunks: z.array(hunkSchema),
  /** What else failed, for people. */
  notes: z.array(z.string()),
  /** No hunk is open any longer. */
  complete: z.boolean(),
});
export type IntentResult = z.output<typeof intentResultSchema>;

/** Sent before anything is written, so that a client shows a key's effect in its next frame. */
export const intentPaintSchema = z.strictObject({
  mark: z.string().nullable(),
  statuses: z.record(z.string(), hunkStatusSchema),
});
export type IntentPaint = z.output<typeof intentPaintSchema>;
