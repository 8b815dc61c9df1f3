/** Jobs as shown to users, and the status of a job as it follows from decisions and saves. */
import { ok, type Result } from '../lib/result.ts';
import type { AgentJob } from '../protocol/agent.ts';
import type { CommandInput, CommandResult } from '../protocol/command.ts';
import { type Decision, stateOf } from '../review/core/file-state.ts';
import { realPath } from '../review/files/target-folder.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import { bundleOf, type Progress, progressOf } from './bundle.ts';
import { newJob } from './core/job-machine.ts';
import { factsOf } from './log-facts.ts';
import type { StoredJob, StoredRun, StoredSession } from './records.ts';
import type { SessionsOptions } from './sessions.ts';

export interface JobsOptions extends SessionsOptions {
  readonly proposals: Proposals;
}

/** Limit of a title made from an instruction. */
const TITLE_MAX_CHARACTERS = 80;

export class Jobs {
  readonly #options: JobsOptions;
  /** The last announced review state of each job. */
  readonly #told = new Map<string, string>();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Creates the record of a new job, and adds its instruction to the chat. */
  begin(
    session: StoredSession,
    about: { readonly instruction: string; readonly run: StoredRun; readonly rerunOf: string | null },
  ): Result<AgentJob> {
    const { records, book, now, newId } = this.#options;
    const job = newJob({
      id: `job_${newId()}`,
      sessionId: session.id,
      instruction: about.instruction,
      now: now(),
      rerunOf: about.rerunOf,
    });
    const title = session.title === '' ? (about.instruction.split('\n')[0] ?? '') : session.title;
    const written = records.write((writer) => {
      writer.putSession({
        ...session,
        title: title.slice(0, TITLE_MAX_CHARACTERS),
        last_job_id: job.id,
        // The others were only for this request.
        context_rows: session.context_rows.filter((row) => row.pinned),
      });
      writer.putJob({ job, run: about.run, suggestion: null, hunkEdits: {}, dropped: 0 });
      return ok(undefined);
    });
    if (!written.ok) return written;
    const stepped = book.step(job.id, { chat: [{ role: 'user', text: about.instruction }] });
    return stepped.ok ? ok(stepped.value.job) : stepped;
  }

