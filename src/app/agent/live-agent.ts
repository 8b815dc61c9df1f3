/** The live data of the Agent screen: the project's sessions; jobs, events and checkpoints of the followed one. */
import { realpath } from 'node:fs/promises';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { AgentEvent, ContextRow, DiffBundle } from '../../protocol/agent.ts';
import type { Client } from '../../protocol/client.ts';
import type { JobSummary, RollbackResult } from '../../protocol/commands/agent.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { RenderedMap } from '../../protocol/file-map.ts';
import type {
  AgentAct,
  AgentOutcome,
  AgentPort,
  AgentView,
  RollbackRequest,
  ShownMap,
} from '../../ui/agent/port.ts';
import { LiveView } from '../live-view.ts';
import type { ProjectRows } from './project-rows.ts';
import { saveOutcome, saveProject } from './save-project.ts';
import { StreamReader } from './stream-reader.ts';

/** The least time between two reads; events of a job are added at once. */
const READ_GAP_MS = 100;
const EVENTS_PER_PAGE = 1000;
const TITLE_MAX_CHARACTERS = 200;

export interface LiveAgentOptions {
  readonly client: Client;
  readonly timers: Timers;
  readonly project: () => string;
  /** Loaded with the first row, since no frame needs it; one instance per screen. */
  readonly rows: () => Promise<Pick<ProjectRows, 'complete' | 'read'>>;
  readonly mapFile: (root: string, file: string) => Promise<Result<RenderedMap>>;
  /** Why no job can run, as of startup; null if one can. */
  readonly notReady: AgentView['notReady'];
  /** The current value of `notReady`. */
  readonly lookReady: () => Promise<AgentView['notReady']>;
  /** Makes the offered AI CLI the agent; returns its name. */
  readonly takeOffer: () => Promise<Result<string>>;
  readonly onProblem: (message: string) => void;
}

type JobEvent = Extract<EventBody, { type: 'agent/event' }>;

export class LiveAgent extends LiveView<AgentView> implements AgentPort {
  readonly #options: LiveAgentOptions;
  readonly #reads: Scheduler;
  readonly #stream: StreamReader;
  #session: string | null = null;
  #root = '';
  #project = '';
  #loadedRows: ReturnType<LiveAgentOptions['rows']> | null = null;

