/** Requests and answers of the suggestion protocol, by name in `command-table.ts`. Unknown fields are ignored. */
import * as z from 'zod';
import { progressSchema, reportErrorSchema } from './report.ts';
import { lineRangeSchema, suggestionStatusSchema } from './review.ts';
import { briefSchema, fullSchema, wireHunkSchema } from './suggestion-wire.ts';

const id = z.string().min(1).max(200);
const text = z.string().max(100_000);
const suggestionId = id.meta({ examples: ['1d02910d-47b5-444a-a38d-98a209df6777'] });
const hunkId = id.meta({ examples: ['45856425043cb3dc'] });

const workingDirectory = z
  .string()
  .max(4096)
  .optional()
  .describe('A folder, absolute or relative to the home folder; only suggestions for it or below it.');

/** Unknown fields are ignored, as everywhere on the wire. */
const wireLines = z.object(lineRangeSchema.shape);

const success = z.literal(true);
const notes = z
  .array(z.string())
  .optional()
  .describe('Follow-up steps that failed: in the sandbox, in the index, at the end.');

/** A hunk and its suggestion after a decision. */
const decided = z.object({
  success,
  suggestion_id: suggestionId,
  status: suggestionStatusSchema,
  revision: z.int(),
  remaining_hunks: z.int().describe('Undecided hunks of the suggestion.'),
  hunks: z.array(wireHunkSchema).describe('The hunks concerned, as they are now.'),
  notes,
});

const hunkRef = z.object({ suggestion_id: suggestionId, hunk_id: hunkId });
const steppedRef = hunkRef.extend({
  hunk_id: hunkId.describe('A hunk; one that was split: all its parts; `all`: every decision, in one step.'),
});

