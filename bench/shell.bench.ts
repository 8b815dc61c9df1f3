/**
 * The zsh client and its daemon beside zsh-autosuggestions, plain zsh, socat with jq, and inshellisense: requests,
 * keys, start-up. What is not installed is named and skipped.
 */
import { execFile, execFileSync } from 'node:child_process';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DaemonProcess } from '../test/helpers/completion-daemon.ts';
import type { BenchRow, BenchSuite } from './harness.ts';
import { inshellisense } from './inshellisense.ts';
import { findPeer, notMeasured, PEERS } from './peers.ts';
import { ZshSession, type ZshSessionOptions } from './zsh-session.ts';

const CLIENT = path.resolve(import.meta.dirname, '../shell/ashlet.zsh');
const LOOPS = 200;
/** History lengths, and how much of zsh-autosuggestions' time a suggestion may take. */
const SUGGESTION_TARGETS = new Map([
  [1_000, 1],
  [10_000, 0.17],
  [100_000, 0.05],
]);
const HISTORIES = [...SUGGESTION_TARGETS.keys()];
/** How much more a key may cost than in a shell without plugins. */
const ECHO_ALLOWANCE_MS = 1;
const run = promisify(execFile);

/** Histories whose only line starting with `echo zeta` is far back: a search has to go through all of it. */
const historyOf = (size: number) =>
  Array.from({ length: size }, (_, at) =>
    at === 20 ? 'echo zetaeverything' : `command${at % 997} --option${at} some/file-${at}.txt`,
  );

/** Milliseconds for one round trip from zsh itself, over a kept-open connection. */
async function zshRoundTrip(socket: string, request: string): Promise<number> {
  const script = `
    zmodload zsh/net/socket zsh/system zsh/datetime
    zsocket $1; fd=$REPLY
    for (( i = 0; i < ${LOOPS} + 20; i++ )); do
      (( i == 20 )) && started=$EPOCHREALTIME
      syswrite -o $fd "$2"$'\\n'
      while true; do sysread -i $fd -s 65536 answer; [[ $answer == *$'\\n' ]] && break; done
    done
    print -r -- $(( (EPOCHREALTIME - started) * 1000 / ${LOOPS} ))`;
  // Asynchronous, because the ping server runs in this process.
  const { stdout } = await run('zsh', ['-fc', script, 'zsh', socket, request]);
  return Number(stdout);
}

/** The same with external programs, as the first client did it. */
function socatRoundTrip(socket: string, request: string): number {
  const started = performance.now();
  execFileSync('sh', [
    '-c',
    'printf "%s\\n" "$2" | socat -t5 - "UNIX-CONNECT:$1" | jq -r .candidates[].completion',
    'sh',
    socket,
    request,
  ]);
  return performance.now() - started;
}

async function pingServer(): Promise<{ readonly socket: string; readonly close: () => void }> {
  const socket = path.join(os.tmpdir(), `copane-ping-${process.pid}.sock`);
  const server = net.createServer((peer) => peer.on('data', () => peer.write('pong\n')));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return { socket, close: () => void server.close() };
}

export const suite: BenchSuite = {
  name: 'shell',
  prepare: async () => {
    if (findPeer(PEERS.zsh) === null) return { skip: 'zsh is not installed' };
    const open: { close: () => unknown }[] = [];
    const rows: BenchRow[] = [...(await requestRows(open)), ...startRows(open)];
    for (const size of HISTORIES) rows.push(...(await keyRows(size, open)));
    return {
      rows,
      cleanup: async () => {
        for (const one of open.reverse()) await one.close();
      },
    };
  },
};

