/** Commands of the agent: sessions, jobs, saves, checkpoints and rollbacks. */
import * as z from 'zod';
import {
  agentEventSchema,
  agentJobSchema,
  agentModeSchema,
  agentSessionSchema,
  checkpointSchema,
  contextRowSchema,
  jobStatusSchema,
  rollbackModeSchema,
} from '../agent.ts';

const id = z.string().min(1).max(200);
const path = z.string().min(1).max(4096);

const CONTEXT_MAX_ROWS = 200;
const EVENTS_MAX_PAGE = 1000;

/** The owner of a session; null: the user's own programs, the only ones that can start a session for now. */
const author = z.string().max(200).nullable().default(null);

export const agentConflictSchema = z
  .strictObject({
    file_path: path,
    /** The hunk that does not fit; null: the whole file. */
    hunk_id: id.nullable(),
    reason: z.string(),
  })
  .meta({ id: 'AgentConflict' });
export type AgentConflict = z.output<typeof agentConflictSchema>;

/** The result of a save. After a `conflict` nothing was written: run again, merge by hand, or leave these files out. */
export const saveResultSchema = z
  .strictObject({
    status: z.enum(['completed', 'conflict']),
    applied_files: z.array(
      z.strictObject({ file_path: path, applied_hunks: z.int(), rejected_hunks: z.int() }),
    ),
    /** The files that this save wrote; excludes files already correct on disk. */
    written_files: z.array(path),
    conflicts: z.array(agentConflictSchema),
  })
  .meta({ id: 'AgentSave' });
export type AgentSaveResult = z.output<typeof saveResultSchema>;

export const rollbackResultSchema = z
  .strictObject({
    checkpoint_id: id,
    mode: rollbackModeSchema,
    /** `preview`: nothing was done. `conflict`: later edits prevent it, and nothing was done. */
    status: z.enum(['completed', 'preview', 'conflict', 'unchanged']),
    /** The changes to the working text, one diff per file. */
    files: z.array(z.strictObject({ file_path: path, diff: z.string() })),
    /** Later changes that would be undone too. */
    later_hunks: z.int(),
    conflicts: z.array(agentConflictSchema),
    /** The checkpoint to roll back to if this rollback is to be undone. */
    undo_checkpoint_id: id.nullable(),
  })
  .meta({ id: 'AgentRollback' });
export type RollbackResult = z.output<typeof rollbackResultSchema>;

/** One side of a three-way view; null: no file. */
const side = z.string().nullable();
export const diff3Schema = z
  .strictObject({
    checkpoint_id: id,
    file_path: path,
    current_file: side,
    checkpoint_base: side,
    agent_proposed: side,
    /** The proposal merged into the current text, with conflict markers where they differ. */
    merged: z.string(),
    conflicts: z.int(),
  })
  .meta({ id: 'AgentDiff3' });
export type Diff3 = z.output<typeof diff3Schema>;

export const jobSummarySchema = agentJobSchema.omit({ proposed_edits: true, diff_bundle: true });
export type JobSummary = z.output<typeof jobSummarySchema>;

