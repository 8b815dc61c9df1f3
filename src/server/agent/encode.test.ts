import { describe, expect, it } from 'vitest';
import { encodeAgentEvent, withIsoTimes } from './encode.ts';

describe('the agent on the wire', () => {
  it('has times as text, except inside the data of an event', () => {
    expect(
      withIsoTimes([{ created_at: 0, finished_at: null, data: { ts: 5 }, events: [{ ts: 1000 }] }]),
    ).toEqual([
      {
        created_at: '1970-01-01T00:00:00.000Z',
        finished_at: null,
        data: { ts: 5 },
        events: [{ ts: '1970-01-01T00:00:01.000Z' }],
      },
    ]);
  });

  it('reports events to a stream', () => {
    const about = { sessionId: 's', jobId: 'j', root: '/r', author: null, status: 'running' } as const;
    const event = { cursor: 3, type: 'job.started', ts: 1, data: { summary: 'started' } } as const;
    expect(encodeAgentEvent({ type: 'agent/event', ...about, event })).toEqual([
      {
        type: 'job.started',
        session_id: 's',
        job_id: 'j',
        status: 'running',
        cursor: 3,
        data: { summary: 'started' },
      },
    ]);
    expect(encodeAgentEvent({ type: 'agent/session', sessionId: 's', root: '/r', author: null })).toEqual([
      { type: 'agent.session', session_id: 's' },
    ]);
  });
});
