/** Commands of the review: publish, look, decide, undo, end. */
import * as z from 'zod';
import { intentResultSchema, intentSchema, modifiedSchema } from '../intent.ts';
import { COMMENT_MAX_LENGTH } from '../limits.ts';
import { reportSchema } from '../report.ts';
import {
  conflictSchema,
  fileTextsSchema,
  hunkLineSchema,
  hunkSchema,
  inspectionSchema,
  lineRangeSchema,
  suggestionSchema,
  suggestionSummarySchema,
} from '../review.ts';
import { turnRangeSchema } from '../turn-range.ts';

/** Lines of a file that are shown above, and below, a hunk. */
const CONTEXT_MAX_LINES = 1_000;

/** Hunks of one question, and of one mark: an event tells of each that was marked. */
const VIEWED_MAX_ASKED = 100_000;
const VIEWED_MAX_MARKED = 10_000;

/** An absolute path. */
const folderSchema = z.string().startsWith('/');

/** Where a change comes from. Paths are read by the host, with the rights of its user. */
export const sourceSchema = z.discriminatedUnion('kind', [
  /** A patch; its bytes as base64. */
  z.strictObject({ kind: z.literal('patch'), patch: z.base64() }),
  /** A patch in a file. `range`: what is reviewed where the file holds none, and a branch has its name. */
  z.strictObject({ kind: z.literal('patch_file'), file: folderSchema, range: z.string().min(1).nullish() }),
  /** A sandbox: what its working tree (untracked files too) has beyond the merge base with the target's HEAD, or its own HEAD. */
  z.strictObject({
    kind: z.literal('sandbox'),
    folder: folderSchema,
    /** jj: one change, by its id or another name; null for all that the workspace has beyond the target. */
    change: z.string().min(1).max(1000).nullish(),
  }),
  /** The target's own working tree against HEAD or its index, or its index against HEAD. Reviewed in place. */
  z.strictObject({ kind: z.literal('working_tree'), against: z.enum(['head', 'index']).default('head') }),
  z.strictObject({ kind: z.literal('index') }),
  /** What turns of an AI CLI changed. Reviewed in place. */
  z.strictObject({ kind: z.literal('turn'), ...turnRangeSchema.shape }),
  /** `A..B`, `A...B` or a branch (what it has beyond the merge base with HEAD). */
  z.strictObject({ kind: z.literal('range'), range: z.string().min(1) }),
  /** Two folders: what makes `from` into `to`. */
  z.strictObject({ kind: z.literal('folders'), from: folderSchema, to: folderSchema }),
]);
export type SuggestionSource = z.infer<typeof sourceSchema>;

export const filterSchema = z.strictObject({
  /** Only files that one of these globs matches. */
  files: z.array(z.string()).default([]),
  /** Not files that one of these globs matches. */
  exclude: z.array(z.string()).default([]),
  /** Only these files and folders, by their absolute names. */
  paths: z.array(z.string()).default([]),
  /** Of these files only hunks that touch one of these lines of the new text; a file that none names counts whole. */
  lines: z
    .array(z.strictObject({ file: z.string(), first: z.int().min(1), last: z.int().min(1) }))
    .default([]),
  /** Notes of the author by file or `file:N` (the N-th hunk of it, from 1). */
  notes: z.record(z.string(), z.string()).default({}),
});

/** The suggestion in short, and the hunks that the command was about, as they now are. */
const decidedSchema = z.strictObject({
  suggestion: suggestionSummarySchema,
  hunks: z.array(hunkSchema),
  /** What could not be done beside the decision itself: in the sandbox, in the index, at the end. For people. */
  notes: z.array(z.string()),
});

const hunkRefSchema = z.strictObject({ suggestion: z.string(), hunk: z.string() });

