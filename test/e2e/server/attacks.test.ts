/** What a web page, another user's program or a broken client may try. */
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, rawExchange, TestServer, TestSocket, UPGRADE } from '../../helpers/suggestion-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** A raw request. */
function request(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const all = { Authorization: `Bearer ${server.token()}`, Connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

describe('the Host header', () => {
  it.each([
    ['127.0.0.1', 200],
    ['localhost', 200],
    ['LOCALHOST:1', 200],
    ['[::1]:4097', 200],
    ['evil.example', 421],
    ['evil.example:4097', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.nip.io', 421],
    ['127.0.0.1@evil.example', 421],
    ['192.168.1.5', 421],
    ['0.0.0.0', 421],
    ['', 421],
  ])('%j', async (host, status) => {
    expect(statusOf(await server.raw(request('GET /suggestions', { Host: host })))).toBe(status);
    expect(statusOf(await server.raw(request('GET /health', { Host: host })))).toBe(status);
    const upgraded = await server.raw(request('GET /ws', { Host: host, ...UPGRADE }));
    expect(statusOf(upgraded)).toBe(status === 200 ? 101 : status);
  });

  it('is missing', async () => {
    expect(statusOf(await server.raw('GET /health HTTP/1.0\r\n\r\n'))).toBe(421);
    expect(statusOf(await server.raw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'))).toBe(421);
  });

  it('comes twice', async () => {
    const headers = { Host: '127.0.0.1', host: 'evil.example' };
    expect(statusOf(await server.raw(request('GET /suggestions', headers)))).toBe(421);
    expect(statusOf(await server.raw(request('GET /ws', { ...headers, ...UPGRADE })))).toBe(421);
  });

  it('is not taken from the request line', async () => {
    const line = `GET http://evil.example/health`;
    expect(statusOf(await server.raw(request(line, { Host: 'localhost' })))).toBe(404);
  });
});

describe('the Origin header', () => {
  const own = () => `http://127.0.0.1:${server.port}`;

  it.each([
    ['a foreign one', 'http://evil.example'],
    ['null, as from a sandboxed frame or a file', 'null'],
    ['an empty one', ''],
    ['another port of this machine', 'http://127.0.0.1:3000'],
    ['another scheme', 'https://127.0.0.1'],
    ['one that begins like ours', 'http://127.0.0.1.evil.example'],
    ['an extension', 'chrome-extension://abcdef'],
  ])('%s is rejected everywhere', async (_, origin) => {
    for (const route of ['/health', '/suggestions', '/events']) {
      const answer = await server.ask('GET', route, { headers: { Origin: origin } });
      expect(answer.status, route).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    const Host = `127.0.0.1:${server.port}`;
    const upgraded = await server.raw(request('GET /ws', { Host, Origin: origin, ...UPGRADE }));
    expect(statusOf(upgraded)).toBe(403);
    const preflight = { Host, Origin: origin, 'Access-Control-Request-Method': 'POST' };
    expect(statusOf(await server.raw(request('OPTIONS /feedback', preflight)))).toBe(403);
  });

  it('of our own, as some libraries send it, is accepted', async () => {
    expect((await server.ask('GET', '/suggestions', { headers: { Origin: own() } })).status).toBe(200);
    const socket = await server.socket({ headers: { Origin: own() } });
    expect(socket.greeting.type).toBe('connected');
    socket.close();
  });
});

describe('a form on a web page', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'posts %s and changes nothing',
    async (type) => {
      const { id, hunks } = await server.publish();
      const body = JSON.stringify({ suggestion_id: id, hunk_id: hunks[0].id, action: 'accept' });
      const headers = { Host: 'localhost', 'Content-Type': type, 'Content-Length': String(body.length) };
      expect(statusOf(await server.raw(request('POST /feedback', headers, body)))).toBe(415);
      expect((await server.ask('GET', `/suggestions/${id}`)).body.suggestion.status).toBe('pending');
    },
  );
});

describe('a body', () => {
  it('that is compressed is not taken for a plain one', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await server.ask('POST', '/status', { body: { message: 'm' }, headers });
    expect([answer.status, answer.body.error]).toEqual([415, expect.stringContaining('Content-Encoding')]);
  });

  it.each([
    ['without a token', { Authorization: 'Basic eDp5' }, 401],
    ['of a foreign page', { Origin: 'http://evil.example' }, 403],
    ['that is too large', { 'Content-Length': '99999999' }, 413],
    ['of a type that is not JSON', { 'Content-Type': 'text/plain' }, 415],
  ])('%s is refused before it is sent, if the client waits', async (_, wrong, status) => {
    const right = { Host: 'localhost', 'Content-Type': 'application/json', 'Content-Length': '2' };
    const said = await server.raw(request('POST /feedback', { ...right, Expect: '100-continue', ...wrong }));
    expect(statusOf(said)).toBe(status);
  });
});

describe('bytes that are not requests', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'POST /feedback HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /feedback HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
    ],
    [
      'a header of 100 KB',
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
      431,
    ],
    ['zero bytes', '\0\0\0\0', 400],
  ])('%s', async (_, bytes, status) => {
    expect(statusOf(await server.raw(bytes))).toBe(status);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });

  it.each([
    ['/', 404],
    ['/suggestions', 404],
    ['/ws/', 404],
    ['//ws', 404],
    ['/ws?since=minus', 400],
  ])('an upgrade of %s', async (route, status) => {
    expect(statusOf(await server.raw(request(`GET ${route}`, { Host: 'localhost', ...UPGRADE })))).toBe(
      status,
    );
  });

  it('a WebSocket without a token, or with a wrong one', async () => {
    for (const token of [null, 'wrong']) {
      await expect(TestSocket.open(`ws://127.0.0.1:${server.port}/ws`, token)).rejects.toThrow('let it in');
    }
  });
});

