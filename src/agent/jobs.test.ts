import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';
import { endsAtOnce } from '../../test/helpers/turns.ts';
import { until } from '../../test/helpers/until.ts';
import { ok } from '../lib/result.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

describe('a job', () => {
  it('proposes: the working text has it at once, the disk only after a save', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [
      replaceLine('a.md', 2, 'TWO'),
      replaceLine('a.md', 7, 'SEVEN'),
    ]);
    expect(host.disk('a.md')).toBe(NOTE);
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'TWO').replace('seven', 'SEVEN'));
    const [first = '', second = ''] = host.hunks(job);
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    await host.ask('review/decide', { suggestion, hunk: first, action: 'accept' });
    expect(host.disk('a.md')).toBe(NOTE);
    const saved = await host.ask('agent/save', { session_id: session });
    expect(saved.status).toBe('completed');
    expect(host.disk('a.md')).toBe(NOTE.replace('two', 'TWO'));
    // The other hunk is still in the working text, undecided.
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'TWO').replace('seven', 'SEVEN'));
    expect((await host.ask('agent/session', { session_id: session })).pending_review).toMatchObject({
      undecided: 1,
    });
    await host.ask('review/decide', { suggestion, hunk: second, action: 'reject' });
    await host.reached(job.id, 'completed');
    expect(host.disk('a.md')).toBe(NOTE.replace('two', 'TWO'));
    const types = (await host.events(job.id)).map((event) => event.type);
    expect(types.slice(0, 4)).toEqual([
      'job.started',
      'edits.proposed',
      'checkpoint.created',
      'diff.generated',
    ]);
    expect(types).toContain('review.updated');
    expect(types).toContain('apply.completed');
  });

  it('only answers, and is over', async () => {
    host = await AgentHost.start();
    const session = await host.session();
    const job = await host.run(session, async () => ok({ edits: [], message: 'Nothing to do.' }));
    expect(await host.reached(job, 'completed')).toMatchObject({
      message: 'Nothing to do.',
      diff_bundle: null,
    });
    const { chat } = await host.ask('agent/session', { session_id: session });
    expect(chat.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'do it'],
      ['assistant', 'Nothing to do.'],
    ]);
  });

  it('asks, waits, and continues with the answer', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const id = await host.run(session, async ({ deps, propose }) => {
      const answer = await deps.askUser('Which?');
      return propose([replaceLine('a.md', 1, answer)]);
    });
    const { question } = await host.reached(id, 'waiting_for_user');
    const questionId = question?.question_id ?? '';
    expect(
      await host.refused('agent/clarify', { job_id: id, question_id: 'q_other', answer: 'x' }),
    ).toMatchObject({ code: 'not_found' });
    expect(await host.refused('agent/clarify', { job_id: id, question_id: questionId })).toMatchObject({
      code: 'invalid',
    });
    await host.ask('agent/clarify', { job_id: id, question_id: questionId, answer: 'this one' });
    await host.reached(id, 'awaiting_review');
    expect(await host.working(session, 'a.md')).toContain('this one\n');
    expect(
      await host.refused('agent/clarify', { job_id: id, question_id: questionId, answer: 'x' }),
    ).toMatchObject({ code: 'refused' });
  });

  it('a skipped question has the answer no_user_answer', async () => {
    host = await AgentHost.start();
    const session = await host.session();
    const id = await host.run(session, async ({ deps }) =>
      ok({ edits: [], message: await deps.askUser('Which?') }),
    );
    const { question } = await host.reached(id, 'waiting_for_user');
    await host.ask('agent/clarify', { job_id: id, question_id: question?.question_id ?? '', skip: true });
    expect(await host.reached(id, 'completed')).toMatchObject({ message: 'no_user_answer' });
  });

  it('is cancelled at once, even if its loop does not react, and later reports are ignored', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    let proceed: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const id = await host.run(session, async ({ propose, deps }) => {
      await ended;
      deps.emit({ type: 'message.completed', data: { text: 'late' } });
      return propose([replaceLine('a.md', 1, 'late')]);
    });
    await host.reached(id, 'running');
    const asked = host.ask('agent/cancel', { job_id: id });
    await endsAtOnce(asked);
    const cancelled = await asked;
    expect(cancelled).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    proceed();
    // Runs another job: by its end, the loop has made its late reports.
    const next = await host.run(session, async () => ok({ edits: [], message: 'next' }));
    await host.reached(next, 'completed');
    expect(await host.working(session, 'a.md')).toBe(NOTE);
    expect((await host.events(id)).map((event) => event.type)).toEqual(['job.started', 'job.failed']);
    expect((await host.ask('agent/cancel', { job_id: id })).status).toBe('failed');
  });

  it('cancelled while it waits for the user', async () => {
    host = await AgentHost.start();
    const id = await host.run(await host.session(), async ({ deps }) =>
      ok({ edits: [], message: await deps.askUser('?') }),
    );
    await host.reached(id, 'waiting_for_user');
    await host.ask('agent/cancel', { job_id: id });
    expect(await host.failed(id)).toMatchObject({ code: 'cancelled' });
  });

  it('an unexpected error of the loop fails the job, not the host', async () => {
    host = await AgentHost.start();
    const session = await host.session();
    const id = await host.run(session, async () => {
      throw new Error('boom');
    });
    expect(await host.failed(id)).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('boom'),
    });
    expect((await host.ask('agent/session', { session_id: session })).status).toBe('active');
  });

  it('several run at once, more wait for their turn', async () => {
    host = await AgentHost.start();
    const session = await host.session();
    const gate = Promise.withResolvers<void>();
    const jobs: string[] = [];
    for (let i = 0; i < 10; i += 1) {
      jobs.push(
        await host.run(session, async () => {
          await gate.promise;
          return ok({ edits: [], message: `${i}` });
        }),
      );
    }
    await until('eight run', async () => {
      const states = (await host.ask('agent/jobs', { session_id: session })).map((job) => job.status);
      return (
        states.filter((status) => status === 'running').length === 8 &&
        states.filter((status) => status === 'queued').length === 2
      );
    });
    gate.resolve();
    for (const job of jobs) await host.reached(job, 'completed');
  });

  it.each([
    ['is cancelled', 'cancelled'],
    ['fails', 'internal'],
  ])('keeps what the model was saying when the job %s, marked as not finished', async (how, code) => {
    host = await AgentHost.start();
    const said = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const id = await host.run(await host.session(), async ({ deps }) => {
      deps.emit({ type: 'message.completed', data: { text: 'A whole one.' } });
      deps.delta('Half a ');
      deps.delta('sentence');
      said.resolve();
      await go.promise;
      throw new Error('boom');
    });
    await said.promise;
    if (how === 'fails') go.resolve();
    else await host.ask('agent/cancel', { job_id: id });
    expect(await host.failed(id)).toMatchObject({ code });
    const { events } = await host.ask('agent/events', { job_id: id });
    const told = events.slice(-3).map(({ type, data }) => [type, data.text, data.unfinished]);
    expect(told).toEqual([
      ['message.completed', 'A whole one.', undefined],
      ['message.completed', 'Half a sentence', true],
      ['job.failed', undefined, undefined],
    ]);
    go.resolve();
  });

  it('streams the text of the model, and restarts with the next message', async () => {
    host = await AgentHost.start();
    const said = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const id = await host.run(await host.session(), async ({ deps }) => {
      deps.delta('Hello ');
      deps.delta('world');
      said.resolve();
      await go.promise;
      deps.emit({ type: 'message.completed', data: { text: 'Hello world' } });
      deps.delta('New');
      return ok({ edits: [], message: await deps.askUser('?') });
    });
    await said.promise;
    const first = await host.ask('agent/stream', { job_id: id });
    expect(first).toEqual({ text: 'Hello world', next: 11, live: true });
    const waiting = host.ask('agent/stream', { job_id: id, from: first.next, wait_ms: 5_000 });
    go.resolve();
    await waiting;
    await host.reached(id, 'waiting_for_user');
    expect(await host.ask('agent/stream', { job_id: id, from: 11 })).toMatchObject({ text: 'New', next: 3 });
    await host.ask('agent/cancel', { job_id: id });
    expect(await host.ask('agent/stream', { job_id: id })).toMatchObject({ live: false });
  });
});

