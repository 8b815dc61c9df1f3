/** The states of a job. Each input gives the next record, or a refusal. An ended job does not change. */
import { assertNever, fail, ok, type Result } from '../../lib/result.ts';
import type { AgentJob, JobError, JobStatus, ProposedEdit } from '../../protocol/agent.ts';

export type JobInput =
  | { readonly kind: 'start' }
  | {
      readonly kind: 'ask';
      readonly questionId: string;
      readonly question: string;
      readonly options: readonly string[];
    }
  | { readonly kind: 'answer'; readonly questionId: string }
  | {
      readonly kind: 'propose';
      readonly edits: readonly ProposedEdit[];
      readonly message: string;
      readonly checkpointId: string;
    }
  /** Nothing to review: the model only answered. */
  | { readonly kind: 'finish'; readonly message: string }
  /** Everything is decided, and accepted hunks are on disk. */
  | { readonly kind: 'settle' }
  /** A rollback or an undo has restored something in the working text. */
  | { readonly kind: 'reopen' }
  /** Its host ends normally: the next leader runs it from the start. */
  | { readonly kind: 'requeue' }
  | { readonly kind: 'fail'; readonly error: JobError }
  | { readonly kind: 'cancel' };

export const CANCELLED: JobError = { code: 'cancelled', message: 'The job was cancelled.', hint: null };
/** The process that ran it has died. */
export const INTERRUPTED: JobError = {
  code: 'interrupted',
  message: 'The host ended while this job was running; nothing of it was applied.',
  hint: 'Run the same instruction again.',
};

/** Whether a loop works on it, or it waits for the user. */
export function isLive(status: JobStatus): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting_for_user';
}

export const isOver = (status: JobStatus): boolean => status === 'completed' || status === 'failed';

/** A new job. */
export function newJob(fields: {
  readonly id: string;
  readonly sessionId: string;
  readonly instruction: string;
  readonly now: number;
  readonly rerunOf: string | null;
}): AgentJob {
  return {
    id: fields.id,
    session_id: fields.sessionId,
    instruction: fields.instruction,
    status: 'queued',
    created_at: fields.now,
    started_at: null,
    finished_at: null,
    cursor: 0,
    proposed_edits: [],
    diff_bundle: null,
    error: null,
    question: null,
    checkpoint_id: null,
    message: null,
    rerun_of: fields.rerunOf,
  };
}

/** The job after `input`; the same object if nothing changes. */
export function nextJob(job: AgentJob, input: JobInput, now: number): Result<AgentJob> {
  switch (input.kind) {
    case 'start':
      return job.status === 'queued'
        ? ok({ ...job, status: 'running', started_at: now })
        : refuse(job, 'start');
    case 'ask': {
      if (job.status !== 'running') return refuse(job, 'ask');
      const { questionId, question: words, options } = input;
      const question = { question_id: questionId, question: words, options: [...options], asked_at: now };
      return ok({ ...job, status: 'waiting_for_user', question });
    }
    case 'answer':
      return answer(job, input.questionId);
    case 'propose':
      if (job.status !== 'running') return refuse(job, 'propose');
      return ok({
        ...job,
        status: 'awaiting_review',
        proposed_edits: [...input.edits],
        message: input.message,
        checkpoint_id: input.checkpointId,
      });
    case 'finish':
      if (job.status !== 'running') return refuse(job, 'finish');
      return ok({ ...job, status: 'completed', finished_at: now, message: input.message });
    case 'settle':
      if (job.status === 'completed') return ok(job);
      if (job.status !== 'awaiting_review') return refuse(job, 'settle');
      return ok({ ...job, status: 'completed', finished_at: now });
    case 'reopen':
      if (job.status !== 'completed' || job.checkpoint_id === null) return ok(job);
      return ok({ ...job, status: 'awaiting_review', finished_at: null });
    case 'requeue':
      if (job.status !== 'running') return refuse(job, 'requeue');
      return ok({ ...job, status: 'queued', started_at: null });
    case 'fail':
      if (!isLive(job.status)) return refuse(job, 'fail');
      return ok({ ...job, status: 'failed', finished_at: now, error: input.error, question: null });
    case 'cancel':
      return cancel(job, now);
    default:
      return assertNever(input);
  }
}

function answer(job: AgentJob, questionId: string): Result<AgentJob> {
  if (job.status !== 'waiting_for_user' || job.question === null) {
    return fail('refused', `Job ${job.id} has not asked anything; it is ${words(job.status)}.`);
  }
  if (job.question.question_id !== questionId) {
    return fail(
      'not_found',
      `The question of job ${job.id} is ${job.question.question_id}, not ${questionId}.`,
    );
  }
  return ok({ ...job, status: 'running', question: null });
}

function cancel(job: AgentJob, now: number): Result<AgentJob> {
  if (job.status === 'failed' && job.error?.code === 'cancelled') return ok(job);
  if (job.status === 'awaiting_review') {
    return fail('refused', `Job ${job.id} has ended and waits for its review.`, 'Reject its hunks instead.');
  }
  if (!isLive(job.status)) return fail('refused', `Job ${job.id} is ${words(job.status)} already.`);
  return ok({ ...job, status: 'failed', finished_at: now, error: CANCELLED, question: null });
}

const words = (status: JobStatus) => status.replaceAll('_', ' ');

function refuse(job: AgentJob, input: string): Result<never> {
  return fail('refused', `Job ${job.id} is ${words(job.status)}: "${input}" has no place there.`);
}
