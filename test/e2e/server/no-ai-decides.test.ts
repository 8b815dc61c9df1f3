/**
 * No interface for an AI can decide: every one is tried, with every word that a reviewer has. Afterwards the suggestion
 * and the file are unchanged.
 */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/protocol/operations.ts';
import { SERVER_ROUTES } from '../../../src/server/suggestions/router.ts';
import { git } from '../../helpers/git-fixture.ts';
import { must } from '../../helpers/host-fakes.ts';
import { TestMcp } from '../../helpers/mcp-client.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { COPANE } from '../../helpers/product.ts';
import { BASE, type Json, rawExchange, TestServer } from '../../helpers/suggestion-server.ts';

const ACTIONS = ['accept', 'reject', 'modify', 'comment'] as const;

let server: TestServer;
/** Published by the AI that tries to decide it. */
let own: Json;

beforeAll(async () => {
  server = await TestServer.start();
  git(server.target, 'init', '-q');
  own = await server.publish('to be decided', 'test-ai');
});
afterAll(() => server.stop());

/** Every request that could decide. */
function attempts(): Record<string, unknown>[] {
  const hunks: string[] = [...own.hunks.map(({ id }: Json) => id), 'all', 'every'];
  const ref = { suggestion_id: own.id, suggestion: own.id };
  return [
    ...hunks.flatMap((hunk) =>
      ACTIONS.map((action) => ({
        ...ref,
        hunk_id: hunk,
        hunk,
        action,
        comment: 'by the AI',
        modified_diff: own.hunks[0].diff,
        role: 'reviewer',
        author: null,
      })),
    ),
    ...hunks.map((hunk) => ({ ...ref, hunk_id: hunk, hunk })),
    { ...ref, action: 'finalize' },
    { ...ref, action: 'finalize', how: 'finalize', commit: true },
  ];
}

async function expectUndecided(): Promise<void> {
  const shown = must(
    await (server.client ?? expect.unreachable()).request('review/show', { suggestion: own.id }),
  );
  expect(shown).toMatchObject({ status: 'pending', decidedCount: 0, revision: 1 });
  expect(shown.hunks.map(({ status, comments }) => [status, comments])).toEqual([
    ['pending', []],
    ['pending', []],
  ]);
  expect(readFileSync(path.join(server.target, 'f'), 'utf8')).toBe(BASE);
}

describe('MCP', () => {
  const ways: readonly (readonly [string, () => Promise<TestMcp>])[] = [
    ['over stdio', () => TestMcp.stdio({ home: server.home.home, cwd: server.target })],
    ['by HTTP with the token of its author', () => TestMcp.http(server.url, server.token('test-ai'))],
    ["by HTTP with the reviewer's token", () => TestMcp.http(server.url, server.token())],
  ];

  it.each(ways)('%s', async (_, open) => {
    const ai = await open();
    const { tools } = await ai.client.listTools();
    const ending = new Set(['discard', undefined]);
    for (const { name, inputSchema } of tools) {
      // A call with an unknown parameter is refused before anything else.
      const takes = (field: string) => Object.hasOwn(inputSchema.properties ?? {}, field);
      for (const attempt of attempts()) {
        const words = { ...attempt, description: 'x', message: 'm', wait_s: 0 };
        const args: Json = Object.fromEntries(Object.entries(words).filter(([field]) => takes(field)));
        // It may withdraw its own: this is the only thing not tried.
        if (name === 'complete_suggestion' && ending.has(args.action as string | undefined)) continue;
        const answer = await ai.call(name, args);
        if (name === 'suggestion_feedback') {
          expect(answer).toMatchObject({ isError: true, body: { error: { code: 'refused' } } });
          expect(answer.body.error.next_step).toContain('await_review');
        }
      }
    }
    await ai.close();
    await expectUndecided();
  });

  it('only names our own tools', async () => {
    const ai = await TestMcp.stdio({ home: server.home.home, cwd: server.target });
    for (const name of ['review/decide', 'decide', 'feedback', 'undo', '__proto__']) {
      await expect(ai.call(name, attempts()[0])).rejects.toThrow();
    }
    await ai.close();
    await expectUndecided();
  });
});

