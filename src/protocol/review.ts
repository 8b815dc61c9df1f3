/** A suggestion on the wire: what there is to decide, and what was decided. */
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

/** What is said about a hunk, or about some lines of it. A hunk never changes, so its lines never move. */
export const commentSchema = z.strictObject({
  text: z.string(),
  /** A reply of the author to the reviewer's comment above it; left out: a comment of the reviewer. */
  by: z.literal('author').optional(),
  /** Null: the whole hunk. */
  lines: lineRangeSchema.nullable(),
  /** The same lines as numbers of the file: as the hunk leaves it, or as it was where the hunk only removes. */
  place: z.strictObject({ side: z.enum(['new', 'old']), first: z.int(), last: z.int() }).nullable(),
  /** The lines themselves, each with its sign; empty without lines. */
  quote: z.string(),
});
export type Comment = z.infer<typeof commentSchema>;

/** Warnings about a hunk before it is decided; the host gives every client the same. */
export const hunkWarningSchema = z.strictObject({
  /** `runs`: programs run its file without being asked. `hidden`: characters that nobody sees. `far`: text out of view. `link`: it leads out. */
  kind: z.enum(['runs', 'hidden', 'far', 'link']),
  /** A sentence without its full stop. */
  text: z.string(),
});
export type HunkWarning = z.infer<typeof hunkWarningSchema>;

export const hunkSchema = z.strictObject({
  id: z.string(),
  /** Path in the target, for people: bytes that are not UTF-8 stand as `\xNN`. */
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
  /** The version of the suggestion that brought it; left out: the first. */
  version: z.int().min(2).optional(),
  /** What the author says about it. */
  note: z.string().nullable(),
  /** The reviewer's comments, oldest first, each with the author's replies below it. */
  comments: z.array(commentSchema),
  warnings: z.array(hunkWarningSchema),
  /** It is open, and came or became what it is after the reviewer last decided or said something. */
  isNew: z.literal(true).optional(),
  /** What the repository's attributes say of its file; left out: nothing, and its name tells. */
  isGenerated: z.boolean().optional(),
});
export type Hunk = z.infer<typeof hunkSchema>;

export const suggestionSummarySchema = z.strictObject({
  id: z.string(),
  description: z.string(),
  status: suggestionStatusSchema,
  /** The working copy that it is for; absolute. */
  target: z.string(),
  /** Where it came from, for people: `patch`, `git main..topic`, a folder. */
  source: z.string(),
  createdAt: z.number(),
  files: z.array(z.string()),
  hunkCount: z.int(),
  decidedCount: z.int(),
  /** Grows with every decision; `accept all` may name the one it saw. */
  revision: z.int(),
  /** How often its author has published it, counting this one; left out: once. */
  version: z.int().min(2).optional(),
  /** The changes stand in the target already; reject takes them out. */
  inPlace: z.boolean(),
  /** Who offered it; null: the user's own programs. */
  author: z.string().nullable(),
  /** The review of the same source that it took the place of, with its decisions. */
  replaces: z.string().optional(),
  /** Decisions reach the files with a save of the agent's session; left out: at once. */
  write: z.literal('on-save').optional(),
  /** The turns whose changes these are; left out: none. */
  turns: turnRangeSchema.optional(),
});
export type SuggestionSummary = z.infer<typeof suggestionSummarySchema>;

/** An open suggestion of a stack. */
export const stackedSchema = z.strictObject({
  /** From 1, the first that was published. */
  place: z.int().min(1),
  id: z.string(),
  /** Its first line. */
  description: z.string(),
  status: suggestionStatusSchema,
  /** Who published it; null: the user's own programs. */
  author: z.string().nullable(),
});

export const suggestionSchema = suggestionSummarySchema.extend({
  hunks: z.array(hunkSchema),
  /** What was tolerated while reading the patch, and what its version changed. */
  notes: z.array(z.string()),
  /** The open suggestions about the same files in the order in which they came: those next to this one, and itself; left out: it is alone. */
  stack: z.array(stackedSchema).optional(),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

/** One line of a hunk, for a screen. */
export const hunkLineSchema = z.strictObject({
  op: z.enum(['context', 'removed', 'added']),
  /** Without its line end; bytes that are not UTF-8 stand as U+FFFD. */
  text: z.string(),
  /** The line goes on; it has this many bytes in all. */
  cutFrom: z.int().nullable(),
  /** Line numbers from 1 on both sides, as the patch counts them. */
  oldLine: z.int().nullable(),
  newLine: z.int().nullable(),
  ending: z.enum(['lf', 'crlf', 'none']),
  /** False for a line that belongs to another part of a split hunk. */
  own: z.boolean(),
});
export type HunkLine = z.infer<typeof hunkLineSchema>;

/** The three sides of a hunk that no longer fits, and what a merge would give. */
export const conflictSchema = z.strictObject({
  base: z.string(),
  yours: z.string(),
  suggested: z.string(),
  merged: z.string(),
  /** Places in `merged` where both sides stand between markers. */
  conflicts: z.int(),
});
export type Conflict = z.infer<typeof conflictSchema>;

/** What stands around a hunk in the file that it is for. */
export const surroundingsSchema = z.strictObject({
  /** Lines without their LF, the nearest to the hunk last above it and first below it. */
  above: z.array(z.string()),
  below: z.array(z.string()),
  /** Further lines up to the neighbouring hunk, or to the end of the file. */
  moreAbove: z.int(),
  moreBelow: z.int(),
});
export type Surroundings = z.infer<typeof surroundingsSchema>;

/** Where a hunk is now, and details that only its reader needs. */
export const inspectionSchema = z.strictObject({
  /** Where its file is now, relative to the target, for people. */
  path: z.string(),
  /** Line of the target's file, from 1, at which its first changed line is, or would be. */
  line: z.int().nullable(),
  /** Null where it has no place. */
  around: surroundingsSchema.nullable(),
  /** Of a modified hunk: the text of the region as it was suggested and as the reviewer made it. */
  modified: z
    .strictObject({
      suggested: z.string(),
      result: z.string(),
      /** `result` stands in the place of the hunk's own region, so that it can be edited further as the text of it. */
      isOwnRegion: z.boolean(),
    })
    .nullable(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** A whole file, to understand a part of it; null where there is no text, or too much of it. */
export const fileTextsSchema = z.strictObject({
  /** As the suggestion is made for it. */
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
  /** The lines that it is about; null for all of the hunk. */
  lines: lineRangeSchema.nullable().default(null),
  /** The target holds the change now. */
  applied: z.boolean(),
});
export type DecisionEntry = z.infer<typeof decisionSchema>;

/** The same in an event: without the diffs, which the hunk has. */
export const reviewDecisionSchema = decisionSchema.omit({ originalDiff: true, modifiedDiff: true });
export type ReviewDecision = z.infer<typeof reviewDecisionSchema>;
