import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';
import { ok } from '../lib/result.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

describe('after a restart', () => {
  it('a proposal that was decided on while no host ran is over', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    await host.close();
    await host.open();
    // No command of the agent has arrived yet: its part of the host is not even loaded.
    await host.ask('review/decide', {
      suggestion: job.diff_bundle?.suggestion_id ?? '',
      hunk: 'all',
      action: 'reject',
    });
    await host.close();
    await host.open();
    await host.reached(job.id, 'completed');
    expect(await host.working(session, 'a.md')).toBe(NOTE);
  });

  it('running jobs are interrupted, waiting ones keep waiting, proposals and sessions remain', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const proposed = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    const running = await host.run(session, () => new Promise(() => undefined));
    await host.reached(running, 'running');
    const waiting = await host.run(
      session,
      async ({ deps }) => ok({ edits: [], message: await deps.askUser('Which?') }),
      'ask me',
    );
    const { question } = await host.reached(waiting, 'waiting_for_user');
    await host.close();
    await host.open();
    expect(await host.failed(running)).toMatchObject({ code: 'interrupted' });
    expect((await host.ask('agent/job', { job_id: waiting })).status).toBe('waiting_for_user');
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'TWO'));
    // The loop restarts with the chat.
    let chat: readonly string[] = [];
    host.scripts.push(async ({ input }) => {
      chat = input.chat.map((message) => message.text);
      return ok({ edits: [], message: 'done' });
    });
    await host.ask('agent/clarify', {
      job_id: waiting,
      question_id: question?.question_id ?? '',
      answer: 'the second',
    });
    await host.reached(waiting, 'completed');
    expect(chat.slice(-2)).toEqual(['Which?', 'the second']);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: proposed.id,
      accepted_hunk_ids: [...host.hunks(proposed)],
    });
    expect(host.disk('a.md')).toBe(NOTE.replace('two', 'TWO'));
  });
});
