/**
 * What users do with the texts of a session: look at them, take and save proposals, edit by hand, merge, go back.
 * Each is one step after the other; whoever calls sees to that.
 */
import { fail, ok, type Result } from '../lib/result.ts';
import type { AgentJob, AgentLimits, AgentSession, DiffBundle, RollbackMode } from '../protocol/agent.ts';
import type { CommandInput, CommandResult } from '../protocol/command.ts';
import type { AgentConflict, AgentSaveResult, RollbackResult } from '../protocol/commands/agent.ts';
import { type ByteString, displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import { type Decision, sameImage, stateOf } from '../review/core/file-state.ts';
import { pathProblem } from '../review/core/safe-path.ts';
import type { Proposals } from '../review/proposals.ts';
import type { Blobs } from '../review/records.ts';
import { imagePatch } from '../review/sources/folder-source.ts';
import { type BundleFacts, bundleOf, countsOf } from './bundle.ts';
import { type ChangeLog, hasUndecided, type LogState } from './change-log.ts';
import type { Checkpoints } from './checkpoints/checkpoints.ts';
import { conflictOf } from './checkpoints/plan-rollback.ts';
import { newJob } from './core/job-machine.ts';
import type { JobBook } from './job-book.ts';
import type { AgentRecords, StoredCheckpoint, StoredJob, StoredRun, StoredSession } from './records.ts';
import { type Saver, unsavedPaths } from './saver.ts';

export interface DeskOptions {
  readonly records: AgentRecords;
  readonly blobs: Blobs;
  readonly proposals: Proposals;
  readonly limits: AgentLimits;
  readonly book: JobBook;
  readonly checkpoints: Checkpoints;
  readonly saver: Saver;
  readonly logOf: (root: string) => ChangeLog;
  readonly now: () => number;
  readonly newId: () => string;
}

type Facts = BundleFacts & { readonly log: ChangeLog };

/** A title made of an instruction. */
const TITLE_MAX_CHARACTERS = 80;

export class Desk {
  readonly #options: DeskOptions;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  recover(): Promise<Result<void>> {
    return this.#options.saver.recover();
  }

  /** The record of a new job, and its instruction in the chat. */
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
        // The others went along with this one request.
        context_rows: session.context_rows.filter((row) => row.pinned),
      });
      writer.putJob({ job, run: about.run, suggestion: null, hunkEdits: {}, dropped: 0 });
      return ok(undefined);
    });
    if (!written.ok) return written;
    const told = book.step(job.id, { chat: [{ role: 'user', text: about.instruction }] });
    return told.ok ? ok(told.value.job) : told;
  }

  /** A session with what waits for its review. */
  async session(stored: StoredSession): Promise<Result<AgentSession>> {
    const waiting = this.#options.records.jobs(stored.id).find(({ job }) => job.status === 'awaiting_review');
    if (waiting === undefined || waiting.suggestion === null) return ok({ ...stored, pending_review: null });
    const facts = await this.#facts(stored.root);
    if (!facts.ok) return facts;
    const bundle = bundleOf(waiting, facts.value);
    const own = bundle === null ? new Set<ByteString>() : pathsOf(bundle);
    return ok({
      ...stored,
      pending_review: {
        job_id: waiting.job.id,
        suggestion_id: waiting.suggestion,
        undecided: bundle === null ? 0 : countsOf(bundle).pending,
        unsaved_files: [...facts.value.unsaved].filter((path) => own.has(path)).map(displayBytes),
      },
    });
  }

  /** A job with its bundle as it now is. */
  async job(stored: StoredJob): Promise<Result<AgentJob>> {
    if (stored.suggestion === null) return ok(stored.job);
    const session = this.#options.book.session(stored.job.session_id);
    if (!session.ok) return session;
    const facts = await this.#facts(session.value.root);
    return facts.ok ? ok({ ...stored.job, diff_bundle: bundleOf(stored, facts.value) }) : facts;
  }

  summary({
    job: { proposed_edits: _, diff_bundle: __, ...brief },
  }: StoredJob): CommandResult<'agent/cancel'> {
    return brief;
  }

  async #facts(root: string): Promise<Result<Facts>> {
    const log = this.#options.logOf(root);
    const synced = await log.sync();
    if (!synced.ok) return synced;
    const { state, moved } = synced.value;
    const unsaved = unsavedPaths(log, state);
    if (!unsaved.ok) return unsaved;
    return ok({ log, state, moved, unsaved: new Set(unsaved.value), limits: this.#options.limits });
  }

  /** Somebody decided on a job's hunks: tells how far it is, and ends it when it is done. */
  async reviewed(jobId: string): Promise<Result<void>> {
    const { book } = this.#options;
    const stored = book.get(jobId);
    if (!stored.ok) return stored;
    const bundle = await this.#bundle(stored.value);
    if (!bundle.ok || bundle.value === null) return bundle.ok ? ok(undefined) : bundle;
    const counts = countsOf(bundle.value);
    const total = counts.accepted + counts.rejected + counts.pending;
    const summary = `${total - counts.pending}/${total} hunks decided`;
    const told = book.step(jobId, { events: [{ type: 'review.updated', data: { summary, ...counts } }] });
    return told.ok ? this.#settle(stored.value, bundle.value) : told;
  }

  async #bundle(stored: StoredJob): Promise<Result<DiffBundle | null>> {
    const viewed = await this.job(stored);
    return viewed.ok ? ok(viewed.value.diff_bundle) : viewed;
  }

  /** A job is done when everything is decided and on disk; it is open again when that is no longer so. */
  async #settle({ job, suggestion }: StoredJob, bundle: DiffBundle): Promise<Result<void>> {
    const { book, proposals } = this.#options;
    if (suggestion === null) return ok(undefined);
    const done = bundle.files.every((file) => file.saved && file.conflict === null);
    if (done && job.status === 'awaiting_review') {
      const ended = await proposals.end(suggestion, 'finalized');
      const settled = ended.ok ? book.step(job.id, { input: { kind: 'settle' } }) : ended;
      return settled.ok ? ok(undefined) : settled;
    }
    if (!done && job.status === 'completed') {
      const opened = book.step(job.id, { input: { kind: 'reopen' } });
      return opened.ok ? ok(undefined) : opened;
    }
    return ok(undefined);
  }

  /** Every job with a proposal in this folder, after its texts have changed. */
  async #settleAll(root: string): Promise<Result<void>> {
    const { records, book, logOf } = this.#options;
    for (const { job: id } of records.layers(logOf(root).root)) {
      const stored = id === null ? null : book.get(id);
      if (stored === null || !stored.ok || stored.value.suggestion === null) continue;
      const bundle = await this.#bundle(stored.value);
      if (!bundle.ok) return bundle;
      const settled = bundle.value === null ? ok(undefined) : await this.#settle(stored.value, bundle.value);
      if (!settled.ok) return settled;
    }
    return ok(undefined);
  }

  /** Takes these hunks of a job, rejects its others, and writes its files. */
  async apply(
    session: StoredSession,
    jobId: string,
    accepted: readonly string[],
  ): Promise<Result<AgentSaveResult>> {
    const stored = this.#options.book.get(jobId);
    if (!stored.ok) return stored;
    const { suggestion, job } = stored.value;
    if (job.session_id !== session.id) return fail('not_found', `Session ${session.id} has no job ${jobId}.`);
    if (suggestion === null) return fail('refused', `Job ${jobId} proposes nothing.`);
    const facts = await this.#facts(session.root);
    if (!facts.ok) return facts;
    const bundle = bundleOf(stored.value, facts.value);
    if (bundle === null) return fail('refused', `The proposal of job ${jobId} is not kept any more.`);
    const chosen = choose(bundle, accepted);
    if (!chosen.ok) return chosen;
    const moved = movedFiles(bundle);
    if (moved.length > 0) return ok({ status: 'conflict', applied_files: [], conflicts: moved });
    const before = decisionsOf(facts.value.state, suggestion);
    const decided = await this.#decide(suggestion, chosen.value);
    if (!decided.ok) return decided;
    const saved = await this.#write(session, [stored.value], pathsOf(bundle));
    if (!saved.ok || saved.value.status === 'conflict') {
      const back = await this.#options.proposals.redecide(suggestion, before);
      if (!back.ok) return back;
    }
    return saved;
  }

  /** First out, then in: what goes makes room. */
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

  /** Writes what is decided in these files, or in all that this session's jobs are about. */
  async save(session: StoredSession, files: readonly string[]): Promise<Result<AgentSaveResult>> {
    const facts = await this.#facts(session.root);
    if (!facts.ok) return facts;
    const jobs = this.#options.records.jobs(session.id).filter((stored) => stored.suggestion !== null);
    const own = this.#ownPaths(session, facts.value);
    const named = files.map((file) => utf8Bytes(file));
    const unknown = named.find((path) => !own.has(path) && !facts.value.state.tracked.has(path));
    if (unknown !== undefined)
      return fail('not_found', `${displayBytes(unknown)} is in no proposal of this session.`);
    return this.#write(session, jobs, files.length === 0 ? own : new Set(named));
  }

  /** Everything unsaved, but files that only another session's jobs are about. */
  #ownPaths(session: StoredSession, { state, unsaved }: Facts): ReadonlySet<ByteString> {
    const jobs = new Map(this.#options.records.jobs(null).map(({ job }) => [job.id, job.session_id]));
    const own = new Set<ByteString>(unsaved);
    const touched = { here: new Set<ByteString>(), elsewhere: new Set<ByteString>() };
    for (const { stored, files } of state.layers) {
      const of = stored.job === null ? null : (jobs.get(stored.job) ?? null);
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
    const about = jobs.filter(({ job }) => job.status === 'awaiting_review');
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
      return ok({ status: 'conflict', applied_files: [], conflicts });
    }
    const written = saved.value.paths.map(displayBytes);
    for (const { job } of about) {
      const summary = `${written.length} files written`;
      book.step(job.id, { events: [{ type: 'apply.completed', data: { summary, files: written } }] });
    }
    const applied = await this.#applied(session, jobs, paths);
    if (!applied.ok) return applied;
    const settled = await this.#settleAll(session.root);
    return settled.ok ? applied : settled;
  }

  async #applied(
    session: StoredSession,
    jobs: readonly StoredJob[],
    paths: ReadonlySet<ByteString>,
  ): Promise<Result<AgentSaveResult>> {
    const facts = await this.#facts(session.root);
    if (!facts.ok) return facts;
    const files = new Map<string, { file_path: string; applied_hunks: number; rejected_hunks: number }>();
    for (const stored of jobs) {
      for (const file of bundleOf(stored, facts.value)?.files ?? []) {
        if (!paths.has(utf8Bytes(file.file_path)) && !paths.has(utf8Bytes(file.new_path ?? ''))) continue;
        const name = file.new_path ?? file.file_path;
        const known = files.get(name) ?? { file_path: name, applied_hunks: 0, rejected_hunks: 0 };
        known.applied_hunks += file.hunks.filter((hunk) => hunk.accepted === true).length;
        known.rejected_hunks += file.hunks.filter((hunk) => hunk.accepted === false).length;
        files.set(name, known);
      }
    }
    return ok({ status: 'completed', applied_files: [...files.values()], conflicts: [] });
  }

  /** A run that is made again: what it proposed and nobody has decided on leaves the text. */
  async putAway({ job, suggestion }: StoredJob): Promise<Result<void>> {
    if (suggestion === null || job.status !== 'awaiting_review') return ok(undefined);
    const opened = await this.#options.proposals.open(suggestion);
    if (!opened.ok) return opened;
    const open = opened.value.reviews.flatMap((review) =>
      review.changes.filter((change) => stateOf(review.state, change.id).decision === 'pending'),
    );
    const rejected = new Map(open.map((change): [string, Decision] => [change.id, 'rejected']));
    const away = await this.#options.proposals.redecide(suggestion, rejected, 'reject');
    return away.ok ? this.reviewed(job.id) : away;
  }

  /** The user's own edit of a working text. */
  async edit(
    session: StoredSession,
    input: CommandInput<'agent/edit'>,
  ): Promise<Result<CommandResult<'agent/edit'>>> {
    const { proposals, records } = this.#options;
    const path = utf8Bytes(input.file_path);
    const problem = pathProblem(path);
    if (problem !== null) return fail('refused', problem);
    const facts = await this.#facts(session.root);
    if (!facts.ok) return facts;
    const { log, state } = facts.value;
    const rejected = input.settles_conflicts ? await this.#rejectConflicts(state, path) : ok(0);
    if (!rejected.ok) return rejected;
    const tracked = await log.track([path]);
    const after = tracked.ok ? await log.state() : tracked;
    if (!after.ok) return after;
    const old = after.value.working.tree.get(path) ?? null;
    if (old !== null && old.type !== 'file') return fail('refused', `${input.file_path} is no plain file.`);
    const bytes = new TextEncoder().encode(input.text);
    const neu = { path, type: 'file' as const, executable: old?.executable ?? false, bytes };
    if (sameImage(old, neu)) return ok({ suggestion_id: null, rejected_hunks: rejected.value });
    const added = await proposals.add({
      target: log.root,
      description: `Your edits of ${input.file_path}`,
      source: 'your edits',
      author: null,
      notes: {},
      decision: 'accepted',
      patch: imagePatch(old, neu),
      bases: new Map([[path, old]]),
      results: new Map([[path, neu]]),
      split: () => null,
      // On the working text, undecided hunks included: it stands on them, not they on it.
      alongside: (suggestion) =>
        void records.inside.addLayer({ root: log.root, suggestion, origin: 'user', job: null }),
    });
    return added.ok ? ok({ suggestion_id: added.value.id, rejected_hunks: rejected.value }) : added;
  }

  async #rejectConflicts(state: LogState, path: ByteString): Promise<Result<number>> {
    let count = 0;
    for (const layer of state.layers) {
      const stuck = layer.files
        .filter(({ subject }) => subject.oldPath === path || subject.newPath === path)
        .flatMap((review) =>
          review.changes.filter((change) => conflictOf(state, layer.id, change.id) !== null),
        );
      if (stuck.length === 0) continue;
      count += stuck.length;
      const wanted = new Map(stuck.map((change): [string, Decision] => [change.id, 'rejected']));
      const done = await this.#options.proposals.redecide(layer.id, wanted, 'reject');
      if (!done.ok) return done;
    }
    return ok(count);
  }

  /** Takes what the disk has now as the user's own edits. */
  async merge(session: StoredSession, filePath: string): Promise<Result<CommandResult<'agent/merge'>>> {
    const facts = await this.#facts(session.root);
    if (!facts.ok) return facts;
    const { log, state, moved } = facts.value;
    const path = utf8Bytes(filePath);
    const file = state.tracked.get(path);
    if (file === undefined) return fail('not_found', `${filePath} is in no proposal.`);
    if (moved.has(path)) {
      const found = await log.disk(path);
      if (!found.ok) return found;
      const taken = await log.takeDisk(file, found.value);
      if (!taken.ok) return taken;
    }
    const after = await log.state();
    return after.ok ? ok({ conflicts: conflictsIn(after.value, path) }) : after;
  }

  /** The working texts that are not the disk's, or the one that is named. */
  async working(
    session: StoredSession,
    filePath: string | null,
  ): Promise<Result<CommandResult<'agent/working'>>> {
    const facts = await this.#facts(session.root);
    if (!facts.ok) return facts;
    const { state, moved, unsaved } = facts.value;
    const listed = [...state.tracked.keys()].flatMap((path) => {
      const name = displayBytes(path);
      if (filePath !== null && filePath !== name) return [];
      const image = state.working.tree.get(path) ?? null;
      const undecided = undecidedIn(state, path);
      const conflict = moved.has(path)
        ? 'the file on disk has changed since.'
        : (conflictsIn(state, path)[0]?.reason ?? null);
      const isDirty = unsaved.has(path) || undecided > 0 || conflict !== null || hasUndecided(state, path);
      if (filePath === null && !isDirty) return [];
      const text = image === null ? null : Buffer.from(image.bytes).toString('utf8');
      const about = { file_path: name, unsaved: unsaved.has(path), undecided, conflict };
      return [filePath === null ? about : { ...about, text }];
    });
    return ok(listed);
  }

  checkpoint(id: string): Result<StoredCheckpoint> {
    return this.#options.checkpoints.get(id);
  }

  async diff3(id: string, filePath: string): Promise<Result<CommandResult<'agent/diff3'>>> {
    const stored = this.checkpoint(id);
    if (!stored.ok) return stored;
    return this.#options.checkpoints.diff3(this.#options.logOf(stored.value.root), stored.value, filePath);
  }

  async rollback(
    id: string,
    wish: { readonly mode: RollbackMode; readonly hunkIds: readonly string[]; readonly preview: boolean },
  ): Promise<Result<RollbackResult>> {
    const { checkpoints, logOf, book } = this.#options;
    const stored = this.checkpoint(id);
    if (!stored.ok) return stored;
    const { job_id: job } = stored.value.checkpoint;
    const tell = (event: Parameters<JobBook['step']>[1]['events']) => {
      if (job !== null && !wish.preview && book.get(job).ok) book.step(job, { events: event ?? [] });
    };
    const about = { checkpoint_id: id, mode: wish.mode };
    tell([{ type: 'checkpoint.rollback.started', data: { summary: wish.mode, ...about } }]);
    const done = await checkpoints.rollback(logOf(stored.value.root), stored.value, wish);
    if (!done.ok || done.value.status === 'conflict') {
      const message = done.ok ? (done.value.conflicts[0]?.reason ?? 'conflict') : done.error.message;
      tell([{ type: 'checkpoint.rollback.failed', data: { summary: message, checkpoint_id: id, message } }]);
      return done;
    }
    const files = done.value.files.map((file) => file.file_path);
    const undo = done.value.undo_checkpoint_id;
    const summary = `${wish.mode}: ${files.length} files`;
    tell([
      { type: 'checkpoint.rollback.completed', data: { summary, ...about, files, undo_checkpoint_id: undo } },
    ]);
    const settled = wish.preview ? ok(undefined) : await this.#settleAll(stored.value.root);
    return settled.ok ? done : settled;
  }
}

