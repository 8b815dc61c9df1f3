/** The log of a process: pino writing to a bounded file. pino is loaded with the first line that is kept. */

// biome-ignore lint/style/noRestrictedImports: opens the log of this process, to write it.
import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { errorMessage } from '../../lib/result.ts';
import { ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';
import type { Log, LogFields, LogLevel } from './log.ts';

/** Lines buffered while pino loads; further ones are dropped, since the first ones matter most. */
const MAX_HELD_LINES = 1_000;

const RANK: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50, silent: 100 };

type WrittenLevel = Exclude<LogLevel, 'silent'>;

export interface FileLog extends Log {
  /** Resolves when all lines so far are in the file. */
  flush(): Promise<void>;
  /** Writes synchronously and without pino, for a process about to end from an unexpected error. */
  crash(message: string, thrown: unknown): void;
  close(): void;
}

export interface LogOptions {
  readonly stateDir: string;
  readonly level: LogLevel;
  readonly maxBytes?: number;
}

export const logFileOf = (stateDir: string): string => path.join(stateDir, 'copane.log');

/** Creates the log of this process; touches no file until there is a line to write. */
export function createLog(options: LogOptions): FileLog {
  const file = new LogFile(logFileOf(options.stateDir), options.maxBytes);
  const held: (() => void)[] = [];
  let logger: Logger | null = null;
  let loading: Promise<void> | null = null;

  const load = async () => {
    // In the bundle, a CommonJS package loaded dynamically has only a default export.
    const { default: pino } = await import('pino');
    logger = pino(
      { level: options.level, base: { pid: process.pid } },
      { write: (line) => file.write(line) },
    );
    for (const write of held.splice(0)) write();
  };
  const write =
    (level: WrittenLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (RANK[level] < RANK[options.level]) return;
      const line = () => logger?.[level](fields, message);
      if (logger !== null) line();
      else if (held.length < MAX_HELD_LINES) held.push(line);
      loading ??= load();
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    flush: async () => {
      await loading;
    },
    crash: (msg, thrown) => {
      const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : errorMessage(thrown);
      file.write(`${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg, error })}\n`);
    },
    close: () => file.close(),
  };
}

/** The limit of each of the two files. */
const LOG_MAX_BYTES = 4 * 1024 * 1024;

/**
 * A log file of bounded size that several processes append to: at the limit it is renamed to `.1`, and each opens the
 * new one. Never throws or prints: while the log cannot be written its lines are lost, and counted in it afterwards.
 */
export class LogFile {
  readonly #file: string;
  readonly #maxBytes: number;
  #descriptor: number | null = null;
  #bytes = 0;
  #lostLines = 0;

  constructor(file: string, maxBytes: number = LOG_MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  write(line: string): void {
    try {
      const descriptor = this.#ready(Buffer.byteLength(line));
      const lost =
        this.#lostLines === 0 ? '' : `{"level":40,"msg":"${this.#lostLines} log lines were lost"}\n`;
      this.#bytes += writeSync(descriptor, lost + line);
      this.#lostLines = 0;
    } catch {
      this.#lostLines += 1;
      this.close();
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #ready(nextBytes: number): number {
    if (this.#descriptor !== null && this.#bytes + nextBytes > this.#maxBytes) this.#rotate(this.#descriptor);
    this.#descriptor ??= this.#open();
    return this.#descriptor;
  }

  #open(): number {
    ensurePrivateFolder(path.dirname(this.#file), STATE_LEVELS);
    const descriptor = openSync(this.#file, 'a', 0o600);
    this.#bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  /** Only the process whose file still has the name renames it; others just reopen it. */
  #rotate(descriptor: number): void {
    const ours = fstatSync(descriptor).ino;
    this.close();
    if (statSync(this.#file, { throwIfNoEntry: false })?.ino === ours)
      renameSync(this.#file, `${this.#file}.1`);
  }
}
