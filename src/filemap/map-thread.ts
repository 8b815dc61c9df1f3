/** Makes maps in a thread of its own. The thread starts with the first request and ends when none came for a while. */
import { Worker } from 'node:worker_threads';
import { fail, type Result } from '../lib/result.ts';
import { shippedFile } from '../platform/shipped-files.ts';
import type { FileMap } from '../protocol/file-map.ts';

export interface MapRequest {
  readonly id: number;
  readonly file: string;
}

export interface MapAnswer {
  readonly id: number;
  readonly result: Result<FileMap>;
}

/** The grammars are the most of it; they are loaded again when needed. */
const IDLE_MS = 30_000;
/** The largest file that is parsed takes a second; a file on a dead network disk takes for ever. */
const TIMEOUT_MS = 30_000;
const MAX_OLD_SPACE_MB = 512;

type Settle = (result: Result<FileMap>) => void;

export class MapThread {
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #nextId = 1;
  readonly #waiting = new Map<number, Settle>();

  /** The map of the file at an absolute path. */
  map(file: string): Promise<Result<FileMap>> {
    const worker = this.#started();
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle(id, fail('internal', `${file} was not mapped within ${TIMEOUT_MS / 1000} s.`));
        // It hangs on this file; the next one must not wait behind it.
        void this.close();
      }, TIMEOUT_MS);
      this.#waiting.set(id, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      const request: MapRequest = { id, file };
      worker.postMessage(request);
    });
  }

  /** Ends the thread; what still waits fails. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (this.#idle !== null) clearTimeout(this.#idle);
    for (const id of this.#waiting.keys()) this.#settle(id, fail('internal', 'The map was abandoned.'));
    await worker?.terminate();
  }

  #started(): Worker {
    if (this.#idle !== null) clearTimeout(this.#idle);
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(shippedFile('filemap-worker.js'), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_SPACE_MB },
    });
    worker.unref();
    worker.on('message', ({ id, result }: MapAnswer) => this.#settle(id, result));
    const gone = (why: string) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const id of this.#waiting.keys())
        this.#settle(id, fail('internal', `The map could not be made: ${why}.`));
    };
    worker.on('error', (error) => gone(error.message));
    worker.on('exit', () => gone('its thread ended'));
    this.#worker = worker;
    return worker;
  }

  #settle(id: number, result: Result<FileMap>): void {
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0 || this.#worker === null) return;
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }
}
