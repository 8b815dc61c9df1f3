/** Sessions: created, given context rows, archived, listed. A session's state follows from its jobs. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { AgentSession, ContextRow } from '../protocol/agent.ts';
import type { CommandInput, CommandResult } from '../protocol/command.ts';
import { displayBytes } from '../review/core/bytes.ts';
import { realFolder, realPath } from '../review/files/target-folder.ts';
import { progressOf } from './bundle.ts';
import { checkContext } from './context-bounds.ts';
import { isOver } from './core/job-machine.ts';
import { isFull, sessionToPutAway } from './core/retention.ts';
import type { JobBook } from './job-book.ts';
import { factsOf, type LogSource } from './log-facts.ts';
import type { AgentRecords, StoredSession } from './records.ts';

export interface SessionsOptions extends LogSource {
  readonly records: AgentRecords;
  readonly book: JobBook;
  readonly now: () => number;
  readonly newId: () => string;
}

export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Starts a session; at the limit, one whose work is over makes room. */
  async create(input: CommandInput<'agent/create'>): Promise<Result<AgentSession>> {
    const { book, now, newId } = this.#options;
    const root = await realFolder(input.root);
    if (!root.ok) return root;
    const room = this.#makeRoom();
    if (!room.ok) return room;
    const at = now();
    const session: StoredSession = {
      id: `sess_${newId()}`,
      root: root.value,
      title: input.title,
      author: input.author,
      created_at: at,
      updated_at: at,
      status: 'active',
      chat: [],
      context_rows: [],
      last_job_id: null,
    };
    const kept = book.putSession(session);
    return kept.ok ? this.look(kept.value) : kept;
  }

  #makeRoom(): Result<void> {
    const { records, limits } = this.#options;
    const sessions = records.sessions();
    if (!isFull(sessions, limits)) return ok(undefined);
    const ended = sessionToPutAway(sessions, records.jobFacts());
    const stored = ended === null ? null : records.session(ended);
    if (stored === null) {
      const message = `${limits.max_sessions} sessions are active already.`;
      return fail('limit', message, 'Archive one of them first.');
    }
    const kept = this.#putAway(stored);
    return kept.ok ? ok(undefined) : kept;
  }

  async archive(stored: StoredSession): Promise<Result<AgentSession>> {
    const busy = this.#options.records.jobs(stored.id).find(({ job }) => !isOver(job.status));
    if (busy !== undefined) {
      const message = `Job ${busy.job.id} of this session is ${busy.job.status.replaceAll('_', ' ')}.`;
      return fail('refused', message, 'Cancel it, or finish its review first.');
    }
    const kept = this.#putAway(stored);
    return kept.ok ? this.look(kept.value) : kept;
  }

  #putAway(stored: StoredSession): Result<StoredSession> {
    const { book, now } = this.#options;
    return book.putSession({ ...stored, status: 'archived', updated_at: now() });
  }

  async setContext(stored: StoredSession, rows: ContextRow[]): Promise<Result<AgentSession>> {
    const fits = checkContext(rows);
    if (!fits.ok) return fits;
    const { book, now } = this.#options;
    const kept = book.putSession({ ...stored, context_rows: rows, updated_at: now() });
    return kept.ok ? this.look(kept.value) : kept;
  }

  /** Most recently used first. */
  async list(input: CommandInput<'agent/sessions'>): Promise<Result<CommandResult<'agent/sessions'>>> {
    const listed: CommandResult<'agent/sessions'> = [];
    const root = input.root === null ? null : realPath(input.root);
    for (const stored of this.#options.records.sessions()) {
      if (root !== null && stored.root !== root) continue;
      if (!input.archived && stored.status === 'archived') continue;
      const session = await this.look(stored);
      // A folder that cannot be read must not hide the others.
      const seen = session.ok ? session.value : this.#unreviewed(stored);
      const { chat: _, context_rows: __, ...brief } = seen;
      listed.push(brief);
    }
    return ok(listed);
  }

  /** A session with its pending review. */
  async look(stored: StoredSession): Promise<Result<AgentSession>> {
    const waiting = this.#options.records.jobs(stored.id).find(({ job }) => job.status === 'awaiting_review');
    if (waiting === undefined || waiting.suggestion === null) return ok(this.#unreviewed(stored));
    const facts = await factsOf(this.#options, stored.root);
    if (!facts.ok) return facts;
    const progress = progressOf(waiting, facts.value);
    return ok({
      ...this.#unreviewed(stored),
      pending_review: {
        job_id: waiting.job.id,
        suggestion_id: waiting.suggestion,
        undecided: progress?.pending ?? 0,
        unsaved_files: [...facts.value.unsaved].filter((path) => progress?.paths.has(path)).map(displayBytes),
      },
    });
  }

  #unreviewed(stored: StoredSession): AgentSession {
    const last = stored.last_job_id === null ? null : this.#options.records.job(stored.last_job_id);
    return { ...stored, last_job_status: last?.job.status ?? null, pending_review: null };
  }
}