export const reviewCommands = {
  'review/publish': {
    params: z.strictObject({
      target: folderSchema,
      description: z.string().max(10_000).default(''),
      source: sourceSchema,
      filter: filterSchema.default({ files: [], exclude: [], paths: [], lines: [], notes: {} }),
      /** In place: stage what is accepted, as the setting does it for all. */
      stage: z.boolean().default(false),
      /** Who offers it, when it is not the user: what an author may see and discard again. */
      author: z.string().max(200).nullable().default(null),
      /** The open suggestion that this is the next version of: it keeps its id and what was decided on hunks that stay. */
      updates: z.string().nullable().default(null),
    }),
    result: suggestionSchema,
  },
  /** Newest first. */
  'review/list': {
    params: z.strictObject({
      target: folderSchema.nullable().default(null),
      ended: z.boolean().default(false),
    }),
    result: z.array(suggestionSummarySchema),
  },
  /** With its hunks, or only those of one file. */
  'review/show': {
    params: z.strictObject({
      suggestion: z.string(),
      file: z.string().nullable().default(null),
      /** Diffs together; those of later hunks are left out, as they are beyond what one answer holds. */
      maxDiffBytes: z.int().min(0).nullable().default(null),
      /** Only so many hunks, from the first one on; `hunkCount` tells how many there are. */
      first: z.int().min(1).nullable().default(null),
    }),
    result: suggestionSchema,
  },
  /** Lines of a hunk's body, counted from 1. */
  'review/lines': {
    params: hunkRefSchema.extend({
      first: z.int().min(1).default(1),
      count: z.int().min(1).max(10_000).default(1_000),
      maxLineBytes: z.int().min(1).max(65_536).default(4_096),
    }),
    result: z.strictObject({ lines: z.array(hunkLineSchema), total: z.int() }),
  },
  /** Decides on one hunk, on some lines of it, or on all that is undecided. All of it, or nothing. */
  'review/decide': {
    params: z.strictObject({
      suggestion: z.string(),
      /** An id; `all` for every hunk that is open; `every` for those that are decided already, too. */
      hunk: z.string(),
      action: z.enum(['accept', 'reject', 'modify']),
      /** Only these lines of the diff of the hunk (or of the part), counted from 1 as it shows them. */
      lines: lineRangeSchema.nullable().default(null),
      /** Only this file (with `all`). */
      file: z.string().nullable().default(null),
      /** For `modify`: an edited diff, the new text of the hunk's region, or the three-way merge. */
      modified: modifiedSchema.nullable().default(null),
      comment: z.string().max(COMMENT_MAX_LENGTH).nullable().default(null),
      /** With `all`: hunks that do not fit are left as they are, instead of stopping the rest. */
      onlyFitting: z.boolean().default(false),
      /** With `all` and `every`: accepts files, too, that programs run without being asked; refused without it. */
      acceptSelfRunning: z.boolean().default(false),
      /** Refused when someone has decided differently on this hunk already. */
      onlyUndecided: z.boolean().default(false),
      /** Refused when the suggestion has a newer revision than this. */
      revision: z.int().nullable().default(null),
    }),
    result: decidedSchema,
  },
  /**
   * What a reviewer wants; the host works out what follows, by what it knows of the suggestion and of this client. An
   * `early` message tells how it will look, before it is written.
   */
  'review/intend': {
    params: z.strictObject({
      suggestion: z.string(),
      intent: intentSchema,
      /** The `revision` of the question that the reviewer said yes to; null: questions are asked. */
      confirmed: z.int().nullable().default(null),
    }),
    result: intentResultSchema,
  },
  /** The last decision on a hunk; with `all`, every decision on every hunk. */
  'review/undo': { params: hunkRefSchema, result: decidedSchema },
  'review/redo': { params: hunkRefSchema, result: decidedSchema },
  /** Splits a hunk so that these lines of its diff stand apart; gives the parts. */
  'review/split': {
    params: hunkRefSchema.extend({ first: z.int().min(1), last: z.int().min(1) }),
    result: decidedSchema,
  },
  /** Joins the parts of a split hunk. */
  'review/join': { params: hunkRefSchema, result: decidedSchema },
  'review/comment': {
    params: hunkRefSchema.extend({
      comment: z.string().min(1).max(COMMENT_MAX_LENGTH),
      /** The lines that it is about. */
      lines: lineRangeSchema.nullable().default(null),
    }),
    result: hunkSchema,
  },
  /** The author's reply to a comment; it is about the same lines. */
  'review/reply': {
    params: hunkRefSchema.extend({
      text: z.string().min(1).max(COMMENT_MAX_LENGTH),
      /** Which of the hunk's comments, counted from 1; null: the reviewer's last. */
      to: z.int().min(1).nullable().default(null),
    }),
    result: z.strictObject({ hunk: hunkSchema, revision: z.int() }),
  },
  /** What stands around a hunk, where it is now, and what it was modified to. */
  'review/inspect': {
    params: hunkRefSchema.extend({
      above: z.int().min(0).max(CONTEXT_MAX_LINES).default(0),
      below: z.int().min(0).max(CONTEXT_MAX_LINES).default(0),
    }),
    result: inspectionSchema,
  },
  /** The whole text of a hunk's file before and after its suggestion. */
  'review/texts': { params: hunkRefSchema, result: fileTextsSchema },
  /** Those of these hunks that were marked as seen, in any suggestion. */
  'review/viewed': {
    params: z.strictObject({ hunks: z.array(z.string()).max(VIEWED_MAX_ASKED) }),
    result: z.strictObject({ hunks: z.array(z.string()) }),
  },
  /** Marks hunks as seen, by what they do: one that is changed is no longer seen. Decides nothing. */
  'review/mark-viewed': {
    params: z.strictObject({ hunks: z.array(z.string()).min(1).max(VIEWED_MAX_MARKED), viewed: z.boolean() }),
    result: z.strictObject({ viewed: z.boolean() }),
  },
  /** What stands against a hunk; null for one that has no lines. */
  'review/conflict': { params: hunkRefSchema, result: conflictSchema.nullable() },
  /** Tells every client what an author is doing; nothing is kept but the event. */
  'review/report': { params: reportSchema, result: z.strictObject({ sent: z.literal(true) }) },
  /** Takes it on to tell the AI in a pane of the decisions of one event; `mine`: this client was the first to ask. */
  'review/claim-feedback': {
    params: z.strictObject({ pane: z.string().max(1000), seq: z.int() }),
    result: z.strictObject({ mine: z.boolean() }),
  },
  /** Ends a suggestion. Accepted hunks stay in the target either way. */
  'review/finish': {
    params: z.strictObject({
      suggestion: z.string(),
      how: z.enum(['finalize', 'discard']),
      /** With `finalize`: commit what was accepted, and nothing else; what is staged stays staged. */
      commit: z.boolean().default(false),
      /** With a commit: hooks run and it is signed, as git does it for the user; otherwise neither, and that is said. */
      hooks: z.boolean().default(false),
      /** Of the commit; null: what the suggestion is called. */
      message: z.string().max(COMMENT_MAX_LENGTH).nullable().default(null),
      /** Commit, and push that commit to where the branch goes. */
      push: z.boolean().default(false),
      /**
       * Its sandbox: `keep` leaves it alone; `revert` (with `discard`) takes the undecided hunks out there; `rebase`
       * lets it go on from the target's HEAD; `sync` does
       * that where it is one of copane's own; `remove` takes it away, unless work in it was never published.
       */
      sandbox: z.enum(['keep', 'revert', 'rebase', 'sync', 'remove']).default('keep'),
    }),
    result: suggestionSummarySchema.extend({
      commit: z.string().nullable(),
      pushed: z.string().nullable(),
      /** What could not be done beside that, for people. */
      notes: z.array(z.string()),
    }),
  },
  /** Reopens a suggestion that has ended. What was decided, written or committed stays. */
  'review/reopen': { params: z.strictObject({ suggestion: z.string() }), result: suggestionSummarySchema },
} as const;
