/** Suggestions on the wire: their hunks and decisions. */
import * as z from 'zod';
import { turnRangeSchema } from './turn-range.ts';

export const changeKindSchema = z.enum([
  'text',
  'rename',
  'copy',
  'mode',
  'symlink',
  'binary',
  'create',
  'delete',
  'submodule',
]);

/** `conflict` and `already_applied` follow from the target; the others are decisions. */
export const hunkStatusSchema = z.enum([
  'pending',
  'accepted',
  'rejected',
  'modified',
  'conflict',
  'already_applied',
]);

/** `pending`: nothing decided · `partial`: some · `complete`: all; then `finalized` or `discarded`. */
export const suggestionStatusSchema = z.enum(['pending', 'partial', 'complete', 'finalized', 'discarded']);

/** Lines of the diff of a hunk, or of a part, counted from 1 below its `@@` line, both ends included. */
export const lineRangeSchema = z.strictObject({ first: z.int().min(1), last: z.int().min(1) });
export type LineRange = z.infer<typeof lineRangeSchema>;

/** Lines to comment on, counted likewise; those outside the hunk are lines of the file, 0 and less above it. */
export const commentedLinesSchema = z.strictObject({
  first: z.int(),
  last: z.int(),
  /** Counted like the comment's `place`: as lines of the file with its changes applied. */
  ofFile: z.literal(true).optional(),
});

/** A comment on a hunk, some of its lines, or the file around it. A hunk never changes, so its lines never move. */
export const commentSchema = z.strictObject({
  text: z.string(),
  /** An author's reply to the reviewer's comment above; omitted: a reviewer's comment. */
  by: z.literal('author').optional(),
  /** Null: the whole hunk, or lines not entirely in it. */
  lines: lineRangeSchema.nullable(),
  /** As line numbers of the file after the hunk, or before it if it only removes. Null: the whole hunk. */
  place: z.strictObject({ side: z.enum(['new', 'old']), first: z.int(), last: z.int() }).nullable(),
  /** The lines, each with its sign; empty without lines. Without `place`: lines gone in a later version. */
  quote: z.string(),
});
export type Comment = z.infer<typeof commentSchema>;

/** Warnings about an undecided hunk, the same for every client. */
export const hunkWarningSchema = z.strictObject({
  /**
   * `runs`: programs run its file unasked. `hidden`: characters that nobody sees. `far`: text out of view. `link`: it
   * leads outside. `mode`: a new executable file. `unsure`: in an AI's turn, but perhaps not by the AI.
   */
  kind: z.enum(['runs', 'hidden', 'far', 'link', 'mode', 'unsure']),
  /** A sentence without the full stop. */
  text: z.string(),
});
export type HunkWarning = z.infer<typeof hunkWarningSchema>;

export const hunkSchema = z.strictObject({
  id: z.string(),
  /** Path in the target, for people; bytes that are not UTF-8 become `\xNN`. */
  file: z.string(),
  kind: changeKindSchema,
  /** Unified diff of this hunk; a line of text for a change without lines. */
  diff: z.string(),
  /** False if the diff was too long for one answer: `review/lines` has the rest. */
  diffComplete: z.boolean(),
  status: hunkStatusSchema,
  /** Why it conflicts or cannot be undone. */
  reason: z.string().nullable(),
  /** Hunks that must be accepted before this one. */
  needs: z.array(z.string()),
  /** The hunk that this one was split from. */
  parent: z.string().nullable(),
  /** The suggestion's version that first had it; omitted: the first. */
  version: z.int().min(2).optional(),
  note: z.string().nullable(),
  /** The reviewer's comments, oldest first, each with the author's replies below it. */
  comments: z.array(commentSchema),
  warnings: z.array(hunkWarningSchema),
  /** It is open, and new or changed since the reviewer's last decision or comment. */
  isNew: z.literal(true).optional(),
  /** Its file is a lockfile or generated, according to the repository's attributes or else its name. */
  isGenerated: z.literal(true).optional(),
});
export type Hunk = z.infer<typeof hunkSchema>;

export const suggestionSummarySchema = z.strictObject({
  id: z.string(),
  description: z.string(),
  status: suggestionStatusSchema,
  /** The working copy to change; absolute. */
  target: z.string(),
  /** Its source, for people: `patch`, `git main..topic`, a folder. */
  source: z.string(),
  createdAt: z.number(),
  files: z.array(z.string()),
  hunkCount: z.int(),
  decidedCount: z.int(),
  /** Grows with every decision. `accept all` may pass the one that it saw. */
  revision: z.int(),
  /** Number of published versions; omitted: 1. */
  version: z.int().min(2).optional(),
  /** The target already has the changes; reject removes them. */
  inPlace: z.boolean(),
  /** Its author; null: the user's own programs. */
  author: z.string().nullable(),
  /** The review of the same source that it replaced. It kept that review's decisions. */
  replaces: z.string().optional(),
  /** Decisions are written when the agent's session is saved; omitted: immediately. */
  write: z.literal('on-save').optional(),
  turns: turnRangeSchema.optional(),
});
export type SuggestionSummary = z.infer<typeof suggestionSummarySchema>;

