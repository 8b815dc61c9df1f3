import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';
import { until } from '../../test/helpers/until.ts';
import { ok } from '../lib/result.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

describe('a job', () => {
  it('proposes: the working text has it at once, the disk never before a save', async () => {
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
    // The other hunk still stands in the working text, undecided.
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

  it('asks, waits, and goes on with the answer', async () => {
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

  it('is cancelled at once, though its loop does not listen, and nothing it says counts', async () => {
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
    const before = performance.now();
    const cancelled = await host.ask('agent/cancel', { job_id: id });
    expect(performance.now() - before).toBeLessThan(200);
    expect(cancelled).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    proceed();
    // Another job after it: whatever the loop still says has been said by then.
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

  it('a defect of the loop fails the job, not the host', async () => {
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

  it('streams what the model says, and begins anew with the next message', async () => {
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

describe('what is refused', () => {
  it('a path through a link out of the root, .git/hooks, binary and latin-1 files', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    host.put('bin.dat', Buffer.from([0, 1, 2]));
    host.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    const outside = path.join(host.home.home, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(host.root, 'link'));
    symlinkSync('/etc/hostname', path.join(host.root, 'file-link'));
    symlinkSync(path.join(outside, 'not-yet'), path.join(host.root, 'dangling'));
    const session = await host.session();
    const insert = (file: string) => ({
      file_path: file,
      operation: 'insert' as const,
      start_line: 1,
      new_text: 'x\n',
    });
    for (const [file, message] of [
      ['link/evil.md', /link/],
      ['file-link', /link/],
      ['dangling', /link/],
      ['../evil.md', /leaves the root/],
      ['.git/hooks/pre-commit', /version control/],
      ['bin.dat', /binary/],
      ['latin.txt', /not valid UTF-8/],
    ] as const) {
      const id = await host.run(session, ({ propose }) => propose([insert(file)]));
      const error = await host.failed(id);
      expect(error.code).toBe('invalid_edits');
      expect(error.message).toMatch(message);
    }
    expect(host.disk('latin.txt')).not.toBe(null);
  });

  it('the 26th live session, not the 26th session', async () => {
    host = await AgentHost.start({}, { max_sessions: 2 });
    const first = await host.session();
    await host.session();
    expect(await host.refused('agent/create', { root: host.root })).toMatchObject({ code: 'refused' });
    await host.ask('agent/archive', { session_id: first });
    await host.session();
    expect(await host.refused('agent/run', { session_id: first, instruction: 'x' })).toMatchObject({
      code: 'refused',
    });
  });

  it('more jobs than a session may have, as long as none has ended', async () => {
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
      code: 'refused',
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
    const wish = { session_id: session, job_id: job.id, accepted_hunk_ids: ['no'] };
    expect(await host.refused('agent/apply', wish)).toMatchObject({ code: 'not_found' });
    expect(host.disk('a.md')).toBe(NOTE);
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
    });
  });

  it('the oldest are dropped beyond the bound, and that is told', async () => {
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

describe('saving', () => {
  it('keeps line ends, BOM, an open end and the mode; makes, deletes and moves files', async () => {
    host = await AgentHost.start({
      'crlf.md': '\uFEFFa\r\nb\r\nc',
      'gone.md': 'x\n',
      'old.sh': '#!/bin/sh\nexit 1\n',
    });
    chmodSync(path.join(host.root, 'old.sh'), 0o755);
    const session = await host.session();
    const job = await host.proposed(session, [
      replaceLine('crlf.md', 2, 'B'),
      { file_path: 'gone.md', operation: 'delete_file', new_text: '' },
      { file_path: 'old.sh', operation: 'rename_file', new_path: 'bin/new.sh', new_text: '' },
      replaceLine('old.sh', 2, 'exit 0'),
      { file_path: 'new/note.md', operation: 'insert', start_line: 1, new_text: '# New' },
    ]);
    const applied = await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [...host.hunks(job)],
    });
    expect(applied).toMatchObject({ status: 'completed', conflicts: [] });
    expect(applied.applied_files).toContainEqual({
      file_path: 'bin/new.sh',
      applied_hunks: 2,
      rejected_hunks: 0,
    });
    expect(host.disk('crlf.md')).toBe('\uFEFFa\r\nB\r\nc');
    expect(host.disk('gone.md')).toBe(null);
    expect(host.disk('old.sh')).toBe(null);
    expect(host.disk('bin/new.sh')).toBe('#!/bin/sh\nexit 0\n');
    expect(host.disk('new/note.md')).toBe('# New\n');
    expect((await host.reached(job.id, 'completed')).diff_bundle?.files.every((file) => file.saved)).toBe(
      true,
    );
  });

  it('apply takes the named hunks and rejects the others', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE'), replaceLine('a.md', 5, 'FIVE')]);
    const [, second = ''] = host.hunks(job);
    const applied = await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [second],
    });
    expect(applied.applied_files).toEqual([{ file_path: 'a.md', applied_hunks: 1, rejected_hunks: 1 }]);
    expect(host.disk('a.md')).toBe(NOTE.replace('five', 'FIVE'));
    await host.reached(job.id, 'completed');
    const told = (await host.events(job.id)).filter((event) => event.type === 'review.updated');
    expect(told.map(({ data }) => [data.accepted, data.rejected, data.pending])).toEqual([[1, 1, 0]]);
  });

  it('is a conflict when the disk has moved; nothing is written, and nothing decided', async () => {
    host = await AgentHost.start({ 'a.md': NOTE, 'b.md': 'b\n' });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE'), replaceLine('b.md', 1, 'B')]);
    host.put('a.md', `${NOTE}mine\n`);
    const wish = { session_id: session, job_id: job.id, accepted_hunk_ids: [...host.hunks(job)] };
    const applied = await host.ask('agent/apply', wish);
    expect(applied).toMatchObject({
      status: 'conflict',
      applied_files: [],
      conflicts: [{ file_path: 'a.md', hunk_id: null }],
    });
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([`${NOTE}mine\n`, 'b\n']);
    const now = await host.ask('agent/job', { job_id: job.id });
    expect(now.diff_bundle?.files[0]).toMatchObject({
      file_path: 'a.md',
      conflict: expect.stringContaining('changed'),
    });
    expect(now.diff_bundle?.files.flatMap((file) => file.hunks.map((hunk) => hunk.accepted))).toEqual([
      null,
      null,
    ]);
    // The other file alone can be saved.
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'conflict' });
    expect(await host.ask('agent/save', { session_id: session, files: ['b.md'] })).toMatchObject({
      status: 'completed',
    });
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([`${NOTE}mine\n`, 'B\n']);
    // Merged by hand: what the user wrote stays, the proposal on top.
    expect(await host.ask('agent/merge', { session_id: session, file_path: 'a.md' })).toEqual({
      conflicts: [],
    });
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'completed' });
    expect(host.disk('a.md')).toBe(`${NOTE.replace('one', 'ONE')}mine\n`);
    await host.reached(job.id, 'completed');
  });

  it('merged where both changed the same lines: the proposal gives way, and is settled by hand', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('a.md', 6, 'SIX')]);
    await host.ask('review/decide', {
      suggestion: job.diff_bundle?.suggestion_id ?? '',
      hunk: 'all',
      action: 'accept',
    });
    host.put('a.md', NOTE.replace('two', 'my two'));
    const merged = await host.ask('agent/merge', { session_id: session, file_path: 'a.md' });
    expect(merged.conflicts).toMatchObject([{ hunk_id: host.hunks(job)[0] }]);
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'my two').replace('six', 'SIX'));
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'conflict' });
    await host.ask('agent/edit', {
      session_id: session,
      file_path: 'a.md',
      text: NOTE.replace('two', 'MY TWO').replace('six', 'SIX'),
      settles_conflicts: true,
    });
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'completed' });
    expect(host.disk('a.md')).toBe(NOTE.replace('two', 'MY TWO').replace('six', 'SIX'));
  });

  it('is a conflict where a link has come to stand in the way; everything else goes on', async () => {
    host = await AgentHost.start({ 'sub/a.md': NOTE, 'b.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [
      replaceLine('sub/a.md', 1, 'ONE'),
      replaceLine('b.md', 1, 'ONE'),
    ]);
    const outside = path.join(host.home.home, 'outside');
    renameSync(path.join(host.root, 'sub'), outside);
    symlinkSync(outside, path.join(host.root, 'sub'));
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    const saved = await host.ask('agent/save', { session_id: session });
    expect(saved).toMatchObject({ status: 'conflict', conflicts: [{ file_path: 'sub/a.md' }] });
    await host.close();
    await host.open();
    expect((await host.ask('agent/sessions', {})).length).toBe(1);
    await host.ask('agent/save', { session_id: session, files: ['b.md'] });
    expect(host.disk('b.md')).toBe(NOTE.replace('one', 'ONE'));
    expect(host.disk('sub/a.md')).toBe(NOTE);
    const [stuck = ''] = host.hunks(job);
    await host.ask('review/undo', { suggestion, hunk: stuck });
    await host.ask('review/decide', { suggestion, hunk: stuck, action: 'reject' });
  });

  it('run again: the old proposal is put away, the new one stands on the files as they are', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    host.put('a.md', `zero\n${NOTE}`);
    host.scripts.push(({ propose }) => propose([replaceLine('a.md', 3, 'TWO')]));
    const again = await host.ask('agent/rerun', { job_id: job.id });
    const second = await host.reached(again.job_id, 'awaiting_review');
    expect(second.rerun_of).toBe(job.id);
    await host.reached(job.id, 'completed');
    expect(await host.working(session, 'a.md')).toBe(`zero\n${NOTE.replace('two', 'TWO')}`);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: again.job_id,
      accepted_hunk_ids: [...host.hunks(second)],
    });
    expect(host.disk('a.md')).toBe(`zero\n${NOTE.replace('two', 'TWO')}`);
  });

  it('a file that is deleted while the job runs fails the job in words', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const id = await host.run(await host.session(), async ({ propose }) => {
      const proposal = await propose([replaceLine('a.md', 1, 'ONE')]);
      host.remove('a.md');
      return proposal;
    });
    expect(await host.failed(id)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('a.md does not exist'),
    });
  });

  it('a second job builds on the first one, saved or not', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const first = await host.proposed(session, [replaceLine('a.md', 1, 'ONE\nnew')]);
    const second = await host.proposed(session, [replaceLine('a.md', 2, 'newer')]);
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('one', 'ONE\nnewer'));
    await host.ask('review/decide', {
      suggestion: first.diff_bundle?.suggestion_id ?? '',
      hunk: 'all',
      action: 'reject',
    });
    const shown = await host.ask('review/show', { suggestion: second.diff_bundle?.suggestion_id ?? '' });
    expect(shown.hunks).toMatchObject([{ status: 'conflict', reason: expect.stringContaining('not there') }]);
    const sides = await host.ask('review/conflict', {
      suggestion: second.diff_bundle?.suggestion_id ?? '',
      hunk: host.hunks(second)[0] ?? '',
    });
    expect(sides).toMatchObject({
      base: expect.stringContaining('new\n'),
      yours: expect.not.stringContaining('new'),
    });
    const now = await host.ask('agent/job', { job_id: second.id });
    expect(now.diff_bundle?.files[0]?.hunks[0]?.conflict).toContain('not there any more');
    expect(await host.working(session, 'a.md')).toBe(NOTE);
  });

  it("the user's own edits after a save are hunks of the same log", async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE')]);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [...host.hunks(job)],
    });
    host.put('a.md', NOTE.replace('one', 'ONE').replace('eight', 'my eight'));
    const second = await host.proposed(session, [replaceLine('a.md', 4, 'FOUR')]);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: second.id,
      accepted_hunk_ids: [...host.hunks(second)],
    });
    expect(host.disk('a.md')).toBe(
      NOTE.replace('one', 'ONE').replace('eight', 'my eight').replace('four', 'FOUR'),
    );
  });
});

