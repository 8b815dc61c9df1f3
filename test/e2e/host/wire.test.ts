import net from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectHost } from '../../../src/app/client/connect.ts';
import { handlers } from '../../../src/app/host/handlers/index.ts';
import { Host } from '../../../src/app/host/host.ts';
import { MAX_WAITING_REQUESTS } from '../../../src/app/host/session.ts';
import { SILENT_LOG } from '../../../src/app/log/log.ts';
import type { ServerLimits } from '../../../src/server/limits.ts';
import { SERVER_LIMITS, SocketServer, type SocketServerOptions } from '../../../src/server/socket-server.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { draftOf, must, promptOf, temporaryHome } from '../../helpers/host-fakes.ts';
import { until } from '../../helpers/until.ts';

const KEY = { project: 'p', pane: '%1' };

let home: ReturnType<typeof temporaryHome>;
let store: Store;
let server: SocketServer | null = null;
let host: Host;
let warnings: string[] = [];
const sockets: net.Socket[] = [];

beforeEach(() => {
  home = temporaryHome();
  warnings = [];
  store = must(openStore({ stateDir: home.paths.stateDir, now: () => 5 }));
  const card = { pid: process.pid, startedAt: 0, version: 'wire', socketPath: home.paths.socketFile };
  const leader = must(store.beginEpoch(card));
  const { stateDir } = home.paths;
  const rest = { newClientName: () => 'anonymous', log: SILENT_LOG, onStale: () => undefined };
  host = new Host({ store, stateDir, leader, makeHandlers: () => handlers, now: () => 5, ...rest });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close({ keepName: false });
  server = null;
  store.close();
  home.remove();
});

async function serve(
  limits: Partial<ServerLimits> = {},
  onOther?: SocketServerOptions['onOther'],
): Promise<void> {
  server = must(
    await SocketServer.start({
      socketPath: home.paths.socketFile,
      host,
      limits: { ...SERVER_LIMITS, ...limits },
      onOther,
      onWarning: (message) => warnings.push(message),
    }),
  );
}

/** A client that knows nothing about the protocol. */
class RawClient {
  readonly lines: Record<string, unknown>[] = [];
  readonly socket: net.Socket;
  ended = false;
  #rest = '';

  constructor() {
    this.socket = net.connect({ path: home.paths.socketFile, allowHalfOpen: true });
    sockets.push(this.socket);
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.ended = true;
    });
    this.socket.on('end', () => {
      this.ended = true;
    });
    this.socket.on('data', (chunk) => {
      const parts = (this.#rest + String(chunk)).split('\n');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) this.lines.push(JSON.parse(part));
    });
  }

  say(...messages: readonly unknown[]): void {
    for (const message of messages) this.socket.write(`${JSON.stringify(message)}\n`);
  }

  line(what: string, match: (line: Record<string, unknown>) => boolean = () => true) {
    return until(what, () => this.lines.find(match), { show: () => JSON.stringify(this.lines.slice(-5)) });
  }
}

const status = (id: unknown) => ({ id, command: 'host/status' });

