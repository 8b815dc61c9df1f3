/**
 * The suggestion protocol as it travels by HTTP, WebSocket and SSE: one schema a message. Names are spelled
 * `snake_case` here; `suggestion-spelling.ts` adds the other spelling at the wire.
 */
import * as z from 'zod';
import { progressSchema, reportErrorSchema } from './report.ts';
import {
  changeKindSchema,
  commentSchema,
  hunkStatusSchema,
  lineRangeSchema,
  suggestionStatusSchema,
} from './review.ts';

/** The port of the original protocol. */
export const SUGGESTION_PORT = 4097;

/** Sequence numbers: the place in the host's log times this, plus the place within one entry of it. */
export const SEQ_FACTOR = 65_536;

/** Who may do what: a reviewer everything; an author publishes, reports, and sees and discards its own. */
export const roleSchema = z.enum(['reviewer', 'author']);
export type Role = z.infer<typeof roleSchema>;

const id = z.string().min(1).max(200);
const seq = z.int().min(0);
const text = z.string().max(100_000);

const workingDirectory = z
  .string()
  .max(4096)
  .optional()
  .describe('A folder, absolute or relative to the home folder; only suggestions for it or below it.');

/** What a client may ask for, by the message type of the WebSocket. Further fields are ignored. */
export const requestSchemas = {
  list: z.object({ working_directory: workingDirectory }),
  get: z.object({ suggestion_id: id }),
  publish: z.object({
    working_directory: z.string().min(1).max(4096).describe('The working copy that the change is for.'),
    description: z.string().max(10_000).default(''),
    patch: z
      .string()
      .min(1)
      .optional()
      .describe('A unified diff, as git prints it. Either this or `source_directory`.'),
    source_directory: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        'By the Unix socket alone: a git worktree or clone whose changes are taken, untracked files too.',
      ),
    patch_encoding: z
      .enum(['utf8', 'base64'])
      .default('utf8')
      .describe('base64: the patch holds bytes that are no UTF-8.'),
    files: z.array(z.string().max(1000)).max(1000).default([]).describe('Globs: only these files.'),
    exclude_files: z.array(z.string().max(1000)).max(1000).default([]).describe('Globs: not these files.'),
    line_ranges: z
      .array(z.object({ file: z.string().max(1000), start_line: z.int().min(1), end_line: z.int().min(1) }))
      .max(1000)
      .default([])
      .describe('Of these files only the hunks that touch these lines of the new text, both ends included.'),
    hunk_descriptions: z
      .record(z.string(), text)
      .default({})
      .describe('Notes by `file`, or `file:N` for its N-th hunk.'),
  }),
  feedback: z.object({
    suggestion_id: id,
    hunk_id: id.describe('A hunk, or `all` for every hunk that is undecided.'),
    action: z
      .enum(['accept', 'reject', 'modify', 'comment'])
      .describe('`comment` decides nothing: it only takes `comment` along.'),
    lines: lineRangeSchema
      .optional()
      .describe('Only these lines of the diff, counted from 1 below its `@@` line.'),
    modified_diff: z.string().optional().describe('With `modify`: the edited diff.'),
    comment: text.optional(),
    revision: z.int().optional().describe('Refused when the suggestion was decided on since this revision.'),
  }),
  undo: z.object({ suggestion_id: id, hunk_id: id }),
  complete: z.object({ suggestion_id: id, action: z.enum(['finalize', 'discard']) }),
  status: z.object({
    message: z.string().min(1).max(2000),
    status: progressSchema.default('working'),
    suggestion_id: id.optional(),
    hunk_id: id.optional(),
    error_code: reportErrorSchema.optional().describe('Sends `suggestion.error` instead.'),
  }),
  subscribe: z.object({
    working_directory: workingDirectory,
    since: seq.optional().describe('Events after this number, instead of from now on.'),
  }),
} as const;
export type RequestType = keyof typeof requestSchemas;

