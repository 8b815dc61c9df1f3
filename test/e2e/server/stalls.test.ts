/**
 * The host answers `/health` while it accepts or refuses hostile input by HTTP, WebSocket, MCP, the Unix socket and the
 * completion socket. It runs in a separate process, and is polled from a separate thread.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HealthPoller } from '../../helpers/health-poller.ts';
import { HOSTILE_INPUTS, TARGET_FILES, type Victim, warmUp } from '../../helpers/hostile-inputs.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { freePort, ServeProcess, tokenBelow } from '../../helpers/serve-process.ts';

/** The limit for every answer, on an otherwise idle machine. */
const HEALTH_MAX_MS = 100;
/** Half of the answers come at once. */
const MEDIAN_MAX_MS = 10;
/** Above this load, other programs themselves delay a client. */
const QUIET_MAX_PROCESSORS = 0.3;
/** A disturbed row is measured again, and judged by its median if the load never stops. */
const TRIES = 3;
/**
 * With an empty store the host takes some 110 MB; the rest is one input, the suggestions in its cache, and uncollected
 * garbage: 380 to 470 MB at the end. Without limits, one of these inputs took 1.1 to 1.5 GB.
 */
const RSS_MAX_MB = 550;

let home = '';
let host: ServeProcess;
let poller: HealthPoller;
let victim: Victim;

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-stalls-'));
  const port = await freePort();
  const runtime = path.join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  host = new ServeProcess({ home, port, env: { XDG_RUNTIME_DIR: runtime } });
  await host.says('suggestions on');
  const target = path.join(home, 'work');
  mkdirSync(target);
  for (const [name, text] of Object.entries(TARGET_FILES)) writeFileSync(path.join(target, name), text);
  victim = {
    port,
    token: tokenBelow(home),
    author: tokenBelow(home, 'author'),
    socketFile: path.join(runtime, 'copane/host.sock'),
    completionSocket: path.join(runtime, 'ashlet.sock'),
    target,
  };
  await warmUp(victim);
  poller = new HealthPoller({ port, pid: host.child.pid ?? 0 });
});
afterAll(async () => {
  await poller?.stop();
  await host?.kill('SIGTERM');
  removeTree(home);
});

function peakRssMb(): number {
  const status = readFileSync(`/proc/${host.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const allWaits: number[] = [];
const disturbed: string[] = [];

/** The wait that this share of all waits does not exceed. */
function quantile(waits: readonly number[], share: number): number {
  const sorted = waits.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

it.each(HOSTILE_INPUTS)('$name', async ({ name, send }) => {
  const rowWaits: number[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) {
    await poller.take();
    await send(victim);
    const { waits, others } = await poller.take();
    rowWaits.push(...waits);
    const longest = Math.max(0, ...waits);
    if (longest < HEALTH_MAX_MS || others < QUIET_MAX_PROCESSORS) {
      allWaits.push(...rowWaits);
      expect(longest).toBeLessThan(HEALTH_MAX_MS);
      return;
    }
  }
  disturbed.push(name);
  allWaits.push(...rowWaits);
  expect(quantile(rowWaits, 0.5)).toBeLessThan(HEALTH_MAX_MS);
});

it('and half of all clients wait only a few milliseconds', () => {
  const shown = (share: number) => quantile(allWaits, share).toFixed(1);
  console.log(`/health: median ${shown(0.5)} ms, 99 % ${shown(0.99)} ms, longest ${shown(1)} ms`);
  if (disturbed.length > 0)
    console.log(
      `Judged by the median, because other programs ran: ${disturbed.length} of ${HOSTILE_INPUTS.length}`,
    );
  expect(quantile(allWaits, 0.5)).toBeLessThan(MEDIAN_MAX_MS);
});

it.runIf(process.platform === 'linux')('and all of them together take no more memory than one', () => {
  const peakMb = peakRssMb();
  console.log(`peak of the host: ${peakMb.toFixed(0)} MB`);
  expect(peakMb).toBeLessThan(RSS_MAX_MB);
});
