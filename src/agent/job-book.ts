/** Records jobs: each transition and event is one transaction, then announced. Old events give way to a notice. */
import { fail, ok, type Result } from '../lib/result.ts';
import {
  type AgentEvent,
  type AgentEventInput,
  type AgentLimits,
  agentEventDataSchemas,
  type ChatMessage,
} from '../protocol/agent.ts';
import type { EventBody } from '../protocol/event.ts';
import { type JobInput, nextJob } from './core/job-machine.ts';
import type { AgentRecords, AgentWriter, StoredJob, StoredSession } from './records.ts';

/** The most messages of a session's chat; the oldest are dropped. */
export const CHAT_MAX_MESSAGES = 400;
const CHAT_MAX_CHARACTERS = 200_000;
/** The limit of all of them together: a session is sent in one message. */
const CHAT_MAX_TOTAL_CHARACTERS = 2_000_000;
/** The limit of one text inside an event. */
const EVENT_MAX_CHARACTERS = 200_000;
/** The limit of an event's one-line summary. */
const SUMMARY_MAX_CHARACTERS = 2000;

export interface JobBookOptions {
  readonly records: AgentRecords;
  readonly limits: AgentLimits;
  readonly now: () => number;
}

/** A transition of a job and its event, written together. */
export interface JobStep {
  readonly input?: JobInput;
  readonly events?: readonly AgentEventInput[];
  readonly chat?: readonly Omit<ChatMessage, 'ts' | 'job_id'>[];
  /** Further fields of the record. */
  readonly patch?: Partial<Pick<StoredJob, 'suggestion' | 'hunkEdits'>>;
  readonly also?: (writer: AgentWriter) => void;
}

export class JobBook {
  readonly #options: JobBookOptions;

  constructor(options: JobBookOptions) {
    this.#options = options;
  }

  get(id: string): Result<StoredJob> {
    const stored = this.#options.records.job(id);
    return stored === null ? fail('not_found', `Job not found: ${id}`) : ok(stored);
  }

  session(id: string): Result<StoredSession> {
    const stored = this.#options.records.session(id);
    return stored === null ? fail('not_found', `Session not found: ${id}`) : ok(stored);
  }

  putSession(session: StoredSession): Result<StoredSession> {
    return this.#options.records.write((writer, emit) => {
      writer.putSession(session);
      emit(sessionEvent(session));
      return ok(session);
    });
  }

  /** One transition of a job. If refused, nothing is written or announced. */
  step(id: string, step: JobStep): Result<StoredJob> {
    const { records, now } = this.#options;
    return records.write((writer, emit) => {
      const found = this.get(id);
      if (!found.ok) return found;
      const session = this.session(found.value.job.session_id);
      if (!session.ok) return session;
      const ts = now();
      const next = step.input === undefined ? ok(found.value.job) : nextJob(found.value.job, step.input, ts);
      if (!next.ok) return next;
      let stored: StoredJob = { ...found.value, ...step.patch, job: next.value };
      for (const event of step.events ?? []) {
        stored = this.#append(writer, stored, event, ts, (kept) =>
          emit(jobEvent(session.value, stored, kept)),
        );
      }
      writer.putJob(stored);
      step.also?.(writer);
      const chat = (step.chat ?? []).map((message) => ({
        ...message,
        text: message.text.slice(0, CHAT_MAX_CHARACTERS),
        ts,
        job_id: id,
      }));
      if (chat.length > 0 || step.input !== undefined) {
        writer.putSession({
          ...session.value,
          updated_at: ts,
          chat: boundedChat([...session.value.chat, ...chat]),
        });
      }
      if (chat.length > 0) emit(sessionEvent(session.value));
      return ok(stored);
    });
  }

  #append(
    writer: AgentWriter,
    stored: StoredJob,
    input: AgentEventInput,
    ts: number,
    tell: (event: AgentEvent) => void,
  ): StoredJob {
    const { max_events_per_job: max } = this.#options.limits;
    const cursor = stored.job.cursor + 1;
    const event: AgentEvent = { cursor, type: input.type, ts, data: dataOf(input) };
    writer.putEvent(stored.job.id, event);
    tell(event);
    const next = { ...stored, job: { ...stored.job, cursor } };
    if (cursor - stored.dropped <= max) return next;
    const first = stored.dropped === 0;
    // The notice itself takes a place.
    const dropped = cursor - max + (first ? 1 : 0);
    writer.dropEvents(stored.job.id, dropped);
    const after = { ...next, dropped };
    if (!first) return after;
    const summary = `The log of this job holds ${max} events; the oldest are dropped from here on.`;
    return this.#append(
      writer,
      after,
      { type: 'events.dropped', data: { summary, count: dropped } },
      ts,
      tell,
    );
  }
}

/** The newest messages that fit. */
function boundedChat(chat: readonly ChatMessage[]): ChatMessage[] {
  const kept = chat.slice(-CHAT_MAX_MESSAGES);
  let left = CHAT_MAX_TOTAL_CHARACTERS;
  const from = kept.findLastIndex((message) => {
    left -= message.text.length;
    return left < 0;
  });
  return kept.slice(from + 1);
}

/** Shortens an event to fit into one message, whatever a model wrote. */
function clipped(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, EVENT_MAX_CHARACTERS);
  if (Array.isArray(value)) return value.map(clipped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, clipped(field)]));
}

function dataOf(input: AgentEventInput): Record<string, unknown> {
  const summary = input.data.summary?.slice(0, SUMMARY_MAX_CHARACTERS);
  return agentEventDataSchemas[input.type].parse({
    ...(clipped(input.data) as typeof input.data),
    ...(summary === undefined ? {} : { summary }),
  });
}

function sessionEvent(session: StoredSession): EventBody {
  return { type: 'agent/session', sessionId: session.id, root: session.root, author: session.author };
}

function jobEvent(session: StoredSession, { job }: StoredJob, event: AgentEvent): EventBody {
  const { root, author, id: sessionId } = session;
  return { type: 'agent/event', sessionId, jobId: job.id, root, author, status: job.status, event };
}
