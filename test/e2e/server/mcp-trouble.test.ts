/** What an AI, or someone in its place, can do wrong by MCP: bytes that are not messages, floods, a host that exits. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../helpers/git-fixture.ts';
import { must, temporaryHome } from '../../helpers/host-fakes.ts';
import { TestMcp } from '../../helpers/mcp-client.ts';
import { COPANE } from '../../helpers/product.ts';
import { patchOf, TestServer } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
  git(server.target, 'init', '-q');
  server.writeFile();
});
afterAll(() => server.stop());

const client = () => server.client ?? expect.unreachable();
const change = (word: string) => ({
  description: word,
  target_directory: server.target,
  patch: patchOf('f').replace('four', word),
});

describe('by HTTP', () => {
  const post = async (body: string | Uint8Array<ArrayBuffer>) => {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      body,
      headers: {
        Authorization: `Bearer ${server.token('author')}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    });
    return { status: response.status, text: await response.text() };
  };
  const call = (name: unknown, args: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

  it.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
    ['nothing', '', 400],
    ['no JSON', 'nonsense', 400],
    ['a number', '7', 400],
    ['no JSON-RPC', '{"a":1}', 400],
    ['a million brackets', '['.repeat(1_000_000), 400],
    ['a million objects', '{"a":'.repeat(1_000_000), 400],
    ['one byte too many', JSON.stringify('x'.repeat(8 * 1024 * 1024)), 413],
    ['200 MB', 'x'.repeat(200 * 1024 * 1024), 413],
  ])('%s', async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });

  it.each<[string, unknown, unknown]>([
    ['a tool that is not there', 'review/decide', {}],
    ['a name that means something to JavaScript', '__proto__', {}],
    ['a name that is not text', 7, {}],
    ['arguments that are not an object', 'list_suggestions', 'x'],
    ['arguments of the wrong kind', 'get_suggestion', { suggestion_id: { a: [] } }],
    [
      'a deep argument',
      'get_suggestion',
      { suggestion_id: JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) },
    ],
  ])('%s is an error with a message', async (_, name, args) => {
    const { status, text } = await post(call(name, args));
    expect(status).toBeLessThan(500);
    expect(text).toMatch(/"error"|"isError":true/);
  });

  it('bytes that are not UTF-8 name nothing', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff, 0xfe, 0x22, 0x7d]),
    ]);
    expect((await post(new Uint8Array(body))).status).toBeLessThan(500);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });
});

describe('several authors', () => {
  it('offer the same hunk: accepting one leaves nothing to do for the other, and says so', async () => {
    const [ann, ben] = [
      await TestMcp.http(server.url, server.token('ann')),
      await TestMcp.http(server.url, server.token('ben')),
    ];
    const [one, other] = [
      await ann.call('publish_suggestion', change('same')),
      await ben.call('publish_suggestion', change('same')),
    ];
    expect(one.body.suggestion_id).not.toBe(other.body.suggestion_id);
    must(
      await client().request('review/decide', {
        suggestion: one.body.suggestion_id,
        hunk: 'all',
        action: 'accept',
      }),
    );
    const { body } = await ben.call('get_suggestion', { suggestion_id: other.body.suggestion_id });
    expect(body.hunks.map(({ status }: { status: string }) => status)).toEqual([
      'already_applied',
      'already_applied',
    ]);
    must(await client().request('review/undo', { suggestion: one.body.suggestion_id, hunk: 'every' }));
    await ann.close();
    await ben.close();
  });

  it('one that publishes endlessly is stopped with a message, and others continue', async () => {
    const [eager, calm] = [
      await TestMcp.http(server.url, server.token('eager')),
      await TestMcp.http(server.url, server.token('calm')),
    ];
    let refused = await eager.call('publish_suggestion', change('word 0'));
    for (let n = 1; n < 200 && !refused.isError; n++) {
      refused = await eager.call('publish_suggestion', change(`word ${n}`));
    }
    expect(refused).toMatchObject({ isError: true, body: { error: { code: 'limit' } } });
    expect(refused.body.error.next_step).toMatch(/^(Wait|Take back)/);
    expect((await calm.call('publish_suggestion', change('calm'))).isError).toBe(false);
    await eager.close();
    await calm.close();
  });
});

describe('over stdio', () => {
  let child: ChildProcessWithoutNullStreams;
  let said: string;
  let ended: number | null;
  function start(home = server.home.home): void {
    const { PATH = '' } = process.env;
    child = spawn(COPANE, ['mcp'], {
      env: { PATH, HOME: home },
      cwd: server.target,
    });
    [said, ended] = ['', null];
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.on('exit', (code) => {
      ended = code ?? -1;
    });
  }
  const tell = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const initialize = () =>
    tell({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    });
  const answer = (id: number) =>
    until(`answer ${id}`, () => said.includes(`"id":${id}}`) || said.includes(`"id":${id},`), {
      timeoutMs: 20_000,
      show: () => said,
    });

  it.each<[string, string | Buffer]>([
    ['no JSON', 'nonsense\n'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
    ['no JSON-RPC', '{"a":1}\n'],
    ['an empty line', '\n'],
  ])('%s is ignored', async (_, bytes) => {
    start();
    initialize();
    await answer(1);
    child.stdin.write(bytes);
    tell({ id: 2, method: 'tools/list' });
    await answer(2);
    child.stdin.end();
    expect(await until('the end', () => ended !== null && [ended])).toEqual([0]);
  });

  it('an endless message ends the process, not the host', async () => {
    start();
    initialize();
    await answer(1);
    child.stdin.write('x'.repeat(20 * 1024 * 1024));
    child.stdin.end();
    await until('the end', () => ended !== null, { timeoutMs: 20_000 });
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });

  it('writes only messages to stdout, and exits when its client disappears during a wait', async () => {
    start();
    initialize();
    await answer(1);
    tell({ id: 2, method: 'tools/call', params: { name: 'publish_suggestion', arguments: change('alone') } });
    await answer(2);
    tell({ id: 3, method: 'tools/call', params: { name: 'await_review', arguments: {} } });
    child.stdin.end();
    await until('the end', () => ended !== null);
    for (const line of said.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('without a host: leads for one request at a time, and gets a decision made by a command', async () => {
    const alone = temporaryHome();
    const ai = await TestMcp.stdio({ home: alone.home, cwd: server.target });
    const { body } = await ai.call('publish_suggestion', change('no host'));
    expect(body.status).toBe('pending');
    const waiting = ai.call('await_review');
    const { PATH = '' } = process.env;
    const decide = spawn(
      COPANE,
      ['decide', body.suggestion_id, 'all', 'reject', '--comment', 'by a command'],
      { env: { PATH, HOME: alone.home } },
    );
    const code = await new Promise((resolve) => decide.on('exit', resolve));
    expect(code).toBe(0);
    expect((await waiting).body).toMatchObject({ done: true, status: 'complete' });
    await ai.close();
    alone.remove();
  });
});
