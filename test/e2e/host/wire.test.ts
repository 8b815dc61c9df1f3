/** The host's socket with any bytes: bad input, limits, other protocols. */
import net from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectHost } from '../../../src/app/client/connect.ts';
import { MAX_WAITING_REQUESTS } from '../../../src/app/host/session.ts';
import { must } from '../../helpers/host-fakes.ts';
import { until } from '../../helpers/until.ts';
import { putPrompt, wirePerTest } from '../../helpers/wire-host.ts';

const wire = wirePerTest();

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
    await wire().serve();
    const client = wire().connect();
    client.socket.write(text);
    client.socket.write('\n');
    const answer = await client.line('an answer');
    expect(answer).toMatchObject({ id, ok: false, error: { code } });
    expect(JSON.stringify(answer)).toContain(JSON.stringify(words).slice(1, -1));
    client.say(status('after'));
    await client.line('the next answer', (line) => line.id === 'after' && line.ok === true);
  });

  it('skips blank lines and accepts CR LF', async () => {
    await wire().serve();
    const client = wire().connect();
    client.socket.write('{"id":1,"command":"host/status"}\r\n\r\n\n{"id":2,"command":"host/status"}\r\n');
    await client.line('the second answer', (line) => line.id === 2);
    expect(client.lines).toHaveLength(2);
  });

  it('answers a client that closed its half, even without a final line feed', async () => {
    await wire().serve();
    const client = wire().connect();
    client.socket.end(JSON.stringify(status(1)));
    await until('the end', () => client.ended);
    expect(client.lines).toMatchObject([{ id: 1, ok: true, value: { version: 'wire' } }]);
  });

  it('is not affected by clients that vanish in the middle of a line or say nothing', async () => {
    await wire().serve({ firstByteTimeoutMs: 50 });
    const half = wire().connect();
    half.socket.write('{"id":1,"comm', () => half.socket.destroy());
    const silent = wire().connect();
    expect(await silent.line('a goodbye')).toEqual({ type: 'bye', reason: 'no message came' });
    await until('its end', () => silent.ended);
    const slow = wire().connect();
    slow.socket.write('{"id":1,');
    slow.socket.write('"command":"host/status"}\n');
    await slow.line('an answer', (line) => line.ok === true);
  });
});

it('survives any bytes in any pieces', async () => {
  await wire().serve({ maxLineBytes: 200 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), async (chunks) => {
      const client = wire().connect();
      client.socket.write('{');
      for (const chunk of chunks) client.socket.write(chunk);
      client.socket.end('\n');
      await until('the end', () => client.ended, { intervalMs: 1 });
      expect(client.lines.every((line) => line.ok === false || line.type === 'bye')).toBe(true);
    }),
    { seed: 5, numRuns: 150 },
  );
  const client = wire().connect();
  client.say(status(1));
  await client.line('an answer', (line) => line.ok === true);
  await until('no session left over', () => wire().host.status().clients === 1);
});

