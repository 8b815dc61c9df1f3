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

/** `conflict` and `already_applied` follow from the target; the others were decided. */
export const hunkStatusSchema = z.enum([
  'pending',
  'accepted',
  'rejected',
  'modified',
  'conflict',
  'already_applied',
]);

/** `pending` nothing decided · `partial` something · `complete` everything; then one of the two ends. */
export const suggestionStatusSchema = z.enum(['pending', 'partial', 'complete', 'finalized', 'discarded']);

/** Lines of a hunk's body, counted from 1 below its `@@` line, both ends included; a part counts as the hunk that it was split from. */
export const lineRangeSchema = z.strictObject({ first: z.int().min(1), last: z.int().min(1) });
export type LineRange = z.infer<typeof lineRangeSchema>;

/** Lines to comment on, counted the same; 0 and less are lines of the file above the hunk, those beyond its last line are below it. */
export const commentedLinesSchema = z.strictObject({
  first: z.int(),
  last: z.int(),
  /** Counted as `place` of the comment is: as the file's lines where its changes are in. */
  ofFile: z.literal(true).optional(),
});

/** A comment on a hunk, on some of its lines, or of the file around it. A hunk never changes, so its lines never move. */
export const commentSchema = z.strictObject({
  text: z.string(),
  /** A reply of the author to the reviewer's comment above it; omitted: a comment of the reviewer. */
  by: z.literal('author').optional(),
  /** Null: the whole hunk, or lines that are not all of it. */
  lines: lineRangeSchema.nullable(),
  /** As numbers of the file: as the hunk leaves it, or as it was where the hunk only removes. Null: the whole hunk. */
  place: z.strictObject({ side: z.enum(['new', 'old']), first: z.int(), last: z.int() }).nullable(),
  /** The lines themselves, each with its sign; empty without lines. Without `place`: those that a later version no longer has. */
  quote: z.string(),
});
export type Comment = z.infer<typeof commentSchema>;

/** Warnings about a hunk before it is decided; the host gives every client the same. */
export const hunkWarningSchema = z.strictObject({
  /**
   * `runs`: programs run its file without being asked. `hidden`: characters that nobody sees. `far`: text out of view.
   * `link`: it leads out. `mode`: a new file that may be run. `unsure`: of an AI's turn; whether the AI wrote it is unknown.
   */
  kind: z.enum(['runs', 'hidden', 'far', 'link', 'mode', 'unsure']),
  /** A sentence without the full stop. */
  text: z.string(),
});
export type HunkWarning = z.infer<typeof hunkWarningSchema>;

export const hunkSchema = z.strictObject({
  id: z.string(),
  /** Path in the target, for people: bytes that are not UTF-8 become `\xNN`. */
  file: z.string(),
  kind: changeKindSchema,
  /** Unified diff of this hunk; one line in words for a change without lines. */
  diff: z.string(),
  /** False when the diff was too long for one answer: `review/lines` has the rest. */
  diffComplete: z.boolean(),
  status: hunkStatusSchema,
  /** Why it is in conflict or cannot be undone. */
  reason: z.string().nullable(),
  /** Hunks that must be accepted before this one. */
  needs: z.array(z.string()),
  /** The hunk that this is a part of, after a split. */
  parent: z.string().nullable(),
  /** The version of the suggestion in which it first appeared; omitted: the first. */
  version: z.int().min(2).optional(),
  note: z.string().nullable(),
  /** The reviewer's comments, oldest first, each with the author's replies below it. */
  comments: z.array(commentSchema),
  warnings: z.array(hunkWarningSchema),
  /** It is open, and has appeared or changed since the reviewer's last decision or comment. */
  isNew: z.literal(true).optional(),
  /** Its file is a lockfile or generated: by the repository's attributes, else by its name. */
  isGenerated: z.literal(true).optional(),
});
export type Hunk = z.infer<typeof hunkSchema>;