describe('invalid frames', () => {
  it('are answered, and the connection goes on', async () => {
    const socket = await server.socket();
    const answers = (error: string) =>
      socket.until(error, () => socket.said.find((one) => one.error === error));
    for (const text of ['nonsense', '[]', '7', '{"type":', '['.repeat(100_000)]) socket.raw.send(text);
    await socket.until('five answers', () => socket.said.filter(({ type }) => type === 'error').length === 5);
    expect(socket.said.find(({ type }) => type === 'error')).toEqual({
      type: 'error',
      error: 'Invalid JSON',
    });
    socket.raw.send('{"type":"dance"}');
    await answers('Unknown message type: dance');
    socket.raw.send('{}');
    await answers('Unknown message type: undefined');
    socket.raw.send('{"type":"constructor"}');
    await answers('Unknown message type: constructor');
    expect(await socket.ask({ type: 'feedback', suggestionId: 'x' })).toMatchObject({
      success: false,
      error: 'Missing required fields: hunk_id, action',
    });
    expect(await socket.ask({ type: 'get', suggestionId: 'nope' })).toMatchObject({
      success: false,
      error: 'Suggestion not found: nope',
    });
    expect(await socket.ask({ type: 'list' })).toMatchObject({ success: true });
    socket.close();
  });

  it.each([
    ['too long', () => 'x'.repeat(8 * 1024 * 1024 + 1), 1009],
    ['not UTF-8', () => null, 1007],
  ])('%s: closed with the standard code', async (_, make, code) => {
    const socket = await server.socket();
    const text = make();
    if (text !== null) socket.raw.send(text);
    else {
      // A masked text frame (key of zeros) with a byte that is invalid in UTF-8.
      const internals = socket.raw as unknown as { readonly _socket: net.Socket };
      internals._socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]));
    }
    expect((await socket.until('the end', () => socket.closed)).code).toBe(code);
  });

  it('many long requests at once wait outside, and are all answered', async () => {
    const socket = await server.socket();
    const long = 'x'.repeat(4 * 1024 * 1024);
    for (let id = 1; id <= 12; id++) {
      socket.raw.send(
        JSON.stringify({
          type: 'feedback',
          suggestionId: 'x',
          hunkId: 'y',
          action: 'modify',
          modifiedDiff: long,
          id,
        }),
      );
    }
    await socket.until(
      '12 answers',
      () => socket.said.filter(({ type }) => type === 'response').length === 12,
      50_000,
    );
    socket.close();
  });

  it('a flood of requests is limited, and answered in order', async () => {
    const socket = await server.socket();
    for (let id = 1; id <= 2_000; id++)
      socket.raw.send(JSON.stringify({ type: 'get', suggestionId: 'x', id }));
    const responses = () => socket.said.filter(({ type }) => type === 'response');
    await socket.until('2,000 answers', () => responses().length === 2_000);
    expect(new Set(responses().map(({ id }) => id)).size).toBe(2_000);
    const done = responses()
      .filter(({ code }) => code === 404)
      .map(({ id }) => id);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    socket.close();
  });
});

