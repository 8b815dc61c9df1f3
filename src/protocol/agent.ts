/** The agent's records: `snake_case` in the store, over HTTP and in the code. */
import * as z from 'zod';
import { agentLimitsShape } from './agent-limits.ts';
import { hunkWarningSchema } from './review.ts';

const id = z.string().min(1).max(200);
const path = z.string().min(1).max(4096);
const line = z.int().min(1);
const time = z.number().describe('Milliseconds since the epoch.');
const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

export { NO_USER_ANSWER } from './limits.ts';

export const agentLimitsSchema = z.strictObject(agentLimitsShape);
export type AgentLimits = z.output<typeof agentLimitsSchema>;

/** A block of text that the user put in front of the model. */
export const contextRowSchema = z
  .strictObject({
    id,
    kind: z.enum(['selection', 'file', 'response', 'diff', 'note']),
    file_path: path.nullable().default(null),
    start_line: line.nullable().default(null),
    end_line: line.nullable().default(null),
    content: z.string().max(1_000_000).default(''),
    /** Kept for later requests. */
    pinned: z.boolean().default(false),
  })
  .meta({ id: 'AgentContextRow' });
export type ContextRow = z.output<typeof contextRowSchema>;

export const chatMessageSchema = z.strictObject({
  role: z.enum(['user', 'assistant', 'tool']),
  /** For `tool`: a summary in words, never the whole result. */
  text: z.string(),
  ts: time,
  job_id: id.nullable(),
});
export type ChatMessage = z.output<typeof chatMessageSchema>;

export const sessionStatusSchema = z.enum(['active', 'archived']);
export const jobStatusSchema = z.enum([
  'queued',
  'running',
  'waiting_for_user',
  'awaiting_review',
  'completed',
  'failed',
]);
export type JobStatus = z.output<typeof jobStatusSchema>;

export const jobErrorCodeSchema = z.enum([
  'cancelled',
  'interrupted',
  'invalid_edits',
  'invalid_output',
  'tool_budget',
  'context_overflow',
  'conflict',
  'timeout',
  'rate_limited',
  'not_configured',
  'unauthorized',
  'provider',
  'internal',
]);
export type JobErrorCode = z.output<typeof jobErrorCodeSchema>;

export const jobErrorSchema = z.strictObject({
  code: jobErrorCodeSchema,
  message: z.string(),
  hint: z.string().nullable().default(null),
});
export type JobError = z.output<typeof jobErrorSchema>;

/**
 * One edit in canonical form. Line numbers start at 1 and, for every edit of a proposal, refer to the text that the
 * model saw. `insert` at line 1 creates a file that does not exist.
 */
export const proposedEditSchema = z.strictObject({
  edit_id: id,
  file_path: path,
  operation: z
    .enum(['replace', 'insert', 'delete', 'delete_file', 'rename_file'])
    .describe(
      'replace, delete: the inclusive lines start_line to end_line; insert: before start_line. delete_file and rename_file are about the whole file.',
    ),
  start_line: line.optional(),
  end_line: line.optional(),
  /** Empty for `delete`. */
  new_text: z.string().max(4_000_000).default(''),
  /** For `rename_file`. */
  new_path: path.optional(),
  /**
   * SHA-256 of the exact bytes of the target lines, with line ends. For an insert: of the line before and the line at
   * `start_line`, if they exist. For a whole file: of all its bytes. For a new file: of no bytes.
   */
  expected_hash: hash,
  rationale: z.string().max(4000).optional(),
});
export type ProposedEdit = z.output<typeof proposedEditSchema>;

/** An edit from a model, without a hash, which the model cannot compute, and with an optional id. */
export const draftEditSchema = proposedEditSchema.partial({ edit_id: true, expected_hash: true });
export type DraftEdit = z.output<typeof draftEditSchema>;

/** Why an edit was refused, in words that the model can act on. */
export const editFaultSchema = z.strictObject({
  edit_id: id,
  code: z.enum([
    'unseen',
    'out_of_range',
    'overlap',
    'wrong_hash',
    'invalid',
    'outside_root',
    'protected',
    'not_text',
    'missing',
    'exists',
    'no_change',
    'conflict',
  ]),
  message: z.string(),
});
export type EditFault = z.output<typeof editFaultSchema>;

export const bundleHunkSchema = z.strictObject({
  hunk_id: id,
  patch: z.string(),
  /** Null: undecided. */
  accepted: z.boolean().nullable(),
  edit_ids: z.array(id),
  /** Exceeds the limits and has no place to split: split it by hand, or decide on it as a whole. */
  oversized_hunk: z.boolean().default(false),
  /** It does not fit the current text. */
  conflict: z.string().nullable().default(null),
  warnings: z.array(hunkWarningSchema).default([]),
});
export type BundleHunk = z.output<typeof bundleHunkSchema>;

