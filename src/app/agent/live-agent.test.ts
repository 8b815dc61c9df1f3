/** The Agent screen's data: reads and events must stay consistent. */
import { afterEach, describe, expect, it } from 'vitest';
import { testEvents, testJob, testSession } from '../../../test/helpers/agent-fakes.ts';
import { until } from '../../../test/helpers/until.ts';
import { type Failure, fail, ok } from '../../lib/result.ts';
import { systemTimers } from '../../platform/timers.ts';
import type { AgentEvent } from '../../protocol/agent.ts';
import type { Client } from '../../protocol/client.ts';
import type { JobSummary } from '../../protocol/commands/agent.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import { LiveAgent } from './live-agent.ts';

const ROOT = '/nowhere/notes';
const ASKED = { summary: 'All?', question_id: 'q1', question: 'All?' };

let closeLast = (): void => undefined;
afterEach(() => closeLast());

/** An open LiveAgent on a host with one session and one job; `job` and `events` may be from different moments. */
function open(host: { job: JobSummary; events: readonly AgentEvent[]; notReady?: Failure | null }) {
  const listeners = new Set<(event: CopaneEvent) => void>();
  const asked: string[] = [];
  const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
    'agent/sessions': () => [testSession()],
    'agent/session': () => testSession(),
    'agent/jobs': () => [host.job],
    'agent/checkpoints': () => [],
    'agent/stream': () => ({ text: '', next: 0, live: false }),
    'agent/events': ({ cursor }) => {
      const events = host.events.filter((event) => event.cursor > Number(cursor));
      return { job_id: host.job.id, status: 'running', next_cursor: host.events.length, dropped: 0, events };
    },
  };
  const client = {
    request: async (command: string, params: Record<string, unknown>) => {
      asked.push(command);
      return ok(answers[command]?.(params));
    },
    subscribe: (listener: (event: CopaneEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Client;
  const agent = new LiveAgent({
    client,
    timers: systemTimers,
    project: () => ROOT,
    rows: async () => ({ complete: async () => ok([]) }) as never,
    mapFile: async () => fail('not_found', 'no map'),
    notReady: host.notReady ?? null,
    lookReady: async () => host.notReady ?? null,
    takeOffer: async () => ok('Gemini CLI'),
    onProblem: (message) => expect.unreachable(message),
  });
  agent.start();
  closeLast = () => agent.close();
  const tell = (event: AgentEvent, status: JobSummary['status']): void => {
    const body = {
      type: 'agent/event',
      sessionId: 's1',
      jobId: 'j1',
      root: ROOT,
      author: null,
      status,
      event,
    } as const;
    for (const listener of listeners) listener({ seq: 1, ts: 1, body });
  };
  const job = (): JobSummary | undefined => agent.getSnapshot().jobs[0];
  return { agent, asked, tell, job };
}

const [started, requested, received] = testEvents([
  ['job.started', { summary: '' }],
  ['clarification.requested', ASKED],
  ['clarification.received', { summary: 'yes', question_id: 'q1', answer: 'yes' }],
]) as [AgentEvent, AgentEvent, AgentEvent];

const running = testJob({ status: 'running', cursor: 1 });

describe('LiveAgent', () => {
  it('reads nothing before the screen is shown', async () => {
    const { agent, asked } = open({ job: running, events: [started] });
    expect(asked).toEqual([]);
    agent.follow(null);
    await until('the sessions', () => agent.getSnapshot().sessions.length === 1);
    expect(asked).toEqual(['agent/sessions']);
  });

  it('picks up a configuration written meanwhile', async () => {
    const notReady: Failure = { code: 'not_found', message: 'No model is configured.', hint: 'Set it.' };
    const host: Parameters<typeof open>[0] = { job: running, events: [started], notReady };
    const { agent } = open(host);
    const run = { kind: 'run', session: 's1', instruction: 'x', confirmBeforeEdits: false } as const;
    expect(await agent.act(run)).toEqual({ ok: false, error: notReady });
    host.notReady = null;
    agent.follow('s1');
    await until('it is ready', () => agent.getSnapshot().notReady === null);
    expect((await agent.act(run)).ok).toBe(true);
  });

  it('takes the question from events newer than the job read before them', async () => {
    const { agent, job } = open({ job: running, events: [started, requested] });
    agent.follow('s1');
    await until('the job', () => job() !== undefined);
    expect(agent.getSnapshot().events.get('j1')).toEqual([started, requested]);
    expect(job()).toMatchObject({
      status: 'waiting_for_user',
      cursor: 2,
      question: { question_id: 'q1', question: 'All?' },
    });
  });

  it('keeps a question open from its event until it is answered', async () => {
    const host = { job: running, events: [started] };
    const { agent, job, tell } = open(host);
    agent.follow('s1');
    await until('the job', () => job() !== undefined);
    tell(requested, 'waiting_for_user');
    expect(job()).toMatchObject({ status: 'waiting_for_user', question: { question_id: 'q1' } });
    tell(received, 'running');
    expect(job()).toMatchObject({ status: 'running', question: null, cursor: 3 });
  });
});
