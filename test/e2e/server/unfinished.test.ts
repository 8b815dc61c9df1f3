/** Messages and bodies that are not whole yet share one room, and have a time to become whole. */
import type net from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Json, TestServer, type TestSocket } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

const ROOM = 200_000;
const PIECE = 60_000;

let server: TestServer;
const sockets: TestSocket[] = [];
beforeEach(async () => {
  server = await TestServer.start({ limits: { maxBodiesBytes: ROOM } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await server.stop();
});

async function open(): Promise<TestSocket> {
  const socket = await server.socket();
  sockets.push(socket);
  return socket;
}

/** The beginning of a message, so long. */
function begin({ raw }: TestSocket, length: number): void {
  raw.send(`{"type":"list","id":"1","pad":"${'x'.repeat(length)}`, { fin: false });
}
const finish = (socket: TestSocket) => socket.raw.send('"}');
const closeOf = (socket: TestSocket) => socket.until('its end', () => socket.closed);

/** The status of a request with a body that is so long. */
async function post(length: number): Promise<number> {
  const body = { message: 'x', pad: 'x'.repeat(length) };
  return (await server.ask('POST', '/status', { body })).status;
}

/** Nothing of what was sent is held any more. */
const untilEmpty = () => until('an empty room', async () => (await post(ROOM - 1_000)) === 200);

it('messages of several connections take the room that bodies have', async () => {
  const holders = [await open(), await open(), await open()];
  for (const socket of holders) begin(socket, PIECE);
  await until('a full room', async () => (await post(PIECE)) === 503);
  const last = await open();
  begin(last, PIECE);
  expect(await closeOf(last)).toEqual({ code: 1013, reason: expect.stringContaining('send it again') });
  expect(server.warnings.join()).toContain('too many long requests');
  // Those that hold it go on.
  for (const socket of holders) {
    finish(socket);
    const answer = await socket.until('an answer', () => socket.said.find(({ id }: Json) => id === '1'));
    expect(answer.success).toBe(true);
  }
  await untilEmpty();
});

it('no ping, pong or end of a connection gives free what is held, or holds what is not', async () => {
  const socket = await open();
  for (let n = 0; n < 3_000; n += 1) socket.raw.ping();
  expect((await socket.ask({ type: 'list' })).success).toBe(true);
  await untilEmpty();
  begin(socket, ROOM - PIECE);
  await until('a full room', async () => (await post(PIECE)) === 503);
  for (let n = 0; n < 100; n += 1) socket.raw.ping();
  const pong = new Promise((resolve) => socket.raw.once('pong', resolve));
  await pong;
  expect(await post(PIECE)).toBe(503);
  socket.close();
  await untilEmpty();
});

it('a message that does not become whole ends its connection, and no other one', async () => {
  await server.stop();
  server = await TestServer.start({
    limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500, pingIntervalMs: 1_000 },
  });
  const [slow, other] = [await open(), await open()];
  begin(slow, 10);
  const drip = setInterval(() => slow.raw.send('x', { fin: false }), 20);
  expect(await closeOf(slow)).toEqual({ code: 1008, reason: expect.stringContaining('not whole within') });
  clearInterval(drip);
  expect((await other.ask({ type: 'list' })).success).toBe(true);
});

it('what comes after an end is not taken', async () => {
  const socket = await open();
  const internals = socket.raw as unknown as { readonly _socket: net.Socket };
  // A masked text frame that says it has 100 MB, though no message may: the bytes that follow are never kept.
  const head = Buffer.alloc(14);
  head.writeUInt16BE(0x81ff);
  head.writeBigUInt64BE(100_000_000n, 2);
  internals._socket.write(head);
  expect((await closeOf(socket)).code).toBe(1009);
  await untilEmpty();
});