export const stackedSchema = z.strictObject({
  /** Position in the order of publishing, from 1. */
  place: z.int().min(1),
  id: z.string(),
  /** The first line of its description. */
  description: z.string(),
  status: suggestionStatusSchema,
  /** Its author; null: the user's own programs. */
  author: z.string().nullable(),
});

export const suggestionSchema = suggestionSummarySchema.extend({
  hunks: z.array(hunkSchema),
  /** What was tolerated in the patch, and what its new version changed. */
  notes: z.array(z.string()),
  /** All open suggestions about the same files, this one included, oldest first. Omitted: it is the only one. */
  stack: z.array(stackedSchema).optional(),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

export const hunkLineSchema = z.strictObject({
  op: z.enum(['context', 'removed', 'added']),
  /** Without its line end; bytes that are not UTF-8 become U+FFFD. */
  text: z.string(),
  /** Set if the text is cut: bytes of the whole line. */
  cutFrom: z.int().nullable(),
  /** Line numbers on both sides, from 1, as in the patch. */
  oldLine: z.int().nullable(),
  newLine: z.int().nullable(),
  ending: z.enum(['lf', 'crlf', 'none']),
  /** False for a line that belongs to another part of a split hunk. */
  own: z.boolean(),
});
export type HunkLine = z.infer<typeof hunkLineSchema>;

/** The three sides of a hunk that no longer fits, and the merge result. */
export const conflictSchema = z.strictObject({
  base: z.string(),
  yours: z.string(),
  /** The line in the file where `yours` begins, from 1. */
  yoursLine: z.int(),
  suggested: z.string(),
  merged: z.string(),
  /** Number of conflicts in `merged`, each between conflict markers. */
  conflicts: z.int(),
});
export type Conflict = z.infer<typeof conflictSchema>;

/** The lines around a hunk in its target file. */
export const surroundingsSchema = z.strictObject({
  /** Lines without their LF. The last one above and the first one below are next to the hunk. */
  above: z.array(z.string()),
  below: z.array(z.string()),
  /** Number of further lines up to the neighbouring hunk or the end of the file. */
  moreAbove: z.int(),
  moreBelow: z.int(),
});
export type Surroundings = z.infer<typeof surroundingsSchema>;

/** Where a hunk is now, and details for the screen that shows it. */
export const inspectionSchema = z.strictObject({
  /** Its file's current path relative to the target, for people. */
  path: z.string(),
  /** The target file's line, from 1, where its first changed line is or would be. */
  line: z.int().nullable(),
  /** Null if it does not fit anywhere. */
  around: surroundingsSchema.nullable(),
  /** For a modified hunk: its region's text as suggested, and as modified. */
  modified: z
    .strictObject({
      suggested: z.string(),
      result: z.string(),
      /** `result` replaces exactly the hunk's own region, so the reviewer can edit it further as text. */
      isOwnRegion: z.boolean(),
    })
    .nullable(),
  /** Removed and added lines of its diff that are versions of one line, from 1; omitted unless requested. */
  pairs: z.array(z.strictObject({ removed: z.int().min(1), added: z.int().min(1) })).optional(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** A hunk's place in a text of its file. Rows count from 0. */
export const hunkPlaceSchema = z.strictObject({
  hunk: z.string(),
  /** Which side of the hunk the text has. */
  side: z.enum(['old', 'new']),
  /** Where its first changed line is, or would be. */
  row: z.int().min(0),
  /** Its runs of changed lines from the top; none if the text does not contain it. */
  runs: z.array(
    lineRangeSchema.extend({
      /** The run's first row; if it has no rows, the row before which it would be. */
      row: z.int().min(0),
      /** How many rows it takes. */
      count: z.int().min(0),
    }),
  ),
});
export type HunkPlace = z.infer<typeof hunkPlaceSchema>;

/** A whole file, for syntax colours; null if it is not text or is too large. */
export const fileTextsSchema = z.strictObject({
  /** The file that the suggestion is based on. */
  before: z.string().nullable(),
  /** With all hunks of the suggestion accepted, regardless of decisions. */
  after: z.string().nullable(),
});
export type FileTexts = z.infer<typeof fileTextsSchema>;

/** One entry of the feedback log. */
export const decisionSchema = z.strictObject({
  ts: z.number(),
  suggestion: z.string(),
  hunk: z.string(),
  file: z.string(),
  action: z.enum(['accept', 'reject', 'modify', 'undo', 'redo', 'comment']),
  originalDiff: z.string(),
  modifiedDiff: z.string().nullable(),
  comment: z.string().nullable(),
  /** The lines as in the comment. */
  lines: lineRangeSchema.nullable().default(null),
  place: commentSchema.shape.place.default(null),
  /** The target has the change now. */
  applied: z.boolean(),
});
export type DecisionEntry = z.infer<typeof decisionSchema>;

/** The same for an event, without the diffs. */
export const reviewDecisionSchema = decisionSchema.omit({ originalDiff: true, modifiedDiff: true });
export type ReviewDecision = z.infer<typeof reviewDecisionSchema>;
