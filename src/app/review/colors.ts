/** Syntax colours from a worker thread, one text at a time. A timeout ends the thread; the next text starts one. */
import { Worker } from 'node:worker_threads';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { shippedFile } from '../../platform/shipped-files.ts';
import type { ColoredLine, ColorPort, ColorRequest } from '../../ui/review/port.ts';

/** A text that takes longer stays uncoloured. */
const COLOR_TIMEOUT_MS = 2_000;
/** The first text of a thread also waits for the thread to start, which takes long on a busy machine. */
const FIRST_TIMEOUT_MS = 15_000;
/** An idle thread uses about 20 MB, so it is ended after this time. */
const IDLE_MS = 60_000;
const MAX_OLD_SPACE_MB = 128;

export interface ToColorWorker {
  readonly id: number;
  readonly file: string;
  readonly texts: readonly string[];
}

export interface FromColorWorker {
  readonly id: number;
  /** Null if the language of the file is not known. */
  readonly texts: readonly (readonly ColoredLine[] | null)[];
}

export class Colors implements ColorPort {
  #worker: Worker | null = null;
  #hasAnswered = false;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  readonly color = (
    wanted: ColorRequest,
    signal: AbortSignal,
  ): Promise<Result<readonly (readonly ColoredLine[])[]>> => {
    const colored = this.#turn.then(() => this.#color(wanted, signal));
    this.#turn = colored;
    return colored;
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #color(
    { file, texts }: ColorRequest,
    signal: AbortSignal,
  ): Promise<Result<readonly (readonly ColoredLine[])[]>> {
    if (signal.aborted || this.#isClosed) return fail('refused', 'these colours are no longer needed');
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#lastId += 1;
    const answer = await this.#ask({ id: this.#lastId, file, texts });
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS);
    this.#idle.unref();
    if (!answer.ok) return answer;
    const lines = answer.value.texts.flatMap((text) => (text === null ? [] : [text]));
    return lines.length === texts.length ? ok(lines) : fail('not_found', 'its language is not known');
  }

  #ask(message: ToColorWorker): Promise<Result<FromColorWorker>> {
    const worker = this.#worker ?? start();
    this.#worker = worker;
    return new Promise((resolve) => {
      const settle = (result: Result<FromColorWorker>): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('error', onError);
        if (!result.ok) void this.#end();
        resolve(result);
      };
      const onMessage = (answer: FromColorWorker): void => {
        this.#hasAnswered = true;
        settle(ok(answer));
      };
      const onError = (error: unknown): void => settle(fail('internal', errorMessage(error)));
      const limitMs = this.#hasAnswered ? COLOR_TIMEOUT_MS : FIRST_TIMEOUT_MS;
      const timer = setTimeout(() => settle(fail('refused', 'it takes too long')), limitMs);
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.postMessage(message);
    });
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#hasAnswered = false;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    await worker?.terminate();
  }
}

function start(): Worker {
  const worker = new Worker(shippedFile('color-worker.js'), {
    name: 'colors',
    resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_SPACE_MB },
  });
  worker.unref();
  // An error between two texts shows up as a timeout of the next one.
  worker.on('error', () => undefined);
  return worker;
}
