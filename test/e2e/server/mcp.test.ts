/** The tools of an AI by MCP: over stdio and HTTP, with the client of the MCP library, against a running host. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../../src/platform/process-state.ts';
import { TOOLS } from '../../../src/server/mcp/tools/index.ts';
import { git } from '../../helpers/git-fixture.ts';
import { must } from '../../helpers/host-fakes.ts';
import { TestMcp } from '../../helpers/mcp-client.ts';
import { BASE, type Json, patchOf, TestServer } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

let server: TestServer;
let sandbox = '';
let opened: TestMcp[] = [];
let branches = 0;

beforeAll(async () => {
  server = await TestServer.start();
  git(server.target, 'init', '-q');
  server.writeFile();
  git(server.target, 'add', '.');
  git(server.target, 'commit', '-qm', 'base');
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const mcp of opened) await mcp.close();
  opened = [];
});

/** A worktree of the target in which lines 4 and 16 are changed and one file is new. */
function makeSandbox(word = 'four'): string {
  branches += 1;
  sandbox = path.join(server.home.home, `sandbox-${branches}`);
  git(server.target, 'worktree', 'add', '-q', '-b', `ai-${branches}`, sandbox);
  writeFileSync(
    path.join(sandbox, 'f'),
    BASE.replace('line 4\n', `${word}\n`).replace('line 16\n', 'sixteen\n'),
  );
  writeFileSync(path.join(sandbox, 'new'), 'new\n');
  return sandbox;
}

async function stdio(
  cwd: string,
  options: { args?: string[]; era?: 'legacy' | 'modern' } = {},
): Promise<TestMcp> {
  const mcp = await TestMcp.stdio({ home: server.home.home, cwd, ...options });
  opened.push(mcp);
  return mcp;
}

async function http(role: string, era: 'legacy' | 'modern' = 'legacy'): Promise<TestMcp> {
  const mcp = await TestMcp.http(server.url, server.token(role), era);
  opened.push(mcp);
  return mcp;
}

const client = () => server.client ?? expect.unreachable('no client');

async function decide(
  suggestion: string,
  hunk: string,
  action: 'accept' | 'reject',
  comment?: string,
): Promise<void> {
  must(await client().request('review/decide', { suggestion, hunk, action, comment: comment ?? null }));
}

describe.each(['legacy', 'modern'] as const)('over stdio, in the %s protocol', (era) => {
  it('publishes from a worktree, waits, and gets decisions and comments', async () => {
    const ai = await stdio(makeSandbox(era), { era });
    const { tools } = await ai.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const { name, inputSchema, outputSchema } of tools) {
      expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
      expect([name, outputSchema !== undefined]).toEqual([name, name !== 'suggestion_feedback']);
    }
    const mistaken = await ai.call('publish_suggestion', { description: 'x', brief: true });
    expect(mistaken).toMatchObject({ isError: true, text: expect.stringContaining('brief') });

    const published = await ai.call('publish_suggestion', { description: 'Two edits and a file' });
    expect(published.isError).toBe(false);
    expect(JSON.parse(published.text)).toEqual(published.body);
    expect(published.body).toMatchObject({
      status: 'pending',
      hunk_count: 3,
      files: ['f', 'new'],
      working_directory: server.target,
    });
    const { suggestion_id: id, hunks } = published.body;
    const { suggestion } = (await server.ask('GET', `/suggestions/${id}`)).body;
    expect(suggestion.author).toBe('test-ai');
    expect((await ai.call('get_suggestion', { suggestion_id: id })).body).toEqual({
      suggestion_id: id,
      ...suggestion,
    });

    const again = await ai.call('publish_suggestion', { description: 'the same once more' });
    expect(again.body.suggestion_id).toBe(id);
    expect(
      (await ai.call('list_suggestions')).body.suggestions.map((one: Json) => one.suggestion_id),
    ).toContain(id);

    const waiting = ai.call('await_review', { suggestion_id: id });
    await decide(id, hunks[0].id, 'accept');
    await decide(id, hunks[1].id, 'reject', 'Keep the number,\nplease.');
    await decide(id, hunks[2].id, 'accept');
    const { body } = await waiting;
    expect(body).toMatchObject({ done: true, status: 'complete', remaining_count: 0 });
    expect(body.hunks[1]).toMatchObject({
      status: 'rejected',
      comments: [{ text: 'Keep the number,\nplease.' }],
    });
    expect(body.hunks[1].diff).toContain('+sixteen');
    expect(body.feedback).toEqual([
      '[Suggestion Feedback] User accepted hunk in f. 0 hunks remaining.',
      '[Suggestion Feedback] User rejected hunk in f. 0 hunks remaining. Comment: "Keep the number, please."',
      '[Suggestion Feedback] User accepted hunk in new. 0 hunks remaining.',
    ]);
    git(server.target, 'checkout', '-q', '--', 'f');
    git(server.target, 'clean', '-fdq');
  });
});