export const wireHunkSchema = z.object({
  id,
  suggestion_id: id,
  file: z.string(),
  kind: changeKindSchema,
  diff: z.string().describe('Unified diff of this hunk, from its `@@` line on.'),
  diff_complete: z.boolean().describe('False when the diff was too long and is cut.'),
  status: hunkStatusSchema,
  reason: z.string().nullable(),
  needs: z.array(id).describe('Hunks that must be accepted before this one.'),
  parent: id.nullable(),
  note: z.string().nullable().describe("The author's words on it."),
  comments: z.array(z.string()),
  line_comments: z
    .array(
      z.object({
        comment: z.string(),
        lines: lineRangeSchema.nullable().describe('Lines of the diff, counted from 1 below its `@@` line.'),
        file_lines: commentSchema.shape.place.describe('The same as line numbers of the file.'),
        quote: z.string().describe('The lines themselves, each with its sign.'),
      }),
    )
    .describe('Those of the comments that are about some lines of the hunk.'),
  original_lines: z.array(z.string()).describe('The lines that it stands on, context included.'),
  original_start_line: z.int().nullable(),
});

const hunkStateSchema = z.object({
  reviewed: z.boolean(),
  action: z.enum(['accepted', 'rejected', 'modified']).optional(),
  status: hunkStatusSchema,
  comment: z.string().optional(),
});

export const briefSchema = z.object({
  id,
  jj_change_id: z.string().describe('Empty where the change does not come from jj.'),
  description: z.string(),
  files: z.array(z.string()),
  hunk_count: z.int(),
  reviewed_count: z.int(),
  remaining_count: z.int(),
  status: suggestionStatusSchema,
  working_directory: z.string(),
  source: z.string(),
  created_at: z.number().describe('Milliseconds since the epoch.'),
  revision: z.int(),
  in_place: z.boolean(),
  author: z.string().nullable().describe('Who published it; null: a program of the user.'),
});
export type WireBrief = z.infer<typeof briefSchema>;

export const fullSchema = briefSchema.extend({
  hunks: z.array(wireHunkSchema),
  hunk_states: z.record(id, hunkStateSchema).describe('By hunk id.'),
  notes: z.array(z.string()).describe('What was tolerated while reading the patch.'),
});

const event = { seq, ts: z.number().describe('Milliseconds since the epoch.') };

/** What a server says unasked. */
export const wireEventSchemas = {
  connected: z.object({
    type: z.literal('connected'),
    message: z.string(),
    seq: seq.describe('Resume from here.'),
    role: roleSchema,
    author: z.string().nullable().describe('Its name, for an author.'),
    suggestions: z.array(briefSchema),
  }),
  gap: z.object({
    type: z.literal('gap'),
    seq: seq.describe('The stream goes on after it; load the list again.'),
  }),
  'suggestion.ready': z.object({ type: z.literal('suggestion.ready'), ...event, suggestion: fullSchema }),
  'suggestion.hunk_applied': z.object({
    type: z.literal('suggestion.hunk_applied'),
    ...event,
    suggestion_id: id,
    hunk_id: id,
    file: z.string(),
    action: z.enum(['accepted', 'rejected', 'modified']),
    applied: z.boolean(),
    comment: z.string().nullable(),
    remaining_hunks: z.int().describe('Undecided hunks of the suggestion after this change.'),
    feedback: z.string().describe('The same in one sentence, for the author.'),
  }),
  'suggestion.changed': z.object({
    type: z.literal('suggestion.changed'),
    ...event,
    suggestion_id: id,
    more_decisions: z
      .int()
      .describe('Decisions of the same change that came without a `suggestion.hunk_applied`: load it again.'),
    feedback: z
      .array(z.string())
      .describe('A sentence for the author about each decision, comment and undo of this change.'),
    suggestion: briefSchema,
  }),
  'suggestion.status': z.object({
    type: z.literal('suggestion.status'),
    ...event,
    status: progressSchema,
    message: z.string(),
    suggestion_id: id.optional(),
  }),
  'suggestion.error': z.object({
    type: z.literal('suggestion.error'),
    ...event,
    code: reportErrorSchema,
    message: z.string(),
    suggestion_id: id.optional(),
    hunk_id: id.optional(),
  }),
  response: z.object({
    type: z.literal('response'),
    id: z.union([z.string(), z.number()]).optional().describe('As it came with the request.'),
    success: z.boolean(),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The payload; its fields stand beside it too.'),
    error: z.string().optional(),
  }),
  error: z.object({ type: z.literal('error'), error: z.string() }),
} as const;
