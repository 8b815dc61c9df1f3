/** Applies and saves proposals: writes decided changes to disk, all files of one request or none. */
import { fail, ok, type Result } from '../lib/result.ts';
import type { DiffBundle } from '../protocol/agent.ts';
import type { AgentConflict, AgentSaveResult } from '../protocol/commands/agent.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import { type Decision, stateOf } from '../review/core/file-state.ts';
import type { Proposals } from '../review/proposals/proposals.ts';
import { bundleOf, progressOf } from './bundle.ts';
import type { LogState } from './change-log.ts';
import type { JobBook } from './job-book.ts';
import type { Jobs } from './jobs.ts';
import { factsOf, type LogFacts, type LogSource, pathsOf } from './log-facts.ts';
import type { AgentRecords, StoredJob, StoredSession } from './records.ts';
import type { Saver } from './saver.ts';

export interface SavesOptions extends LogSource {
  readonly records: AgentRecords;
  readonly proposals: Proposals;
  readonly book: JobBook;
  readonly saver: Saver;
  readonly jobs: Jobs;
}

export class Saves {
  readonly #options: SavesOptions;

  constructor(options: SavesOptions) {
    this.#options = options;
  }

  /** Completes saves that a crash interrupted. */
  recover(): Promise<Result<void>> {
    return this.#options.saver.recover();
  }

  /** Accepts these hunks of a job, rejects the others, and writes its files. */
  async apply(
    session: StoredSession,
    jobId: string,
    accepted: readonly string[],
  ): Promise<Result<AgentSaveResult>> {
    const stored = this.#options.book.get(jobId);
    if (!stored.ok) return stored;
    const { suggestion, job } = stored.value;
    if (job.session_id !== session.id) return fail('not_found', `Session ${session.id} has no job ${jobId}.`);
    if (suggestion === null) return fail('refused', `Job ${jobId} has no proposal.`);
    const facts = await factsOf(this.#options, session.root);
    if (!facts.ok) return facts;
    const bundle = bundleOf(stored.value, facts.value);
    if (bundle === null) return fail('refused', `The proposal of job ${jobId} is no longer kept.`);
    const chosen = choose(bundle, accepted);
    if (!chosen.ok) return chosen;
    const moved = movedFiles(bundle);
    if (moved.length > 0) return ok(conflictIn(moved));
    const before = decisionsOf(facts.value.state, suggestion);
    const decided = await this.#decide(suggestion, chosen.value);
    const reviewed = decided.ok ? await this.#options.jobs.reviewed(jobId) : decided;
    if (!reviewed.ok) return reviewed;
    const saved = await this.#write(session, [stored.value], pathsOf(bundle));
    if (!saved.ok || saved.value.status === 'conflict') {
      const back = await this.#options.proposals.redecide(suggestion, before);
      if (!back.ok) return back;
    }
    return saved;
  }

  /** Removals first: they make room for additions. */
  async #decide(suggestion: string, chosen: ReadonlyMap<string, Decision>): Promise<Result<void>> {
    for (const [decision, action] of [
      ['rejected', 'reject'],
      ['accepted', 'accept'],
    ] as const) {
      const own = new Map([...chosen].filter(([, wanted]) => wanted === decision));
      if (own.size === 0) continue;
      const done = await this.#options.proposals.redecide(suggestion, own, action);
      if (!done.ok) return done;
    }
    return ok(undefined);
  }

  /** Writes the decided changes of these files, or of all files of this session's jobs. */
  async save(session: StoredSession, files: readonly string[]): Promise<Result<AgentSaveResult>> {
    const facts = await factsOf(this.#options, session.root);
    if (!facts.ok) return facts;
    const jobs = this.#options.records.jobs(session.id).filter((stored) => stored.suggestion !== null);
    const own = this.#ownPaths(session, facts.value);
    const named = files.map((file) => utf8Bytes(file));
    const unknown = named.find((path) => !own.has(path) && !facts.value.state.tracked.has(path));
    if (unknown !== undefined)
      return fail('not_found', `No proposal of this session contains ${displayBytes(unknown)}.`);
    return this.#write(session, jobs, files.length === 0 ? own : new Set(named));
  }

  /** Everything unsaved, except files that only another session's jobs affect. */
  #ownPaths(session: StoredSession, { state, unsaved }: LogFacts): ReadonlySet<ByteString> {
    const own = new Set<ByteString>(unsaved);
    const touched = { here: new Set<ByteString>(), elsewhere: new Set<ByteString>() };
    for (const { stored, files } of state.layers) {
      const of = stored.job === null ? null : this.#options.records.sessionOfJob(stored.job);
      if (of === null) continue;
      const into = of === session.id ? touched.here : touched.elsewhere;
      for (const { subject } of files) {
        for (const path of [subject.oldPath, subject.newPath]) if (path !== null) into.add(path);
      }
    }
    for (const path of touched.elsewhere) if (!touched.here.has(path)) own.delete(path);
    return own;
  }

