import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';
import { ok } from '../lib/result.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

describe('sessions', () => {
  it('the 26th live session, not the 26th session', async () => {
    host = await AgentHost.start({}, { max_sessions: 2 });
    const first = await host.session();
    await host.session();
    expect(await host.refused('agent/create', { root: host.root })).toMatchObject({ code: 'limit' });
    await host.ask('agent/archive', { session_id: first });
    await host.session();
    expect(await host.refused('agent/run', { session_id: first, instruction: 'x' })).toMatchObject({
      code: 'refused',
    });
  });

  it('one whose work is over makes room for the next; a new one does not', async () => {
    host = await AgentHost.start({ 'a.md': NOTE }, { max_sessions: 3 });
    const [open, done, fresh] = [await host.session(), await host.session(), await host.session()];
    await host.proposed(open, [replaceLine('a.md', 1, 'ONE')]);
    await host.reached(await host.run(done, async () => ok({ edits: [], message: '' })), 'completed');
    const next = await host.session();
    const listed = async (archived: boolean) =>
      (await host.ask('agent/sessions', { archived })).map(({ id }) => id);
    expect(await listed(false)).toEqual([next, open, fresh]);
    expect(await listed(true)).toContain(done);
    expect(await host.refused('agent/create', { root: host.root })).toMatchObject({ code: 'limit' });
  });

  it('more jobs than a session may have, if none has ended', async () => {
    host = await AgentHost.start({}, { max_jobs_per_session: 2 });
    const session = await host.session();
    const done = async () => ok({ edits: [], message: '' });
    const first = await host.run(session, done);
    await host.reached(first, 'completed');
    const wait = await host.run(session, async ({ deps }) =>
      ok({ edits: [], message: await deps.askUser('?') }),
    );
    await host.reached(wait, 'waiting_for_user');
    const third = await host.run(session, async ({ deps }) =>
      ok({ edits: [], message: await deps.askUser('?') }),
    );
    expect(await host.refused('agent/job', { job_id: first })).toMatchObject({ code: 'not_found' });
    expect(await host.refused('agent/run', { session_id: session, instruction: 'x' })).toMatchObject({
      code: 'limit',
    });
    await host.ask('agent/cancel', { job_id: third });
    await host.reached(await host.run(session, done), 'completed');
  });

  it('unknown sessions, jobs, hunks and folders', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    expect(await host.refused('agent/create', { root: '/not/there' })).toMatchObject({ code: 'not_found' });
    expect(await host.refused('agent/session', { session_id: 'no' })).toMatchObject({ code: 'not_found' });
    expect(await host.refused('agent/job', { job_id: 'no' })).toMatchObject({ code: 'not_found' });
    expect(await host.refused('agent/events', { job_id: 'no' })).toMatchObject({ code: 'not_found' });
    expect(await host.refused('agent/checkpoint', { checkpoint_id: 'no' })).toMatchObject({
      code: 'not_found',
    });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE')]);
    const wanted = { session_id: session, job_id: job.id, accepted_hunk_ids: ['no'] };
    expect(await host.refused('agent/apply', wanted)).toMatchObject({ code: 'not_found' });
    expect(host.disk('a.md')).toBe(NOTE);
  });
});

describe('context rows', () => {
  it('are included in the next request; pinned ones stay', async () => {
    host = await AgentHost.start();
    const session = await host.session();
    const row = (id: string, pinned: boolean) => ({ id, kind: 'note' as const, content: id, pinned });
    await host.ask('agent/context', {
      session_id: session,
      context_rows: [row('once', false), row('stays', true)],
    });
    const seen: string[][] = [];
    for (let i = 0; i < 2; i += 1) {
      const id = await host.run(session, async ({ input }) => {
        seen.push(input.contextRows.map((one) => one.id));
        return ok({ edits: [], message: '' });
      });
      await host.reached(id, 'completed');
    }
    expect(seen).toEqual([['once', 'stays'], ['stays']]);
  });
});

describe('bounds', () => {
  it('of context, of messages and questions of a model, and of the memory of a session', async () => {
    host = await AgentHost.start();
    const session = await host.session();
    const row = (length: number) => ({
      id: 'r',
      kind: 'note' as const,
      content: 'x'.repeat(length),
      pinned: true,
    });
    const rows = (count: number, length: number) => Array.from({ length: count }, () => row(length));
    const set = (context_rows: ReturnType<typeof rows>) => ({ session_id: session, context_rows });
    expect(await host.refused('agent/context', set([...rows(2, 1_000_000), row(1)]))).toMatchObject({
      code: 'invalid',
    });
    await host.ask('agent/context', set(rows(2, 1_000_000)));
    await host.ask('agent/context', set([]));
    for (let i = 0; i < 12; i += 1) {
      const long = 'y'.repeat(i === 0 ? 9_000_000 : 250_000);
      const id = await host.run(session, async ({ deps }) => {
        const call = { tool_call_id: 't', tool: 'search_project', arguments: { query: long } };
        deps.emit({ type: 'tool.call.requested', data: call });
        return ok({ edits: [], message: long });
      });
      await host.reached(id, 'completed');
    }
    const { chat } = await host.ask('agent/session', { session_id: session });
    expect(chat.reduce((sum, message) => sum + message.text.length, 0)).toBeLessThanOrEqual(2_000_000);
    expect(chat.at(-1)?.role).toBe('assistant');
  });
});