describe('bad input is answered, and the connection stays open', () => {
  it.each([
    ['no JSON', '{oops}', null, 'invalid', 'must be one JSON object'],
    ['a cut object', '{"id":1,', null, 'invalid', 'must be one JSON object'],
    ['an empty object', '{}', null, 'invalid', '"command" and "id"'],
    ['no id', '{"command":"host/status"}', null, 'invalid', '"id"'],
    ['an id of a wrong type', '{"id":{},"command":"host/status"}', null, 'invalid', '"id"'],
    ['an id that is not a whole number', '{"id":1.5,"command":"host/status"}', null, 'invalid', '"id"'],
    ['a field too many', '{"id":1,"command":"host/status","x":1}', 1, 'invalid', 'unknown field "x"'],
    ['a command of a wrong type', '{"id":"a","command":7}', 'a', 'invalid', '"command"'],
    [
      'an unknown command',
      '{"id":1,"command":"host/statsu"}',
      1,
      'invalid',
      'There is no command "host/statsu"',
    ],
    ['a name of every object', '{"id":1,"command":"constructor"}', 1, 'invalid', 'There is no command'],
    ['a prototype', '{"id":1,"command":"__proto__"}', 1, 'invalid', 'There is no command'],
    ['params of a wrong type', '{"id":1,"command":"host/status","params":7}', 1, 'invalid', 'host/status: '],
    [
      'a param too many',
      '{"id":1,"command":"host/status","params":{"a":1}}',
      1,
      'invalid',
      'unknown field "a"',
    ],
    ['a missing param', '{"id":1,"command":"draft/load"}', 1, 'invalid', '"key"'],
    [
      'a nested param',
      '{"id":1,"command":"draft/load","params":{"key":{"project":1,"pane":""}}}',
      1,
      'invalid',
      '"key.project"',
    ],
    ['a bound', '{"id":1,"command":"outbox/list","params":{"limit":1001}}', 1, 'invalid', '"limit"'],
    ['a negative since', '{"subscribe":-1}', null, 'invalid', '"subscribe"'],
    ['a since of a wrong type', '{"subscribe":"x"}', null, 'invalid', '"subscribe"'],
    ['an empty name', '{"hello":{"client":""}}', null, 'invalid', '"hello.client"'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), null, 'invalid', 'JSON'],
    ['a NUL', '{\u0000}', null, 'invalid', 'JSON'],
  ])('%s', async (_name, text, id, code, words) => {
    await serve();
    const client = new RawClient();
    client.socket.write(text);
    client.socket.write('\n');
    const answer = await client.line('an answer');
    expect(answer).toMatchObject({ id, ok: false, error: { code } });
    expect(JSON.stringify(answer)).toContain(JSON.stringify(words).slice(1, -1));
    client.say(status('after'));
    await client.line('the next answer', (line) => line.id === 'after' && line.ok === true);
  });

  it('skips blank lines and accepts CR LF', async () => {
    await serve();
    const client = new RawClient();
    client.socket.write('{"id":1,"command":"host/status"}\r\n\r\n\n{"id":2,"command":"host/status"}\r\n');
    await client.line('the second answer', (line) => line.id === 2);
    expect(client.lines).toHaveLength(2);
  });

  it('answers a client that closed its half, even without a final line feed', async () => {
    await serve();
    const client = new RawClient();
    client.socket.end(JSON.stringify(status(1)));
    await until('the end', () => client.ended);
    expect(client.lines).toMatchObject([{ id: 1, ok: true, value: { version: 'wire' } }]);
  });

  it('is not affected by clients that vanish in the middle of a line or say nothing', async () => {
    await serve({ firstByteTimeoutMs: 50 });
    const half = new RawClient();
    half.socket.write('{"id":1,"comm', () => half.socket.destroy());
    const silent = new RawClient();
    expect(await silent.line('a goodbye')).toEqual({ type: 'bye', reason: 'no message came' });
    await until('its end', () => silent.ended);
    const slow = new RawClient();
    slow.socket.write('{"id":1,');
    slow.socket.write('"command":"host/status"}\n');
    await slow.line('an answer', (line) => line.ok === true);
  });
});

it('survives any bytes in any pieces', async () => {
  await serve({ maxLineBytes: 200 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), async (chunks) => {
      const client = new RawClient();
      client.socket.write('{');
      for (const chunk of chunks) client.socket.write(chunk);
      client.socket.end('\n');
      await until('the end', () => client.ended, { intervalMs: 1 });
      expect(client.lines.every((line) => line.ok === false || line.type === 'bye')).toBe(true);
    }),
    { seed: 5, numRuns: 150 },
  );
  const client = new RawClient();
  client.say(status(1));
  await client.line('an answer', (line) => line.ok === true);
  await until('no session left over', () => host.status().clients === 1);
});