export const agentCommands = {
  'agent/create': {
    params: z.strictObject({
      root: z.string().startsWith('/'),
      title: z.string().max(500).default(''),
      author,
    }),
    result: agentSessionSchema,
  },
  'agent/sessions': {
    params: z.strictObject({
      root: z.string().nullable().default(null),
      archived: z.boolean().default(false),
    }),
    result: z.array(agentSessionSchema.omit({ chat: true, context_rows: true })),
  },
  'agent/session': { params: z.strictObject({ session_id: id }), result: agentSessionSchema },
  'agent/archive': { params: z.strictObject({ session_id: id }), result: agentSessionSchema },
  /** Replaces the rows that a session keeps. */
  'agent/context': {
    params: z.strictObject({ session_id: id, context_rows: z.array(contextRowSchema).max(CONTEXT_MAX_ROWS) }),
    result: agentSessionSchema,
  },
  'agent/run': {
    params: z.strictObject({
      session_id: id,
      instruction: z.string().min(1).max(200_000),
      /** For this request only, added to those of the session. */
      context_rows: z.array(contextRowSchema).max(CONTEXT_MAX_ROWS).default([]),
      tool_config: z.strictObject({ max_tool_calls: z.int().min(1).max(1000).optional() }).default({}),
      /** Null: the configured mode. */
      mode: agentModeSchema.nullable().default(null),
      confirm_before_edits: z.boolean().default(false),
    }),
    result: z.strictObject({ job_id: id, status: jobStatusSchema }),
  },
  /** Repeats a job's instruction on the current files and discards its earlier proposal. */
  'agent/rerun': {
    params: z.strictObject({ job_id: id }),
    result: z.strictObject({ job_id: id, status: jobStatusSchema }),
  },
  'agent/job': { params: z.strictObject({ job_id: id }), result: agentJobSchema },
  'agent/jobs': {
    params: z.strictObject({
      session_id: id.nullable().default(null),
      root: z.string().nullable().default(null),
    }),
    result: z.array(jobSummarySchema),
  },
  /** Events strictly after `cursor`. */
  'agent/events': {
    params: z.strictObject({
      job_id: id,
      cursor: z.int().min(0).default(0),
      limit: z.int().min(1).max(EVENTS_MAX_PAGE).default(500),
    }),
    result: z.strictObject({
      job_id: id,
      status: jobStatusSchema,
      /** The cursor of the last event in this answer; if there is none, the cursor that was asked for. */
      next_cursor: z.int(),
      /** Number of events after the given cursor that are no longer kept. */
      dropped: z.int(),
      /** How long to wait before the next poll. Streams push events instead. */
      poll_interval_ms: z.int(),
      events: z.array(agentEventSchema),
    }),
  },
  /** The text that the model is writing. Waits until there are more than `from` characters. */
  'agent/stream': {
    params: z.strictObject({
      job_id: id,
      from: z.int().min(0).default(0),
      wait_ms: z.int().min(0).max(10_000).default(0),
    }),
    result: z.strictObject({
      text: z.string(),
      /** The next `from`; smaller than before if a new message has begun. */
      next: z.int(),
      live: z.boolean(),
    }),
  },
  /** Answers a job's question. `skip`: tells the model that the user gave no answer. */
  'agent/clarify': {
    params: z.strictObject({
      job_id: id,
      question_id: id,
      answer: z.string().max(100_000).default(''),
      skip: z.boolean().default(false),
    }),
    result: jobSummarySchema,
  },
  'agent/cancel': { params: z.strictObject({ job_id: id }), result: jobSummarySchema },
  /** Accepts these hunks, rejects the job's others, and writes its files. */
  'agent/apply': {
    params: z.strictObject({ session_id: id, job_id: id, accepted_hunk_ids: z.array(id).max(100_000) }),
    result: saveResultSchema,
  },
  /** Writes decided changes to disk; without files, all those of the session. */
  'agent/save': {
    params: z.strictObject({ session_id: id, files: z.array(path).max(100_000).default([]) }),
    result: saveResultSchema,
  },
  /** Sets the working text of a file. The user's edit becomes a hunk like any other. */
  'agent/edit': {
    params: z.strictObject({
      session_id: id,
      file_path: path,
      text: z.string().max(16_000_000),
      /** Also rejects this file's hunks that do not fit. */
      settles_conflicts: z.boolean().default(false),
    }),
    result: z.strictObject({ suggestion_id: id.nullable(), rejected_hunks: z.int() }),
  },
  /** Adopts the files on disk as the user's edits and rebases the proposals on them. */
  'agent/merge': {
    params: z.strictObject({ session_id: id, file_path: path }),
    result: z.strictObject({ conflicts: z.array(agentConflictSchema) }),
  },
  /** A session's files whose working text differs from the disk. */
  'agent/working': {
    params: z.strictObject({ session_id: id, file_path: path.nullable().default(null) }),
    result: z.array(
      z.strictObject({
        file_path: path,
        /** Only if its file was requested by name; null: no file. */
        text: side.optional(),
        unsaved: z.boolean(),
        undecided: z.int(),
        conflict: z.string().nullable(),
      }),
    ),
  },
  /** The checkpoints of a session or project folder, newest first. They outlive their session. */
  'agent/checkpoints': {
    params: z.strictObject({
      session_id: id.nullable().default(null),
      root: z.string().nullable().default(null),
    }),
    result: z.array(checkpointSchema),
  },
  'agent/checkpoint': { params: z.strictObject({ checkpoint_id: id }), result: checkpointSchema },
  'agent/forget-checkpoint': {
    params: z.strictObject({ checkpoint_id: id }),
    result: z.strictObject({ checkpoint_id: id }),
  },
  'agent/diff3': { params: z.strictObject({ checkpoint_id: id, file_path: path }), result: diff3Schema },
  /** Undoes a run in the working text; the next save writes it to disk. */
  'agent/rollback': {
    params: z.strictObject({
      checkpoint_id: id,
      mode: rollbackModeSchema,
      hunk_ids: z.array(id).max(100_000).default([]),
      preview: z.boolean().default(false),
    }),
    result: rollbackResultSchema,
  },
} as const;
