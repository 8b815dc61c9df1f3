import { afterEach, beforeEach, expect, it } from 'vitest';
import { must, temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { until } from '../../../test/helpers/until.ts';
import { fail } from '../../lib/result.ts';
import { connectHost } from '../client/connect.ts';
import type { HostConnection } from '../client/host-connection.ts';
import { type Log, SILENT_LOG } from '../log/log.ts';
import { handlers } from './handlers/index.ts';
import type { LeaderService } from './leader.ts';

let home: ReturnType<typeof temporaryHome>;
let connections: HostConnection[] = [];
beforeEach(() => {
  home = temporaryHome();
});
afterEach(async () => {
  for (const connection of connections) await connection.close();
  connections = [];
  home.remove();
});

async function connect(
  services: readonly LeaderService[] = [],
  log: Log = SILENT_LOG,
): Promise<HostConnection> {
  const connection = must(await connectHost({ paths: home.paths, version: 'test', services, log }));
  connections.push(connection);
  return connection;
}

function recordingService(name: string, story: string[]): LeaderService {
  return {
    name,
    start: (host) => void story.push(`${name} starts under epoch ${host.leader.epoch}`),
    stop: () => void story.push(`${name} stops`),
  };
}

it('runs services only while leading, and stops them on handover', async () => {
  const story: string[] = [];
  const first = await connect([recordingService('a', story)]);
  const second = await connect([recordingService('b', story)]);
  await until('the start', () => story.length === 1);
  await first.pause();
  await until('the next leader', () => second.state.kind === 'connected' && second.state.leader);
  await until('its service', () => story.length === 3);
  expect(story).toEqual(['a starts under epoch 1', 'a stops', 'b starts under epoch 2']);
  first.resume();
  await until('the first as a client', () => first.state.kind === 'connected');
  expect(first.state).toEqual({ kind: 'connected', leader: false });
});

it('leads without a service that fails to start, and does not wait for one that does not stop', async () => {
  const logged: string[] = [];
  const log: Log = { ...SILENT_LOG, error: (message) => void logged.push(message) };
  const first = await connect(
    [
      { name: 'broken', start: () => Promise.reject(new Error('port in use')), stop: () => undefined },
      { name: 'sticky', start: () => undefined, stop: () => new Promise(() => undefined) },
    ],
    log,
  );
  expect(await first.request('host/status', {})).toMatchObject({ ok: true });
  const second = await connect();
  await first.close();
  await until('the next leader', () => second.state.kind === 'connected' && second.state.leader, {
    timeoutMs: 1_000,
  });
  expect(logged).toEqual(['starting broken failed', 'stopping sticky failed']);
});

/** A leader with a request from another process, answered when the test allows it. */
async function slowRequest() {
  const answers: (() => void)[] = [];
  const slow = () =>
    new Promise<ReturnType<typeof fail>>((resolve) => answers.push(() => resolve(fail('not_found', 'done'))));
  const makeHandlers = () => ({ ...handlers, 'sandbox/new': slow });
  const first = must(await connectHost({ paths: home.paths, version: 'test', makeHandlers }));
  const second = await connect();
  const asked = second.request('sandbox/new', { target: '/', name: 'slow' });
  await until('the request', () => answers.length === 1);
  return { answers, makeHandlers, first, second, asked };
}

it('answers pending requests before it quits, but only until a deadline', async () => {
  const { answers, makeHandlers, first, second, asked } = await slowRequest();
  const closing = first.close();
  answers[0]?.();
  expect(await asked).toMatchObject({ error: { message: 'done' } });
  await closing;

  const third = must(await connectHost({ paths: home.paths, version: 'test', makeHandlers }));
  connections.push(third);
  await second.close();
  await until('its lead', () => third.state.kind === 'connected' && third.state.leader);
  const fourth = await connect();
  const lost = fourth.request('sandbox/new', { target: '/', name: 'slow' });
  await until('the request', () => answers.length === 2);
  await third.close();
  expect(await lost).toMatchObject({ error: { code: 'internal' } });
});

it('waits for all requests of others, and says so, if it leads for one command', async () => {
  const { answers, first, asked } = await slowRequest();
  const said = Promise.withResolvers<void>();
  const closing = first.closeAfterJobs(new AbortController().signal, said.resolve);
  await said.promise;
  const since = performance.now();
  await until('longer than an orderly end waits', () => performance.now() - since > 1_200);
  answers[0]?.();
  expect(await asked).toMatchObject({ error: { message: 'done' } });
  await closing;
});

it('fails every request of a closed client with a reason', async () => {
  const first = await connect();
  const pending = first.request('outbox/list', {});
  await first.close();
  expect(await pending).toMatchObject({ ok: false });
  expect(await first.request('host/status', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
});