describe('limits', () => {
  const padded = (bytes: number) => {
    const line = JSON.stringify({ id: 1, command: 'host/status', params: { pad: '' } });
    return line.replace('""', JSON.stringify('x'.repeat(bytes - line.length)));
  };

  it('accepts a line of 8 MiB and closes after one byte more', async () => {
    await serve();
    const fits = new RawClient();
    fits.socket.write(`${padded(8 * 1024 * 1024)}\n`);
    expect(await fits.line('an answer')).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('"pad"') },
    });
    const long = new RawClient();
    long.socket.write(`${padded(8 * 1024 * 1024 + 1)}\n`);
    expect(await long.line('an answer')).toMatchObject({ id: null, ok: false, error: { code: 'invalid' } });
    expect(await long.line('a goodbye', (line) => line.type === 'bye')).toEqual({
      type: 'bye',
      reason: 'line too long',
    });
    await until('the end', () => long.ended);
    expect(warnings).toEqual(['A client was dropped: line too long.']);
  });

  it('accepts this many connections and turns the next one away', async () => {
    await serve({ maxConnections: 3 });
    const clients = [new RawClient(), new RawClient(), new RawClient()];
    for (const client of clients) {
      client.say(status(1));
      await client.line('an answer', (line) => line.ok === true);
    }
    const extra = new RawClient();
    expect(await extra.line('a goodbye')).toEqual({ type: 'bye', reason: 'too many connections' });
    clients[0]?.socket.destroy();
    await until('room for one', async () => {
      const next = new RawClient();
      next.say(status(1));
      const line = await next.line('a line');
      return line.ok === true;
    });
  });

  it('drops a client that does not read its answers, with the reason, and serves the others', async () => {
    // On a busy machine the client may read again only after the usual grace period, and would miss the reason.
    await serve({ maxUnsentBytes: 1024 * 1024, dropGraceMs: 60_000 });
    for (let n = 0; n < 20; n++) must(host.write((writer) => putPrompt(writer, `p${n}`, 'x'.repeat(50_000))));
    const lazy = new RawClient();
    lazy.socket.pause();
    for (let id = 0; id < 20; id++) lazy.say({ id, command: 'outbox/list', params: {} });
    await until('the drop', () => warnings.length > 0);
    expect(warnings[0]).toContain('left unread 1048576 bytes of answers');
    const other = new RawClient();
    other.say(status(1));
    await other.line('an answer', (line) => line.ok === true);
    lazy.socket.resume();
    await lazy.line('the reason', (line) => line.type === 'bye');
  });

  it('keeps events for a slow reader in the log, and sends them all when it reads', async () => {
    await serve({ maxUnsentBytes: 4 * 1024 * 1024 });
    const slow = new RawClient();
    slow.say({ subscribe: 0 });
    await slow.line('the subscription', (line) => line.type === 'subscribed');
    slow.socket.pause();
    const count = 200;
    for (let n = 0; n < count; n++)
      must(host.write((writer) => putPrompt(writer, `p${n}`, 'x'.repeat(100_000))));
    expect(warnings).toEqual([]);
    slow.socket.resume();
    await until('all events', () => slow.lines.length > count, { show: () => `${slow.lines.length} lines` });
    expect(slow.lines.slice(1).map((line) => line.seq)).toEqual(
      Array.from({ length: count }, (_, n) => n + 1),
    );
  });

  it('says when an answer would be longer than a line', async () => {
    await serve({ maxLineBytes: 10_000 });
    must(host.write((writer) => putPrompt(writer, 'a', 'x'.repeat(11_000))));
    const client = new RawClient();
    client.say({ id: 1, command: 'outbox/list', params: {} });
    expect(await client.line('an answer')).toMatchObject({ id: 1, ok: false, error: { code: 'refused' } });
  });

  it('refuses one more waiting request than the limit', async () => {
    const answers: { id: unknown; ok: boolean }[] = [];
    const sink = {
      send: (message: never) => answers.push(message),
      sendEvent: () => undefined,
      unsentBytes: () => 0,
      end: () => undefined,
    };
    const session = host.openSession(sink, () => undefined);
    for (let id = 0; id <= MAX_WAITING_REQUESTS; id++)
      session.receive({ id, command: 'host/status', params: {} });
    await until('all answers', () => answers.length === MAX_WAITING_REQUESTS + 1);
    expect(answers.filter(({ ok }) => !ok)).toMatchObject([
      { id: MAX_WAITING_REQUESTS, error: { code: 'limit' } },
    ]);
  });
});