/** Every hunk's decision for an apply; refuses a hunk that is not there. */
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

function pathsOf(bundle: DiffBundle): Set<ByteString> {
  const names = bundle.files.flatMap((file) => [file.file_path, file.new_path ?? file.file_path]);
  return new Set(names.map((name) => utf8Bytes(name)));
}

const movedFiles = (bundle: DiffBundle): AgentConflict[] =>
  bundle.files.flatMap(({ file_path, conflict }) =>
    conflict === null ? [] : [{ file_path, hunk_id: null, reason: conflict }],
  );

function conflictsIn(state: LogState, path: ByteString): AgentConflict[] {
  return state.layers.flatMap((layer) =>
    layer.files
      .filter(({ subject }) => subject.oldPath === path || subject.newPath === path)
      .flatMap((review) =>
        review.changes.flatMap((change) => {
          const reason = conflictOf(state, layer.id, change.id);
          return reason === null ? [] : [{ file_path: displayBytes(path), hunk_id: change.id, reason }];
        }),
      ),
  );
}

function undecidedIn(state: LogState, path: ByteString): number {
  return state.layers
    .filter((layer) => !layer.ended)
    .flatMap((layer) => layer.files)
    .filter(({ subject }) => subject.oldPath === path || subject.newPath === path)
    .flatMap((review) =>
      review.changes.filter((change) => stateOf(review.state, change.id).decision === 'pending'),
    ).length;
}
