/** Commands of the review: publish, show, decide, undo, finish. */
import * as z from 'zod';
import { intentResultSchema, intentSchema, modifiedSchema } from '../intent.ts';
import { COMMENT_MAX_LENGTH } from '../limits.ts';
import { reportSchema } from '../report.ts';
import {
  commentedLinesSchema,
  conflictSchema,
  fileTextsSchema,
  hunkLineSchema,
  hunkPlaceSchema,
  hunkSchema,
  inspectionSchema,
  lineRangeSchema,
  suggestionSchema,
  suggestionSummarySchema,
} from '../review.ts';
import { turnRangeSchema } from '../turn-range.ts';

const CONTEXT_MAX_LINES = 1_000;

/** Most hunks in one request about "seen" marks: the event lists each one. */
const VIEWED_MAX_ASKED = 100_000;
const VIEWED_MAX_MARKED = 10_000;

/** For an editor's text. It fits into a message even when escaped. */
const TEXT_MAX_LENGTH = 1024 * 1024;

/** An absolute path. */
const folderSchema = z.string().startsWith('/');

/** The source of a change. The host reads paths, with its user's rights. */
export const sourceSchema = z.discriminatedUnion('kind', [
  /** A patch, base64-encoded. `foreign`: its sender may not read files here, so no line of them is added to it. */
  z.strictObject({ kind: z.literal('patch'), patch: z.base64(), foreign: z.boolean().optional() }),
  /** A patch in a file. `range`: used instead if the file holds no patch and a branch has its name. */
  z.strictObject({ kind: z.literal('patch_file'), file: folderSchema, range: z.string().min(1).nullish() }),
  /** A sandbox: changes (untracked files too) since the merge base with the target's HEAD, or since its HEAD. */
  z.strictObject({
    kind: z.literal('sandbox'),
    folder: folderSchema,
    /** jj: one change, by id or another name; null: all changes of the workspace since the target. */
    change: z.string().min(1).max(1000).nullish(),
  }),
  /** The target's own working tree against HEAD or its index, or its index against HEAD. Reviewed in place. */
  z.strictObject({ kind: z.literal('working_tree'), against: z.enum(['head', 'index']).default('head') }),
  z.strictObject({ kind: z.literal('index') }),
  /** The changes of an AI CLI's turns. Reviewed in place. */
  z.strictObject({ kind: z.literal('turn'), ...turnRangeSchema.shape }),
  /** `A..B`, `A...B`, or a branch (its changes since the merge base with HEAD). */
  z.strictObject({ kind: z.literal('range'), range: z.string().min(1) }),
  /** Two folders: the changes from `from` to `to`. */
  z.strictObject({ kind: z.literal('folders'), from: folderSchema, to: folderSchema }),
]);
export type SuggestionSource = z.infer<typeof sourceSchema>;

export const filterSchema = z.strictObject({
  /** Only files that match one of these globs. */
  files: z.array(z.string()).default([]),
  /** No files that match one of these globs. */
  exclude: z.array(z.string()).default([]),
  /** Only these files and folders, by absolute path. */
  paths: z.array(z.string()).default([]),
  /** For the files listed here, only hunks that touch one of these lines of the new text. Other files count whole. */
  lines: z
    .array(z.strictObject({ file: z.string(), first: z.int().min(1), last: z.int().min(1) }))
    .default([]),
  /** Notes of the author, by file or `file:N` (its N-th hunk, from 1). */
  notes: z.record(z.string(), z.string()).default({}),
});