describe('events', () => {
  it('come strictly after the cursor, and next_cursor is the last of them', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const job = await host.proposed(await host.session(), [replaceLine('a.md', 1, 'ONE')]);
    const first = await host.ask('agent/events', { job_id: job.id, cursor: 0, limit: 2 });
    expect(first.events.map((event) => event.cursor)).toEqual([1, 2]);
    expect(first.next_cursor).toBe(2);
    const rest = await host.ask('agent/events', { job_id: job.id, cursor: 2 });
    expect(rest.events.map((event) => event.cursor)).toEqual([3, 4]);
    expect(await host.ask('agent/events', { job_id: job.id, cursor: 4 })).toMatchObject({
      events: [],
      next_cursor: 4,
      dropped: 0,
      poll_interval_ms: 2_000,
    });
  });

  it('the oldest are dropped beyond the limit, and a notice says so', async () => {
    host = await AgentHost.start({}, { max_events_per_job: 10 });
    const id = await host.run(await host.session(), async ({ deps }) => {
      for (let i = 0; i < 30; i += 1) deps.emit({ type: 'message.completed', data: { text: `${i}` } });
      return ok({ edits: [], message: '' });
    });
    await host.reached(id, 'completed');
    const { events, dropped, next_cursor } = await host.ask('agent/events', { job_id: id });
    expect(events.length).toBe(10);
    expect(dropped).toBe(next_cursor - 10);
    expect(events.map((event) => event.cursor)).toEqual(
      Array.from({ length: 10 }, (_, i) => dropped + i + 1),
    );
  });
});
