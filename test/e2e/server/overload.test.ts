/** Too many clients, and clients that never read or never finish, do not keep the server from serving others. */
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { SuggestionLimits } from '../../../src/server/suggestions/port.ts';
import { type Json, TestServer, UPGRADE } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

describe('few slots', () => {
  let small: TestServer;
  const sockets: net.Socket[] = [];
  beforeAll(async () => {
    small = await TestServer.start({
      limits: {
        maxStreams: 3,
        maxSockets: 20,
        headersTimeoutMs: 500,
        requestTimeoutMs: 1_000,
        pingIntervalMs: 200,
        stallTimeoutMs: 1_000,
      },
    });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => small.stop());

  /** A WebSocket whose peer never reads, nor answers a ping. */
  async function openDeaf(): Promise<net.Socket> {
    const socket = net.connect(small.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    const head = Object.entries({ Host: 'localhost', Authorization: `Bearer ${small.token()}`, ...UPGRADE });
    socket.write(
      `GET /ws HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    return socket;
  }

  const streams = async (): Promise<number> => (await small.ask('GET', '/health')).body.ws_clients;

  it('one stream too many gets an error', async () => {
    const open = await Promise.all([small.socket(), small.socket(), small.socket()]);
    await expect(small.socket()).rejects.toThrow('let it in');
    expect((await small.ask('GET', '/events')).status).toBe(503);
    for (const socket of open) socket.close();
    await until('free slots', async () => (await streams()) === 0);
    (await small.socket()).close();
  });

  it('a request that never ends is cut off', async () => {
    const socket = net.connect(small.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    // One header line after the other: never silent, never complete.
    const drip = setInterval(() => socket.write('X: y\r\n'), 100);
    await until('the end', () => socket.closed || answer.includes('408'));
    clearInterval(drip);
  });

  it('a ping finds a half-closed client', async () => {
    await openDeaf();
    expect(await streams()).toBe(1);
    await until('its end', async () => (await streams()) === 0);
    expect(small.warnings.join()).toContain('does not answer');
  });

  it('a thousand connections leave the server alive', async () => {
    const many = Array.from({ length: 1_000 }, () => {
      const socket = net.connect(small.port, '127.0.0.1');
      socket.on('error', () => undefined);
      sockets.push(socket);
      return socket;
    });
    await until('most of them closed', () => many.filter((socket) => socket.closed).length > 900);
    for (const socket of many) socket.destroy();
    await until('an answer', async () => {
      const answer: Json = await small.ask('GET', '/health').catch(() => null);
      return answer?.status === 200;
    });
  });
});

describe('a client that never reads', () => {
  /** Ten suggestions with long descriptions, so that a list is long; and a paused client. */
  async function start(limits: Partial<SuggestionLimits>): Promise<{ patient: TestServer; deaf: WebSocket }> {
    const patient = await TestServer.start({ limits: { pingIntervalMs: 600_000, ...limits } });
    for (let n = 0; n < 10; n++) await patient.publish('x'.repeat(10_000));
    const deaf = new WebSocket(`ws://127.0.0.1:${patient.port}/ws`, {
      headers: { Authorization: `Bearer ${patient.token()}` },
    });
    deaf.on('error', () => undefined);
    await new Promise((resolve) => deaf.once('open', resolve));
    deaf.pause();
    return { patient, deaf };
  }

  it('its answers: it is dropped with a reason, others are not affected', async () => {
    const { patient, deaf } = await start({ maxUnsentBytes: 1_000_000 });
    for (let n = 0; n < 200; n++) deaf.send(JSON.stringify({ type: 'list', id: n }));
    const other = await patient.socket();
    await until('its end', () => patient.warnings.some((warning) => warning.includes('bytes were not read')));
    expect(await other.ask({ type: 'list' })).toMatchObject({ success: true });
    await patient.stop();
  });

  it('its events: it is dropped with a reason, others miss none', async () => {
    const { patient, deaf } = await start({ stallTimeoutMs: 500, pauseBytes: 10_000 });
    const other = await patient.socket();
    // Long events: the kernel alone buffers some megabytes for a slow reader.
    const COUNT = 30;
    const lines = 40_000;
    const patch = `--- /dev/null\n+++ b/g\n@@ -0,0 +1,${lines} @@\n${'+a line of twenty-one.\n'.repeat(lines)}`;
    for (let n = 0; n < COUNT; n++) {
      const body = { workingDirectory: patient.target, patch };
      expect((await patient.ask('POST', '/suggestions', { body })).status).toBe(201);
    }
    await other.until(
      'all',
      () => other.events.filter(({ type }) => type === 'suggestion.ready').length === COUNT,
    );
    await until('its end', () =>
      patient.warnings.some((warning) => warning.includes('nothing was read for')),
    );
    deaf.terminate();
    await patient.stop();
  });
});
