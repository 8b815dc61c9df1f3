/** The agent's HTTP interface with a real host, a real store, real files and a scripted model over real HTTP. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSuggestionOperation, OPERATIONS } from '../../../src/protocol/operations.ts';
import type { Script } from '../../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../helpers/scripted-model/server.ts';
import { type Json, TestServer } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

const NAMES = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}.md`);
const NOTE = '# Old heading\r\n\r\nText.\r\n';
const call = (name: string, input: Readonly<Record<string, unknown>>) => ({ name, input });
const retitle = (file: string, text = '# New heading') => ({
  file_path: file,
  operation: 'replace',
  start_line: 1,
  end_line: 1,
  new_text: text,
});

const SCRIPT: Script = {
  turns: [
    {
      replies: [
        {
          text: 'I look.',
          tools: [
            call('search_project', { query: 'Old heading', limit: 50 }),
            call('clarify_user', { question: 'Upper case?' }),
          ],
        },
        {
          text: 'Thirty notes.',
          tools: [call('propose_edits', { edits: NAMES.map((name) => retitle(name)) })],
        },
      ],
    },
  ],
};

let model: ScriptedModel;
let server: TestServer;
beforeEach(async () => {
  model = await startScriptedModel(SCRIPT);
  server = await TestServer.start({
    config: {
      agent_remote_url: `http://127.0.0.1:${model.port}/v1`,
      agent_remote_model: 'scripted',
      agent_remote_key: 'TEST_KEY',
      max_sessions: 3,
    },
  });
  for (const name of NAMES) writeFileSync(path.join(server.target, name), NOTE);
});
afterEach(async () => {
  await server.stop();
  await model.close();
});

const post = (route: string, body: object, role = 'reviewer') =>
  server.ask('POST', `/api/agent${route}`, { body, role });
const get = (route: string, role = 'reviewer') => server.ask('GET', `/api/agent${route}`, { role });
const disk = (name: string) => readFileSync(path.join(server.target, name), 'utf8');

async function session(role = 'reviewer'): Promise<string> {
  const made = await post('/sessions', { working_directory: server.target }, role);
  expect(made.status).toBe(201);
  return made.body.session_id;
}

async function reached(job: string, status: string): Promise<Json> {
  let last: Json = null;
  return until(
    `job ${status}`,
    async () => {
      last = (await get(`/jobs/${job}`)).body;
      return last.status === status ? last : undefined;
    },
    { show: () => JSON.stringify({ ...last, diff_bundle: undefined, proposed_edits: undefined }) },
  );
}

/** Thirty notes, one clarification: the job up to its review. */
async function proposed(id: string): Promise<Json> {
  const started = await post('/run', { session_id: id, instruction: 'Rename this heading across all notes' });
  expect(started).toMatchObject({ status: 202, body: { status: 'queued' } });
  const job = started.body.job_id;
  const waiting = await reached(job, 'waiting_for_user');
  const answer = { question_id: waiting.question.question_id, answer: 'No.' };
  expect((await post(`/jobs/${job}/clarify`, answer)).status).toBe(200);
  return reached(job, 'awaiting_review');
}

