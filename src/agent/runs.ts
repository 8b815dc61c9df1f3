/** Starts, reruns, answers and cancels jobs. `job-runner.ts` runs them, `job-book.ts` records them. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { AgentLimits } from '../protocol/agent.ts';
import type { CommandInput, CommandResult } from '../protocol/command.ts';
import { checkContext } from './context-bounds.ts';
import { CANCELLED, isLive } from './core/job-machine.ts';
import type { JobBook } from './job-book.ts';
import { answerText, type JobRunner } from './job-runner.ts';
import type { Jobs } from './jobs.ts';
import type { AgentRecords, StoredJob, StoredRun, StoredSession } from './records.ts';

export interface RunsOptions {
  readonly records: AgentRecords;
  readonly limits: AgentLimits;
  readonly book: JobBook;
  readonly jobs: Jobs;
  readonly runner: JobRunner;
  /** Deletes ended jobs to make room for one more in this session. */
  readonly makeRoom: (session: string) => Promise<void>;
}

interface About {
  readonly instruction: string;
  readonly run: StoredRun;
  readonly rerunOf: string | null;
}

export class Runs {
  readonly #options: RunsOptions;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  async run(
    stored: StoredSession,
    input: CommandInput<'agent/run'>,
  ): Promise<Result<CommandResult<'agent/run'>>> {
    if (stored.status === 'archived') return fail('refused', `Session ${stored.id} is archived.`);
    const contextRows = [...stored.context_rows, ...input.context_rows];
    const fits = checkContext(contextRows);
    if (!fits.ok) return fits;
    const run = {
      contextRows,
      maxToolCalls: input.tool_config.max_tool_calls ?? null,
      mode: input.mode,
      confirmBeforeEdits: input.confirm_before_edits,
    };
    return this.#begin(stored, { instruction: input.instruction, run, rerunOf: null });
  }

  /** The same instruction with the current files. */
  async rerun(input: CommandInput<'agent/rerun'>): Promise<Result<CommandResult<'agent/rerun'>>> {
    const { book } = this.#options;
    const found = book.get(input.job_id);
    if (!found.ok) return found;
    const { job, run } = found.value;
    const session = book.session(job.session_id);
    if (!session.ok) return session;
    if (isLive(job.status)) return fail('refused', `Job ${job.id} is still running.`, 'Cancel it first.');
    const away = await this.#putAway(found.value);
    if (!away.ok) return away;
    return this.#begin(session.value, { instruction: job.instruction, run, rerunOf: job.id });
  }

  /** The job and the ones it repeats: a failed one leaves an earlier proposal behind. */
  async #putAway(stored: StoredJob): Promise<Result<void>> {
    const { book, jobs } = this.#options;
    const away = await jobs.putAway(stored);
    const before = stored.job.rerun_of === null ? null : book.get(stored.job.rerun_of);
    return away.ok && before?.ok ? this.#putAway(before.value) : away;
  }

  async #begin(session: StoredSession, about: About): Promise<Result<CommandResult<'agent/run'>>> {
    const { limits, records, jobs, runner, makeRoom } = this.#options;
    await makeRoom(session.id);
    const kept = records.jobFacts().filter((job) => job.session_id === session.id);
    if (kept.length >= limits.max_jobs_per_session) {
      const message = `Session ${session.id} has ${limits.max_jobs_per_session} unfinished jobs.`;
      return fail('limit', message, 'Finish the review of some of them first.');
    }
    const begun = jobs.begin(session, about);
    if (!begun.ok) return begun;
    runner.start(begun.value.id);
    return ok({ job_id: begun.value.id, status: 'queued' });
  }

  /** The user's answer; the loop continues with it at once. */
  clarify(input: CommandInput<'agent/clarify'>): Result<CommandResult<'agent/clarify'>> {
    const { book, jobs, runner } = this.#options;
    const asking = book.get(input.job_id);
    if (!asking.ok) return asking;
    const answer = answerText(input.answer, input.skip, asking.value.job.question?.options ?? []);
    if (!answer.ok) return answer;
    const stepped = book.step(input.job_id, {
      input: { kind: 'answer', questionId: input.question_id },
      events: [
        {
          type: 'clarification.received',
          data: { summary: answer.value, question_id: input.question_id, answer: answer.value },
        },
      ],
      chat: [{ role: 'user', text: answer.value }],
    });
    if (!stepped.ok) return stepped;
    runner.answer(stepped.value, answer.value);
    return ok(jobs.summary(stepped.value));
  }

  /** Ends it at once, whatever its loop is doing. */
  cancel(input: CommandInput<'agent/cancel'>): Result<CommandResult<'agent/cancel'>> {
    const { book, jobs, runner } = this.#options;
    const found = book.get(input.job_id);
    if (!found.ok) return found;
    const wasLive = isLive(found.value.job.status);
    const stepped = book.step(input.job_id, {
      input: { kind: 'cancel' },
      events: wasLive ? runner.lastEvents(input.job_id, CANCELLED) : [],
    });
    if (!stepped.ok) return stepped;
    runner.abandon(input.job_id);
    return ok(jobs.summary(stepped.value));
  }

  async stream(input: CommandInput<'agent/stream'>): Promise<Result<CommandResult<'agent/stream'>>> {
    const { book, runner } = this.#options;
    const found = book.get(input.job_id);
    return found.ok ? ok(await runner.stream(input.job_id, input.from, input.wait_ms)) : found;
  }
}