export const suggestionMessages = {
  list: {
    fields: z.object({ working_directory: workingDirectory }),
    answer: z.object({ success, suggestions: z.array(briefSchema) }),
  },
  get: {
    fields: z.object({ suggestion_id: suggestionId }),
    answer: z.object({ success, suggestion: fullSchema }),
  },
  publish: {
    fields: z.object({
      working_directory: z
        .string()
        .min(1)
        .max(4096)
        .describe(
          'The folder that the change is for, absolute or relative to the home folder. Paths of the patch are relative to it.',
        )
        .meta({ examples: ['/home/ann/project'] }),
      suggestion_id: suggestionId
        .optional()
        .describe(
          'Your open suggestion that this is the next version of. It keeps its id and the decisions on hunks that have not changed.',
        ),
      description: z
        .string()
        .max(10_000)
        .default('')
        .meta({ examples: ['Retry a request that timed out'] }),
      patch: z
        .string()
        .min(1)
        .optional()
        .describe('A unified diff, as git prints it. Either this or `source_directory`.')
        .meta({ examples: ['--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n'] }),
      source_directory: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe(
          'Only over the Unix socket: a git worktree or clone whose changes, including untracked files, are published.',
        ),
      patch_encoding: z
        .enum(['utf8', 'base64'])
        .default('utf8')
        .describe('`base64` for a patch whose bytes are not all UTF-8.'),
      files: z.array(z.string().max(1000)).max(1000).default([]).describe('Globs: only these files.'),
      exclude_files: z.array(z.string().max(1000)).max(1000).default([]).describe('Globs: not these files.'),
      line_ranges: z
        .array(z.object({ file: z.string().max(1000), start_line: z.int().min(1), end_line: z.int().min(1) }))
        .max(1000)
        .default([])
        .describe(
          'Of these files only the hunks that touch these lines of the new text, both ends included.',
        ),
      hunk_descriptions: z
        .record(z.string(), text)
        .default({})
        .describe('Notes by `file`, or `file:N` for its N-th hunk.'),
    }),
    answer: z.object({ success, suggestion_id: suggestionId, suggestion: fullSchema }),
  },
  feedback: {
    fields: z.object({
      suggestion_id: suggestionId,
      hunk_id: hunkId.describe(
        'A hunk; one that was split: all its parts; `all`: every hunk that is undecided.',
      ),
      action: z
        .enum(['accept', 'reject', 'modify', 'comment'])
        .describe('`comment` decides nothing; it only adds `comment`.'),
      lines: wireLines
        .optional()
        .describe('Only these lines of the diff, counted from 1 below its `@@` line.'),
      file_lines: wireLines
        .optional()
        .describe(
          'With `comment`, in place of `lines`: lines of the file as the changes leave it, in the hunk, or between it and its neighbours. They are counted as `file_lines` of a comment.',
        ),
      modified_diff: z
        .string()
        .optional()
        .describe('With `modify`: the `diff` of the hunk, edited; the counts in its `@@` line may be wrong.'),
      comment: text.optional(),
      accept_self_running: z
        .boolean()
        .default(false)
        .describe('With `all`: also accepts files that run by themselves; refused without it.'),
      reject_unsure: z
        .boolean()
        .default(false)
        .describe(
          'With `all`, of what an AI’s answer changed: also rejects changes that may be the user’s; refused without it.',
        ),
      revision: z
        .int()
        .optional()
        .describe('The `revision` that you saw; refused if there were decisions since.'),
    }),
    answer: decided.extend({
      applied: z.boolean().describe('The file holds the change now.'),
      reverted: z.boolean().optional().describe('The change was rejected; left out after a comment.'),
    }),
  },
  reply: {
    fields: hunkRef.extend({
      text: text.min(1),
      comment: z
        .int()
        .min(1)
        .optional()
        .describe("Which of the hunk's `comments`, counted from 1; left out: the reviewer's last."),
    }),
    answer: z.object({ success, suggestion_id: suggestionId, revision: z.int(), hunk: wireHunkSchema }),
  },
  undo: { fields: steppedRef, answer: decided },
  redo: { fields: steppedRef, answer: decided },
  split: {
    fields: hunkRef.extend({
      lines: wireLines.describe('The lines of the diff to split off, counted from 1 below its `@@` line.'),
    }),
    answer: decided.describe('The parts of the hunk.'),
  },
  join: {
    fields: hunkRef.extend({ hunk_id: hunkId.describe('The hunk that was split, or a part of it.') }),
    answer: decided.describe('The hunk made from its parts.'),
  },
  complete: {
    fields: z.object({ suggestion_id: suggestionId, action: z.enum(['finalize', 'discard']) }),
    answer: z.object({
      success,
      suggestion_id: suggestionId,
      action: z.enum(['finalized', 'discarded']),
      notes,
    }),
  },
  reopen: {
    fields: z.object({ suggestion_id: suggestionId }),
    answer: z.object({ success, suggestion_id: suggestionId, suggestion: briefSchema }),
  },
  status: {
    fields: z.object({
      message: z
        .string()
        .min(1)
        .max(2000)
        .meta({ examples: ['Running the tests'] }),
      status: progressSchema.default('working'),
      suggestion_id: suggestionId.optional(),
      hunk_id: hunkId.optional(),
      error_code: reportErrorSchema.optional().describe('Sends `suggestion.error` instead.'),
    }),
    answer: z.object({ success, sent: z.literal(true) }),
  },
} as const;

/** A request for WebSockets only: which events to send. */
export const subscribeMessage = {
  fields: z.object({
    working_directory: workingDirectory,
    since: z.int().min(0).optional().describe('Events after this number, instead of from now on.'),
  }),
  answer: z.object({
    success,
    subscribed: z.string().describe('The folder; empty for all.'),
    suggestions: z.array(briefSchema),
  }),
} as const;

export type SuggestionOperation = keyof typeof suggestionMessages;
/** A request's checked fields, with the defaults filled in. */
export type Fields<T extends SuggestionOperation> = z.output<(typeof suggestionMessages)[T]['fields']>;
/** An answer without `success`, which only repeats the status. */
export type Payload<T extends SuggestionOperation> = Omit<
  z.output<(typeof suggestionMessages)[T]['answer']>,
  'success'
>;
