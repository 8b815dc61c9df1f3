/** The log of a process: pino writing to a bounded file. pino is loaded with the first line that is kept. */
import path from 'node:path';
import type { Logger } from 'pino';
import { errorMessage } from '../../lib/result.ts';
import type { Log, LogFields, LogLevel } from './log.ts';
import { LogFile } from './log-file.ts';

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

export function logFileOf(stateDir: string): string {
  return path.join(stateDir, 'copane.log');
}

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
