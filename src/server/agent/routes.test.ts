import { describe, expect, it } from 'vitest';
import { agentCommands } from '../../protocol/commands/agent.ts';
import { encodeAgentEvent, encodeFailure, withIsoTimes } from './encode.ts';
import { AGENT_ROUTES, findAgentRoute, isAgentPath } from './routes.ts';

describe('paths', () => {
  it.each([
    ['GET', '/api/agent/jobs/a/events', 'agent/events', 'a'],
    ['GET', '/api/agent/jobs/a%2Fb', 'agent/job', 'a/b'],
    ['GET', '/api/agent/jobs/%', 'agent/job', '%'],
    ['POST', '/api/agent/run', 'agent/run', null],
    ['POST', '/api/agent/checkpoints/c/rollback', 'agent/rollback', 'c'],
  ])('%s %s', (method, path, command, id) => {
    expect(findAgentRoute(method, path)).toMatchObject({ kind: 'found', id, route: { command } });
  });

  it.each([
    ['GET', '/api/agent/run', { kind: 'method', allowed: ['POST'] }],
    ['DELETE', '/api/agent/sessions', { kind: 'method', allowed: ['POST', 'GET'] }],
    ['GET', '/api/agent/jobs/', { kind: 'none' }],
    ['GET', '/api/agent/jobs/a/b/c', { kind: 'none' }],
  ])('%s %s is not', (method, path, found) => {
    expect(findAgentRoute(method, path)).toMatchObject(found);
  });

  it('every path is the agent’s, stands once, and asks for a command that there is', () => {
    const seen = AGENT_ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(seen).size).toBe(seen.length);
    for (const { path, command, id } of AGENT_ROUTES) {
      expect(isAgentPath(path)).toBe(true);
      expect(Object.hasOwn(agentCommands, command)).toBe(true);
      expect(path.includes(':id')).toBe(id !== null);
    }
  });
});

describe('what goes out', () => {
  it('has times as text, but not inside what an event carries', () => {
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

  it('says why not, with the code and the next step', () => {
    expect(encodeFailure({ code: 'refused', message: 'No.', hint: 'Wait.' })).toEqual({
      success: false,
      error: 'No.',
      code: 'refused',
      hint: 'Wait.',
    });
  });

  it('tells a stream what happened', () => {
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