describe('several sessions', () => {
  it('of one folder share the working texts; each saves what is its own', async () => {
    host = await AgentHost.start({ 'a.md': NOTE, 'b.md': NOTE, 'both.md': NOTE });
    const [one, two] = [await host.session(), await host.session()];
    const first = await host.proposed(one, [replaceLine('a.md', 1, 'ONE'), replaceLine('both.md', 1, 'ONE')]);
    const second = await host.proposed(two, [
      replaceLine('b.md', 1, 'TWO'),
      replaceLine('both.md', 5, 'TWO'),
    ]);
    expect(await host.working(one, 'both.md')).toBe(NOTE.replace('one', 'ONE').replace('five', 'TWO'));
    for (const job of [first, second]) {
      const suggestion = job.diff_bundle?.suggestion_id ?? '';
      await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    }
    await host.ask('agent/save', { session_id: one });
    expect(host.disk('a.md')).toBe(NOTE.replace('one', 'ONE'));
    expect(host.disk('b.md')).toBe(NOTE);
    expect(host.disk('both.md')).toBe(NOTE.replace('one', 'ONE').replace('five', 'TWO'));
    await host.ask('agent/save', { session_id: two });
    expect(host.disk('b.md')).toBe(NOTE.replace('one', 'TWO'));
    for (const job of [first, second]) await host.reached(job.id, 'completed');
  });

  it('of a folder and one inside it see what the other has written, and write nothing over it', async () => {
    host = await AgentHost.start({ 'sub/a.md': NOTE });
    const outer = await host.session();
    const inner = (await host.ask('agent/create', { root: path.join(host.root, 'sub') })).id;
    const wide = await host.proposed(outer, [replaceLine('sub/a.md', 1, 'OUTER')]);
    const narrow = await host.proposed(inner, [replaceLine('a.md', 1, 'INNER')]);
    await host.ask('agent/apply', {
      session_id: inner,
      job_id: narrow.id,
      accepted_hunk_ids: [...host.hunks(narrow)],
    });
    const late = { session_id: outer, job_id: wide.id, accepted_hunk_ids: [...host.hunks(wide)] };
    expect(await host.ask('agent/apply', late)).toMatchObject({ status: 'conflict' });
    expect(host.disk('sub/a.md')).toBe(NOTE.replace('one', 'INNER'));
  });
});