function putPrompt(writer: Parameters<Parameters<Host['write']>[0]>[0], id: string, text: string) {
  const entry = {
    ...promptOf(id, text),
    state: 'recorded',
    reason: null,
    proof: null,
    createdAt: 0,
    updatedAt: 0,
  } as const;
  writer.outbox.put(entry);
  writer.emit({ type: 'outbox/changed', entry });
  return { ok: true, value: null } as const;
}

describe('events', () => {
  it('go to everyone from where each asked, with seq and ts; a gap is named', async () => {
    await serve();
    for (let n = 1; n <= 3; n++) must(host.write((writer) => putPrompt(writer, `p${n}`, 'x')));
    const [fromStart, fromTwo, fromNow, fromBeyond] = [
      new RawClient(),
      new RawClient(),
      new RawClient(),
      new RawClient(),
    ];
    fromStart.say({ subscribe: 0 });
    fromTwo.say({ subscribe: 2 });
    fromNow.say({ subscribe: null });
    fromBeyond.say({ subscribe: 99 });
    for (const client of [fromStart, fromTwo, fromNow, fromBeyond]) await client.line('the subscription');
    must(host.write((writer) => putPrompt(writer, 'p4', 'x')));
    for (const client of [fromStart, fromTwo, fromNow, fromBeyond]) {
      await client.line('the last event', (line) => line.seq === 4);
    }
    expect(fromStart.lines.map((line) => line.seq)).toEqual([0, 1, 2, 3, 4]);
    expect(fromTwo.lines[0]).toEqual({ type: 'subscribed', seq: 2, head: 3 });
    expect(fromTwo.lines.map((line) => line.seq)).toEqual([2, 3, 4]);
    expect(fromNow.lines.map((line) => line.seq)).toEqual([3, 4]);
    expect(fromBeyond.lines[0]).toEqual({ type: 'gap', seq: 3, head: 3 });
    expect(fromNow.lines[1]).toMatchObject({ type: 'event', ts: 5, body: { type: 'outbox/changed' } });
  });

  it('name the writer of a draft, by the name in its hello', async () => {
    await serve();
    const client = new RawClient();
    client.say({ hello: { client: 'editor' } }, { subscribe: null });
    client.say({ id: 1, command: 'draft/save', params: { key: KEY, draft: draftOf('x'), baseRevision: 0 } });
    expect(await client.line('the event', (line) => line.type === 'event')).toMatchObject({
      body: { type: 'draft/changed', client: 'editor' },
    });
    expect(client.lines[0]).toMatchObject({ type: 'welcome', client: 'editor', pid: process.pid, epoch: 1 });
  });

  it('apply a request of the same name once', async () => {
    await serve();
    const client = new RawClient();
    const wanted = {
      id: 1,
      command: 'draft/append',
      params: { key: KEY, text: 'x' },
      once: 'a-name-of-mine',
    };
    client.say(wanted, wanted, { ...wanted, once: 'another-name' });
    await until('three answers', () => client.lines.length === 3);
    expect(client.lines.map((line) => (line.value as { revision: number }).revision)).toEqual([1, 1, 2]);
  });
});

