/** The overhead of the suggestion server: from publish to client, for a long list, for an event to many clients. */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import { temporaryHome } from '../test/helpers/host-fakes.ts';
import { freePort, ServeProcess } from '../test/helpers/serve-process.ts';
import { TestServer, type TestSocket } from '../test/helpers/suggestion-server.ts';
import { until } from '../test/helpers/until.ts';
import type { BenchSuite } from './harness.ts';

const CROWD = 100;
/** List lengths, at three sizes. */
const PENDING = [100, 1_000, 10_000] as const;
const REPORTS = 100;
/** Numbers of clients that hear of one decision, at three sizes. */
const LISTENERS = [1, 10, CROWD] as const;
const DECISIONS = 100;

/** A server that only answers: the cost of Node itself. */
async function startBare(answer: string): Promise<{ url: string; stop: () => void }> {
  const bare = http.createServer((_, response) => response.end(answer));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const address = bare.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: () => bare.close() };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** `count` pending suggestions like the one with this id, written as the store keeps them. */
function fill(server: TestServer, like: string, count: number): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(`${server.home.paths.stateDir}/copane.db`);
  const found = database.prepare('SELECT record FROM suggestions WHERE id = ?').get(like);
  const record = JSON.parse(String(found?.record));
  const insert = database.prepare(
    'INSERT INTO suggestions (id, created_at, ended, record) VALUES (?, ?, 0, ?)',
  );
  database.exec('BEGIN');
  for (let n = 1; n < count; n++)
    insert.run(`s${n}`, n, JSON.stringify({ ...record, id: `s${n}`, createdAt: n }));
  database.exec('COMMIT');
  database.close();
}

/** A server whose list is `count` long, and one that answers with the same bytes. */
async function startList(count: number) {
  const server = await TestServer.start();
  const { id } = await server.publish();
  fill(server, id, count);
  const ask = () => server.ask('GET', '/suggestions');
  const listed = await ask();
  if (listed.body.suggestions.length !== count) throw new Error('the list is not full');
  const same = await startBare(JSON.stringify(listed.body));
  const stop = async () => {
    same.stop();
    await server.stop();
  };
  return { count, ask, same, stop };
}

/** Publishes, and waits until every client has the suggestion. */
async function publishTo(server: TestServer, clients: readonly TestSocket[]): Promise<void> {
  const arrivals = clients.map(
    (client) =>
      new Promise<void>((resolve) => {
        const onMessage = (data: Buffer) => {
          if (!data.includes('"type":"suggestion.ready"')) return;
          client.raw.off('message', onMessage);
          resolve();
        };
        client.raw.on('message', onMessage);
      }),
  );
  await server.publish();
  await Promise.all(arrivals);
}

/** A hundred reports sent as fast as they are accepted, until the last client has the last one. */
async function reportTo(server: TestServer, clients: readonly TestSocket[]): Promise<void> {
  const before = clients.map(({ said }) => said.length);
  const arrived = () => clients.every(({ said }, n) => said.length >= (before[n] ?? 0) + REPORTS);
  const reports = Array.from({ length: REPORTS }, () =>
    server.ask('POST', '/status', { body: { message: 'm' } }),
  );
  await Promise.all(reports);
  await until('all reports', arrived, { intervalMs: 1 });
}

interface Decisions {
  readonly stop: () => Promise<void>;
  /** Decides, or undoes it, until each of `count` clients has heard of it. */
  readonly decide: (count: number) => Promise<number>;
}