  constructor(options: LiveAgentOptions) {
    const { client, timers, notReady, onProblem } = options;
    super({
      sessions: [],
      open: null,
      jobs: [],
      events: new Map(),
      stream: null,
      checkpoints: [],
      problem: null,
      notReady,
      isLooking: true,
    });
    this.#options = options;
    this.#reads = new Scheduler({
      minGapMs: READ_GAP_MS,
      run: () => this.#read(),
      onError: (error) => onProblem(errorMessage(error)),
      timers,
    });
    this.#stream = new StreamReader({
      client,
      onText: (job, text) => this.publish({ stream: text === '' ? null : { job, text } }),
      onProblem,
    });
    this.onClose(
      () => this.#reads.stop(),
      () => this.#stream.stop(),
    );
  }

  /** Subscribes to events; the first `follow` reads the data. */
  start(): void {
    this.listen(
      this.#options.client,
      (body) => {
        if (body.type === 'agent/session' && body.root === this.#root) this.#reads.request();
        if (body.type === 'agent/event' && body.root === this.#root) this.#hear(body);
      },
      () => this.#reads.request(),
    );
  }

  readonly follow = (session: string | null): void => {
    // The user may have written the missing configuration meanwhile.
    if (this.view.notReady !== null) void this.#lookReady();
    // The user may have switched to a pane in another project.
    if (this.#options.project() !== this.#project) this.#reads.request();
    if (session === this.#session) return;
    this.#session = session;
    this.#stream.stop();
    this.publish({ open: null, jobs: [], events: new Map(), stream: null, checkpoints: [] });
    this.#reads.request();
  };

  readonly act = async (act: AgentAct): Promise<Result<AgentOutcome>> => {
    const done = await this.#run(act);
    await this.#read();
    return done;
  };

  readonly previewRollback = (to: RollbackRequest): Promise<Result<RollbackResult>> =>
    this.#requestRollback(to, true);

  #requestRollback({ checkpoint, mode, hunks }: RollbackRequest, preview: boolean) {
    const params = { checkpoint_id: checkpoint, mode, hunk_ids: [...hunks], preview };
    return this.#options.client.request('agent/rollback', params);
  }

  readonly completeFile = async (prefix: string): Promise<Result<readonly string[]>> =>
    (await this.#rows()).complete(this.#options.project(), prefix);

  readonly mapFile = async (file: string): Promise<Result<ShownMap>> => {
    const mapped = await this.#options.mapFile(this.#options.project(), file);
    return mapped.ok ? ok({ ...mapped.value.details, text: mapped.value.text }) : mapped;
  };

  readonly readDiff = async (job: string): Promise<Result<DiffBundle | null>> => {
    const found = await this.#options.client.request('agent/job', { job_id: job });
    return found.ok ? ok(found.value.diff_bundle) : found;
  };

  readonly readRow = async (
    of: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' },
  ): Promise<Result<ContextRow>> => (await this.#rows()).read(this.#options.project(), of);

  #rows(): ReturnType<LiveAgentOptions['rows']> {
    this.#loadedRows ??= this.#options.rows();
    return this.#loadedRows;
  }

  async #run(act: AgentAct): Promise<Result<AgentOutcome>> {
    const { client } = this.#options;
    switch (act.kind) {
      case 'run':
        return this.#start(act);
      case 'answer': {
        const { job, question, answer } = act;
        const params = { job_id: job, question_id: question, answer: answer ?? '', skip: answer === null };
        return outcomeOf(await client.request('agent/clarify', params), '');
      }
      case 'cancel':
        return outcomeOf(await client.request('agent/cancel', { job_id: act.job }), 'Stopped');
      case 'rerun':
        return outcomeOf(await client.request('agent/rerun', { job_id: act.job }), '');
      case 'archive':
        return outcomeOf(await client.request('agent/archive', { session_id: act.session }), 'Put away');
      case 'save':
        return saveOutcome(await client.request('agent/save', { session_id: act.session, files: [] }));
      case 'save-project':
        return saveOutcome(await saveProject(client, act.root));
      case 'context': {
        const session = await this.#begin(act.session, '');
        if (!session.ok) return session;
        const params = { session_id: session.value.id, context_rows: [...act.rows] };
        return outcomeOf(await client.request('agent/context', params), '', session.value.begun);
      }
      case 'rollback':
        return this.#rollback(act.to);
      case 'use-offer': {
        const used = await this.#options.takeOffer();
        if (!used.ok) return used;
        await this.#lookReady();
        return ok(words(`${used.value} is the agent now: agent_mode in the configuration`));
      }
    }
  }

  async #start(act: Extract<AgentAct, { kind: 'run' }>): Promise<Result<AgentOutcome>> {
    const notReady = await this.#lookReady();
    if (notReady !== null) return { ok: false, error: notReady };
    const session = await this.#begin(act.session, act.instruction);
    if (!session.ok) return session;
    const started = await this.#options.client.request('agent/run', {
      session_id: session.value.id,
      instruction: act.instruction,
      confirm_before_edits: act.confirmBeforeEdits,
      context_rows: [],
      tool_config: {},
      mode: null,
    });
    return outcomeOf(started, '', session.value.begun);
  }

  /** The current session, created on first use. */
  async #begin(
    session: string | null,
    title: string,
  ): Promise<Result<{ readonly id: string; readonly begun: string | null }>> {
    if (session !== null) return ok({ id: session, begun: null });
    await this.#findRoot();
    const made = await this.#options.client.request('agent/create', {
      root: this.#root,
      title: (title.split('\n', 1)[0] ?? '').slice(0, TITLE_MAX_CHARACTERS),
      author: null,
    });
    return made.ok ? ok({ id: made.value.id, begun: made.value.id }) : made;
  }

  async #rollback(to: RollbackRequest): Promise<Result<AgentOutcome>> {
    const rolled = await this.#requestRollback(to, false);
    if (!rolled.ok) return rolled;
    if (rolled.value.status === 'conflict') {
      return fail('refused', 'Nothing was rolled back: later edits are in the way');
    }
    return ok(words('Rolled back; Ctrl+S writes it to the files, b takes it back'));
  }

  /** Handles an event of the followed session: appends it if it is the next one, otherwise rereads all. */
  #hear({ sessionId, jobId, status, event }: JobEvent): void {
    const job = this.view.jobs.find(({ id }) => id === jobId);
    if (sessionId !== this.#session || job === undefined) {
      this.#reads.request();
      return;
    }
    const known = this.view.events.get(jobId) ?? [];
    if (event.cursor === job.cursor + 1) {
      const events = new Map(this.view.events).set(jobId, [...known, event]);
      const updated = { ...jobAfter(job, [event]), status };
      const jobs = this.view.jobs.map((one) => (one === job ? updated : one));
      const isComplete = event.type === 'message.completed';
      this.publish({ events, jobs, ...(isComplete ? { stream: null } : {}) });
    }
    if (event.cursor !== job.cursor + 1 || status !== job.status || !event.type.startsWith('tool.')) {
      this.#reads.request();
    }
  }

  async #lookReady(): Promise<AgentView['notReady']> {
    const notReady = await this.#options.lookReady();
    const known = this.view.notReady;
    if (notReady?.hint !== known?.hint || notReady?.offer !== known?.offer) this.publish({ notReady });
    return notReady;
  }

  async #findRoot(): Promise<void> {
    this.#project = this.#options.project();
    this.#root = await realpath(this.#project).catch(() => this.#project);
  }

  async #read(): Promise<void> {
    await this.#findRoot();
    const { client } = this.#options;
    const session = this.#session;
    const listed = await client.request('agent/sessions', { root: this.#root, archived: false });
    if (!listed.ok) return this.publish({ problem: listed.error, isLooking: false });
    this.publish({ sessions: listed.value, problem: null, isLooking: false });
    if (session === null) return;
    const [open, jobs, checkpoints] = await Promise.all([
      client.request('agent/session', { session_id: session }),
      client.request('agent/jobs', { session_id: session, root: null }),
      client.request('agent/checkpoints', { session_id: session }),
    ]);
    if (session !== this.#session) return;
    if (!open.ok || !jobs.ok || !checkpoints.ok) {
      const [failed] = [open, jobs, checkpoints].filter((answer) => !answer.ok);
      return this.publish({ problem: failed?.ok === false ? failed.error : null });
    }
    const oldestFirst = jobs.value.toReversed();
    const events = await this.#eventsOf(oldestFirst);
    if (session !== this.#session) return;
    const known = oldestFirst.map((job) => jobAfter(job, events.get(job.id) ?? []));
    this.publish({ open: open.value, jobs: known, events, checkpoints: checkpoints.value });
    const live = oldestFirst.findLast(({ status }) => status === 'running' || status === 'queued');
    if (live === undefined) this.#stream.stop();
    else this.#stream.follow(live.id);
  }

  async #eventsOf(jobs: readonly JobSummary[]): Promise<AgentView['events']> {
    const all = new Map<string, readonly AgentEvent[]>();
    for (const job of jobs) {
      let events = this.view.events.get(job.id) ?? [];
      let last = events.at(-1)?.cursor ?? 0;
      while (last < job.cursor) {
        const page = await this.#options.client.request('agent/events', {
          job_id: job.id,
          cursor: last,
          limit: EVENTS_PER_PAGE,
        });
        if (!page.ok) this.publish({ problem: page.error });
        if (!page.ok || page.value.events.length === 0) break;
        events = [...events, ...page.value.events];
        last = page.value.next_cursor;
      }
      all.set(job.id, events);
    }
    return all;
  }
}

/** A job updated from events newer than its summary, so that a question on the screen can be answered at once. */
function jobAfter(job: JobSummary, events: readonly AgentEvent[]): JobSummary {
  let after = job;
  for (const event of events) {
    if (event.cursor <= after.cursor) continue;
    after = { ...after, cursor: event.cursor, ...askedBy(event) };
  }
  return after;
}

function askedBy({ type, data, ts }: AgentEvent): Partial<Pick<JobSummary, 'status' | 'question'>> {
  if (type === 'clarification.received') return { status: 'running', question: null };
  const { question_id, question, options } = data;
  if (type !== 'clarification.requested' || typeof question_id !== 'string' || typeof question !== 'string') {
    return {};
  }
  const offered = Array.isArray(options) ? options.map(String) : [];
  return { status: 'waiting_for_user', question: { question_id, question, options: offered, asked_at: ts } };
}

const words = (text: string, begun: string | null = null): AgentOutcome => ({ words: text, begun });

function outcomeOf(answer: Result<unknown>, text: string, begun: string | null = null): Result<AgentOutcome> {
  return answer.ok ? ok(words(text, begun)) : answer;
}