describe('the review of a proposal', () => {
  it('ended from there: what is undecided leaves the text, what was accepted can be saved', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE'), replaceLine('a.md', 5, 'FIVE')]);
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    const [first = ''] = host.hunks(job);
    const decided = await host.ask('review/decide', { suggestion, hunk: first, action: 'accept' });
    expect(decided.suggestion.write).toBe('on-save');
    expect(await host.refused('review/finish', { suggestion, how: 'finalize', commit: true })).toMatchObject({
      code: 'refused',
    });
    await host.ask('review/finish', { suggestion, how: 'discard' });
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('one', 'ONE'));
    expect(host.disk('a.md')).toBe(NOTE);
    await host.ask('agent/save', { session_id: session });
    expect(host.disk('a.md')).toBe(NOTE.replace('one', 'ONE'));
    await host.reached(job.id, 'completed');
  });

  it('modified, commented, taken back and split like any other', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO\nand more')]);
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    const [hunk = ''] = host.hunks(job);
    const text = Buffer.from('my own two\n').toString('base64');
    await host.ask('review/decide', {
      suggestion,
      hunk,
      action: 'modify',
      modified: { kind: 'text', base64: text },
      comment: 'shorter',
    });
    const modified = await host.working(session, 'a.md');
    expect(modified).toContain('my own two\n');
    await host.ask('review/undo', { suggestion, hunk });
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'TWO\nand more'));
    await host.ask('review/split', { suggestion, hunk, first: 4, last: 4 });
    const now = await host.ask('agent/job', { job_id: job.id });
    expect(now.diff_bundle?.files[0]?.hunks.map((one) => one.edit_ids)).toEqual([['e_1'], ['e_1']]);
    const parts = host.hunks(now);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: parts.slice(0, 1),
    });
    expect([NOTE.replace('two', 'TWO'), NOTE.replace('two', 'two\nand more')]).toContain(host.disk('a.md'));
  });

  it('warns of files that run by themselves, and passes on why', async () => {
    host = await AgentHost.start({ '.envrc': 'export A=1\n', 'a.md': NOTE });
    const job = await host.proposed(await host.session(), [
      { ...replaceLine('.envrc', 1, 'export A=$(id)'), rationale: 'Needed.' },
      { ...replaceLine('a.md', 1, 'ONE'), rationale: 'Louder.' },
    ]);
    const { hunks } = await host.ask('review/show', { suggestion: job.diff_bundle?.suggestion_id ?? '' });
    expect(hunks.map((hunk) => hunk.note)).toEqual([
      expect.stringMatching(/^Careful: .*\nNeeded\.$/s),
      'Louder.',
    ]);
  });

  it('has long hunks in parts, and says of one that it is too long', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const block = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n');
    const job = await host.proposed(session, [
      { file_path: 'a.md', operation: 'insert', start_line: 3, new_text: `${block}\n\n${block}\n` },
      { file_path: 'b.md', operation: 'insert', start_line: 1, new_text: `${block}\n${block}\n` },
    ]);
    const [a, b] = job.diff_bundle?.files ?? [];
    expect(a?.hunks.map((hunk) => hunk.oversized_hunk)).toEqual([false, false]);
    expect(b?.hunks.map((hunk) => hunk.oversized_hunk)).toEqual([true]);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [...host.hunks(job)],
    });
    expect(host.disk('a.md')).toBe(NOTE.replace('three', `${block}\n\n${block}\nthree`));
  });
});

describe('bounds', () => {
  it('of context, of what a model says and asks with, and of what a session remembers', async () => {
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
    const long = 'y'.repeat(9_000_000);
    for (let i = 0; i < 12; i += 1) {
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

describe('context rows', () => {
  it('go along with the next request; pinned ones stay', async () => {
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

describe('after a restart', () => {
  it('a proposal that was decided on while nobody listened is over', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    await host.close();
    await host.open();
    // No command of the agent has come yet: its part of the host is not even loaded.
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

  it('running jobs are interrupted, waiting ones wait on, proposals and sessions are there', async () => {
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
    // The loop is begun again with what was said.
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
