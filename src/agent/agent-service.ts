/**
 * The agent, as commands use it: sessions, jobs, what they propose, saves and rollbacks. Changes of the working texts
 * go one by one; the model's work goes on beside them. Nothing but a save writes a file.
 */
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import type { AgentJob, AgentLimits, AgentMode, AgentSession } from '../protocol/agent.ts';
import type { CommandInput, CommandResult, CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { Conflict, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import type { Blobs } from '../review/records/records.ts';
import { ChangeLog } from './change-log.ts';
import { Checkpoints } from './checkpoints/checkpoints.ts';
import { RollbackDesk } from './checkpoints/rollback-desk.ts';
import { forgetEnded } from './forget.ts';
import { JobBook } from './job-book.ts';
import { JobDesk } from './job-desk.ts';
import { JobRunner } from './job-runner.ts';
import { LoopDesk } from './loop-desk.ts';
import type { RunLoop } from './loop-port.ts';
import { Proposer } from './proposer.ts';
import type { AgentRecords, StoredSession } from './records.ts';
import { recoverAgent } from './recover.ts';
import { RunDesk } from './run-desk.ts';
import { SaveDesk } from './save-desk.ts';
import { Saver } from './saver.ts';
import { SessionDesk } from './session-desk.ts';
import { TextDesk } from './text-desk.ts';

export interface AgentServiceOptions {
  readonly records: AgentRecords;
  readonly blobs: Blobs;
  readonly proposals: Proposals;
  readonly limits: AgentLimits;
  readonly mode: AgentMode;
  readonly runLoop: RunLoop | null;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onDefect: (what: string, message: string) => void;
}

/** Commands of the queue `agent` are run by `inTurn`; the table says which they are. */
export class AgentService implements ServiceOf<CommandsBy<'agent'>> {
  readonly #options: AgentServiceOptions;
  readonly #book: JobBook;
  readonly #runner: JobRunner;
  readonly #sessions: SessionDesk;
  readonly #jobs: JobDesk;
  readonly #runs: RunDesk;
  readonly #saves: SaveDesk;
  readonly #texts: TextDesk;
  readonly #rollbacks: RollbackDesk;
  readonly #logs = new Map<string, ChangeLog>();
  #queue: Promise<unknown> = Promise.resolve();
  #ready: Promise<Result<void>> | null = null;
  #closed = false;

  constructor(options: AgentServiceOptions) {
    this.#options = options;
    const { records, proposals, now, newId } = options;
    this.#book = new JobBook(options);
    const logOf = (root: string) => this.#logOf(root);
    const proposer = new Proposer(options);
    const checkpoints = new Checkpoints({ records, proposals, now, newId });
    const saver = new Saver(options);
    const book = this.#book;
    const jobs = new JobDesk({ ...options, book, logOf });
    this.#jobs = jobs;
    this.#sessions = new SessionDesk({ ...options, book, logOf });
    this.#saves = new SaveDesk({ ...options, book, saver, jobs, logOf });
    this.#texts = new TextDesk({ ...options, logOf });
    this.#rollbacks = new RollbackDesk({ checkpoints, book, jobs, logOf });
    const work = new LoopDesk({
      ...options,
      book: this.#book,
      checkpoints,
      proposer,
      logOf,
      serial: (task) => this.inTurn(task),
    });
    this.#runner = new JobRunner({
      book: this.#book,
      runLoop: options.runLoop,
      newId,
      prepare: (stored) => work.prepare(stored),
      conclude: (stored, outcome) => work.conclude(stored, outcome),
      onDefect: (job, thrown) => options.onDefect(`job ${job}`, describe(thrown)),
    });
    this.#runs = new RunDesk({
      ...options,
      book,
      jobs,
      runner: this.#runner,
      makeRoom: (session) => this.#collect(session),
    });
  }

  /** Fixes what a process that is gone left behind; done once, before anything else. */
  start(): Promise<Result<void>> {
    this.#ready ??= this.#recover();
    return this.#ready;
  }

  async #recover(): Promise<Result<void>> {
    const recovered = await recoverAgent({
      ...this.#options,
      saves: this.#saves,
      jobs: this.#jobs,
      runner: this.#runner,
    });
    if (recovered.ok) await this.#collect();
    return recovered;
  }

  /** Ends every loop of this process. */
  close(): void {
    this.#closed = true;
    this.#runner.close();
  }

  /** A suggestion was decided on: when it is a job's, the job may be done by that. */
  async reviewChanged(summary: Pick<SuggestionSummary, 'id'>): Promise<void> {
    if (this.#closed) return;
    const layer = this.#options.records.layerOf(summary.id);
    if (layer === null || layer.job === null) return;
    const { job } = layer;
    try {
      const done = await this.inTurn(() => this.#jobs.reviewed(job));
      if (!done.ok && !this.#closed) this.#options.onDefect(`job ${job}`, done.error.message);
    } catch (thrown) {
      // Nobody waits for this; at the end of the host its store is gone.
      if (!this.#closed) this.#options.onDefect(`job ${job}`, describe(thrown));
    }
  }

  /** The same suggestion, where hunks that have no place in the working text say so. */
  withConflicts(suggestion: Suggestion): Promise<Result<Suggestion>> {
    return this.inTurn(async () => {
      const layer = this.#options.records.layerOf(suggestion.id);
      return layer === null ? ok(suggestion) : this.#texts.withConflicts(layer, suggestion);
    });
  }

  /** The three sides of a hunk of a proposal. */
  sides(suggestion: string, hunk: string): Promise<Result<Conflict | null>> {
    return this.inTurn(async () => {
      const layer = this.#options.records.layerOf(suggestion);
      return layer === null ? ok(null) : this.#texts.sides(layer, hunk);
    });
  }

  async create(input: CommandInput<'agent/create'>): Promise<Result<AgentSession>> {
    await this.#collect();
    return this.#sessions.create(input);
  }

  sessions(input: CommandInput<'agent/sessions'>): Promise<Result<CommandResult<'agent/sessions'>>> {
    return this.#sessions.list(input);
  }

  session(input: CommandInput<'agent/session'>): Promise<Result<AgentSession>> {
    return this.#onSession(input, (stored) => this.#sessions.look(stored));
  }

  archive(input: CommandInput<'agent/archive'>): Promise<Result<AgentSession>> {
    return this.#onSession(input, (stored) => this.#sessions.archive(stored));
  }

  context(input: CommandInput<'agent/context'>): Promise<Result<AgentSession>> {
    return this.#onSession(input, (stored) => this.#sessions.setContext(stored, input.context_rows));
  }

  run(input: CommandInput<'agent/run'>): Promise<Result<CommandResult<'agent/run'>>> {
    return this.#onSession(input, (stored) => this.#runs.run(stored, input));
  }

  rerun(input: CommandInput<'agent/rerun'>): Promise<Result<CommandResult<'agent/rerun'>>> {
    return this.#runs.rerun(input);
  }

  async job(input: CommandInput<'agent/job'>): Promise<Result<AgentJob>> {
    const found = this.#book.get(input.job_id);
    return found.ok ? this.#jobs.job(found.value) : found;
  }

  jobs(input: CommandInput<'agent/jobs'>): Result<CommandResult<'agent/jobs'>> {
    return this.#jobs.jobs(input);
  }

  events(input: CommandInput<'agent/events'>): Result<CommandResult<'agent/events'>> {
    return this.#jobs.events(input);
  }

  stream(input: CommandInput<'agent/stream'>): Promise<Result<CommandResult<'agent/stream'>>> {
    return this.#runs.stream(input);
  }

  /** Not in the queue: an answer must not wait for anything. */
  clarify(input: CommandInput<'agent/clarify'>): Result<CommandResult<'agent/clarify'>> {
    return this.#runs.clarify(input);
  }

  /** Not in the queue: over at once, whatever else is going on. */
  cancel(input: CommandInput<'agent/cancel'>): Result<CommandResult<'agent/cancel'>> {
    return this.#runs.cancel(input);
  }

  apply(input: CommandInput<'agent/apply'>): Promise<Result<CommandResult<'agent/apply'>>> {
    return this.#onSession(input, (stored) =>
      this.#saves.apply(stored, input.job_id, input.accepted_hunk_ids),
    );
  }

  save(input: CommandInput<'agent/save'>): Promise<Result<CommandResult<'agent/save'>>> {
    return this.#onSession(input, (stored) => this.#saves.save(stored, input.files));
  }

  edit(input: CommandInput<'agent/edit'>): Promise<Result<CommandResult<'agent/edit'>>> {
    return this.#onSession(input, (stored) => this.#texts.edit(stored, input));
  }

  merge(input: CommandInput<'agent/merge'>): Promise<Result<CommandResult<'agent/merge'>>> {
    return this.#onSession(input, (stored) => this.#texts.merge(stored, input.file_path));
  }

  working(input: CommandInput<'agent/working'>): Promise<Result<CommandResult<'agent/working'>>> {
    return this.#onSession(input, (stored) => this.#texts.working(stored, input.file_path));
  }

  checkpoints(input: CommandInput<'agent/checkpoints'>): Result<CommandResult<'agent/checkpoints'>> {
    return ok(this.#rollbacks.list(input.session_id, input.root));
  }

  checkpoint(input: CommandInput<'agent/checkpoint'>): Result<CommandResult<'agent/checkpoint'>> {
    const found = this.#rollbacks.checkpoint(input.checkpoint_id);
    return found.ok ? ok(found.value.checkpoint) : found;
  }

  forgetCheckpoint(
    input: CommandInput<'agent/forget-checkpoint'>,
  ): Result<CommandResult<'agent/forget-checkpoint'>> {
    return this.#rollbacks.forget(input.checkpoint_id);
  }

  diff3(input: CommandInput<'agent/diff3'>): Promise<Result<CommandResult<'agent/diff3'>>> {
    return this.#rollbacks.diff3(input.checkpoint_id, input.file_path);
  }

  rollback(input: CommandInput<'agent/rollback'>): Promise<Result<CommandResult<'agent/rollback'>>> {
    const { checkpoint_id: id, mode, hunk_ids: hunkIds, preview } = input;
    return this.#rollbacks.rollback(id, { mode, hunkIds, preview });
  }

  async #collect(arriving: string | null = null): Promise<void> {
    const { records, limits, now, onDefect } = this.#options;
    const facts = { limits, now: now(), arriving };
    const done = await forgetEnded(records, (root) => this.#logOf(root), facts);
    if (!done.ok) onDefect('clearing up', done.error.message);
  }

  async #onSession<T>(
    { session_id: id }: { readonly session_id: string },
    work: (stored: StoredSession) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const found = this.#book.session(id);
    return found.ok ? work(found.value) : found;
  }

  #logOf(root: string): ChangeLog {
    const known = this.#logs.get(root);
    if (known !== undefined) return known;
    const log = new ChangeLog({ ...this.#options, root });
    this.#logs.set(root, log);
    return log;
  }

  /** One after the other; a defect in one stops none of the next. */
  inTurn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = this.#queue.then(async (): Promise<Result<T>> => {
      if (this.#closed) return fail('refused', 'This copane ends.', 'Ask again.');
      const ready = await this.start();
      return ready.ok ? work() : ready;
    });
    this.#queue = next.catch(() => undefined);
    return next;
  }
}

const describe = (thrown: unknown) =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : errorMessage(thrown);
