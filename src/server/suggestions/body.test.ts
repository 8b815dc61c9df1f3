import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readJson } from './body.ts';
import { BodyRoom } from './body-room.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const request = () => {
  const stream = new PassThrough();
  return { stream, message: Object.assign(stream, { headers: JSON_HEADERS }) as unknown as IncomingMessage };
};
const limits = (bytes: number) => ({ maxBytes: 1024 * 1024, room: new BodyRoom(bytes) });

it('reads a body in some pieces; refuses one in thousands of tiny pieces before its end', async () => {
  const whole = request();
  const reading = readJson(whole.message, limits(1024 * 1024));
  for (const piece of ['{"a":', '"', 'é'.repeat(2_000), '"', '}']) whole.stream.write(piece);
  whole.stream.end();
  expect(await reading).toEqual({ ok: true, value: { a: 'é'.repeat(2_000) } });

  const crumbs = request();
  const refused = readJson(crumbs.message, limits(1024 * 1024));
  for (let i = 0; i < 4_001; i += 1) crumbs.stream.write('x');
  expect(await refused).toMatchObject({ ok: false, refusal: { status: 400 } });
});

it('incomplete bodies share one memory limit, and give their part back', async () => {
  const shared = limits(10_000);
  const first = request();
  const reading = readJson(first.message, shared);
  first.stream.write(`{"a":"${'x'.repeat(8_000)}`);
  const second = request();
  const refused = readJson(second.message, shared);
  second.stream.write('x'.repeat(8_000));
  expect(await refused).toMatchObject({ ok: false, refusal: { status: 503 } });
  first.stream.end('"}');
  expect(await reading).toMatchObject({ ok: true });
  expect(shared.room.take(10_000)).toBe(true);
});
