/** Asks a server for `/health` all the time, from a thread of its own: what the test itself does holds it up in nothing. */
import { Worker } from 'node:worker_threads';

/** Plain JavaScript: it runs without the test runner's loader. */
const POLLER = `
const http = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ask = () => new Promise((resolve) => {
  const begun = performance.now();
  const done = () => resolve(performance.now() - begun);
  const request = http.get({ host: '127.0.0.1', port: workerData, path: '/health', agent }, (answer) => {
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
  readonly medianMs: number;
  readonly maxMs: number;
}

export class HealthPoller {
  readonly #worker: Worker;

  constructor(port: number) {
    this.#worker = new Worker(POLLER, { eval: true, workerData: port });
  }

  /** How long the answers since the last call took. */
  async take(): Promise<Waits> {
    const taken = await new Promise<number[]>((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage('take');
    });
    const sorted = taken.toSorted((a, b) => a - b);
    return { medianMs: sorted[sorted.length >> 1] ?? 0, maxMs: sorted.at(-1) ?? 0 };
  }

  stop(): Promise<unknown> {
    return this.#worker.terminate();
  }
}