describe('over stdio', () => {
  it('waits in bounded steps, reports its progress, and returns early on request', async () => {
    const ai = await stdio(makeSandbox('step'));
    const { body } = await ai.call('publish_suggestion', { description: 'x', files: ['f'] });
    const id = body.suggestion_id;
    // Nobody decides, so both end only by their own time limit.
    const patient = ai.call('await_review', { wait_s: 40 });
    const late = await Promise.race([ai.call('await_review', { wait_s: 0.3 }), patient]);
    expect(late.body).toMatchObject({ suggestion_id: id, done: false, remaining_count: 2 });
    expect(late.body.next_step).toContain('again');
    const heard: string[] = [];
    const waiting = ai.call('await_review', { return_on: 'any_change' }, (message) => heard.push(message));
    await until('progress', () => heard.length > 0, { timeoutMs: 15_000 });
    await decide(id, body.hunks[0].id, 'reject');
    const heardOne = (await waiting).body;
    expect(heardOne).toMatchObject({ done: false, remaining_count: 1 });
    must(
      await client().request('review/comment', {
        suggestion: id,
        hunk: body.hunks[1].id,
        comment: 'in between',
      }),
    );
    const soon = { return_on: 'any_change', since_revision: heardOne.revision };
    expect((await ai.call('await_review', soon)).body.hunks[1].comments).toEqual([{ text: 'in between' }]);
    expect((await ai.call('await_review', { wait_s: 46 })).isError).toBe(true);
  });

  it('reports the new text of a modified hunk', async () => {
    const ai = await stdio(makeSandbox('mod'));
    const { body } = await ai.call('publish_suggestion', { description: 'x', files: ['f'] });
    const [first, second] = body.hunks;
    const region = (word: string) => `line 1\nline 2\nline 3\n${word}\nline 5\nline 6\nline 7\n`;
    const text = { kind: 'text', base64: Buffer.from(region('better')).toString('base64') } as const;
    must(
      await client().request('review/decide', {
        suggestion: body.suggestion_id,
        hunk: first.id,
        action: 'modify',
        modified: text,
      }),
    );
    await decide(body.suggestion_id, second.id, 'reject');
    const heard = (await ai.call('await_review')).body;
    expect(heard.hunks[0]).toMatchObject({
      status: 'modified',
      modified: { suggested: region('mod'), result: region('better') },
    });
    git(server.target, 'checkout', '-q', '--', 'f');
  });

  it('in the working copy itself, a published change is reviewed in place', async () => {
    writeFileSync(path.join(server.target, 'in-place'), 'here\n');
    const ai = await stdio(server.target);
    const { body } = await ai.call('publish_suggestion', { description: 'x', files: ['in-place'] });
    expect(body).toMatchObject({ in_place: true, hunk_count: 1, working_directory: server.target });
    await decide(body.suggestion_id, 'all', 'reject');
    expect((await ai.call('await_review')).body.hunks[0].status).toBe('rejected');
  });

  it('sees its own suggestions, and withdraws them', async () => {
    const [one, other] = [
      await stdio(makeSandbox('own'), { args: ['--as', 'one'] }),
      await stdio(sandbox, { args: ['--as', 'other'] }),
    ];
    const { body } = await one.call('publish_suggestion', { description: 'of one' });
    const id = { suggestion_id: body.suggestion_id };
    for (const tool of ['get_suggestion', 'await_review', 'complete_suggestion']) {
      const answer = await other.call(tool, id);
      expect([tool, answer.isError, answer.body.error?.code]).toEqual([tool, true, 'not_found']);
      expect(answer.body.error.next_step).toBeTruthy();
    }
    expect((await other.call('list_suggestions')).body.suggestions).toEqual([]);
    expect((await one.call('get_suggestion', id)).body.hunks[0].diff).toContain('+own');
    expect((await one.call('complete_suggestion', id)).body).toMatchObject({ status: 'discarded' });
    expect((await one.call('await_review', id)).body).toMatchObject({ done: true, status: 'discarded' });
  });

  it('reports progress and errors, which every client gets', async () => {
    const reviewer = await server.socket();
    const ai = await stdio(makeSandbox('status'));
    expect((await ai.call('suggestion_status', { message: 'Looking around' })).body).toEqual({ sent: true });
    await ai.call('suggestion_status', {
      message: 'tests fail',
      error_code: 'experiment_failed',
      status: 'testing',
    });
    await reviewer.eventOf('suggestion.status', ({ message }) => message === 'Looking around');
    await reviewer.eventOf('suggestion.status', ({ status }) => status === 'testing');
    expect(await reviewer.eventOf('suggestion.error')).toMatchObject({
      code: 'experiment_failed',
      message: 'tests fail',
    });
    reviewer.close();
  });

  it.each([
    [
      'nothing to publish',
      'publish_suggestion',
      { description: 'x', files: ['no-such-file'] },
      'There is nothing to review',
    ],
    [
      'a folder that is not a repository',
      'publish_suggestion',
      { description: 'x', working_directory: '/' },
      'not in a git repository',
    ],
    [
      'a folder that is not there',
      'publish_suggestion',
      { description: 'x', working_directory: '/no/such' },
      'cannot be read',
    ],
    ['a text that is not a patch', 'publish_suggestion', { description: 'x', patch: 'hello' }, ''],
    ['no description', 'publish_suggestion', {}, 'description'],
    ['a suggestion that is not there', 'get_suggestion', { suggestion_id: 'x' }, 'not found'],
    ['an unknown status', 'suggestion_status', { message: 'm', status: 'dancing' }, 'status'],
  ])('bad input: %s', async (_, tool, args, words) => {
    const ai = await stdio(makeSandbox('bad'));
    const answer = await ai.call(tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(words);
  });

  it('simultaneous calls run in turn: the wait is for what was published before it', async () => {
    const ai = await stdio(makeSandbox('turn'), { args: ['--as', 'turn'] });
    const [published, waited] = await Promise.all([
      ai.call('publish_suggestion', { description: 'x' }),
      ai.call('await_review', { wait_s: 0 }),
    ]);
    expect(waited.body.suggestion_id).toBe(published.body.suggestion_id);
  });

  it('a cancelled wait ends, and the next call is answered', async () => {
    const ai = await stdio(makeSandbox('cancel'));
    await ai.call('publish_suggestion', { description: 'x' });
    const given = new AbortController();
    const waiting = ai.client.callTool({ name: 'await_review', arguments: {} }, { signal: given.signal });
    setTimeout(() => given.abort('enough'), 200);
    await expect(waiting).rejects.toThrow();
    expect((await ai.call('await_review', { wait_s: 0 })).body).toMatchObject({ done: false });
  });

  it('ends with its client', async () => {
    const ai = await stdio(server.target);
    const pid = (ai.transport as { pid?: number | null }).pid ?? 0;
    expect(pid).toBeGreaterThan(0);
    await ai.close();
    await until('the end of the process', () => !isAlive(pid));
  });
});

describe('by HTTP', () => {
  const publish = (word: string) => ({
    description: 'by HTTP',
    target_directory: server.target,
    patch: patchOf('f').replace('four', word),
  });

  it.each(['legacy', 'modern'] as const)(
    'in the %s protocol: publishes a patch, and gets the review',
    async (era) => {
      const ai = await http('remote', era);
      const { body } = await ai.call('publish_suggestion', publish(era));
      expect(body).toMatchObject({ hunk_count: 2, status: 'pending' });
      const waiting = ai.call('await_review', { suggestion_id: body.suggestion_id });
      await decide(body.suggestion_id, 'all', 'reject');
      expect((await waiting).body).toMatchObject({ done: true, status: 'complete' });
      const shown = await server.ask('GET', `/suggestions/${body.suggestion_id}`);
      expect(shown.body.suggestion.author).toBe('remote');
    },
  );

  it('reads no folder of this machine', async () => {
    const ai = await http('remote');
    const answer = await ai.call('publish_suggestion', {
      description: 'x',
      working_directory: makeSandbox('no'),
    });
    expect(answer).toMatchObject({ isError: true, body: { error: { code: 'invalid' } } });
    expect(answer.body.error.next_step).toContain('patch');
  });

  it('has the same access checks as everything else', async () => {
    const init = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const status = async (headers: Record<string, string>, token: string | null = server.token('author')) =>
      (
        await fetch(`${server.url}/mcp`, {
          method: 'POST',
          body: JSON.stringify(init),
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
            ...headers,
          },
        })
      ).status;
    expect(await status({})).toBe(200);
    expect(await status({}, null)).toBe(401);
    expect(await status({}, 'wrong')).toBe(401);
    expect(await status({ Origin: 'http://evil.example' })).toBe(403);
    expect(await status({ 'Content-Type': 'text/plain' })).toBe(415);
    expect(
      await server.raw('POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n'),
    ).toContain('421');
    expect((await server.ask('GET', '/mcp', { role: 'author' })).status).toBe(405);
  });
});
