/**
 * A tmux process per call beside the one control client: a look, a refresh of a long history, a 100 KB paste, the time
 * until printed bytes arrive, and the cost of watching an idle pane.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScrollback, viewPane } from '../src/tmux/capture.ts';
import { type ControlClient, connectControlClient } from '../src/tmux/control-client.ts';
import { createPaneFeed, type PaneFeed } from '../src/tmux/feed.ts';
import type { TmuxPort } from '../src/tmux/port.ts';
import { paste } from '../src/tmux/typing.ts';
import { eventually, must, SendBench } from '../test/helpers/tmux-sender.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const HISTORY_LINES = 50_000;
const PASTE_BYTES = 100_000;
const POLL_MS = 250;
const IDLE_MS = 3_000;
/** Screens are read at most every 100 ms, so each byte waits for a quiet moment. */
const QUIET_MS = 150;
const CLOCK_TICK_MS = 10;

interface Stage {
  readonly bench: SendBench;
  readonly client: ControlClient;
  readonly feed: PaneFeed;
  /** One pane without history, and one with 50,000 lines of it. */
  readonly fresh: string;
  readonly long: string;
  readonly freshTty: string;
  /** Resolves at the next view of the new pane from the feed. */
  readonly nextView: () => Promise<void>;
}

async function setStage(): Promise<Stage> {
  const bench = new SendBench();
  await bench.startProgram(['sh', '-c', 'stty raw -echo; echo ready; exec cat >/dev/null'], 'ready');
  const fresh = bench.server.pane;
  const long = await bench.must('split-window', '-dP', '-F', '#{pane_id}', 'sleep 3600');
  const ask = (pane: string, what: string) => bench.must('display-message', '-p', '-t', pane, `#{${what}}`);
  await appendFile(await ask(long, 'pane_tty'), `${'0123456789 '.repeat(7)}\r\n`.repeat(HISTORY_LINES));
  const size = () => ask(long, 'history_size');
  await eventually('the history', size, (rows) => Number(rows) > HISTORY_LINES * 0.9, 120_000);
  const server = { kind: 'name', name: bench.server.socketName } as const;
  const connect = (sessionId: string) => connectControlClient({ server, env: process.env, sessionId });
  const client = must(await connect(await ask(fresh, 'session_id')));
  const feed = createPaneFeed({
    fallback: bench.tmux,
    panes: bench.panes,
    connect,
    timers: { now: Date.now, set: setTimeout, clear: (handle) => clearTimeout(handle as NodeJS.Timeout) },
    listener: {
      onTopology: () => undefined,
      onSwitch: () => undefined,
      onProblem: (problem) => console.error(problem),
    },
  });
  const facts = must(await bench.panes.facts()).find((pane) => pane.identity.paneId === fresh);
  if (facts === undefined) throw new Error('the pane is gone');
  let seen: () => void = () => undefined;
  feed.follow(facts, { onView: () => seen(), onGone: () => undefined });
  const nextView = () =>
    new Promise<void>((resolve) => {
      seen = resolve;
    });
  return { bench, client, feed, fresh, long, freshTty: await ask(fresh, 'pane_tty'), nextView };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** ms from a printed byte until `arrival` has it. */
async function printed(tty: string, arrival: () => Promise<unknown>): Promise<number> {
  await sleep(QUIET_MS);
  const arrived = arrival();
  const start = performance.now();
  await appendFile(tty, 'k');
  await arrived;
  return performance.now() - start;
}

/** How a companion without control mode does it: look, compare, sleep. */
async function polled({ bench, fresh, freshTty }: Stage): Promise<number> {
  const look = async () => must(await bench.tmux.run([['capture-pane', '-p', '-t', fresh]]));
  const before = await look();
  return printed(freshTty, async () => {
    // The byte arrives at a random moment between two looks.
    await sleep(Math.random() * POLL_MS);
    while ((await look()) === before) await sleep(POLL_MS);
  });
}

/** Processor time so far, in ms: of this process, its children, and the tmux server. */
async function spentMs(pids: readonly (number | string)[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const counted = pid === 'self' ? fields.slice(11, 15) : fields.slice(11, 13);
    ticks += counted.reduce((sum, field) => sum + Number(field), 0);
  }
  return ticks * CLOCK_TICK_MS;
}

async function idle(stage: Stage, poll: boolean): Promise<number> {
  const { bench, fresh } = stage;
  const server = Number(await bench.must('display-message', '-p', '#{pid}'));
  const clients = await bench.must('list-clients', '-F', '#{client_pid}');
  const pids = ['self', server, ...clients.split('\n').map(Number)];
  const before = await spentMs(pids);
  const end = performance.now() + IDLE_MS;
  while (performance.now() < end) {
    if (poll) await viewPane(bench.tmux, fresh);
    await sleep(poll ? POLL_MS : IDLE_MS);
  }
  // Avoids a division by zero: one tick is the smallest measurable time.
  return Math.max(CLOCK_TICK_MS, (await spentMs(pids)) - before);
}

function rowsOf(stage: Stage): readonly BenchRow[] {
  const { bench, client, fresh, long, freshTty, nextView } = stage;
  const longKept = createScrollback(client, long);
  const freshKept = createScrollback(client, fresh);
  let pastes = 0;
  const pasteBy = async (tmux: TmuxPort) => {
    const { identity } = await bench.choose(fresh);
    pastes += 1;
    const text = { id: `bench-${pastes}`, pane: identity, text: 'x'.repeat(PASTE_BYTES) };
    return timed(() => paste(tmux, text));
  };
  const echoed = () => printed(freshTty, nextView);
  const event = () =>
    new Promise<void>((resolve) => {
      const stop = client.watch(fresh, {
        onStatus: () => undefined,
        onOutput: () => {
          stop();
          resolve();
        },
      });
    });
  return [
    {
      name: 'one look at a pane, control client',
      peer: 'a process per look',
      target: 0.067,
      ours: () => timed(() => viewPane(client, fresh)),
      theirs: () => timed(() => viewPane(bench.tmux, fresh)),
    },
    {
      name: 'text of a pane, refreshed, 50,000 lines of history',
      peer: 'the same without history',
      target: 1.5,
      ours: () => timed(() => longKept.read()),
      theirs: () => timed(() => freshKept.read()),
    },
    {
      name: 'text of a pane, refreshed, 50,000 lines of history',
      peer: 'capture-pane -e -J -S -',
      target: 0.005,
      ours: () => timed(() => longKept.read()),
      theirs: () => timed(() => bench.tmux.run([['capture-pane', '-p', '-e', '-J', '-S', '-', '-t', long]])),
    },
    {
      name: '100 KB into the pane, control client',
      peer: 'a process: load-buffer, paste-buffer',
      target: 0.125,
      ours: () => pasteBy(client),
      theirs: () => pasteBy(bench.tmux),
    },
    {
      name: 'byte printed in the pane -> fresh view of it',
      peer: `polled every ${POLL_MS} ms`,
      target: 0.02,
      ours: echoed,
      theirs: () => polled(stage),
    },
    {
      name: 'byte printed in the pane -> fresh view of it',
      peer: 'the bare output event',
      target: 3,
      ours: echoed,
      theirs: () => printed(freshTty, event),
    },
    {
      name: `processor time of ${IDLE_MS / 1000} s beside an idle pane`,
      peer: `polled every ${POLL_MS} ms`,
      target: 0.04,
      rounds: 3,
      ours: () => idle(stage, false),
      theirs: () => idle(stage, true),
    },
  ];
}

export const suite: BenchSuite = {
  name: 'tmux',
  async prepare() {
    const stage = await setStage();
    return {
      rows: rowsOf(stage),
      async cleanup() {
        await stage.feed.close();
        await stage.client.close();
        await stage.bench.close();
      },
    };
  },
};
