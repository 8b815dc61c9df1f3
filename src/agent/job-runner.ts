/** Runs jobs in the background. A cancelled job is over at once; later reports of its loop are ignored. */
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { type AgentEventInput, type ChatMessage, type JobError, NO_USER_ANSWER } from '../protocol/agent.ts';
import { INTERRUPTED, isLive } from './core/job-machine.ts';
import type { JobBook } from './job-book.ts';
import type { LoopDeps, LoopInput, LoopOutcome, RunLoop } from './loop/port.ts';
import type { StoredJob } from './records.ts';

/** The most loops at a time; further jobs are queued. */
export const RUNNING_MAX_JOBS = 8;
/** Limit of one streamed message, in characters; beyond it the stream pauses until the message is complete. */
const STREAM_MAX_CHARACTERS = 1_000_000;
const MESSAGE_SUMMARY_CHARACTERS = 200;

export interface JobRunnerOptions {
  readonly book: JobBook;
  /** Null if no model is configured. */
  readonly runLoop: RunLoop | null;
  readonly newId: () => string;
  /** Prepares the input of the loop. */
  readonly prepare: (stored: StoredJob, signal: AbortSignal) => Promise<Result<LoopWork>>;
  /** Passes the proposal to the review. */
  readonly conclude: (stored: StoredJob, outcome: LoopOutcome) => Promise<Result<void>>;
  readonly onDefect: (job: string, thrown: unknown) => void;
}

export interface LoopWork {
  readonly input: LoopInput;
  readonly deps: Pick<LoopDeps, 'buffers' | 'check'>;
}

interface Asked {
  readonly question: string;
  /** Answers to choose from; empty if any text will do. */
  readonly options: readonly string[];
}

interface Running {
  readonly abort: AbortController;
  answer: ((text: string) => void) | null;
  text: string;
  /** Settles when the job is over or waits for the user. */
  settled: PromiseWithResolvers<void>;
  readonly waiters: Set<() => void>;
}

const NOT_CONFIGURED: JobError = {
  code: 'not_configured',
  message: 'No model is configured for the agent.',
  hint: 'Set agent_remote_model, or agent_mode and agent_local_model, in the configuration.',
};

