/**
 * Makes maps in a process that starts with the first request and ends when idle. V8's optimization of the grammars
 * takes hundreds of MB for a second and crashes with some of them; only process options can turn it off.
 */
import { type ChildProcess, fork } from 'node:child_process';
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

/** How long the idle process keeps its grammars, most of its memory. */
const IDLE_MS = 30_000;
/** The largest parsed file takes a second; a file on a dead network disk takes forever. */
const TIMEOUT_MS = 30_000;
const V8_FLAGS = ['--liftoff-only', '--max-old-space-size=512'];

type Settle = (result: Result<FileMap>) => void;

export class MapProcess {
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | null = null;
  #nextId = 1;
  readonly #waiting = new Map<number, Settle>();

  map(file: string): Promise<Result<FileMap>> {
    const child = this.#started();
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle(id, fail('internal', `${file} was not mapped within ${TIMEOUT_MS / 1000} s.`));
        // It hangs on this file; the next one must not wait for it.
        void this.close();
      }, TIMEOUT_MS);
      this.#waiting.set(id, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      const request: MapRequest = { id, file };
      child.send(request);
    });
  }

  /** Ends the process; pending requests fail. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (this.#idle !== null) clearTimeout(this.#idle);
    for (const id of this.#waiting.keys()) this.#settle(id, fail('internal', 'The map was abandoned.'));
    child?.kill('SIGKILL');
  }

  #started(): ChildProcess {
    if (this.#idle !== null) clearTimeout(this.#idle);
    if (this.#child !== null) return this.#child;
    const { PATH, HOME, LANG } = process.env;
    const child = fork(shippedFile('filemap.js'), [], {
      // It finds ctags, but must not get the user's keys.
      env: { PATH, HOME, LANG },
      execArgv: V8_FLAGS,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    child.on('message', (answer) => {
      const { id, result } = answer as MapAnswer;
      this.#settle(id, result);
    });
    const gone = (why: string) => {
      if (this.#child !== child) return;
      this.#child = null;
      for (const id of this.#waiting.keys())
        this.#settle(id, fail('internal', `The map could not be made: ${why}.`));
    };
    child.on('error', (error) => gone(error.message));
    child.on('exit', (code, signal) => gone(`its process ended (${signal ?? code})`));
    this.#child = child;
    return child;
  }

  #settle(id: number, result: Result<FileMap>): void {
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0 || this.#child === null) return;
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }
}