export const bundleFileSchema = z.strictObject({
  file_path: path,
  new_path: path.nullable().default(null),
  change: z.enum(['modify', 'create', 'delete', 'rename']),
  /** Hash of the file on disk; null if there was none. */
  base_file_hash: hash.nullable(),
  hunks: z.array(bundleHunkSchema),
  /** The proposal is not based on the file on disk. */
  conflict: z.string().nullable().default(null),
  /** All decisions are on disk. */
  saved: z.boolean().default(false),
});
export type BundleFile = z.output<typeof bundleFileSchema>;

export const diffBundleSchema = z.strictObject({
  job_id: id,
  /** The suggestion with these hunks, which are decided in the review. */
  suggestion_id: id,
  files: z.array(bundleFileSchema),
});
export type DiffBundle = z.output<typeof diffBundleSchema>;

/** A tool call in a format independent of the provider. */
export const toolNameSchema = z.enum(['search_project', 'read_file', 'list_files', 'clarify_user']);
export type ToolName = z.output<typeof toolNameSchema>;
export const toolCallSchema = z.strictObject({
  tool_call_id: id,
  name: z.string().min(1).max(100),
  arguments: z.record(z.string(), z.unknown()),
});
export type ToolCall = z.output<typeof toolCallSchema>;
export const toolResultSchema = z.strictObject({
  tool_call_id: id,
  name: z.string().min(1).max(100),
  ok: z.boolean(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});
export type ToolResult = z.output<typeof toolResultSchema>;

export const agentModeSchema = z.enum(['local', 'remote', 'hybrid_auto', 'acp']);
export type AgentMode = z.output<typeof agentModeSchema>;
export type ModelMode = Exclude<AgentMode, 'acp'>;

/** Answers to choose from by text or number. Empty: any text is accepted. */
const answers = z.array(z.string()).default([]);

/** The payload of each event type. The summary is one line for people and traces. */
const summary = z.string().max(2000).default('');
export const agentEventDataSchemas = {
  'job.started': z.strictObject({ summary }),
  'tool.call.requested': z.strictObject({
    summary,
    tool_call_id: id,
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  'tool.call.completed': z.strictObject({
    summary,
    tool_call_id: id,
    tool: z.string(),
    ok: z.boolean(),
    result_count: z.int().optional(),
    duration_ms: z.number().optional(),
    error: z.string().optional(),
    /** The file map that a read returned, as text to show on a card. */
    file_map: z
      .strictObject({
        text: z.string(),
        file_path: path,
        symbol_count: z.int(),
        total_lines: z.int(),
        language: z.string(),
      })
      .optional(),
  }),
  /** An agent's whole plan, sent each time it changes. */
  'plan.updated': z.strictObject({
    summary,
    steps: z.array(
      z.strictObject({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
    ),
  }),
  'clarification.requested': z.strictObject({
    summary,
    question_id: id,
    question: z.string(),
    options: answers,
  }),
  'clarification.received': z.strictObject({ summary, question_id: id, answer: z.string() }),
  'edits.proposed': z.strictObject({ summary, edit_count: z.int(), files: z.array(z.string()) }),
  'diff.generated': z.strictObject({ summary, suggestion_id: id, hunk_count: z.int(), file_count: z.int() }),
  'review.updated': z.strictObject({
    summary,
    accepted: z.int(),
    rejected: z.int(),
    pending: z.int(),
    conflicts: z.int(),
  }),
  'apply.started': z.strictObject({ summary, files: z.array(z.string()) }),
  /** If there are conflicts, nothing was written. */
  'apply.completed': z.strictObject({
    summary,
    files: z.array(z.string()),
    conflicts: z.array(z.string()).default([]),
  }),
  'job.failed': z.strictObject({ summary, error: jobErrorSchema }),
  'checkpoint.created': z.strictObject({ summary, checkpoint_id: id }),
  'checkpoint.rollback.started': z.strictObject({ summary, checkpoint_id: id, mode: z.string() }),
  'checkpoint.rollback.completed': z.strictObject({
    summary,
    checkpoint_id: id,
    mode: z.string(),
    files: z.array(z.string()),
    undo_checkpoint_id: id.nullable(),
  }),
  'checkpoint.rollback.failed': z.strictObject({ summary, checkpoint_id: id, message: z.string() }),
  'provider.selected': z.strictObject({
    summary,
    provider: z.string(),
    model: z.string(),
    reason: z.string(),
  }),
  'provider.fallback': z.strictObject({ summary, from: z.string(), to: z.string(), reason: z.string() }),
  /** A request failed, perhaps only temporarily, and will be retried after the wait. */
  'provider.waiting': z.strictObject({
    summary,
    provider: z.string(),
    reason: z.string(),
    wait_ms: z.number(),
  }),
  /** A complete message from the model. */
  'message.completed': z.strictObject({
    summary,
    text: z.string(),
    input_tokens: z.int().nullable().default(null),
    output_tokens: z.int().nullable().default(null),
    latency_ms: z.number().nullable().default(null),
    model: z.string().nullable().default(null),
    /** The job ended before the message did: this is what of it had come. */
    unfinished: z.literal(true).optional(),
  }),
  /** An attempt by the model was refused with the reasons; the job continues. */
  'edits.refused': z.strictObject({ summary, attempt: z.int(), faults: z.array(editFaultSchema) }),
  /** The log was full, so older events of this job were dropped. */
  'events.dropped': z.strictObject({ summary, count: z.int() }),
} as const;
export type AgentEventType = keyof typeof agentEventDataSchemas;
export const AGENT_EVENT_TYPES = Object.keys(agentEventDataSchemas) as readonly AgentEventType[];
/** An event's type and payload before it is logged. Defaults may be omitted. */
export type AgentEventInput = {
  [T in AgentEventType]: { readonly type: T; readonly data: z.input<(typeof agentEventDataSchemas)[T]> };
}[AgentEventType];

export const agentEventSchema = z
  .strictObject({
    /** Starts at 1, without gaps within a job. */
    cursor: z.int().min(1),
    type: z.enum(AGENT_EVENT_TYPES as [AgentEventType, ...AgentEventType[]]),
    ts: time,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AgentEvent' });
export type AgentEvent = z.output<typeof agentEventSchema>;

export const pendingQuestionSchema = z.strictObject({
  question_id: id,
  question: z.string(),
  options: answers,
  asked_at: time,
});

export const agentJobSchema = z
  .strictObject({
    id,
    session_id: id,
    instruction: z.string(),
    status: jobStatusSchema,
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    /** Time of the last event. */
    cursor: z.int().min(0),
    /** The proposal, once there is one. */
    proposed_edits: z.array(proposedEditSchema),
    diff_bundle: diffBundleSchema.nullable(),
    error: jobErrorSchema.nullable(),
    question: pendingQuestionSchema.nullable(),
    checkpoint_id: id.nullable(),
    /** The model's final text answer. */
    message: z.string().nullable(),
    /** The earlier job whose instruction this one repeats on the current files. */
    rerun_of: id.nullable(),
  })
  .meta({ id: 'AgentJob' });
export type AgentJob = z.output<typeof agentJobSchema>;

export const agentSessionSchema = z
  .strictObject({
    id,
    /** The project folder; absolute, no links. */
    root: z.string(),
    title: z.string(),
    /** Its owner; null: the user. */
    author: z.string().nullable(),
    created_at: time,
    updated_at: time,
    status: sessionStatusSchema,
    chat: z.array(chatMessageSchema),
    context_rows: z.array(contextRowSchema),
    last_job_id: id.nullable(),
    /** State of its last job; null before the first one. */
    last_job_status: jobStatusSchema.nullable(),
    /** The suggestion that still needs decisions or a save. */
    pending_review: z
      .strictObject({ job_id: id, suggestion_id: id, undecided: z.int(), unsaved_files: z.array(z.string()) })
      .nullable(),
  })
  .meta({ id: 'AgentSession' });
export type AgentSession = z.output<typeof agentSessionSchema>;

export const checkpointFileSchema = z.strictObject({
  file_path: path,
  /** Hash of the file before the run; null if there was none. */
  base_snapshot_hash: hash.nullable(),
  /** Hash of the proposed text; null if the run deletes the file. */
  proposed_hash: hash.nullable(),
  hunks: z.array(z.strictObject({ hunk_id: id, reverse_patch: z.string() })),
});

export const checkpointSchema = z
  .strictObject({
    checkpoint_id: id,
    session_id: id,
    job_id: id.nullable(),
    created_at: time,
    /** `run`: before an agent run. `rollback`: before a rollback; restoring it undoes the rollback. */
    kind: z.enum(['run', 'rollback']),
    affected_files: z.array(checkpointFileSchema),
  })
  .meta({ id: 'AgentCheckpoint' });
export type Checkpoint = z.output<typeof checkpointSchema>;

export const rollbackModeSchema = z.enum(['hard_all', 'scoped_selected']);
export type RollbackMode = z.output<typeof rollbackModeSchema>;
