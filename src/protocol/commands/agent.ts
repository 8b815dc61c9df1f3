/** Commands of the agent: sessions, jobs, what is decided for a save, checkpoints and rollbacks. */
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

/** Context rows of one session. */
const CONTEXT_MAX_ROWS = 200;
/** Events of one answer. */
const EVENTS_MAX_PAGE = 1000;

/** Who a session belongs to; null: the user's own programs, the only ones that can begin one by now. */
const author = z.string().max(200).nullable().default(null);

export const agentConflictSchema = z
  .strictObject({
    file_path: path,
    /** The hunk that has no place; null: the file as a whole. */
    hunk_id: id.nullable(),
    reason: z.string(),
  })
  .meta({ id: 'AgentConflict' });
export type AgentConflict = z.output<typeof agentConflictSchema>;

/** What a save did. With `conflict` nothing was written: run again, merge by hand, or leave these files out. */
export const saveResultSchema = z
  .strictObject({
    status: z.enum(['completed', 'conflict']),
    applied_files: z.array(
      z.strictObject({ file_path: path, applied_hunks: z.int(), rejected_hunks: z.int() }),
    ),
    /** What this save wrote; a file that stood on disk already is not among them. */
    written_files: z.array(path),
    conflicts: z.array(agentConflictSchema),
  })
  .meta({ id: 'AgentSave' });
export type AgentSaveResult = z.output<typeof saveResultSchema>;

export const rollbackResultSchema = z
  .strictObject({
    checkpoint_id: id,
    mode: rollbackModeSchema,
    /** `preview`: nothing was done · `conflict`: later edits stand in the way; nothing was done. */
    status: z.enum(['completed', 'preview', 'conflict', 'unchanged']),
    /** What changes in the working text, as a diff each. */
    files: z.array(z.strictObject({ file_path: path, diff: z.string() })),
    /** Changes made after the checkpoint that go as well. */
    later_hunks: z.int(),
    conflicts: z.array(agentConflictSchema),
    /** Rolling back to it undoes this rollback. */
    undo_checkpoint_id: id.nullable(),
  })
  .meta({ id: 'AgentRollback' });
export type RollbackResult = z.output<typeof rollbackResultSchema>;

/** One side of a three-way view; null: there is no file. */
const side = z.string().nullable();
export const diff3Schema = z
  .strictObject({
    checkpoint_id: id,
    file_path: path,
    current_file: side,
    checkpoint_base: side,
    agent_proposed: side,
    /** What merging the proposal into the current text gives; both sides stand between markers where they disagree. */
    merged: z.string(),
    conflicts: z.int(),
  })
  .meta({ id: 'AgentDiff3' });
export type Diff3 = z.output<typeof diff3Schema>;

export const jobSummarySchema = agentJobSchema.omit({ proposed_edits: true, diff_bundle: true });
export type JobSummary = z.output<typeof jobSummarySchema>;

export const agentCommands = {
  /** Starts a session for a project folder. */
  'agent/create': {
    params: z.strictObject({
      root: z.string().startsWith('/'),
      title: z.string().max(500).default(''),
      author,
    }),
    result: agentSessionSchema,
  },
  /** Sessions, the last used first. */
  'agent/sessions': {
    params: z.strictObject({
      root: z.string().nullable().default(null),
      archived: z.boolean().default(false),
    }),
    result: z.array(agentSessionSchema.omit({ chat: true, context_rows: true })),
  },
  'agent/session': { params: z.strictObject({ session_id: id }), result: agentSessionSchema },
  /** Archives a session; its jobs must have ended. */
  'agent/archive': { params: z.strictObject({ session_id: id }), result: agentSessionSchema },
  /** Replaces the rows that stay with a session. */
  'agent/context': {
    params: z.strictObject({ session_id: id, context_rows: z.array(contextRowSchema).max(CONTEXT_MAX_ROWS) }),
    result: agentSessionSchema,
  },
  /** Starts a job in the background. */
  'agent/run': {
    params: z.strictObject({
      session_id: id,
      instruction: z.string().min(1).max(200_000),
      /** For this request alone; those of the session come on top. */
      context_rows: z.array(contextRowSchema).max(CONTEXT_MAX_ROWS).default([]),
      tool_config: z.strictObject({ max_tool_calls: z.int().min(1).max(1000).optional() }).default({}),
      /** null: as configured. */
      mode: agentModeSchema.nullable().default(null),
      confirm_before_edits: z.boolean().default(false),
    }),
    result: z.strictObject({ job_id: id, status: jobStatusSchema }),
  },
  /** Runs a job's instruction again, with the files as they are now; what it proposed before is put away. */
  'agent/rerun': {
    params: z.strictObject({ job_id: id }),
    result: z.strictObject({ job_id: id, status: jobStatusSchema }),
  },
  'agent/job': { params: z.strictObject({ job_id: id }), result: agentJobSchema },
  /** Jobs, newest first. */
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
      /** Of the last event of this answer; the cursor of the question when there is none. */
      next_cursor: z.int(),
      /** Events after the asked cursor that are no longer kept. */
      dropped: z.int(),
      /** How long to wait before asking again; the streams tell without being asked. */
      poll_interval_ms: z.int(),
      events: z.array(agentEventSchema),
    }),
  },
  /** What the model is just saying: waits a while for more than `from` characters of it. */
  'agent/stream': {
    params: z.strictObject({
      job_id: id,
      from: z.int().min(0).default(0),
      wait_ms: z.int().min(0).max(10_000).default(0),
    }),
    result: z.strictObject({
      text: z.string(),
      /** To ask from next; smaller than before when a new message began. */
      next: z.int(),
      live: z.boolean(),
    }),
  },
  /** Answers the question of a job. `skip`: tell the model that there is no answer. */
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
  /** Takes these hunks, rejects the others of the job, and writes its files. */
  'agent/apply': {
    params: z.strictObject({ session_id: id, job_id: id, accepted_hunk_ids: z.array(id).max(100_000) }),
    result: saveResultSchema,
  },
  /** Writes decided changes to disk. No files: all of the session's. */
  'agent/save': {
    params: z.strictObject({ session_id: id, files: z.array(path).max(100_000).default([]) }),
    result: saveResultSchema,
  },
  /** The working text of a file becomes this: the user's own edit, a hunk like any other. */
  'agent/edit': {
    params: z.strictObject({
      session_id: id,
      file_path: path,
      text: z.string().max(16_000_000),
      /** Hunks without a place in this file are settled by it: they are rejected. */
      settles_conflicts: z.boolean().default(false),
    }),
    result: z.strictObject({ suggestion_id: id.nullable(), rejected_hunks: z.int() }),
  },
  /** Takes what the disk has now as the user's edits, below what is proposed. */
  'agent/merge': {
    params: z.strictObject({ session_id: id, file_path: path }),
    result: z.strictObject({ conflicts: z.array(agentConflictSchema) }),
  },
  /** Files of a session whose working text is not the disk's. */
  'agent/working': {
    params: z.strictObject({ session_id: id, file_path: path.nullable().default(null) }),
    result: z.array(
      z.strictObject({
        file_path: path,
        /** Asked for by name only; null: there is no file. */
        text: side.optional(),
        unsaved: z.boolean(),
        undecided: z.int(),
        conflict: z.string().nullable(),
      }),
    ),
  },
  /** Of a session, or of a project folder: a checkpoint outlives its session. The newest first. */
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
  /** The three texts of a file: now, before the run, as proposed. */
  'agent/diff3': { params: z.strictObject({ checkpoint_id: id, file_path: path }), result: diff3Schema },
  /** Takes a run back in the working text; the disk follows with the next save. */
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