  /** A job with its current bundle. */
  async job(stored: StoredJob): Promise<Result<AgentJob>> {
    if (stored.suggestion === null) return ok(stored.job);
    const session = this.#options.book.session(stored.job.session_id);
    if (!session.ok) return session;
    const facts = await factsOf(this.#options, session.value.root);
    return facts.ok ? ok({ ...stored.job, diff_bundle: bundleOf(stored, facts.value) }) : facts;
  }

  jobs(input: CommandInput<'agent/jobs'>): Result<CommandResult<'agent/jobs'>> {
    const { records } = this.#options;
    const root = input.root === null ? null : realPath(input.root);
    const roots = new Map(records.sessions().map((session) => [session.id, session.root]));
    const wanted = records
      .jobs(input.session_id)
      .filter(({ job }) => root === null || roots.get(job.session_id) === root);
    return ok(wanted.map(({ job: { proposed_edits: _, diff_bundle: __, ...brief } }) => brief));
  }

  /** Events of a job strictly after a cursor. */
  events(input: CommandInput<'agent/events'>): Result<CommandResult<'agent/events'>> {
    const found = this.#options.book.get(input.job_id);
    if (!found.ok) return found;
    const { job, dropped } = found.value;
    const events = [...this.#options.records.events(job.id, input.cursor, input.limit)];
    return ok({
      job_id: job.id,
      status: job.status,
      next_cursor: events.at(-1)?.cursor ?? input.cursor,
      dropped: Math.max(0, dropped - input.cursor),
      poll_interval_ms: this.#options.limits.poll_interval_ms,
      events,
    });
  }

  /** A job without its proposal. */
  summary({
    job: { proposed_edits: _, diff_bundle: __, ...brief },
  }: StoredJob): CommandResult<'agent/cancel'> {
    return brief;
  }

  /** A hunk of the job was decided: announces the progress, and ends the job when it is done. */
  async reviewed(jobId: string): Promise<Result<void>> {
    const { book } = this.#options;
    const stored = book.get(jobId);
    const session = stored.ok ? book.session(stored.value.job.session_id) : stored;
    if (!stored.ok || !session.ok) return session.ok ? ok(undefined) : session;
    const facts = await factsOf(this.#options, session.value.root);
    if (!facts.ok) return facts;
    const progress = progressOf(stored.value, facts.value);
    if (progress === null) return ok(undefined);
    const { accepted, rejected, pending, conflicts } = progress;
    const total = accepted + rejected + pending;
    const data = {
      summary: `${total - pending}/${total} hunks decided`,
      accepted,
      rejected,
      pending,
      conflicts,
    };
    const state = JSON.stringify(data);
    // One change of the review can arrive in several ways.
    const isNews = this.#told.get(jobId) !== state;
    this.#told.set(jobId, state);
    const stepped = isNews ? book.step(jobId, { events: [{ type: 'review.updated', data }] }) : ok(undefined);
    return stepped.ok ? this.#settle(stored.value, progress) : stepped;
  }

  /** A job is done when everything is decided and on disk, and open again when that no longer holds. */
  async #settle({ job, suggestion }: StoredJob, { isDone }: Progress): Promise<Result<void>> {
    const { book, proposals } = this.#options;
    if (suggestion === null) return ok(undefined);
    if (isDone && job.status === 'awaiting_review') {
      const ended = await proposals.end(suggestion, 'finalized');
      const settled = ended.ok ? book.step(job.id, { input: { kind: 'settle' } }) : ended;
      return settled.ok ? ok(undefined) : settled;
    }
    if (!isDone && job.status === 'completed') {
      const opened = book.step(job.id, { input: { kind: 'reopen' } });
      return opened.ok ? ok(undefined) : opened;
    }
    return ok(undefined);
  }

  /** Updates every job with a proposal in this folder, and the user's own edits, after a change of the texts. */
  async settleAll(root: string): Promise<Result<void>> {
    const { records, book } = this.#options;
    const facts = await factsOf(this.#options, root);
    if (!facts.ok) return facts;
    for (const { job: id, suggestion } of records.layers(facts.value.log.root)) {
      const progress = progressOf({ suggestion }, facts.value);
      const stored = id === null ? null : book.get(id);
      if (progress === null || stored?.ok === false) continue;
      const isOpen = facts.value.state.layers.some((layer) => layer.id === suggestion && !layer.ended);
      const settled = await (stored === null
        ? this.#settleEdits(suggestion, isOpen && progress.isDone)
        : this.#settle(stored.value, progress));
      if (!settled.ok) return settled;
    }
    return ok(undefined);
  }

  /** Edits of the user that are on disk need no review. */
  #settleEdits(suggestion: string, isDone: boolean): Promise<Result<void>> {
    return isDone ? this.#options.proposals.end(suggestion, 'finalized') : Promise.resolve(ok(undefined));
  }

  /** Drops the undecided part of the old proposal of a rerun job, or all of it in a file that changed on disk. */
  async putAway({ job, suggestion }: StoredJob): Promise<Result<void>> {
    if (suggestion === null || job.status !== 'awaiting_review') return ok(undefined);
    const session = this.#options.book.session(job.session_id);
    const facts = session.ok ? await factsOf(this.#options, session.value.root) : session;
    if (!facts.ok) return facts;
    const opened = await this.#options.proposals.open(suggestion);
    if (!opened.ok) return opened;
    const open = opened.value.reviews.flatMap((review) => {
      const { oldPath, newPath } = review.subject;
      const hasMoved = [oldPath, newPath].some((path) => path !== null && facts.value.moved.has(path));
      const isTakenBack = (decision: Decision) =>
        decision === 'pending' || (hasMoved && decision !== 'rejected');
      return review.changes.filter((change) => isTakenBack(stateOf(review.state, change.id).decision));
    });
    const rejected = new Map(open.map((change): [string, Decision] => [change.id, 'rejected']));
    const away = await this.#options.proposals.redecide(suggestion, rejected, 'reject');
    return away.ok ? this.reviewed(job.id) : away;
  }
}
