/** The suggestion protocol's objects, the same for all transports, in `snake_case`. Made by `encode-suggestion.ts`. */
import * as z from 'zod';
import { agentEventDataSchemas, jobStatusSchema } from './agent.ts';
import type { Role } from './command-table.ts';
import { progressSchema, reportErrorSchema } from './report.ts';
import {
  changeKindSchema,
  commentSchema,
  hunkStatusSchema,
  hunkWarningSchema,
  lineRangeSchema,
  suggestionStatusSchema,
} from './review.ts';

/** The original protocol's port. */
export const SUGGESTION_PORT = 4097;

/** A sequence number is the position in the host's log times this, plus the position within the log entry. */
export const SEQ_FACTOR = 65_536;

const id = z.string().min(1).max(200);
const seq = z.int().min(0);
const time = z.number().describe('Milliseconds since the epoch.');

const wireCommentSchema = z.object({
  text: z.string(),
  by: commentSchema.shape.by.describe(
    "The author's reply to the reviewer's comment above it; left out: a comment of the reviewer.",
  ),
  lines: lineRangeSchema
    .optional()
    .describe(
      'The lines of the diff that it is about, counted from 1 below its `@@` line; left out: not all are of the diff.',
    ),
  file_lines: commentSchema.shape.place
    .unwrap()
    .optional()
    .describe('The lines that it is about, by their numbers in the file; left out: the whole hunk.'),
  quote: z
    .string()
    .optional()
    .describe(
      'The lines themselves, each with its sign; without `file_lines`: lines that a later version no longer has.',
    ),
});

export const wireHunkSchema = z
  .object({
    id,
    file: z.string(),
    kind: changeKindSchema,
    status: hunkStatusSchema.describe(
      'Undecided are `pending` and `conflict`: it does not fit the file as it now is, and `reason` says why. `already_applied`: the file has it already.',
    ),
    diff: z
      .string()
      .describe(
        'Unified diff of this hunk, from its `@@` line on, as it was offered, also when it is `modified`.',
      ),
    diff_complete: z.boolean().describe('False if the diff was too long and is shortened or omitted.'),
    reason: z.string().optional().describe('Why it is in conflict, or cannot be undone.'),
    needs: z.array(id).optional().describe('Hunks that must be accepted before this one.'),
    parent: id
      .optional()
      .describe('The hunk that this is a part of, after a split; it stands for all its parts.'),
    version: z
      .int()
      .optional()
      .describe('The version of the suggestion in which it first appeared; left out: the first one.'),
    note: z.string().optional().describe("The author's words on it."),
    warnings: z
      .array(hunkWarningSchema)
      .optional()
      .describe(
        'What a reviewer should know before deciding: a file that runs by itself, hidden characters.',
      ),
    comments: z
      .array(wireCommentSchema)
      .optional()
      .describe("The reviewer's comments, oldest first, each with the author's replies below it."),
    is_new: z
      .literal(true)
      .optional()
      .describe('It is open, and is new or has changed since the reviewer last decided or commented.'),
  })
  .meta({ id: 'Hunk' });
export type WireHunk = z.output<typeof wireHunkSchema>;

/** Without its diff, or with only part of it. */
export const bareHunkSchema = wireHunkSchema.partial({ diff: true }).meta({ id: 'BareHunk' });
export type BareHunk = z.output<typeof bareHunkSchema>;

export const briefSchema = z
  .object({
    id,
    description: z.string(),
    status: suggestionStatusSchema.describe(
      '`pending`: nothing is decided; `partial`: something; `complete`: every hunk, and it can still be undone; then its end.',
    ),
    working_directory: z.string().describe('The working copy that it is for; absolute.'),
    source: z.string().describe('Where it came from, for people.'),
    jj_change_id: z.string().optional().describe('Of a change that comes from jj.'),
    author: z.string().nullable().describe('Who published it; null: a program of the user.'),
    created_at: time,
    files: z.array(z.string()),
    hunk_count: z.int(),
    reviewed_count: z.int(),
    remaining_count: z.int(),
    revision: z.int().describe('Grows with every decision; `feedback` may name the revision that was seen.'),
    version: z.int().optional().describe('Which version of the suggestion this is; left out: the first.'),
    in_place: z.boolean().describe('The changes are already in the working copy; reject removes them.'),
    written_on_save: z
      .literal(true)
      .optional()
      .describe("Decisions reach the files with a save of the agent's session, not at once."),
  })
  .meta({ id: 'Suggestion' });