const STARTED_AGAIN = 'started again: the copane that ran it has quit';

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #running = new Map<string, Running>();
  readonly #queue: string[] = [];
  #closed = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /** Starts the job, now or when its turn comes. */
  start(id: string): void {
    if (this.#closed) return;
    if (this.#running.size >= RUNNING_MAX_JOBS) this.#queue.push(id);
    else void this.#run(id, { kind: 'start' });
  }

  /** Ends the loop of a job that is over; ignores its later reports. */
  abandon(id: string): void {
    const running = this.#running.get(id);
    const queued = this.#queue.indexOf(id);
    if (queued >= 0) this.#queue.splice(queued, 1);
    if (running === undefined) return;
    this.#release(id, running);
    running.abort.abort();
  }

  /** Passes the user's answer to the loop; restarts a loop that ended with its process. */
  answer(stored: StoredJob, answer: string): void {
    const running = this.#running.get(stored.job.id);
    if (running === undefined) void this.#run(stored.job.id, { kind: 'resume', answer });
    else {
      running.settled = Promise.withResolvers();
      running.answer?.(answer);
      running.answer = null;
    }
  }

  /** The model's current message from `from`; waits up to `waitMs` for more. */
  async stream(
    id: string,
    from: number,
    waitMs: number,
  ): Promise<{ readonly text: string; readonly next: number; readonly live: boolean }> {
    const running = this.#running.get(id);
    if (running === undefined) return { text: '', next: 0, live: false };
    // A shorter text is a new message.
    const start = from > running.text.length ? 0 : from;
    if (running.text.length === start && waitMs > 0) await this.#more(running, waitMs);
    const text = running.text.slice(Math.min(start, running.text.length));
    return { text, next: running.text.length, live: this.#running.get(id) === running };
  }

  #more(running: Running, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        running.waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      running.waiters.add(done);
    });
  }

  /** Resolves once every running loop is over or waits for the user. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ settled }) => settled.promise));
  }

  /** Ends every loop. With hand-over, their jobs are queued for the next leader; otherwise they are interrupted. */
  close(handOver: boolean): void {
    this.#closed = true;
    for (const [id, running] of this.#running) {
      this.#release(id, running);
      running.abort.abort();
      if (handOver) this.#options.book.step(id, { input: { kind: 'requeue' } });
    }
  }

  async #run(id: string, how: { kind: 'start' } | { kind: 'resume'; answer: string }): Promise<void> {
    const { book, onDefect } = this.#options;
    const running: Running = {
      abort: new AbortController(),
      answer: null,
      text: '',
      settled: Promise.withResolvers(),
      waiters: new Set(),
    };
    this.#running.set(id, running);
    try {
      const begun = how.kind === 'resume' ? book.get(id) : this.#begin(id);
      if (!begun.ok) return;
      const ended = await this.#loop(begun.value, running);
      if (running.abort.signal.aborted || this.#running.get(id) !== running) return;
      const done = ended.ok ? await this.#conclude(id, ended.value) : ended;
      if (!done.ok) this.fail(id, done.error);
    } catch (thrown) {
      if (this.#running.get(id) !== running || running.abort.signal.aborted) return;
      onDefect(id, thrown);
      this.fail(id, {
        code: 'internal',
        message: `The job failed because of a defect: ${errorMessage(thrown)}`,
        hint: null,
      });
    } finally {
      this.#release(id, running);
      this.#next();
    }
  }

  #begin(id: string): Result<StoredJob> {
    const { book } = this.#options;
    const found = book.get(id);
    if (!found.ok) return found;
    const summary = found.value.job.cursor === 0 ? 'started' : STARTED_AGAIN;
    return book.step(id, { input: { kind: 'start' }, events: [{ type: 'job.started', data: { summary } }] });
  }

  async #conclude(id: string, outcome: LoopOutcome): Promise<Result<void, JobError>> {
    const now = this.#options.book.get(id);
    // Cancelled meanwhile: propose nothing.
    if (!now.ok || !isLive(now.value.job.status)) return ok(undefined);
    const concluded = await this.#options.conclude(now.value, outcome);
    if (concluded.ok) return concluded;
    const { message, hint } = concluded.error;
    return { ok: false, error: { code: 'conflict', message, hint: hint ?? null } };
  }

  async #loop(stored: StoredJob, running: Running): Promise<Result<LoopOutcome, JobError>> {
    const { runLoop, prepare } = this.#options;
    if (runLoop === null) return { ok: false, error: NOT_CONFIGURED };
    const { signal } = running.abort;
    const work = await prepare(stored, signal);
    if (!work.ok) {
      return {
        ok: false,
        error: { code: 'internal', message: work.error.message, hint: work.error.hint ?? null },
      };
    }
    const id = stored.job.id;
    return runLoop(work.value.input, {
      ...work.value.deps,
      signal,
      emit: (event) => this.#emit(id, running, event),
      delta: (text) => this.#delta(running, text),
      askUser: (question, options = []) => this.#ask(id, running, { question, options }),
    });
  }

  #emit(id: string, running: Running, event: AgentEventInput): void {
    if (running.abort.signal.aborted) return;
    if (event.type === 'message.completed') {
      running.text = '';
      this.#wake(running);
    }
    const chat: Omit<ChatMessage, 'ts' | 'job_id'>[] =
      event.type === 'tool.call.completed'
        ? [{ role: 'tool', text: event.data.summary || event.data.tool }]
        : [];
    this.#options.book.step(id, { events: [event], chat });
  }

  #delta(running: Running, text: string): void {
    if (running.abort.signal.aborted || running.text.length >= STREAM_MAX_CHARACTERS) return;
    running.text += text;
    this.#wake(running);
  }

  #wake(running: Running): void {
    for (const waiter of [...running.waiters]) waiter();
  }

  /** Stores the question and waits; only the user or the end of the job ends the wait. */
  #ask(id: string, running: Running, asked: Asked): Promise<string> {
    const { book, newId } = this.#options;
    const questionId = `q_${newId()}`;
    const { question, options } = asked;
    const { signal } = running.abort;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Error('The job has ended.'));
      signal.addEventListener('abort', () => reject(new Error('The job has ended.')), { once: true });
      running.answer = resolve;
      const data = { summary: question, question_id: questionId, question, options: [...options] };
      const kept = book.step(id, {
        input: { kind: 'ask', questionId, question, options },
        events: [{ type: 'clarification.requested', data }],
        chat: [{ role: 'assistant', text: question }],
      });
      if (kept.ok) running.settled.resolve();
      else reject(new Error(kept.error.message));
    });
  }

  /** Marks the job as failed; does nothing after its end. */
  fail(id: string, error: JobError): void {
    this.#options.book.step(id, { input: { kind: 'fail', error }, events: this.lastEvents(id, error) });
  }

  /** What a job that fails or is cancelled tells: what the model was just saying stays, and the reason. */
  lastEvents(id: string, error: JobError): readonly AgentEventInput[] {
    const text = this.#running.get(id)?.text ?? '';
    const summary = text.trim().slice(0, MESSAGE_SUMMARY_CHARACTERS);
    const failed: AgentEventInput = { type: 'job.failed', data: { summary: error.message, error } };
    return summary === ''
      ? [failed]
      : [{ type: 'message.completed', data: { summary, text, unfinished: true } }, failed];
  }

  #release(id: string, running: Running): void {
    if (this.#running.get(id) === running) this.#running.delete(id);
    running.settled.resolve();
    this.#wake(running);
  }

  #next(): void {
    while (!this.#closed && this.#running.size < RUNNING_MAX_JOBS) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      void this.#run(id, { kind: 'start' });
    }
  }
}

/** Takes over the jobs of a dead process: running ones fail, waiting ones keep waiting, queued ones start. */
export function recoverJobs(jobs: readonly StoredJob[], runner: JobRunner): void {
  for (const { job } of jobs) {
    if (job.status === 'running') runner.fail(job.id, INTERRUPTED);
    else if (job.status === 'queued') runner.start(job.id);
  }
}

/** The answer in the form for the model; a number selects an option, from 1. */
export function answerText(answer: string, skip: boolean, options: readonly string[]): Result<string> {
  if (skip) return ok(NO_USER_ANSWER);
  const chosen = options[Number(answer.trim()) - 1];
  if (chosen !== undefined) return ok(chosen);
  return answer.trim() === '' ? fail('invalid', 'An answer is needed; or skip the question.') : ok(answer);
}