async function daemonOver(history: readonly string[]): Promise<DaemonProcess> {
  const daemon = new DaemonProcess();
  await daemon.start(history, { COPANE_HIDDEN_SHELL: '0' });
  const line = JSON.stringify({ request_id: 1, input: 'echo zeta', cwd: '/', max_candidates: 4 });
  for (let round = 0; round < 300 && !(await daemon.ask(line)).includes('everything'); round += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return daemon;
}

async function requestRows(open: { close: () => unknown }[]): Promise<readonly BenchRow[]> {
  const daemon = await daemonOver(historyOf(10_000));
  const ping = await pingServer();
  open.push({ close: () => daemon.dispose() }, ping);
  const request = (format: string) =>
    JSON.stringify({
      request_id: 1,
      input: 'echo zeta',
      cursor_pos: 9,
      cwd: '/',
      session_id: 'b',
      max_candidates: 4,
      cursor_unit: 'byte',
      ...(format === '' ? {} : { format }),
    });
  const ours = () => zshRoundTrip(daemon.socket, request('sep1'));
  const rows: BenchRow[] = [
    {
      name: 'zsh asks and is answered (nothing to compute)',
      peer: '5-byte ping from zsh',
      target: 1.6,
      ours: () => zshRoundTrip(daemon.socket, '{"action":"validate"}'),
      theirs: () => zshRoundTrip(ping.socket, 'ping'),
    },
  ];
  try {
    execFileSync('sh', ['-c', 'command -v socat && command -v jq'], { stdio: 'ignore' });
    rows.push({
      name: 'zsh asks and has its candidates (10,000 lines)',
      peer: 'socat and jq',
      target: 0.05,
      rounds: 5,
      ours,
      theirs: async () => socatRoundTrip(daemon.socket, request('')),
    });
  } catch {
    console.log('| the same | not measured beside socat and jq: not installed | | | | | |');
  }
  return rows;
}

async function startMs(options: ZshSessionOptions): Promise<number> {
  const session = new ZshSession(options);
  try {
    return await session.startedMs;
  } finally {
    session.close();
  }
}

function startRows(open: { close: () => unknown }[]): readonly BenchRow[] {
  const ours = () => startMs({ zshrc: [`source ${CLIENT}`] });
  const rows: BenchRow[] = [
    // Three times a bare zsh is ten milliseconds.
    {
      name: 'shell from start to prompt',
      peer: 'plain zsh',
      target: 3,
      ours,
      theirs: () => startMs({ zshrc: [] }),
    },
  ];
  const start = inshellisense(open);
  if (start === null) {
    console.log(notMeasured('the same', PEERS.inshellisense));
    return rows;
  }
  const theirs = () => startMs(start);
  rows.push({
    name: 'shell from start to prompt',
    peer: 'inshellisense',
    target: 0.2,
    rounds: 5,
    ours,
    theirs,
  });
  return rows;
}

/** From a key to its echo, and to the suggestion behind it. */
async function keyRows(size: number, open: { close: () => unknown }[]): Promise<readonly BenchRow[]> {
  const history = historyOf(size);
  const daemon = await daemonOver(history);
  const start = async (zshrc: readonly string[]) => {
    const session = new ZshSession({
      zshrc,
      histfile: daemon.histfile,
      env: { ASHLET_SOCKET: daemon.socket },
    });
    open.push(session);
    await session.startedMs;
    await session.settle();
    return session;
  };
  open.push({ close: () => daemon.dispose() });
  // No quiet time: it is a user setting, not work.
  const ours = await start(['ASHLET_DELAY=0', `source ${CLIENT}`]);
  const plain = await start([]);
  const echo = (session: ZshSession) => async () => {
    await session.settle();
    await session.keyTo('xq', 'q');
    return session.keyTo('w', 'w');
  };
  const suggestion = (session: ZshSession) => async () => {
    await session.settle();
    // All in one write: a row already on the screen is not redrawn, so we would never see it appear.
    return session.keyTo('echo zeta', 'everything');
  };
  const name = `${size.toLocaleString('en-US')} lines: `;
  const rows: BenchRow[] = [
    {
      name: `${name}key to echo`,
      peer: 'plain zsh and a millisecond',
      target: 1,
      ours: echo(ours),
      theirs: async () => (await echo(plain)()) + ECHO_ALLOWANCE_MS,
    },
  ];
  const autosuggestions = findPeer(PEERS.autosuggestions);
  if (autosuggestions === null) {
    console.log(notMeasured(`${name}key to suggestion`, PEERS.autosuggestions));
    return rows;
  }
  const theirs = await start([`source ${autosuggestions}`]);
  rows.push(
    {
      name: `${name}key to echo`,
      peer: 'zsh-autosuggestions',
      target: 0.5,
      ours: echo(ours),
      theirs: echo(theirs),
    },
    {
      name: `${name}key to suggestion`,
      peer: 'zsh-autosuggestions',
      target: SUGGESTION_TARGETS.get(size) ?? 1,
      growth: { of: 'a key to its suggestion, lines of history', size },
      ours: suggestion(ours),
      theirs: suggestion(theirs),
    },
  );
  return rows;
}