/** A server with one suggestion, and clients that only check whether a change arrived. */
async function startDecisions(): Promise<Decisions> {
  const server = await TestServer.start();
  const { id, hunks } = await server.publish();
  const headers = { Authorization: `Bearer ${server.token()}` };
  const clients = new Map<number, WebSocket[]>();
  const ref = { suggestion_id: id, hunk_id: hunks[0].id };
  let isAccepted = false;
  const listening = async (count: number) => {
    for (const client of [...clients.values()].flat()) client.terminate();
    clients.clear();
    const made = Array.from(
      { length: count },
      () => new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers }),
    );
    await Promise.all(made.map((client) => new Promise((resolve) => client.once('message', resolve))));
    clients.set(count, made);
    return made;
  };
  return {
    stop: async () => {
      for (const client of [...clients.values()].flat()) client.terminate();
      await server.stop();
    },
    decide: async (count) => {
      const open = clients.get(count) ?? (await listening(count));
      const heard = open.map(
        (client) =>
          new Promise<void>((resolve) => {
            const onMessage = (data: Buffer) => {
              if (!data.includes('"type":"suggestion.changed"')) return;
              client.off('message', onMessage);
              resolve();
            };
            client.on('message', onMessage);
          }),
      );
      const [route, body] = isAccepted ? ['/undo', ref] : ['/feedback', { ...ref, action: 'accept' }];
      isAccepted = !isAccepted;
      return timed(async () => {
        const { status } = await server.ask('POST', String(route), { body });
        if (status !== 200) throw new Error(`the decision was answered by ${status}`);
        await Promise.all(heard);
      });
    },
  };
}

/** Retries until the port answers. */
async function answers(port: number): Promise<void> {
  const health = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('an answer', health, { intervalMs: 2, timeoutMs: 20_000 });
}

/** From `kill -9` of the leader until the next one answers on the same port. */
async function takeoverMs(home: string): Promise<number> {
  const port = await freePort();
  const leader = new ServeProcess({ home, port });
  await leader.says('suggestions on');
  const next = new ServeProcess({ home, port });
  await next.says('Another copane leads');
  const took = await timed(async () => {
    await leader.kill();
    await answers(port);
  });
  await next.kill();
  return took;
}

/** From a cold start until the port answers. */
async function startMs(home: string): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const serving = new ServeProcess({ home, port });
  await answers(port);
  const took = performance.now() - start;
  await serving.kill();
  return took;
}

export const suite: BenchSuite = {
  name: 'server',
  prepare: async () => {
    const home = temporaryHome();
    const server = await TestServer.start();
    const lone = await TestServer.start();
    const loneClient = [await lone.socket()];
    const lists = await Promise.all(PENDING.map(startList));
    const small = await startBare('{}');
    const one = [await server.socket()];
    const crowd = await Promise.all(Array.from({ length: CROWD }, () => server.socket()));
    const [many, few] = [await startDecisions(), await startDecisions()];
    const bare = (url: string) => timed(async () => (await fetch(url)).json());
    return {
      rows: [
        {
          name: 'publish two hunks, until a client has them',
          peer: 'node:http, an empty answer',
          target: 40,
          rounds: 21,
          ours: () => timed(() => publishTo(server, one)),
          theirs: () => bare(small.url),
        },
        {
          name: `publish two hunks, until ${CROWD} clients have them`,
          peer: 'the same, until one client has them',
          target: 10,
          ours: () => timed(() => publishTo(server, crowd)),
          theirs: () => timed(() => publishTo(server, one)),
        },
        {
          name: `${REPORTS} reports at once, until ${CROWD} clients have each of them`,
          peer: 'the same, with one client',
          target: 10,
          ours: () => timed(() => reportTo(server, crowd)),
          theirs: () => timed(() => reportTo(lone, loneClient)),
        },
        ...LISTENERS.map((count) => ({
          name: `a decision, until ${count} clients have heard of it`,
          peer: 'the same, with one client',
          target: 3,
          rounds: DECISIONS,
          tail: 0.99,
          growth: { of: 'telling clients of a decision', size: count },
          ours: () => many.decide(count),
          theirs: () => few.decide(1),
        })),
        ...lists.map(({ count, ask, same }) => ({
          name: `list ${count} suggestions that wait`,
          peer: 'node:http, the same bytes from memory',
          target: 10,
          growth: { of: 'listing suggestions', size: count },
          ours: () => timed(ask),
          theirs: () => bare(same.url),
        })),
        {
          name: 'kill -9 of the leader, until the next one answers on its port',
          peer: 'copane serve, from nothing until it answers',
          target: 1,
          rounds: 3,
          ours: () => takeoverMs(home.home),
          theirs: () => startMs(home.home),
        },
      ],
      cleanup: async () => {
        home.remove();
        for (const client of [...one, ...crowd]) client.close();
        small.stop();
        await Promise.all([server, lone, many, few, ...lists].map((each) => each.stop()));
      },
    };
  },
};