export const suggestionSummarySchema = z.strictObject({
  id: z.string(),
  description: z.string(),
  status: suggestionStatusSchema,
  /** The working copy that it is for; absolute. */
  target: z.string(),
  /** Its source, for people: `patch`, `git main..topic`, a folder. */
  source: z.string(),
  createdAt: z.number(),
  files: z.array(z.string()),
  hunkCount: z.int(),
  decidedCount: z.int(),
  /** Grows with every decision; `accept all` may pass the one that it saw. */
  revision: z.int(),
  /** Number of versions that its author has published; omitted: 1. */
  version: z.int().min(2).optional(),
  /** The changes are already in the target; reject removes them. */
  inPlace: z.boolean(),
  /** Its author; null: the user's own programs. */
  author: z.string().nullable(),
  /** The review of the same source that it replaced, keeping its decisions. */
  replaces: z.string().optional(),
  /** Decisions are written when the agent's session is saved; omitted: at once. */
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
  /** What was tolerated while reading the patch, and what its version changed. */
  notes: z.array(z.string()),
  /** Open suggestions about the same files, oldest first: the neighbours of this one, and itself. Omitted: it is alone. */
  stack: z.array(stackedSchema).optional(),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

export const hunkLineSchema = z.strictObject({
  op: z.enum(['context', 'removed', 'added']),
  /** Without its line end; bytes that are not UTF-8 become U+FFFD. */
  text: z.string(),
  /** The text is cut; the whole line has this many bytes. */
  cutFrom: z.int().nullable(),
  /** Line numbers from 1 on both sides, as the patch counts them. */
  oldLine: z.int().nullable(),
  newLine: z.int().nullable(),
  ending: z.enum(['lf', 'crlf', 'none']),
  /** False for a line that belongs to another part of a split hunk. */
  own: z.boolean(),
});
export type HunkLine = z.infer<typeof hunkLineSchema>;

/** The three sides of a hunk that no longer fits, and the result of a merge. */
export const conflictSchema = z.strictObject({
  base: z.string(),
  yours: z.string(),
  /** Where `yours` begins in the file, from 1. */
  yoursLine: z.int(),
  suggested: z.string(),
  merged: z.string(),
  /** Conflicts in `merged`, each between conflict markers. */
  conflicts: z.int(),
});
export type Conflict = z.infer<typeof conflictSchema>;

/** The lines around a hunk in its target file. */
export const surroundingsSchema = z.strictObject({
  /** Lines without their LF, the nearest to the hunk last above it and first below it. */
  above: z.array(z.string()),
  below: z.array(z.string()),
  /** Further lines up to the neighbouring hunk, or to the end of the file. */
  moreAbove: z.int(),
  moreBelow: z.int(),
});
export type Surroundings = z.infer<typeof surroundingsSchema>;

/** Where a hunk is now, and details for the screen that shows it. */
export const inspectionSchema = z.strictObject({
  /** Where its file is now, relative to the target, for people. */
  path: z.string(),
  /** Line of the target's file, from 1, at which its first changed line is, or would be. */
  line: z.int().nullable(),
  /** Null when it does not fit anywhere. */
  around: surroundingsSchema.nullable(),
  /** Of a modified hunk: the text of its region as suggested, and as modified. */
  modified: z
    .strictObject({
      suggested: z.string(),
      result: z.string(),
      /** `result` replaces the hunk's own region, so that it can be edited further as its text. */
      isOwnRegion: z.boolean(),
    })
    .nullable(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** Where a hunk stands in a text of its file. Rows count from 0. */
export const hunkPlaceSchema = z.strictObject({
  hunk: z.string(),
  /** Which side of the hunk the text has. */
  side: z.enum(['old', 'new']),
  /** Where its first changed line is, or would be. */
  row: z.int().min(0),
  /** Its runs of changed lines from the top; none where it does not stand in the text. */
  runs: z.array(
    lineRangeSchema.extend({
      /** The first row that the run takes; taking none, the row before which it would come. */
      row: z.int().min(0),
      /** How many rows it takes. */
      count: z.int().min(0),
    }),
  ),
});
export type HunkPlace = z.infer<typeof hunkPlaceSchema>;

/** A whole file, for syntax colours; null when it is no text, or too large. */
export const fileTextsSchema = z.strictObject({
  /** The file that the suggestion is based on. */
  before: z.string().nullable(),
  /** With every hunk of the suggestion accepted, whatever was decided. */
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
  /** The lines of the comment, as the comment has them. */
  lines: lineRangeSchema.nullable().default(null),
  place: commentSchema.shape.place.default(null),
  /** The change is in the target now. */
  applied: z.boolean(),
});
export type DecisionEntry = z.infer<typeof decisionSchema>;

/** The same in an event: without the diffs. */
export const reviewDecisionSchema = decisionSchema.omit({ originalDiff: true, modifiedDiff: true });
export type ReviewDecision = z.infer<typeof reviewDecisionSchema>;
