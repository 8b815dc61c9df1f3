/** Starts a child process by argv, never by a shell string, with a deadline and a limit on output. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { systemCode } from './system-error.ts';
import { wantedSignal } from './wanted.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** More output is a failure, not a silent cut. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
  /** Receives the output in chunks instead of collecting it; return `false` to end the program. */
  readonly onOutput?: (chunk: Buffer) => boolean;
  /** Run in a new session: it and its children cannot read from our terminal, and they end together. */
  readonly ownSession?: boolean;
}

export interface RunOutcome {
  /** Exit code; null if a signal or the deadline ended it, or it could not start. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Why there is no exit code: `timeout`, `too much output`, `aborted`, `not found`, `enough`, or a signal's name. */
  readonly failure: string | null;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** How long the rest of the output may take after a program in its own session ends. */
const LAST_OUTPUT_MS = 500;
const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const NO_OUTPUT = { code: null, stdout: Buffer.alloc(0), stderr: '' } as const;

/** Runs `file` with `args`. Never rejects: a program that is missing, hangs or floods is a normal outcome. */
export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunOutcome> {
  const maxOutputBytes = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const signal = AbortSignal.any([options.signal, wantedSignal()].filter((one) => one !== undefined));
  if (signal.aborted) return Promise.resolve({ ...NO_OUTPUT, failure: 'aborted' });
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: options.ownSession ?? false,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let failure: string | null = null;
    const stop = (why: string) => {
      failure ??= why;
      if (options.ownSession) killSession(child);
      else child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('timeout'), options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const onAbort = () => stop('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (code: number | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve({
        code: failure === null ? code : null,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8'),
        failure,
      });
    };
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) stop('too much output');
      else into.push(chunk);
    };
    const { onOutput } = options;
    const take = (chunk: Buffer) => {
      if (failure === null && onOutput?.(chunk) === false) stop('enough');
    };
    child.stdout.on('data', onOutput === undefined ? collect(stdout) : take);
    child.stderr.on('data', collect(stderr));
    child.on('error', (error: NodeJS.ErrnoException) => {
      failure = wordFor(error) ?? error.message;
      settle(null);
    });
    const end = (code: number | null, signal: string | null) => {
      if (code === null) failure ??= signal ?? 'unknown';
      settle(code);
    };
    child.on('close', end);
    if (options.ownSession) afterExit(child, end);
    // A child that exits before it reads all its input closes the pipe; its exit code says what happened.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  });
}

/** Calls `end` soon after the program exits: a daemon that it leaves behind may keep its output open. */
function afterExit(child: ChildProcess, end: (code: number | null, signal: string | null) => void): void {
  child.on('exit', (code, signal) =>
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      end(code, signal);
    }, LAST_OUTPUT_MS),
  );
}

function killSession({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (thrown) {
    if (systemCode(thrown) !== 'ESRCH') throw thrown;
  }
}

export type RunNowOptions = Pick<RunOptions, 'cwd' | 'env' | 'input' | 'timeoutMs' | 'maxOutputBytes'>;

/** `run`, synchronously, for commands with nothing else to do. Saves a third of the start-up time. */
export function runNow(file: string, args: readonly string[], options: RunNowOptions = {}): RunOutcome {
  const { status, signal, stdout, stderr, error } = spawnSync(file, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    input: options.input,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBuffer: options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES,
    killSignal: 'SIGKILL',
  });
  const failure = error === undefined ? signal : wordFor(error);
  return {
    code: failure === null ? status : null,
    // Both are missing if the program could not start.
    stdout: stdout ?? Buffer.alloc(0),
    stderr: stderr?.toString('utf8') ?? '',
    failure,
  };
}

/** A child that exits before it reads all its input has not failed: its exit code says what happened. */
function wordFor({ code, message }: NodeJS.ErrnoException): string | null {
  if (code === 'EPIPE') return null;
  // EACCES: a file of that name on the PATH may not be run.
  if (code === 'ENOENT' || code === 'EACCES') return 'not found';
  if (code === 'ETIMEDOUT') return 'timeout';
  return code === 'ENOBUFS' ? 'too much output' : message;
}
