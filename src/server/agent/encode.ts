/** The agent's objects on the wire: times as ISO 8601, events for the streams. */
import { wordList } from '../../lib/word-list.ts';
import type { EventBody } from '../../protocol/event.ts';

const TIMES = new Set(wordList('created_at updated_at started_at finished_at asked_at ts'));

/** A copy with every time as text. Arguments and results of tools stay unchanged. */
export function withIsoTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (name === 'data') return [name, field];
      if (TIMES.has(name) && typeof field === 'number') return [name, new Date(field).toISOString()];
      return [name, withIsoTimes(field)];
    }),
  );
}

type AgentBody = Extract<EventBody, { readonly type: 'agent/event' | 'agent/session' }>;

/** The same for the streams. */
export function encodeAgentEvent(body: AgentBody): Record<string, unknown>[] {
  if (body.type === 'agent/session') return [{ type: 'agent.session', session_id: body.sessionId }];
  const { event, sessionId, jobId, status } = body;
  return [
    {
      type: event.type,
      session_id: sessionId,
      job_id: jobId,
      status,
      cursor: event.cursor,
      data: event.data,
    },
  ];
}
