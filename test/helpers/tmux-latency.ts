/**
 * Prints what a look, a refresh of a long history, an echoed key and a 100 KB paste cost over the control client,
 * against a process per call, in one run: `node test/helpers/tmux-latency.ts`. Measures, judges nothing.
 */
import { appendFile } from 'node:fs/promises';
import { createScrollback, viewPane } from '../../src/tmux/capture.ts';
import { connectControlClient } from '../../src/tmux/control-client.ts';
import { createPaneFeed } from '../../src/tmux/feed.ts';
import { paste } from '../../src/tmux/typing.ts';
import { eventually, must, SendBench } from './tmux-sender.ts';

const ROUNDS = 15;
const HISTORY_LINES = 50_000;

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

function row(what: string, spawned: number, controlled: number): void {
  const ratio = `${(spawned / controlled).toFixed(1)}x`;
  console.log(
    `${what.padEnd(44)} ${spawned.toFixed(2).padStart(9)} ${controlled.toFixed(2).padStart(9)} ${ratio.padStart(8)}`,
  );
}

const bench = new SendBench();
await bench.startProgram(['sh', '-c', 'stty raw -echo; echo ready; exec cat'], 'ready');
const { paneId } = (await bench.choose(bench.server.pane)).identity;
const tty = await bench.must('display-message', '-p', '-t', paneId, '#{pane_tty}');
const sessionId = await bench.must('display-message', '-p', '#{session_id}');
const server = { kind: 'name', name: bench.server.socketName } as const;
const connect = (id: string) => connectControlClient({ server, env: process.env, sessionId: id });
const client = must(await connect(sessionId));

console.log(
  `${'median of 15, ms'.padEnd(44)} ${'process'.padStart(9)} ${'control'.padStart(9)} ${'ratio'.padStart(8)}`,
);
row(
  'one look (facts + styled screen)',
  await median(() => viewPane(bench.tmux, paneId)),
  await median(() => viewPane(client, paneId)),
);

const empty = createScrollback(client, paneId);
const withoutHistory = await median(() => empty.read());
const line = `${'0123456789 '.repeat(7)}\r\n`;
await appendFile(tty, line.repeat(HISTORY_LINES));
const size = () => bench.must('display-message', '-p', '-t', paneId, '#{history_size}');
await eventually('the history', size, (count) => Number(count) >= HISTORY_LINES - 100, 60_000);
await appendFile(tty, 'end of the flood\r\n'.repeat(80));
const kept = createScrollback(client, paneId);
await kept.read();
const full = await median(() =>
  bench.tmux.run([['capture-pane', '-p', '-e', '-J', '-S', '-', '-t', paneId]]),
);
row('text of a pane with 50,000 lines of history', full, await median(() => kept.read()));
console.log(
  `${'  the same with no history'.padEnd(44)} ${''.padStart(9)} ${withoutHistory.toFixed(2).padStart(9)}`,
);

const text = 'x'.repeat(100_000);
const identity = (await bench.choose(paneId)).identity;
let count = 0;
const times: number[] = [];
const pasteBy = (tmux: typeof client | typeof bench.tmux) => () => {
  count += 1;
  return paste(tmux, { id: `latency-${count}`, pane: identity, text });
};
row('100 KB into the pane', await median(pasteBy(bench.tmux)), await median(pasteBy(client)));

let seen: () => void = () => undefined;
const feed = createPaneFeed({
  fallback: bench.tmux,
  panes: bench.panes,
  connect,
  timers: { now: Date.now, set: setTimeout, clear: (handle) => clearTimeout(handle as NodeJS.Timeout) },
  listener: { onTopology: () => undefined, onProblem: console.error },
});
const [facts] = must(await bench.panes.facts());
if (facts === undefined) throw new Error('no pane');
feed.follow(facts, { onView: () => seen(), onGone: () => undefined });
const echoed = await median(async () => {
  await new Promise((resolve) => setTimeout(resolve, 150));
  const start = performance.now();
  const shown = new Promise<void>((resolve) => {
    seen = resolve;
  });
  await appendFile(tty, 'k');
  await shown;
  times.push(performance.now() - start);
}).then(() => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);
console.log(
  `${'byte printed -> fresh view in our hands'.padEnd(44)} ${''.padStart(9)} ${echoed.toFixed(2).padStart(9)}`,
);

await feed.close();
await client.close();
await bench.close();