  async #write(
    session: StoredSession,
    jobs: readonly StoredJob[],
    paths: ReadonlySet<ByteString>,
  ): Promise<Result<AgentSaveResult>> {
    const { saver, logOf, book } = this.#options;
    const log = logOf(session.root);
    const names = [...paths].map(displayBytes);
    // Without anything to write, there is nothing to announce.
    const about = names.length === 0 ? [] : jobs.filter(({ job }) => job.status === 'awaiting_review');
    for (const { job } of about) {
      const summary = `writing ${names.length} files`;
      book.step(job.id, { events: [{ type: 'apply.started', data: { summary, files: names } }] });
    }
    const saved = await saver.save(log, [...paths]);
    if (!saved.ok) return saved;
    if (saved.value.kind === 'conflict') {
      const conflicts = [...saved.value.conflicts];
      for (const { job } of about) {
        const names = conflicts.map((one) => one.file_path);
        const summary = `nothing written: ${names.length} in conflict`;
        const data = { summary, files: [], conflicts: names };
        book.step(job.id, { events: [{ type: 'apply.completed', data }] });
      }
      return ok(conflictIn(conflicts));
    }
    const written = saved.value.paths.map(displayBytes);
    for (const { job } of about) {
      const summary = `${written.length} files written`;
      book.step(job.id, { events: [{ type: 'apply.completed', data: { summary, files: written } }] });
    }
    const applied = await this.#applied(session, jobs, { paths, written });
    // The files are written, even if updating the jobs fails: the next check updates them.
    await this.#options.jobs.settleAll(session.root);
    return applied;
  }

  async #applied(
    session: StoredSession,
    jobs: readonly StoredJob[],
    { paths, written }: { readonly paths: ReadonlySet<ByteString>; readonly written: string[] },
  ): Promise<Result<AgentSaveResult>> {
    const facts = await factsOf(this.#options, session.root);
    if (!facts.ok) return facts;
    const files = new Map<string, { file_path: string; applied_hunks: number; rejected_hunks: number }>();
    for (const stored of jobs) {
      for (const [name, own] of progressOf(stored, facts.value)?.files ?? []) {
        if (!paths.has(utf8Bytes(name))) continue;
        const known = files.get(name) ?? { file_path: name, applied_hunks: 0, rejected_hunks: 0 };
        known.applied_hunks += own.accepted;
        known.rejected_hunks += own.rejected;
        files.set(name, known);
      }
    }
    return ok({
      status: 'completed',
      applied_files: [...files.values()],
      written_files: written,
      conflicts: [],
    });
  }
}

function conflictIn(conflicts: AgentConflict[]): AgentSaveResult {
  return { status: 'conflict', applied_files: [], written_files: [], conflicts };
}

/** Every hunk's decision for an apply; refuses an unknown hunk. */
function choose(bundle: DiffBundle, accepted: readonly string[]): Result<ReadonlyMap<string, Decision>> {
  const hunks = bundle.files.flatMap((file) => file.hunks);
  const known = new Set(hunks.map((hunk) => hunk.hunk_id));
  const unknown = accepted.find((id) => !known.has(id));
  if (unknown !== undefined) return fail('not_found', `Hunk not found: ${unknown}`);
  const taken = new Set(accepted);
  return ok(new Map(hunks.map((hunk) => [hunk.hunk_id, taken.has(hunk.hunk_id) ? 'accepted' : 'rejected'])));
}

function decisionsOf(state: LogState, suggestion: string): ReadonlyMap<string, Decision> {
  const files = state.layers.find(({ id }) => id === suggestion)?.files ?? [];
  return new Map(
    files.flatMap((review) =>
      review.changes.map((change) => [change.id, stateOf(review.state, change.id).decision] as const),
    ),
  );
}

const movedFiles = (bundle: DiffBundle): AgentConflict[] =>
  bundle.files.flatMap(({ file_path, conflict }) =>
    conflict === null ? [] : [{ file_path, hunk_id: null, reason: conflict }],
  );