describe("with an author's token", () => {
  it('every path of HTTP', async () => {
    for (const { method, path: route } of [...OPERATIONS, ...SERVER_ROUTES]) {
      if (route === '/events' || route === '/ws') continue;
      for (const body of attempts()) {
        const answer = await server.ask(method, route.replace(/:\w+/g, own.id), {
          role: 'test-ai',
          ...(method === 'POST' ? { body, headers: { Accept: 'application/json, text/event-stream' } } : {}),
        });
        const decides = route === '/feedback' || route === '/undo' || route === '/complete';
        if (decides) expect([route, answer.status >= 400]).toEqual([route, true]);
      }
    }
    await expectUndecided();
  });

  it('every message of a WebSocket', async () => {
    const socket = await server.socket({ role: 'test-ai' });
    for (const type of [...OPERATIONS.map(({ name }) => name), 'review/decide', 'decide']) {
      for (const fields of attempts()) {
        if (type === 'complete' && fields.action !== 'finalize') continue;
        await socket.ask({ ...fields, type, data: fields });
      }
    }
    socket.close();
    await expectUndecided();
  });

  it('by the Unix socket, which needs no token', async () => {
    for (const route of ['/feedback', '/undo', '/complete']) {
      const body = JSON.stringify({
        ...attempts()[0],
        action: route === '/complete' ? 'finalize' : 'accept',
      });
      const head = [
        `POST ${route} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${server.token('test-ai')}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      const answer = await rawExchange(
        net.connect(server.home.paths.socketFile),
        `${head.join('\r\n')}\r\n\r\n${body}`,
        500,
      );
      expect(answer).toContain('403');
    }
    await expectUndecided();
  });

  it('a file of this machine is not read as a patch', async () => {
    for (const fields of [
      { patch_file: '/etc/passwd' },
      { source: { kind: 'patch_file', file: '/etc/passwd' } },
    ]) {
      const body = { ...fields, working_directory: server.target };
      expect((await server.ask('POST', '/suggestions', { role: 'test-ai', body })).status).toBe(400);
    }
    const body = { source_directory: server.target, working_directory: server.target };
    expect((await server.ask('POST', '/suggestions', { role: 'test-ai', body })).status).toBe(403);
  });
});

describe('below an AI CLI in a pane of tmux', () => {
  it('commands that decide, and the token for it, are refused', async () => {
    const link = path.join(server.home.home, 'claude');
    rmSync(link, { force: true });
    symlinkSync('/bin/sh', link);
    const tmux = new PrivateTmux();
    const [first] = own.hunks;
    const commands = [
      `decide ${own.id} ${first.id} accept`,
      `decide ${own.id} all reject`,
      `undo ${own.id} ${first.id}`,
      `redo ${own.id} ${first.id}`,
      `finish ${own.id} finalize`,
      'token',
      'token --rotate',
    ];
    const script = commands
      .map((command, n) => `"${COPANE}" ${command} >/dev/null 2>&1; echo "[${n}:$?]"`)
      .join('\n');
    const { PATH = '' } = process.env;
    await tmux.start({
      argv: [link, '-c', `${script}\nsleep 60`],
      env: { PATH, HOME: server.home.home },
      cwd: server.target,
      size: { columns: 80, rows: 24 },
    });
    const screen = await tmux.until(
      'the last command',
      (text) => text.includes(`[${commands.length - 1}:`),
      60_000,
    );
    await tmux.kill();
    rmSync(link);
    expect(screen.match(/\[\d+:\d+\]/g)).toEqual(commands.map((_, n) => `[${n}:3]`));
    await expectUndecided();
  });

  it('reply uses the author on its own suggestion, nobody on another, and the user in a shell', async () => {
    const client = server.client ?? expect.unreachable();
    const [mine, other] = [
      await server.publish('by claude', 'claude'),
      await server.publish('by other', 'other'),
    ];
    const hunkOf = ({ id, hunks }: Json) => ({ suggestion: id, hunk: hunks[0].id });
    const lines = { first: 1, last: 1 };
    for (const one of [mine, other])
      must(await client.request('review/comment', { ...hunkOf(one), comment: 'why?', lines }));
    const link = path.join(server.home.home, 'claude');
    rmSync(link, { force: true });
    symlinkSync('/bin/sh', link);
    const tmux = new PrivateTmux();
    const script = [mine, other]
      .map((one, n) => `"${COPANE}" reply ${one.id} ${one.hunks[0].id} because; echo "[${n}:$?]"`)
      .join('\n');
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: server.home.home };
    await tmux.start({
      argv: [link, '-c', `${script}\nsleep 60`],
      env,
      cwd: server.target,
      size: { columns: 200, rows: 24 },
    });
    const screen = await tmux.until('the last command', (text) => text.includes('[1:'), 60_000);
    await tmux.kill();
    rmSync(link);
    expect(screen.match(/\[\d+:\d+\]/g)).toEqual(['[0:0]', '[1:3]']);
    expect(screen).toContain('This suggestion is by other: claude cannot reply as its author.');
    // The host is this process: it must not wait.
    await promisify(execFile)(COPANE, ['reply', other.id, other.hunks[0].id, 'I meant this'], { env });
    const saidOn = async (one: Json) => {
      const { hunks } = must(await client.request('review/show', { suggestion: one.id }));
      return hunks[0]?.comments.map(({ text, by = 'reviewer', lines: on }) => [text, by, on]);
    };
    expect(await saidOn(mine)).toEqual([
      ['why?', 'reviewer', lines],
      ['because', 'author', lines],
    ]);
    expect(await saidOn(other)).toEqual([
      ['why?', 'reviewer', lines],
      ['I meant this', 'reviewer', lines],
    ]);
  });
});
