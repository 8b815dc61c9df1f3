/** From a publish until every open companion shows it; each companion is a process in its own pane. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { CompanionPane, type CompanionPlace, copaneEnv } from '../test/helpers/companion-pane.ts';
import { PrivateTmux } from '../test/helpers/private-tmux.ts';
import { BASE, patchOf } from '../test/helpers/suggestion-server.ts';
import { until } from '../test/helpers/until.ts';
import type { BenchSuite } from './harness.ts';

const COMPANIONS = 3;
/** Enough samples for the 99th percentile to be one of them. */
const ROUNDS = 101;
const LOOK_MS = 2;
const READY = 'ready to measure';

/** Asks the leader over its Unix socket, as the reviewer. */
function ask(socketPath: string, route: string, body: object): Promise<{ readonly suggestion_id: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const request = http.request(
      { socketPath, path: route, method: 'POST', headers, agent: false },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () => {
          const answer = JSON.parse(text);
          if (answer.success) resolve(answer);
          else reject(new Error(text));
        });
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

class Desk {
  readonly socketPath: string;
  readonly #target: string;
  #published = 0;

  constructor(socketPath: string, target: string) {
    this.socketPath = socketPath;
    this.#target = target;
  }

  /** Publishes under a unique name, waits until all show it, and returns the time; then discards it. */
  async publish(arrived: (name: string) => Promise<unknown>): Promise<number> {
    this.#published += 1;
    const name = `publish-${this.#published}-`;
    const patch = patchOf('f').replace('four', name);
    const begin = performance.now();
    const [{ suggestion_id }] = await Promise.all([
      ask(this.socketPath, '/suggestions', { description: name, working_directory: this.#target, patch }),
      arrived(name),
    ]);
    const took = performance.now() - begin;
    await ask(this.socketPath, '/complete', { suggestion_id, action: 'discard' });
    return took;
  }
}

/** A WebSocket that reports incoming messages. */
function listen(client: WebSocket, name: string): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (data: Buffer) => {
      if (!data.includes(name)) return;
      client.off('message', onMessage);
      resolve();
    };
    client.on('message', onMessage);
  });
}

async function seen(companion: CompanionPane, name: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await companion.screen()).includes(name)) {
    if (performance.now() > deadline) throw new Error(`${name} did not come:\n${await companion.screen()}`);
    await sleep(LOOK_MS);
  }
}

async function openClients(tmux: PrivateTmux, place: CompanionPlace, { socketPath }: Desk) {
  const size = { columns: 100, rows: 30 };
  await tmux.start({ argv: ['cat'], env: copaneEnv(place), cwd: place.project, size });
  const companions: CompanionPane[] = [];
  for (let n = 0; n < COMPANIONS; n++) companions.push(await CompanionPane.open(tmux, place));
  // The first frame is drawn before anything else is loaded.
  await until('the host', () => existsSync(socketPath));
  const sockets = Array.from({ length: COMPANIONS }, () => new WebSocket(`ws+unix://${socketPath}:/ws`));
  await until('the sockets', () => sockets.every(({ readyState }) => readyState === WebSocket.OPEN));
  // A new companion does not report what already waits as news.
  await until(
    'companions that listen',
    async () => {
      await ask(socketPath, '/status', { message: READY, error_code: 'unknown' });
      const screens = await Promise.all(companions.map((companion) => companion.screen()));
      return screens.every((screen) => screen.includes(READY));
    },
    { intervalMs: 300, timeoutMs: 30_000 },
  );
  return { companions, sockets };
}

export const suite: BenchSuite = {
  name: 'server-screens',
  prepare: async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const project = path.join(root, 'project');
    mkdirSync(project);
    writeFileSync(path.join(project, 'f'), BASE);
    const place = { root, project };
    const tmux = new PrivateTmux();
    const desk = new Desk(path.join(root, 'run/copane/host.sock'), project);
    const { companions, sockets } = await openClients(tmux, place, desk).catch(async (thrown) => {
      // Companions would outlive a bench that fails.
      await tmux.kill();
      throw thrown;
    });
    return {
      rows: [
        {
          name: `publish two hunks, until ${COMPANIONS} companions show it on their screens`,
          peer: `the same, until ${COMPANIONS} WebSockets have it`,
          target: 8,
          rounds: ROUNDS,
          tail: 0.99,
          ours: () =>
            desk.publish((name) => Promise.all(companions.map((companion) => seen(companion, name)))),
          theirs: () => desk.publish((name) => Promise.all(sockets.map((socket) => listen(socket, name)))),
        },
      ],
      cleanup: async () => {
        for (const socket of sockets) socket.terminate();
        await tmux.kill();
        rmSync(root, { recursive: true, force: true });
      },
    };
  },
};