export type WireBrief = z.output<typeof briefSchema>;

export const fullSchema = briefSchema
  .extend({
    hunks: z.array(wireHunkSchema),
    notes: z
      .array(z.string())
      .optional()
      .describe('Problems tolerated while reading the patch, and what this version changed.'),
    stack: z
      .array(
        z.object({
          place: z.int(),
          id,
          description: z.string(),
          status: suggestionStatusSchema,
          author: z.string().nullable(),
        }),
      )
      .optional()
      .describe(
        'The open suggestions about the same files in the order in which they were published, this one and at most ten on either side; `place` 1 is to be decided on first. In the answer to `get` alone, to an author with its own. Left out: there is no other.',
      ),
  })
  .meta({ id: 'SuggestionWithHunks' });
export type WireSuggestion = z.output<typeof fullSchema>;

const roleSchema = z.enum(['reviewer', 'author'] satisfies Role[]);
const event = { seq, ts: time };

/** Messages that a server pushes, and the frame of its WebSocket answers. */
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
    seq: seq.describe('The stream continues after it; load the list again.'),
  }),
  'suggestion.ready': z.object({ type: z.literal('suggestion.ready'), ...event, suggestion: fullSchema }),
  'suggestion.hunk_applied': z.object({
    type: z.literal('suggestion.hunk_applied'),
    ...event,
    suggestion_id: id,
    hunk_id: id,
    file: z.string(),
    action: z.enum(['accepted', 'rejected', 'modified']),
    applied: z.boolean().describe('The file holds the change now.'),
    comment: z.string().optional(),
    lines: lineRangeSchema.optional().describe('The lines of the diff that it is about; left out: all.'),
    remaining_hunks: z.int().describe('Undecided hunks of the suggestion after this change.'),
    feedback: z.string().describe('The same in one sentence, for the author.'),
  }),
  'suggestion.changed': z.object({
    type: z.literal('suggestion.changed'),
    ...event,
    suggestion_id: id,
    more_decisions: z
      .int()
      .optional()
      .describe('Decisions of the same change that came without a `suggestion.hunk_applied`: load it again.'),
    feedback: z
      .array(z.string())
      .optional()
      .describe('A sentence for the author about each decision, comment and undo of this change.'),
    suggestion: briefSchema,
  }),
  'suggestion.touched': z
    .object({
      type: z.literal('suggestion.touched'),
      ...event,
      working_directory: z.string(),
      files: z.array(z.string()).describe('Written by a decision on another suggestion.'),
      suggestions: z
        .array(z.object({ id, revision: z.int() }))
        .describe('Those about the same files, with their revisions as they now are.'),
    })
    .describe(
      'Hunks of these suggestions may no longer fit, or fit again, though nothing was decided on them. Load again what you show.',
    ),
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
      .describe('The answer, as HTTP gives it to the same operation.'),
    error: z.string().optional(),
    code: z.string().optional().describe('The kind of error, for programs.'),
    status: z.int().optional().describe('The status that HTTP has for the error.'),
    hint: z.string().optional().describe('What to do next.'),
  }),
  error: z.object({ type: z.literal('error'), error: z.string() }),
} as const;

/** The HTTP answer to a failed request. */
export const errorSchema = z
  .object({
    success: z.literal(false),
    error: z.string().describe('What happened, in one sentence.'),
    code: z.string().optional().describe('The kind of error, for programs.'),
    hint: z.string().optional().describe('What to do next.'),
  })
  .meta({ id: 'Error' });

export const healthSchema = z.object({
  healthy: z.literal(true),
  service: z.literal('suggestion-manager'),
  version: z.string(),
  state: z.literal('leading'),
  ws_clients: z.int().describe('Open streams.'),
});

const job = { session_id: id, job_id: id, status: jobStatusSchema, cursor: z.int().min(1) };

/** The agent's events in the streams, for reviewers. */
export const agentStreamSchemas: Readonly<Record<string, z.ZodObject>> = {
  ...Object.fromEntries(
    Object.entries(agentEventDataSchemas).map(([type, data]) => [
      type,
      z.object({ type: z.literal(type), ...event, ...job, data }),
    ]),
  ),
  'agent.session': z
    .object({ type: z.literal('agent.session'), ...event, session_id: id })
    .describe('A session was started, changed or archived: load it again.'),
};
