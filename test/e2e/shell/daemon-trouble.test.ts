/** The zsh client with a daemon that is absent, stopped, killed, restarted, replaced, foreign or broken never waits. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../../helpers/completion-daemon.ts';
import { ScriptedDaemon } from '../../helpers/scripted-daemon.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const HISTORY = ['git status --short', 'git stash pop', 'git status --short', 'docker compose up -d'];
/** A later echo would be noticeable. */
const ECHO_LIMIT_MS = 250;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function realDaemon(): Promise<DaemonProcess> {
  const daemon = new DaemonProcess();
  cleanups.push(() => daemon.dispose());
  return daemon.start(HISTORY);
}

async function scriptedDaemon(
  options: ConstructorParameters<typeof ScriptedDaemon>[0],
): Promise<ScriptedDaemon> {
  const daemon = await new ScriptedDaemon(options).start();
  cleanups.push(() => daemon.stop());
  return daemon;
}

async function shell(
  socket: string,
  options: Partial<ConstructorParameters<typeof ZshPty>[0]> = {},
): Promise<ZshPty> {
  const zsh = new ZshPty({ socket, ...options });
  cleanups.push(() => zsh.close());
  return zsh.ready();
}

/** Types keys one by one; returns how long each waited for its echo. */
async function echoTimes(zsh: ZshPty, text: string, already = ''): Promise<readonly number[]> {
  const times: number[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    const started = performance.now();
    zsh.type(text.charAt(length - 1));
    // The screen's rows are read without trailing blanks.
    const echoed = (already + text.slice(0, length)).trimEnd();
    await zsh.until((screen) => screen.includes(`# ${echoed}`), `the echo of ${echoed}`);
    times.push(performance.now() - started);
  }
  return times;
}

/** The longest wait for an echo. */
async function slowestEchoMs(zsh: ZshPty, text: string, already = ''): Promise<number> {
  return Math.max(...(await echoTimes(zsh, text, already)));
}

describe('with the real daemon', () => {
  it('suggests from the history and applies by TAB', async () => {
    const daemon = await realDaemon();
    const zsh = await shell(daemon.socket);
    zsh.type('docker');
    await zsh.untilText(') docker compose');
    zsh.type('\t');
    await zsh.untilText('# docker compose');
  });

  it('learns from what runs, with where and how it ended, and leaves out private lines', async () => {
    const daemon = await realDaemon();
    const zsh = await shell(daemon.socket);
    for (const line of ['true --learned-line', ' true --private-line', 'true --password=hunter22']) {
      zsh.type(`${line}\r`);
      await zsh.untilState(({ buffer, state }) => buffer === '' && state === 'idle');
    }
    zsh.type('true --le');
    await zsh.untilText('true --learned-line  ', 5_000);
    zsh.type('\u0015true --p');
    await zsh.untilState(({ buffer, state }) => buffer === 'true --p' && state === 'idle');
    expect(zsh.screen).not.toContain('(1/');
  });

  it('continues after SIGKILL and restart, silently', async () => {
    const daemon = await realDaemon();
    const zsh = await shell(daemon.socket);
    zsh.type('git st');
    await zsh.untilText(') git status');
    await daemon.end('SIGKILL');
    expect(await slowestEchoMs(zsh, 'abc', 'git st')).toBeLessThan(ECHO_LIMIT_MS);
    await daemon.restart();
    zsh.type('\u0015docker');
    await zsh.untilText(') docker compose');
    expect(zsh.everything).not.toMatch(/ashlet|socket|refused/i);
  });

  it('continues after a replacement while typing', async () => {
    const daemon = await realDaemon();
    const zsh = await shell(daemon.socket);
    zsh.type('git st');
    await zsh.untilText(') git status');
    await daemon.end('SIGTERM');
    await daemon.restart();
    zsh.type('\u0015docker');
    await zsh.untilText(') docker compose');
  });

  it('never waits for a stopped daemon', async () => {
    const daemon = await realDaemon();
    const zsh = await shell(daemon.socket);
    zsh.type('git st');
    await zsh.untilText(') git status');
    daemon.signal('SIGSTOP');
    const times: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      zsh.type('\u0015');
      times.push(...(await echoTimes(zsh, `echo ${round} ${'x'.repeat(40)}`)));
    }
    // A shell that waited would do so at each key, or at least three times; a busy machine may delay one of 500.
    const [, , third] = times.sort((a, b) => b - a);
    expect(third).toBeLessThan(ECHO_LIMIT_MS);
    zsh.type('\r');
    await zsh.until((screen) => /\n11 x+\n/.test(screen));
    daemon.signal('SIGCONT');
    // Off for ten seconds at most; then it connects again by itself.
    const deadline = Date.now() + 20_000;
    for (;;) {
      zsh.type('\u0015docker');
      try {
        await zsh.untilText(') docker compose', 1_000);
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  });

  it('connects to no daemon whose heartbeat has stopped', async () => {
    const daemon = await realDaemon();
    daemon.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 4_100));
    const zsh = await shell(daemon.socket);
    expect(await slowestEchoMs(zsh, 'git status')).toBeLessThan(ECHO_LIMIT_MS);
    expect(await zsh.run('print -r -- $_ashlet_complete_fd')).toBe('0');
  });
});

