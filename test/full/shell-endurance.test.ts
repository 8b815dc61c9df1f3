/**
 * A long-lived shell: ten thousand requests and a hundred Ctrl-C leave no extra open files, highlights or bindings; a
 * daemon answers each of a thousand shells that stay connected.
 */
import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { DaemonProcess } from '../helpers/completion-daemon.ts';
import { ScriptedDaemon } from '../helpers/scripted-daemon.ts';
import { ZshPty } from '../helpers/zsh-pty.ts';

const REQUESTS = 10_000;
const PER_LINE = 100;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it('ten thousand requests and a hundred Ctrl-C leave nothing open', async () => {
  let id = 0;
  const daemon = await new ScriptedDaemon({
    answer: ({ input, request_id }) => {
      id = request_id;
      return [`${input} --first`, `${input} --second`];
    },
  }).start();
  cleanups.push(() => daemon.stop());
  const zsh = await new ZshPty({ socket: daemon.socket, before: ['ASHLET_DELAY=0'] }).ready();
  cleanups.push(() => zsh.close());
  zsh.type('ls\r');
  await zsh.untilState(({ buffer }) => buffer === '');
  const before = zsh.openFiles;
  const { highlights } = await zsh.probe();
  const first = (await zsh.probe()).nextId;
  for (let line = 0; line < REQUESTS / PER_LINE; line += 1) {
    zsh.type('ab');
    await zsh.untilText('(1/2) ab --first');
    // Typing a letter and deleting it: each is a change, and each sends a request.
    for (let key = 0; key < PER_LINE; key += 1) {
      const asked = id;
      zsh.type(key % 2 === 0 ? 'c' : '\u0008');
      await zsh.until(() => id > asked, 'the next request');
    }
    await zsh.probe();
    zsh.type('\u0003');
    await zsh.until((screen) => /\n#$/.test(screen), 'a fresh prompt');
  }
  expect((await zsh.probe()).nextId - first).toBeGreaterThanOrEqual(REQUESTS);
  expect(zsh.openFiles).toBeLessThanOrEqual(before);
  expect((await zsh.probe()).highlights).toBe(highlights);
  expect(daemon.open).toBeLessThanOrEqual(1);
  // stderr still goes to the same place.
  zsh.type('ls /nonexistent-file\r');
  await zsh.untilText('No such file');
}, 600_000);

it('a thousand connected shells each get an answer, and a stop leaves none hanging', async () => {
  const daemon = new DaemonProcess();
  cleanups.push(() => daemon.dispose());
  await daemon.start(['zeta status', 'zeta stop'], { COPANE_HIDDEN_SHELL: '0' });
  const shells = await Promise.all(
    Array.from(
      { length: 1_000 },
      (_, id) =>
        new Promise<{ readonly id: number; readonly socket: net.Socket; answers: number }>(
          (resolve, reject) => {
            const shell = { id, socket: net.connect(daemon.socket), answers: 0 };
            let text = '';
            shell.socket.on('data', (chunk) => {
              text += String(chunk);
              shell.answers = text.split('\n').length - 1;
            });
            shell.socket.once('error', reject);
            shell.socket.once('connect', () => resolve(shell));
          },
        ),
    ),
  );
  for (let round = 1; round <= 3; round += 1) {
    for (const { id, socket } of shells)
      socket.write(
        `${JSON.stringify({ request_id: round, input: 'zeta st', cwd: '/', session_id: `s${id}`, max_candidates: 4 })}\n`,
      );
    await expect
      .poll(() => shells.filter(({ answers }) => answers === round).length, { timeout: 30_000 })
      .toBe(1_000);
  }
  let closed = 0;
  for (const { socket } of shells) {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
  }
  await daemon.end('SIGTERM');
  await expect.poll(() => closed, { timeout: 10_000 }).toBe(1_000);
}, 120_000);
