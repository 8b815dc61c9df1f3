/**
 * Asks a server for `/health` all the time, from a thread of its own: what the test itself does holds it up in nothing.
 * A wait is counted without the time in which the machine ran other programs: what is left is the server's own doing.
 */
import { Worker } from 'node:worker_threads';

/** Plain JavaScript: it runs without the test runner's loader. */
const POLLER = `
const fs = require('node:fs');
const http = require('node:http');
const { parentPort, workerData: { port, pid } } = require('node:worker_threads');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
// Nanoseconds for which a thread was ready to run and had no processor; Linux alone tells it.
const queuedMs = (thread) => {
  try {
    return Number(fs.readFileSync(thread + '/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
};
const threads = ['/proc/thread-self', '/proc/' + pid + '/task/' + pid];
const queued = () => threads.reduce((sum, thread) => sum + queuedMs(thread), 0);
const ask = () => new Promise((resolve) => {
  const before = queued();
  const begun = performance.now();
  const done = () => {
    const wall = performance.now() - begun;
    resolve(Math.max(0, wall - (queued() - before)));
  };
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

export interface Waits {
  readonly maxMs: number;
}

export class HealthPoller {
  readonly #worker: Worker;

  /** Asks the server that listens on `port`; `pid` is its process. */
  constructor(server: { readonly port: number; readonly pid: number }) {
    this.#worker = new Worker(POLLER, { eval: true, workerData: server });
  }

  /** How long the answers since the last call took. */
  async take(): Promise<Waits> {
    const taken = await new Promise<number[]>((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('take');
    });
    return { maxMs: Math.max(0, ...taken) };
  }

  stop(): Promise<unknown> {
    return this.#worker.terminate();
  }
}