/** The suggestion without its hunks, and the current state of the affected hunks. */
const decidedSchema = z.strictObject({
  suggestion: suggestionSummarySchema,
  hunks: z.array(hunkSchema),
  /** What failed apart from the decision: in the sandbox, in the index, at the end. For people. */
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
      /** In place: stage accepted changes, as the setting does for all reviews. */
      stage: z.boolean().default(false),
      /** Its author, unless it is the user. Authors may see and discard their own. */
      author: z.string().max(200).nullable().default(null),
      /** The open suggestion that this one updates. It keeps its id, and the decisions on unchanged hunks. */
      updates: z.string().nullable().default(null),
      /** An open review of the same work with another scope. This one replaces it and takes over its decisions. */
      scopeOf: z.string().nullable().default(null),
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
  /** With its hunks, or only those in one file. */
  'review/show': {
    params: z.strictObject({
      suggestion: z.string(),
      file: z.string().nullable().default(null),
      /** Most bytes of diffs in all; later hunks omit theirs, as they do beyond the size of an answer. */
      maxDiffBytes: z.int().min(0).nullable().default(null),
      /** Only the first hunks; `hunkCount` still counts all. */
      first: z.int().min(1).nullable().default(null),
    }),
    result: suggestionSchema,
  },
  /** Lines of a hunk's body, from 1. */
  'review/lines': {
    params: hunkRefSchema.extend({
      first: z.int().min(1).default(1),
      count: z.int().min(1).max(10_000).default(1_000),
      maxLineBytes: z.int().min(1).max(65_536).default(4_096),
    }),
    result: z.strictObject({ lines: z.array(hunkLineSchema), total: z.int() }),
  },
  /** Decides on one hunk, some of its lines, or all undecided hunks. Atomic. */
  'review/decide': {
    params: z.strictObject({
      suggestion: z.string(),
      /** An id; `all`: every open hunk; `every`: decided ones as well. */
      hunk: z.string(),
      action: z.enum(['accept', 'reject', 'modify']),
      /** Only these lines of the diff of the hunk (or part) as shown, from 1. */
      lines: lineRangeSchema.nullable().default(null),
      /** Only this file (with `all`). */
      file: z.string().nullable().default(null),
      /** For `modify`: an edited diff, the new text of the hunk's region, or the three-way merge. */
      modified: modifiedSchema.nullable().default(null),
      comment: z.string().max(COMMENT_MAX_LENGTH).nullable().default(null),
      /** With `all`: skips hunks that do not fit instead of failing. */
      onlyFitting: z.boolean().default(false),
      /** With `all` and `every`: also accept files that run without being asked; otherwise refused. */
      acceptSelfRunning: z.boolean().default(false),
      /** With `all` and `every`: also reject changes in a turn that may be the user's; otherwise refused. */
      rejectUnsure: z.boolean().default(false),
      /** Refused if someone else has decided differently on this hunk. */
      onlyUndecided: z.boolean().default(false),
      /** Refused if the suggestion has a newer revision. */
      revision: z.int().nullable().default(null),
    }),
    result: decidedSchema,
  },
  /**
   * A reviewer's intent. The host decides what follows from the suggestion and this client's state. An `early` message
   * carries the expected outcome before it is written.
   */
  'review/intend': {
    params: z.strictObject({
      suggestion: z.string(),
      intent: intentSchema,
      /** The `revision` of the question that the reviewer confirmed; null: ask first. */
      confirmed: z.int().nullable().default(null),
    }),
    result: intentResultSchema,
  },
  /** Undoes the last decision on a hunk; with `all`, all decisions on all hunks. */
  'review/undo': { params: hunkRefSchema, result: decidedSchema },
  'review/redo': { params: hunkRefSchema, result: decidedSchema },
  /** Splits these diff lines off a hunk and returns the parts. */
  'review/split': {
    params: hunkRefSchema.extend({ first: z.int().min(1), last: z.int().min(1) }),
    result: decidedSchema,
  },
  'review/join': { params: hunkRefSchema, result: decidedSchema },
  'review/comment': {
    params: hunkRefSchema.extend({
      comment: z.string().min(1).max(COMMENT_MAX_LENGTH),
      /** The lines that the comment is about. */
      lines: commentedLinesSchema.nullable().default(null),
    }),
    result: decidedSchema,
  },
  /** The author's reply to a comment, on the same lines. */
  'review/reply': {
    params: hunkRefSchema.extend({
      text: z.string().min(1).max(COMMENT_MAX_LENGTH),
      /** The comment's number on the hunk, from 1; null: the reviewer's last one. */
      to: z.int().min(1).nullable().default(null),
      /** The AI that replies; refused on another's suggestion. Null: not an AI. */
      author: z.string().max(200).nullable().default(null),
    }),
    result: z.strictObject({ hunk: hunkSchema, revision: z.int() }),
  },
  /** A hunk's current place, the lines around it, and what it was modified to. */
  'review/inspect': {
    params: hunkRefSchema.extend({
      above: z.int().min(0).max(CONTEXT_MAX_LINES).default(0),
      below: z.int().min(0).max(CONTEXT_MAX_LINES).default(0),
      pairs: z.boolean().default(false),
    }),
    result: inspectionSchema,
  },
  /** Where a file's hunks are in an editor's text of that file, so that the editor can show them. */
  'review/places': {
    params: z.strictObject({
      suggestion: z.string(),
      file: z.string(),
      /** The text's lines, each with a line feed; null: the file's own text. */
      text: z.string().max(TEXT_MAX_LENGTH).nullable().default(null),
    }),
    result: z.array(hunkPlaceSchema),
  },
  'review/texts': { params: hunkRefSchema, result: fileTextsSchema },
  /** Which of these hunks are marked as seen in any suggestion. */
  'review/viewed': {
    params: z.strictObject({ hunks: z.array(z.string()).max(VIEWED_MAX_ASKED) }),
    result: z.strictObject({ hunks: z.array(z.string()) }),
  },
  /** Marks hunks as seen by content, so a changed hunk is no longer seen. Decides nothing. */
  'review/mark-viewed': {
    params: z.strictObject({ hunks: z.array(z.string()).min(1).max(VIEWED_MAX_MARKED), viewed: z.boolean() }),
    result: z.strictObject({ viewed: z.boolean() }),
  },
  'review/conflict': { params: hunkRefSchema, result: conflictSchema.nullable() },
  /** Reports an author's progress to every client. Only the event is stored. */
  'review/report': { params: reportSchema, result: z.strictObject({ sent: z.literal(true) }) },
  /** Claims the task of telling the AI in a pane about an event's decisions; `mine`: this client came first. */
  'review/claim-feedback': {
    params: z.strictObject({ pane: z.string().max(1000), seq: z.int() }),
    result: z.strictObject({ mine: z.boolean() }),
  },
  /** Finishes a suggestion. Accepted hunks stay in the target in any case. */
  'review/finish': {
    params: z.strictObject({
      suggestion: z.string(),
      how: z.enum(['finalize', 'discard']),
      /** With `finalize`: commits only what was accepted; staged changes stay staged. */
      commit: z.boolean().default(false),
      /** With a commit: run hooks and sign as the user's git would. If false, neither is done; the result says so. */
      hooks: z.boolean().default(false),
      /** The commit message; null: the suggestion's description. */
      message: z.string().max(COMMENT_MAX_LENGTH).nullable().default(null),
      /** Commits, and pushes the commit to the branch's upstream. */
      push: z.boolean().default(false),
      /**
       * Its sandbox. `keep` leaves it alone; `revert` (with `discard`) undoes its undecided hunks; `rebase` moves it to
       * the target's HEAD; `sync` does that only for sandboxes made by copane; `remove` deletes it unless it has
       * unpublished work.
       */
      sandbox: z.enum(['keep', 'revert', 'rebase', 'sync', 'remove']).default('keep'),
    }),
    result: suggestionSummarySchema.extend({
      commit: z.string().nullable(),
      pushed: z.string().nullable(),
      /** What else failed, for people. */
      notes: z.array(z.string()),
    }),
  },
  /** Reopens a finished suggestion. Decisions, files and commits stay. */
  'review/reopen': { params: z.strictObject({ suggestion: z.string() }), result: suggestionSummarySchema },
} as const;
