/** Another process takes over the whole server after `kill -9`, with clients, decisions and events under way. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { temporaryHome } from '../../helpers/host-fakes.ts';
import { COPANE } from '../../helpers/product.ts';
import { freePort, type ServeOptions, ServeProcess, tokenBelow } from '../../helpers/serve-process.ts';
import { BASE, type Json, patchOf, TestSocket } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

let home: ReturnType<typeof temporaryHome>;
let port = 0;
let processes: ServeProcess[] = [];
beforeEach(async () => {
  home = temporaryHome();
  port = await freePort();
});
afterEach(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  processes = [];
  home.remove();
});

function start(options: Partial<ServeOptions> = {}): ServeProcess {
  const started = new ServeProcess({ home: home.home, port, ...options });
  processes.push(started);
  return started;
}

async function post(route: string, body: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${port}${route}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokenBelow(home.home)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** As a disconnected client does: retries until someone answers. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  return until('an answer', () => work().catch(() => null)) as Promise<T>;
}

const openSocket = (since: number | null) =>
  persist(() =>
    TestSocket.open(
      `ws://127.0.0.1:${port}/ws${since === null ? '' : `?since=${since}`}`,
      tokenBelow(home.home),
    ),
  );

/** How long an idle process takes on this machine now. */
async function processStartMs(): Promise<number> {
  const begin = performance.now();
  await run(process.execPath, ['-e', '']);
  return performance.now() - begin;
}

describe('kill -9 of the leader', () => {
  it('during a stream of events: the next one serves the port, without loss or repetition', async () => {
    const ports = [start()];
    await ports[0]?.says('suggestions on');
    ports.push(start());
    await ports[1]?.says('Another copane leads');

    const COUNT = 120;
    const heard: string[] = [];
    const done = (async () => {
      let since: number | null = 0;
      while (heard.at(-1) !== String(COUNT - 1)) {
        const socket: TestSocket = await openSocket(since);
        let taken = 0;
        await socket.until('more, or the end', () => {
          for (const event of socket.events.slice(taken)) {
            heard.push(event.message);
            since = event.seq;
            taken += 1;
          }
          return socket.closed !== null || heard.at(-1) === String(COUNT - 1);
        });
        socket.close();
      }
    })();

    const sent: string[] = [];
    const slowness = await processStartMs();
    let takeoverMs = 0;
    for (let n = 0; n < COUNT; n++) {
      if (n === 60) {
        await ports[0]?.kill();
        const before = performance.now();
        await persist(() => post('/status', { message: 'back' }));
        takeoverMs = performance.now() - before;
        sent.push('back');
      }
      await post('/status', { message: String(n) });
      sent.push(String(n));
    }
    await done;
    expect(heard).toEqual(sent);
    // A second and a half; more only where every process is slow.
    expect(takeoverMs).toBeLessThan(Math.max(1_500, 30 * slowness));
  });

  it('during decisions: each has happened or not, and files agree with the reports', async () => {
    const work = path.join(home.home, 'work');
    mkdirSync(work);
    writeFileSync(path.join(work, 'f'), BASE);
    let leader = start();
    await leader.says('suggestions on');
    const published = await post('/suggestions', { workingDirectory: work, patch: patchOf('f') });
    const { id, hunks } = published.body.suggestion;
    for (let round = 0; round < 4; round++) {
      const next = start();
      await next.says('Another copane leads');
      const body = { suggestion_id: id, hunk_id: hunks[0].id };
      const isDecided = round % 2 === 0;
      const decision = isDecided ? post('/feedback', { ...body, action: 'accept' }) : post('/undo', body);
      const cut = decision.catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      await leader.kill();
      const answered = await cut;
      leader = next;
      const shown = await persist(async () => {
        const response = await fetch(`http://127.0.0.1:${port}/suggestions/${id}`, {
          headers: { Authorization: `Bearer ${tokenBelow(home.home)}` },
        });
        return ((await response.json()) as Json).suggestion;
      });
      const { status } = shown.hunks[0];
      const isReviewed = status === 'accepted';
      const text = readFileSync(path.join(work, 'f'), 'utf8');
      expect(text).toBe(isReviewed ? BASE.replace('line 4\n', 'four\n') : BASE);
      if (answered?.status === 200) expect(isReviewed).toBe(isDecided);
      // Whatever the crash left, a repeated request has the same result.
      const again = isDecided
        ? await post('/feedback', { ...body, action: 'accept' })
        : await post('/undo', body);
      expect([200, 409]).toContain(again.status);
      const after = readFileSync(path.join(work, 'f'), 'utf8');
      expect(after).toBe(isDecided ? BASE.replace('line 4\n', 'four\n') : BASE);
    }
  });
});

describe('the port', () => {
  it('is taken by another program: everything else works, and it is opened once free', async () => {
    const other = net.createServer().listen(port, '127.0.0.1');
    await until('the other program', () => other.listening);
    const leader = start();
    await leader.says(`port ${port} cannot be opened (another program has it); trying again`);
    await leader.says('Serving on');
    other.close();
    await leader.says(`suggestions on http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });

  it('is not opened by default', async () => {
    const leader = start({ env: { SUGGESTION_MANAGER_PORT: '' } });
    await leader.says('Serving on');
    const found = spawnSync('curl', [
      '-s',
      '--unix-socket',
      home.paths.socketFile,
      'http://localhost/health',
    ]);
    expect(JSON.parse(String(found.stdout))).toMatchObject({ healthy: true });
    expect(leader.said).not.toContain('http://');
  });

  it.each([
    ['a word', 'x', '$SUGGESTION_MANAGER_PORT'],
    ['too high', '65536', '$SUGGESTION_MANAGER_PORT'],
  ])('named by %s is reported', async (_, value, words) => {
    const leader = start({ env: { SUGGESTION_MANAGER_PORT: value } });
    await leader.says(words);
    await leader.says('Serving on');
  });

  it('is not opened to the network without tokens', async () => {
    const leader = start({ env: { SUGGESTION_MANAGER_HOST: '0.0.0.0', COPANE_AUTH: 'none' } });
    await leader.says('Without tokens the port is not opened to the network');
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});

describe('the token files', () => {
  it('are 0600, in a folder of 0700, and "copane token" prints and rotates them', async () => {
    const leader = start();
    await leader.says('suggestions on');
    const { stateDir } = home.paths;
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    for (const role of ['reviewer', 'author']) {
      expect(statSync(path.join(stateDir, `${role}.token`)).mode & 0o777).toBe(0o600);
    }
    const token = (...args: string[]) => {
      const { PATH = '' } = process.env;
      const run = spawnSync(COPANE, ['token', ...args], {
        env: { PATH, HOME: home.home },
        encoding: 'utf8',
      });
      expect(run.status).toBe(0);
      return run.stdout.trim();
    };
    expect(token()).toBe(tokenBelow(home.home));
    expect(token('--author')).toBe(tokenBelow(home.home, 'author'));
    const old = token();
    const fresh = token('--rotate');
    expect(fresh).not.toBe(old);
    const status = async (value: string) =>
      (await fetch(`http://127.0.0.1:${port}/suggestions`, { headers: { Authorization: `Bearer ${value}` } }))
        .status;
    expect(await status(old)).toBe(401);
    expect(await status(fresh)).toBe(200);
  });
});