describe('drafts of two companions', () => {
  it('are not overwritten: the later save is refused with a message, repeating a save changes nothing', async () => {
    await serve();
    const client = new RawClient();
    const save = (id: number, text: string, baseRevision: number) => ({
      id,
      command: 'draft/save',
      params: { key: KEY, draft: draftOf(text), baseRevision },
    });
    client.say(save(1, 'mine', 0), save(2, 'theirs', 0), save(3, 'mine', 0), save(4, 'mine, more', 1));
    await until('four answers', () => client.lines.length === 4);
    expect(client.lines).toMatchObject([
      { id: 1, ok: true, value: { revision: 1 } },
      {
        id: 2,
        ok: false,
        error: { code: 'refused', message: expect.stringContaining('Another companion changed this draft') },
      },
      { id: 3, ok: true, value: { revision: 1 } },
      { id: 4, ok: true, value: { revision: 2 } },
    ]);
  });
});

describe('a prompt in the outbox', () => {
  it('is one prompt however often it is recorded, and a finished one stays finished', async () => {
    await serve();
    const client = new RawClient();
    const ask = (id: number, command: string, params: unknown) => client.say({ id, command, params });
    ask(1, 'outbox/record', promptOf('a'));
    ask(2, 'outbox/record', promptOf('a'));
    ask(3, 'outbox/record', promptOf('a', 'other'));
    ask(4, 'outbox/update', { id: 'a', state: 'unconfirmed', reason: 'no proof' });
    ask(5, 'outbox/update', { id: 'a', state: 'delivered', proof: 'transcript' });
    ask(6, 'outbox/update', { id: 'a', state: 'pasted' });
    ask(7, 'outbox/update', { id: 'b', state: 'pasted' });
    await until('seven answers', () => client.lines.length === 7);
    expect(client.lines).toMatchObject([
      { id: 1, ok: true, value: { state: 'recorded' } },
      { id: 2, ok: true, value: { state: 'recorded' } },
      { id: 3, ok: false, error: { code: 'refused' } },
      { id: 4, ok: true, value: { state: 'unconfirmed', reason: 'no proof' } },
      { id: 5, ok: true, value: { state: 'delivered', reason: null, proof: 'transcript' } },
      { id: 6, ok: false, error: { code: 'refused' } },
      { id: 7, ok: false, error: { code: 'not_found' } },
    ]);
    expect(store.events.head()).toBe(3);
  });
});

describe('other protocols on the socket', () => {
  it('hands over a connection that is not JSON lines, with its first bytes', async () => {
    await serve({}, (socket, first) => socket.end(`got ${String(first).slice(0, 3)}`));
    const raw = net.connect(home.paths.socketFile);
    sockets.push(raw);
    let got = '';
    raw.on('data', (chunk) => {
      got += String(chunk);
    });
    raw.write('GET / HTTP/1.1\r\n\r\n');
    await until('an answer', () => got === 'got GET', { show: () => got });
  });

  it('turns it away when nobody takes it', async () => {
    await serve();
    const client = new RawClient();
    client.socket.write('GET / HTTP/1.1\r\n\r\n');
    expect(await client.line('a goodbye')).toEqual({ type: 'bye', reason: 'a line must be one JSON object' });
  });
});

it('answers 1,000 sequential requests without delay', async () => {
  await serve();
  const client = must(await connectHost({ paths: home.paths, version: 'test', lead: false }));
  const startedAt = performance.now();
  const times: number[] = [];
  for (let n = 0; n < 1000; n++) {
    const before = performance.now();
    must(await client.request('host/status', {}));
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  const total = performance.now() - startedAt;
  const us = (part: number) => Math.round((times[Math.floor(part * 1000)] ?? 0) * 1000);
  console.log(`  1,000 requests: ${Math.round(total)} ms; p50 ${us(0.5)} µs, p99 ${us(0.99)} µs`);
  expect(total).toBeLessThan(3_000);
  await client.close();
});
