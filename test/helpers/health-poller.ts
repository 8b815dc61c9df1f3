/**
 * Requests a server's `/health` continuously, from a separate thread, so that the test's own work cannot delay it. It
 * measures what a client waits, and how busy other programs kept the processors meanwhile.
 */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Plain JavaScript: it runs without the test runner's loader. */
const POLLER = `
const http = require('node:http');
const { parentPort, workerData: { port } } = require('node:worker_threads');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ask = () => new Promise((resolve) => {
  const begun = performance.now();
  const done = () => resolve(performance.now() - begun);
  const request = http.get({ host: '127.0.0.1', port, path: '/health', agent }, (answer) => {
    answer.resume();
    answer.on('end', done);
  });
  request.on('error', done);
});
let taken = [];
parentPort.on('message', () => { parentPort.postMessage(taken); taken = []; });
(async () => {
  for (;;) {
    taken.push(await ask());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
})();
`;

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

export interface Waits {
  /** How long each answer took, in ms. */
  readonly waits: readonly number[];
  /** Processors kept busy by programs other than the server and this process, on average; 0 where unknown. */
  readonly others: number;
}

interface Clock {
  readonly atMs: number;
  readonly busyMs: number;
}

export class HealthPoller {
  readonly #worker: Worker;
  readonly #pid: number;
  #since: Clock;

  /** Asks the server that listens on `port`; `pid` is its process. */
  constructor({ port, pid }: { readonly port: number; readonly pid: number }) {
    this.#worker = new Worker(POLLER, { eval: true, workerData: { port } });
    this.#pid = pid;
    this.#since = this.#clock();
  }

  /** The times of the answers since the last call. */
  async take(): Promise<Waits> {
    const waits = await new Promise<number[]>((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('take');
    });
    const since = this.#since;
    this.#since = this.#clock();
    const elapsedMs = this.#since.atMs - since.atMs;
    return { waits, others: Math.max(0, this.#since.busyMs - since.busyMs) / elapsedMs };
  }

  stop(): Promise<unknown> {
    return this.#worker.terminate();
  }

  /** Work of all processors so far, except by the server and this process. */
  #clock(): Clock {
    if (process.platform !== 'linux') return { atMs: performance.now(), busyMs: 0 };
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbersOf(
      '/proc/stat',
      'cpu ',
    );
    const [serverUser = 0, serverSystem = 0] = numbersOf(`/proc/${this.#pid}/stat`, ') ').slice(10);
    const own = process.cpuUsage();
    const ticks = user + nice + system + irq + softirq + steal - serverUser - serverSystem;
    return { atMs: performance.now(), busyMs: ticks * TICK_MS - (own.user + own.system) / 1000 };
  }
}

/** The numbers of the first line after these characters; anything else becomes NaN. */
function numbersOf(file: string, before: string): number[] {
  const [line = ''] = readFileSync(file, 'latin1').split('\n');
  const fields = line.slice(line.lastIndexOf(before) + before.length).trim();
  return fields.split(/\s+/).map(Number);
}