describe('without a daemon', () => {
  it('costs nothing and says nothing', async () => {
    const zsh = await shell('/nonexistent/a.sock');
    expect(await slowestEchoMs(zsh, 'echo hello')).toBeLessThan(ECHO_LIMIT_MS);
    zsh.type('\r');
    await zsh.until((screen) => /^# echo hello\nhello\n#$/.test(screen));
  });

  it('does not talk to a socket file that nobody listens on', async () => {
    const server = net.createServer();
    const zsh = await shell(path.join('/tmp', `copane-stale-${process.pid}.sock`));
    const file = path.join('/tmp', `copane-stale-${process.pid}.sock`);
    await new Promise<void>((resolve) => server.listen(file, resolve));
    cleanups.push(() => rmSync(file, { force: true }));
    await new Promise<void>((resolve) => server.close(() => resolve()));
    zsh.type('echo one');
    await zsh.untilText('# echo one');
    expect((await zsh.probe()).state).toBe('idle');
  });

  it('does not speak to a link in the place of the socket: who owns it could exchange what it leads to', async () => {
    const folder = mkdtempSync('/tmp/copane-linked-');
    cleanups.push(() => rmSync(folder, { recursive: true }));
    let connections = 0;
    const server = net.createServer((connection) => {
      connections += 1;
      connection.destroy();
    });
    cleanups.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(path.join(folder, 'real'), resolve));
    symlinkSync('real', path.join(folder, 'link'));
    for (const [name, isAsked] of [
      ['link', false],
      ['real', true],
    ] as const) {
      const zsh = await shell(path.join(folder, name));
      zsh.type('echo one');
      await zsh.untilText('# echo one');
      await zsh.probe();
      expect(connections > 0).toBe(isAsked);
    }
  });
});

describe('with any daemon that speaks the contract', () => {
  it('works over JSON, one request a connection, and keeps the quiet time itself', async () => {
    const daemon = await scriptedDaemon({
      foreign: true,
      answer: ({ input }) =>
        input === 'git st' ? ['git status', { completion: 'git commit -m ""', cursor_pos: 15 }] : [],
    });
    const zsh = await shell(daemon.socket);
    // The first answer shows that it is foreign.
    zsh.type('xx');
    await daemon.requestFor('xx');
    await zsh.untilState(({ state }) => state === 'idle');
    zsh.type('\u0015');
    const before = daemon.requests.length;
    await zsh.typeSlowly('git st');
    await zsh.untilText('(1/2) git status');
    // The quiet time: fast letters are one request.
    expect(daemon.requests.length - before).toBeLessThanOrEqual(2);
    zsh.type('\u001b[1;2C');
    await zsh.untilText('(2/2) git commit -m "|"');
    zsh.type('\t');
    expect(await zsh.untilState(({ buffer }) => buffer.startsWith('git commit'))).toMatchObject({
      buffer: 'git commit -m ""',
      cursor: 15,
    });
    expect(daemon.messages.filter(({ type }) => type !== 'context')).toEqual([]);
  });

  it('decodes every JSON escape', async () => {
    const daemon = await scriptedDaemon({ foreign: true });
    const zsh = await shell(daemon.socket);
    zsh.type('echo');
    const request = await daemon.requestFor('echo');
    daemon.sendRaw(
      request,
      `{ "candidates" : [ {"confidence":1e-1,"completion":"echo \\"a\\\\b\\/\\t\\u00e9\\ud83d\\ude00 世\\"", "why":["x",{"y":null}] } ],"request_id":${request.request_id} }\n`,
    );
    await zsh.untilText('(1/1) echo "a\\b/\\té😀 世"');
    zsh.type('\t');
    await zsh.untilState(({ buffer }) => buffer === 'echo "a\\b/\té😀 世"');
  });

  it.each([
    ['garbage', 'what is this\n'],
    ['half of JSON', '{"request_id":1,"candidates":[{"completion":"echo \n'],
    ['the wrong shape', '{"request_id":"x","candidates":7}\n'],
    ['deep nesting', `${'['.repeat(500)}\n`],
    [
      'an escape sequence',
      '{"request_id":1,"candidates":[{"completion":"echo \\u001b[31mred","confidence":1}]}\n',
    ],
    ['binary', '\u0000\u0001\u0002\ufffd\n'],
    ['an id of 30 digits', `{"request_id":${'9'.repeat(30)},"candidates":[]}\n`],
    ['an id of 30 digits between separators', `sep1\u001f${'9'.repeat(30)}\u001f0\u001f\u001f\n`],
    ['a count of 30 digits', `sep1\u001f1\u001f${'9'.repeat(30)}\u001f\u001f\u001eecho\n`],
    [
      'a cursor of 30 digits',
      `{"request_id":1,"candidates":[{"completion":"echo","cursor_pos":"${'9'.repeat(30)}"}]}\n`,
    ],
    [
      'a line of 100,000 letters',
      `{"request_id":1,"candidates":[{"completion":"${'x'.repeat(100_000)}"}]}\n`,
    ],
    ['a text that never ends', `{"request_id":1,"candidates":[{"completion":"${'x'.repeat(250_000)}`],
    ['nothing', ''],
  ])('%s from the daemon is ignored', async (_name, text) => {
    const daemon = await scriptedDaemon({ foreign: true });
    const zsh = await shell(daemon.socket);
    zsh.type('echo');
    daemon.sendRaw(await daemon.requestFor('echo'), text);
    await new Promise((resolve) => setTimeout(resolve, 100));
    zsh.type(' ok\r');
    await zsh.until((screen) => /^# echo ok\nok\n#$/.test(screen));
  });

  it('half an answer does not hold the editor up', async () => {
    const daemon = await scriptedDaemon({});
    const zsh = await shell(daemon.socket);
    zsh.type('echo');
    const request = await daemon.requestFor('echo');
    daemon.sendRaw(request, `sep1\u001f${request.request_id}\u001f1`);
    expect(await slowestEchoMs(zsh, ' abcdef', 'echo')).toBeLessThan(ECHO_LIMIT_MS);
  });
});