describe('the Unix socket', () => {
  const local = (bytes: string) => rawExchange(net.connect(server.home.paths.socketFile), bytes, 500);

  it('needs no token, and recognizes an author by token', async () => {
    const get = (headers: string) => local(`GET /suggestions HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    expect(statusOf(await get(''))).toBe(200);
    expect(statusOf(await get(`Authorization: Bearer wrong\r\n`))).toBe(401);
    const { id, hunks } = await server.publish('x', 'author');
    const body = JSON.stringify({ suggestion_id: id, hunk_id: hunks[0].id, action: 'accept' });
    const post = (headers: string) =>
      local(
        `POST /feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`,
      );
    expect(statusOf(await post(`Authorization: Bearer ${server.token('author')}\r\n`))).toBe(403);
    expect(statusOf(await post(''))).toBe(200);
  });

  it.each([
    'Forwarded: for=192.0.2.60;proto=https;by=203.0.113.43',
    'X-Forwarded-For: 127.0.0.1',
    'x-forwarded-host: localhost',
    'X-Forwarded-Proto: https',
    'X-Real-IP: ::1',
    'Via: 1.1 proxy',
    'Forwarded:',
  ])('needs one for requests that a proxy forwards: %s', async (header) => {
    const get = (headers: string) => local(`GET /suggestions HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    expect(statusOf(await get(`${header}\r\n`))).toBe(401);
    expect(statusOf(await get(`${header}\r\nAuthorization: Bearer ${server.token('author')}\r\n`))).toBe(200);
  });

  it('still rejects web pages', async () => {
    const answer = await local(
      'GET /suggestions HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n',
    );
    expect(statusOf(answer)).toBe(403);
  });

  it('carries WebSockets', async () => {
    const socket = await TestSocket.open(`ws+unix://${server.home.paths.socketFile}:/ws`, null);
    expect(socket.greeting).toMatchObject({ type: 'connected', role: 'reviewer' });
    socket.close();
  });
});

describe('without authentication', () => {
  let open: TestServer;
  beforeAll(async () => {
    open = await TestServer.start({ auth: 'none' });
  });
  afterAll(() => open.stop());

  it('lets every program in, but no web page, and says so at the start', async () => {
    expect(open.notices.join()).toContain('WITHOUT tokens');
    expect((await open.ask('GET', '/suggestions', { role: null })).status).toBe(200);
    const headers = { Origin: 'http://evil.example' };
    expect((await open.ask('GET', '/suggestions', { role: null, headers })).status).toBe(403);
    const passedOn = { headers: { 'X-Forwarded-For': '127.0.0.1' } };
    expect((await open.ask('GET', '/suggestions', { role: null, ...passedOn })).status).toBe(401);
    expect((await open.ask('GET', '/suggestions', passedOn)).status).toBe(200);
    const { id, hunks } = await open.publish();
    const body = { suggestionId: id, hunkId: hunks[0].id, action: 'accept' };
    const asAuthor = await open.ask('POST', '/feedback', { body, role: 'author' });
    expect(asAuthor.status).toBe(403);
    expect((await open.ask('POST', '/feedback', { body, role: null })).status).toBe(200);
  });
});

describe('a target that the author may not reach', () => {
  it.each(['../outside', '/etc/copane-test', '.git/hooks/post-commit'])('%s', async (name) => {
    writeFileSync(path.join(server.target, 'f'), BASE);
    const patch = `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
    const body = { workingDirectory: server.target, patch };
    const published = await server.ask('POST', '/suggestions', { body, role: 'author' });
    if (published.status !== 201) return;
    const { id, hunks } = published.body.suggestion;
    const decided = await server.ask('POST', '/feedback', {
      body: { suggestion_id: id, hunk_id: hunks[0].id, action: 'accept' },
    });
    expect(decided.status).toBe(409);
  });
});