describe('a whole run', () => {
  it('thirty files, a clarification, two hunks rejected, saved, one file taken back, then all', async () => {
    const id = await session();
    const job = await proposed(id);
    expect(job.diff_bundle.files).toHaveLength(30);
    expect(job.diff_bundle.files[0]).toMatchObject({ file_path: 'n00.md', change: 'modify', conflict: null });
    expect(job.diff_bundle.files[0].hunks[0].patch).toContain('-# Old heading\r\n+# New heading\r\n');
    expect(job.created_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(NAMES.every((name) => disk(name) === NOTE)).toBe(true);
    // Single hunks take the same feedback route as any other.
    const hunks: Json[] = job.diff_bundle.files.map((file: Json) => file.hunks[0]);
    for (const hunk of hunks.slice(0, 2)) {
      const body = { suggestion_id: job.diff_bundle.suggestion_id, hunk_id: hunk.hunk_id, action: 'reject' };
      expect((await server.ask('POST', '/feedback', { body })).status).toBe(200);
    }
    const accepted = hunks.slice(2).map((hunk) => hunk.hunk_id);
    const applied = await post('/apply', { session_id: id, job_id: job.id, accepted_hunk_ids: accepted });
    expect(applied).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(applied.body.applied_files).toHaveLength(30);
    expect(NAMES.map((name) => disk(name) === NOTE)).toEqual(NAMES.map((_, i) => i < 2));
    expect(disk('n05.md')).toBe(NOTE.replace('Old', 'New'));
    await reached(job.id, 'completed');
    // The host stops and returns: nothing is lost.
    await server.reopen();
    const scoped = { mode: 'scoped_selected', hunk_ids: [hunks[5].hunk_id] };
    const preview = await post(`/checkpoints/${job.checkpoint_id}/rollback`, { ...scoped, preview: true });
    expect(preview.body).toMatchObject({ status: 'preview', files: [{ file_path: 'n05.md' }] });
    expect((await post(`/checkpoints/${job.checkpoint_id}/rollback`, scoped)).body.status).toBe('completed');
    await post('/save', { session_id: id });
    expect(NAMES.filter((name) => disk(name) === NOTE)).toEqual(['n00.md', 'n01.md', 'n05.md']);
    const hard = await post(`/checkpoints/${job.checkpoint_id}/rollback`, { mode: 'hard_all', hunk_ids: [] });
    expect(hard.body.status).toBe('completed');
    await post('/save', { session_id: id });
    expect(NAMES.every((name) => disk(name) === NOTE)).toBe(true);
    const sides = await get(`/checkpoints/${job.checkpoint_id}/diff3?file_path=n07.md`);
    expect(sides.body).toMatchObject({ current_file: NOTE, checkpoint_base: NOTE, conflicts: 0 });
    const { events, next_cursor, status } = (await get(`/jobs/${job.id}/events?cursor=0`)).body;
    expect(status).toBe('completed');
    expect(next_cursor).toBe(events.at(-1).cursor);
    const types = new Set(events.map((event: Json) => event.type));
    for (const type of [
      'job.started',
      'provider.selected',
      'tool.call.requested',
      'tool.call.completed',
      'clarification.requested',
      'clarification.received',
      'edits.proposed',
      'diff.generated',
      'checkpoint.created',
      'review.updated',
      'apply.started',
      'apply.completed',
      'checkpoint.rollback.started',
      'checkpoint.rollback.completed',
    ])
      expect(types).toContain(type);
  });

  it('a conflict is a 409 that says what to do; nothing is written', async () => {
    const id = await session();
    const job = await proposed(id);
    writeFileSync(path.join(server.target, 'n03.md'), 'mine\n');
    const all = job.diff_bundle.files.flatMap((file: Json) => file.hunks.map((hunk: Json) => hunk.hunk_id));
    const applied = await post('/apply', { session_id: id, job_id: job.id, accepted_hunk_ids: all });
    expect(applied).toMatchObject({
      status: 409,
      body: { code: 'conflict', conflicts: [{ file_path: 'n03.md' }] },
    });
    expect(disk('n04.md')).toBe(NOTE);
    expect((await get(`/jobs/${job.id}`)).body.diff_bundle.files[3].conflict).toContain('changed');
  });

  it('cancel while the model is silent', async () => {
    // Longer than any test may take: a caller that waits for the model never returns.
    model.setScript({ turns: [{ replies: [{ text: 'never', firstDelayMs: 600_000 }] }] });
    const id = await session();
    const { job_id: job } = (await post('/run', { session_id: id, instruction: 'wait' })).body;
    await until('the model is asked', () => model.requests.length > 0);
    const cancelled = await post(`/jobs/${job}/cancel`, {});
    expect(cancelled.body).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });
});

describe('permissions', () => {
  it('authors can reach none of it: neither what they name, nor what the user started', async () => {
    const id = await session();
    const { job_id: job } = (await post('/run', { session_id: id, instruction: 'Rename' })).body;
    await reached(job, 'waiting_for_user');
    for (const { name, method, path: route } of OPERATIONS) {
      if (isSuggestionOperation(name)) continue;
      const url = route.replace(':session_id', id).replace(':job_id', job);
      const body = { session_id: id, job_id: job, instruction: 'x', working_directory: '/' };
      const answer = await server.ask(method, url, {
        role: 'claude',
        ...(method === 'POST' ? { body } : {}),
      });
      expect([url, answer.status]).toEqual([url, 403]);
    }
    expect(disk('n00.md')).toBe(NOTE);
  });

  it('nobody without a token, nothing from a foreign page, no body that is not JSON', async () => {
    expect((await server.ask('GET', '/api/agent/sessions', { role: null })).status).toBe(401);
    const foreign = { headers: { Origin: 'http://evil.example' } };
    expect((await server.ask('GET', '/api/agent/sessions', foreign)).status).toBe(403);
    const text = { body: '{}', headers: { 'Content-Type': 'text/plain' } };
    expect((await server.ask('POST', '/api/agent/sessions', text)).status).toBe(415);
  });
});

describe('bad requests', () => {
  it.each([
    ['GET', '/api/agent/nothing', undefined, 404],
    ['GET', '/api/agent/run', undefined, 405],
    ['GET', '/api/agent/sessions/sess_no', undefined, 404],
    ['GET', '/api/agent/jobs/job_no', undefined, 404],
    ['GET', '/api/agent/jobs/job_no/events?cursor=x', undefined, 400],
    ['POST', '/api/agent/run', {}, 400],
    ['POST', '/api/agent/run', { session_id: 'no', instruction: 'x' }, 404],
    ['POST', '/api/agent/sessions', { working_directory: '/not/there' }, 404],
    // Without a folder, on a host that was not started in a project.
    ['POST', '/api/agent/sessions', {}, 400],
    ['POST', '/api/agent/checkpoints/no/rollback', { mode: 'all' }, 400],
    ['POST', '/api/agent/checkpoints/no/rollback', { mode: 'hard_all' }, 404],
  ])('%s %s', async (method, route, body, status) => {
    const answer = await server.ask(method, route, { body });
    expect(answer.status).toBe(status);
    expect(answer.body.success).toBe(false);
  });

  it('one session too many is a 429 that says when to try again', async () => {
    for (let i = 0; i < 3; i += 1) await session();
    const refused = await post('/sessions', { working_directory: server.target });
    expect([refused.status, refused.body.code]).toEqual([429, 'limit']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('edits outside the root end the job with a message; nothing is created there', async () => {
    const outside = path.join(server.home.home, 'outside');
    mkdirSync(outside);
    const leaving = call('propose_edits', {
      edits: [{ file_path: '../outside/x', operation: 'insert', start_line: 1, new_text: 'x' }],
    });
    model.setScript({ turns: [{ replies: Array.from({ length: 8 }, () => ({ tools: [leaving] })) }] });
    const id = await session();
    const { job_id: job } = (await post('/run', { session_id: id, instruction: 'leave' })).body;
    const failed = await reached(job, 'failed');
    expect(failed.error.message).toBeTruthy();
    expect(existsSync(path.join(outside, 'x'))).toBe(false);
  });
});

describe('the event streams', () => {
  it('send the same events by WebSocket, to those they concern', async () => {
    const reviewer = await server.socket();
    const other = await server.socket({ role: 'codex' });
    const id = await session();
    const job = await proposed(id);
    const told = await reviewer.until('the diff', () =>
      reviewer.said.find(({ type }) => type === 'diff.generated'),
    );
    expect(told).toMatchObject({ session_id: id, job_id: job.id, status: 'awaiting_review' });
    expect(told.data).toMatchObject({ hunk_count: 30, file_count: 30 });
    await server.publish('Something else', 'codex');
    await other.eventOf('suggestion.ready');
    expect(other.said.filter((message: Json) => message.job_id !== undefined)).toEqual([]);
  });

  it('and by SSE', async () => {
    const aborted = new AbortController();
    const response = await fetch(`${server.url}/events`, {
      headers: { Authorization: `Bearer ${server.token()}` },
      signal: aborted.signal,
    });
    const id = await session();
    await proposed(id);
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('"type":"diff.generated"')) break;
    }
    aborted.abort();
    expect(text).toContain('"type":"clarification.requested"');
    expect(text).toContain('"type":"agent.session"');
  });
});