describe('limits', () => {
  const padded = (bytes: number) => {
    const line = JSON.stringify({ id: 1, command: 'host/status', params: { pad: '' } });
    return line.replace('""', JSON.stringify('x'.repeat(bytes - line.length)));
  };

  it('accepts a line of 8 MiB and closes after one byte more', async () => {
    await wire().serve();
    const fits = wire().connect();
    fits.socket.write(`${padded(8 * 1024 * 1024)}\n`);
    expect(await fits.line('an answer')).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('"pad"') },
    });
    const long = wire().connect();
    long.socket.write(`${padded(8 * 1024 * 1024 + 1)}\n`);
    expect(await long.line('an answer')).toMatchObject({ id: null, ok: false, error: { code: 'invalid' } });
    expect(await long.line('a goodbye', (line) => line.type === 'bye')).toEqual({
      type: 'bye',
      reason: 'line too long',
    });
    await until('the end', () => long.ended);
    expect(wire().warnings).toEqual(['A client was dropped: line too long.']);
  });

  it('accepts this many connections and turns the next one away', async () => {
    await wire().serve({ maxConnections: 3 });
    const clients = [wire().connect(), wire().connect(), wire().connect()];
    for (const client of clients) {
      client.say(status(1));
      await client.line('an answer', (line) => line.ok === true);
    }
    const extra = wire().connect();
    expect(await extra.line('a goodbye')).toEqual({ type: 'bye', reason: 'too many connections' });
    clients[0]?.socket.destroy();
    await until('room for one', async () => {
      const next = wire().connect();
      next.say(status(1));
      const line = await next.line('a line');
      return line.ok === true;
    });
  });

  it('drops a client that does not read its answers, with the reason, and serves the others', async () => {
    // On a busy machine the client may read again only after the usual grace period, and would miss the reason.
    await wire().serve({ maxUnsentBytes: 1024 * 1024, dropGraceMs: 60_000 });
    for (let n = 0; n < 20; n++)
      must(wire().host.write((writer) => putPrompt(writer, `p${n}`, 'x'.repeat(50_000))));
    const lazy = wire().connect();
    lazy.socket.pause();
    for (let id = 0; id < 20; id++) lazy.say({ id, command: 'outbox/list', params: {} });
    await until('the drop', () => wire().warnings.length > 0);
    expect(wire().warnings[0]).toContain('left unread 1048576 bytes of answers');
    const other = wire().connect();
    other.say(status(1));
    await other.line('an answer', (line) => line.ok === true);
    lazy.socket.resume();
    await lazy.line('the reason', (line) => line.type === 'bye');
  });

  it('keeps events for a slow reader in the log, and sends them all when it reads', async () => {
    await wire().serve({ maxUnsentBytes: 4 * 1024 * 1024 });
    const slow = wire().connect();
    slow.say({ subscribe: 0 });
    await slow.line('the subscription', (line) => line.type === 'subscribed');
    slow.socket.pause();
    const count = 200;
    for (let n = 0; n < count; n++)
      must(wire().host.write((writer) => putPrompt(writer, `p${n}`, 'x'.repeat(100_000))));
    expect(wire().warnings).toEqual([]);
    slow.socket.resume();
    await until('all events', () => slow.lines.length > count, { show: () => `${slow.lines.length} lines` });
    expect(slow.lines.slice(1).map((line) => line.seq)).toEqual(
      Array.from({ length: count }, (_, n) => n + 1),
    );
  });

  it('says when an answer would be longer than a line', async () => {
    await wire().serve({ maxLineBytes: 10_000 });
    must(wire().host.write((writer) => putPrompt(writer, 'a', 'x'.repeat(11_000))));
    const client = wire().connect();
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
    const session = wire().host.openSession(sink, () => undefined);
    for (let id = 0; id <= MAX_WAITING_REQUESTS; id++)
      session.receive({ id, command: 'host/status', params: {} });
    await until('all answers', () => answers.length === MAX_WAITING_REQUESTS + 1);
    expect(answers.filter(({ ok }) => !ok)).toMatchObject([
      { id: MAX_WAITING_REQUESTS, error: { code: 'limit' } },
    ]);
  });
});

describe('other protocols on the socket', () => {
  it('hands over a connection that is not JSON lines, with its first bytes', async () => {
    await wire().serve({}, (socket, first) => socket.end(`got ${String(first).slice(0, 3)}`));
    const raw = net.connect(wire().home.paths.socketFile);
    wire().sockets.push(raw);
    let got = '';
    raw.on('data', (chunk) => {
      got += String(chunk);
    });
    raw.write('GET / HTTP/1.1\r\n\r\n');
    await until('an answer', () => got === 'got GET', { show: () => got });
  });

  it('turns it away when nobody takes it', async () => {
    await wire().serve();
    const client = wire().connect();
    client.socket.write('GET / HTTP/1.1\r\n\r\n');
    expect(await client.line('a goodbye')).toEqual({ type: 'bye', reason: 'a line must be one JSON object' });
  });
});

it('answers 1,000 sequential requests without delay', async () => {
  await wire().serve();
  const client = must(await connectHost({ paths: wire().home.paths, version: 'test', lead: false }));
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
