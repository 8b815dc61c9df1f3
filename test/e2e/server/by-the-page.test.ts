/** A client written from the protocol's page alone runs a review, and gets every event once over broken connections. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Json, TestServer } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

const CLIENT = path.resolve(import.meta.dirname, '../../fixtures/programs/protocol-client.mjs');

let server: TestServer;
let client: ChildProcess;
let ask: (command: string, ...given: string[]) => Promise<Json>;
beforeEach(async () => {
  server = await TestServer.start();
  client = spawn(process.execPath, [CLIENT, server.token(), server.target], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = readline.createInterface({ input: client.stdout as NodeJS.ReadableStream });
  ask = (...command) =>
    new Promise((resolve, reject) => {
      answers.once('line', (line) => resolve(JSON.parse(line)));
      if (client.exitCode !== null) reject(new Error(`the client ended with ${client.exitCode}`));
      client.stdin?.write(`${JSON.stringify(command)}\n`);
    });
});
afterEach(async () => {
  client.kill();
  await server.stop();
});

const untilHeard = async (way: string, wanted: readonly string[]) => {
  let last: Json = [];
  const isHeard = async () => {
    last = await ask('events', way);
    return last.length >= wanted.length;
  };
  await until(`${wanted.length} events by ${way}`, isHeard, { show: () => String(last) });
  expect(last).toEqual(wanted);
};

it('a review by HTTP and WebSocket', async () => {
  expect(await ask('connect', server.url)).toBe('leading');
  expect(await ask('review', server.writeFile())).toEqual([
    [201, 1, 2],
    [200, 'accepted', 409, 'refused'],
    ['modified', 'pending', 1, 'finalized'],
  ]);
  expect(readFileSync(path.join(server.target, 'f'), 'utf8')).toMatch(
    /line 4\n[\s\S]*\nXVI\nmore\nline 17\n/,
  );
});

it.each(['before it has heard anything', 'after it has heard some'])(
  'cut off %s, across a change of host: every event, and none twice',
  async (when) => {
    const ready = ['suggestion.ready', 'suggestion.status'];
    await ask('connect', server.url);
    const wanted = ['connected', ...(when.startsWith('after') ? ready : [])];
    if (when.startsWith('after')) await server.publish('first');
    for (const way of ['ws', 'sse']) await untilHeard(way, wanted);
    await ask('drop');
    await server.publish('while it is away');
    await server.reopen();
    const { id, hunks } = await server.publish('under the next host');
    const body = { suggestion_id: id, hunk_id: hunks[0].id, action: 'accept' };
    await server.ask('POST', '/feedback', { body });
    await ask('connect', server.url);
    const away = [...wanted, 'connected', ...ready, ...ready];
    for (const way of ['ws', 'sse']) {
      await until('the last event', async () => (await ask('events', way)).includes('suggestion.changed'));
      const heard = await ask('events', way);
      expect(heard.slice(0, away.length)).toEqual(away);
      expect(heard.join()).not.toContain('again');
    }
  },
);
