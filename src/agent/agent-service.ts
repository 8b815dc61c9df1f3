/** The agent as commands use it: sessions, jobs, proposals, saves and rollbacks. Only a save writes a file. */
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import type { AgentLimits, AgentMode } from '../protocol/agent.ts';
import type { CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { Conflict, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import type { Blobs } from '../review/records/records.ts';
import { ChangeLog } from './change-log.ts';
import { Checkpoints } from './checkpoints/checkpoints.ts';
import { rollBack } from './checkpoints/roll-back.ts';
import { forgetEnded } from './forget.ts';
import { JobBook } from './job-book.ts';
import { JobRunner, recoverJobs } from './job-runner.ts';
import { Jobs } from './jobs.ts';
import { LoopEnds } from './loop/ends.ts';
import type { RunLoop } from './loop/port.ts';
import { Proposer } from './proposer.ts';
import type { AgentRecords, StoredSession } from './records.ts';
import { Runs } from './runs.ts';
import { Saver } from './saver.ts';
import { Saves } from './saves.ts';
import { Sessions } from './sessions.ts';
import { WorkingTexts } from './texts.ts';

export interface AgentServiceOptions {
  readonly records: AgentRecords;
  readonly blobs: Blobs;
  readonly proposals: Proposals;
  readonly limits: AgentLimits;
  /** The mode of jobs that name none; called for each. */
  readonly mode: () => AgentMode;
  readonly runLoop: RunLoop | null;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onDefect: (what: string, message: string) => void;
}

type AgentCommands = ServiceOf<CommandsBy<'agent'>>;

interface Parts {
  readonly book: JobBook;
  readonly sessions: Sessions;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly saves: Saves;
  readonly texts: WorkingTexts;
  readonly checkpoints: Checkpoints;
  readonly logOf: (root: string) => ChangeLog;
  /** Deletes old ended data. */
  readonly collect: () => Promise<void>;
}

export class AgentService {
  readonly commands: AgentCommands;
  readonly #options: AgentServiceOptions;
  readonly #runner: JobRunner;
  readonly #jobs: Jobs;
  readonly #saves: Saves;
  readonly #texts: WorkingTexts;
  readonly #logs = new Map<string, ChangeLog>();
  #queue: Promise<unknown> = Promise.resolve();
  #ready: Promise<Result<void>> | null = null;
  #closed = false;

  constructor(options: AgentServiceOptions) {
    this.#options = options;
    const book = new JobBook(options);
    const checkpoints = new Checkpoints(options);
    const logOf = (root: string) => this.#logOf(root);
    const jobs = new Jobs({ ...options, book, logOf });
    const saves = new Saves({ ...options, book, saver: new Saver(options), jobs, logOf });
    const texts = new WorkingTexts({ ...options, logOf });
    const work = new LoopEnds({
      ...options,
      book,
      checkpoints,
      proposer: new Proposer(options),
      logOf,
      serial: (task) => this.inTurn(task),
    });
    const runner = new JobRunner({
      book,
      runLoop: options.runLoop,
      newId: options.newId,
      prepare: (stored) => work.prepare(stored),
      conclude: (stored, outcome) => work.conclude(stored, outcome),
      onDefect: (job, thrown) => options.onDefect(`job ${job}`, describe(thrown)),
    });
    [this.#runner, this.#jobs, this.#saves, this.#texts] = [runner, jobs, saves, texts];
    this.commands = commandsOf({
      ...{ book, jobs, saves, texts, checkpoints, logOf },
      sessions: new Sessions({ ...options, book, logOf }),
      runs: new Runs({ ...options, book, jobs, runner, makeRoom: (session) => this.#collect(session) }),
      collect: () => this.#collect(),
    });
  }

  /** Repairs after a process that died; runs once, before everything else. */
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

  /** Resolves once every running job has ended or waits for the user. */
  settled(): Promise<void> {
    return this.#runner.settled();
  }

  /** Ends every loop of this process; with `handOver`, their jobs go to the next leader. */
  close(handOver: boolean): void {
    this.#closed = true;
    this.#runner.close(handOver);
  }

  /** A suggestion was decided on: if it belongs to a job, the job may be done. */
  async reviewChanged(summary: Pick<SuggestionSummary, 'id'>): Promise<void> {
    if (this.#closed) return;
    const layer = this.#options.records.layerOf(summary.id);
    if (layer === null || layer.job === null) return;
    const { job } = layer;
    try {
      const done = await this.inTurn(() => this.#jobs.reviewed(job));
      if (!done.ok && !this.#closed) this.#options.onDefect(`job ${job}`, done.error.message);
    } catch (thrown) {
      // Nobody waits for this; when the host ends, its store is gone.
      if (!this.#closed) this.#options.onDefect(`job ${job}`, describe(thrown));
    }
  }

  /** The same suggestion, with a message on hunks that no longer fit the working text. */
  withConflicts(suggestion: Suggestion): Promise<Result<Suggestion>> {
    return this.inTurn(async () => {
      const layer = this.#options.records.layerOf(suggestion.id);
      return layer === null ? ok(suggestion) : this.#texts.withConflicts(layer, suggestion);
    });
  }

  sides(suggestion: string, hunk: string): Promise<Result<Conflict | null>> {
    return this.inTurn(async () => {
      const layer = this.#options.records.layerOf(suggestion);
      return layer === null ? ok(null) : this.#texts.sides(layer, hunk);
    });
  }

  async #collect(arriving: string | null = null): Promise<void> {
    const { records, limits, now, onDefect } = this.#options;
    const facts = { limits, now: now(), arriving };
    const done = await forgetEnded(records, (root) => this.#logOf(root), facts);
    if (!done.ok) onDefect('clearing up', done.error.message);
  }

  #logOf(root: string): ChangeLog {
    const known = this.#logs.get(root);
    if (known !== undefined) return known;
    const log = new ChangeLog({ ...this.#options, root });
    this.#logs.set(root, log);
    return log;
  }

  /** Runs `work` in sequence; an unexpected error does not affect later work. */
  inTurn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const next = this.#queue.then(async (): Promise<Result<T>> => {
      if (this.#closed) return fail('refused', 'This companion is shutting down.', 'Try again.');
      const ready = await this.start();
      return ready.ok ? work() : ready;
    });
    this.#queue = next.catch(() => undefined);
    return next;
  }
}

/** Runs `work` with the session that the input names. */
const withSession =
  (book: JobBook) =>
  <I extends { readonly session_id: string }, T>(
    work: (stored: StoredSession, input: I) => Promise<Result<T>>,
  ) =>
  async (input: I): Promise<Result<T>> => {
    const found = book.session(input.session_id);
    return found.ok ? work(found.value, input) : found;
  };

/** The handler of each command. Those of the queue `agent` run in sequence; answers and cancels do not wait. */
function commandsOf(parts: Parts): AgentCommands {
  const { book, sessions, jobs, runs, saves, texts, checkpoints, logOf, collect } = parts;
  const inSession = withSession(book);
  return {
    create: async (input) => {
      await collect();
      return sessions.create(input);
    },
    sessions: (input) => sessions.list(input),
    session: inSession((stored) => sessions.look(stored)),
    archive: inSession((stored) => sessions.archive(stored)),
    context: inSession((stored, { context_rows }) => sessions.setContext(stored, context_rows)),
    run: inSession((stored, input) => runs.run(stored, input)),
    rerun: (input) => runs.rerun(input),
    job: async ({ job_id }) => {
      const found = book.get(job_id);
      return found.ok ? jobs.job(found.value) : found;
    },
    jobs: (input) => jobs.jobs(input),
    events: (input) => jobs.events(input),
    stream: (input) => runs.stream(input),
    clarify: (input) => runs.clarify(input),
    cancel: (input) => runs.cancel(input),
    apply: inSession((stored, { job_id, accepted_hunk_ids }) =>
      saves.apply(stored, job_id, accepted_hunk_ids),
    ),
    save: inSession((stored, { files }) => saves.save(stored, files)),
    edit: inSession((stored, input) => texts.edit(stored, input)),
    merge: inSession((stored, { file_path }) => texts.merge(stored, file_path)),
    working: inSession((stored, { file_path }) => texts.working(stored, file_path)),
    checkpoints: ({ session_id, root }) => ok(checkpoints.list(session_id, root)),
    checkpoint: ({ checkpoint_id }) => {
      const found = checkpoints.get(checkpoint_id);
      return found.ok ? ok(found.value.checkpoint) : found;
    },
    forgetCheckpoint: ({ checkpoint_id }) => {
      const found = checkpoints.get(checkpoint_id);
      return found.ok ? checkpoints.forget(checkpoint_id) : found;
    },
    diff3: async ({ checkpoint_id, file_path }) => {
      const found = checkpoints.get(checkpoint_id);
      return found.ok ? checkpoints.diff3(logOf(found.value.root), found.value, file_path) : found;
    },
    rollback: ({ checkpoint_id, mode, hunk_ids: hunkIds, preview }) =>
      rollBack({ checkpoints, book, jobs, logOf }, checkpoint_id, { mode, hunkIds, preview }),
  };
}

const describe = (thrown: unknown) =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : errorMessage(thrown);

interface RecoverOptions {
  readonly records: AgentRecords;
  readonly proposals: Proposals;
  readonly saves: Saves;
  readonly jobs: Jobs;
  readonly runner: JobRunner;
  readonly onDefect: (what: string, message: string) => void;
}

/** Repairs what a dead process left behind: saves, loops, unannounced proposals. Keeps failures for another attempt. */
async function recoverAgent(options: RecoverOptions): Promise<Result<void>> {
  const { records, saves, jobs, runner, onDefect } = options;
  const saved = await saves.recover();
  if (!saved.ok) onDefect('fixing a save', saved.error.message);
  recoverJobs(records.jobs(null), runner);
  const ended = await endUntold(options);
  if (!ended.ok) return ended;
  // Decided on or saved while no host ran.
  for (const root of records.roots()) {
    const settled = await jobs.settleAll(root);
    if (!settled.ok) onDefect(root, settled.error.message);
  }
  return ok(undefined);
}

/** Ends a proposal whose job was interrupted before the announcement: nobody knows about it. */
async function endUntold({ records, proposals }: RecoverOptions): Promise<Result<void>> {
  const roots = new Set(records.sessions().map((session) => session.root));
  for (const layer of [...roots].flatMap((root) => records.layers(root))) {
    if (layer.job === null || records.job(layer.job)?.suggestion === layer.suggestion) continue;
    const status = records.job(layer.job)?.job.status;
    if (status !== 'failed' && status !== 'queued' && status !== 'running') continue;
    const ended = await proposals.end(layer.suggestion, 'discarded');
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}
