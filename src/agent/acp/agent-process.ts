/** The process of an external agent: starts in a folder, ends with all its children. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LF } from '../../lib/line-splitter.ts';
import type { Env } from '../../platform/paths.ts';

/** `{`, the first byte of every message. */
const BRACE = 0x7b;
/** How much of its stderr is kept for error messages. */
const STDERR_MAX_CHARS = 2_000;
/** The time between SIGTERM and SIGKILL. */
const END_GRACE_MS = 2_000;
/** How long a broken connection waits for the exit of the process, its usual cause, which is reported later. */
const EXIT_WAIT_MS = 500;

export interface AgentProcess {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  /** Its stdout, with only the lines that are messages. */
  readonly messages: Readable;
  /** Why it failed, if known: that it ended, or else `otherwise`; then its last output. */
  whyFailed(otherwise: string): Promise<string>;
  /** Ends it and its children; can be called again. */
  close(): void;
}

export function startAgentProcess(
  file: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Env },
): AgentProcess {
  const child = spawn(file, args, { ...place, stdio: 'pipe', detached: true });
  const lastWords = keepLast(child);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, by) => resolve(`it ended with ${by ?? `exit code ${code}`}`));
  });
  return {
    stdin: child.stdin,
    messages: child.stdout.pipe(new OnlyMessages(lastWords.add)),
    whyFailed: async (otherwise) => {
      // Later it complains about the end of the connection.
      const before = lastWords.text();
      const ended = await Promise.race([exited, sleep(EXIT_WAIT_MS, null)]);
      const cause = causeIn(ended === null ? before : lastWords.text());
      return [ended ?? otherwise, cause].filter(Boolean).join(': ');
    },
    close: endOnce(child),
  };
}

/** Its last output on stderr, and on stdout outside the protocol. */
function keepLast(child: ChildProcess): {
  readonly add: (piece: string) => void;
  readonly text: () => string;
} {
  let text = '';
  const add = (piece: string) => {
    text = (text + piece).slice(-STDERR_MAX_CHARS);
  };
  child.stderr?.setEncoding('utf8').on('data', add);
  return { add, text: () => text.trim() };
}

const FAULT = /error|panic|fatal|exception|fail|cannot|could not|denied|refused|not found|log ?in/i;
/** The beginning of a line in a log. */
const LOGGED = /^(\[|\d{2,4}[-:]|(debug|info|trace)\b)/i;
const FRAME = /^at /;

/** The line that names a fault, else the last that is not of a log. */
function causeIn(words: string): string {
  const lines = words.split('\n').map((line) => line.trim());
  const fault = lines.findLast((line) => FAULT.test(line) && !FRAME.test(line));
  return fault ?? lines.findLast((line) => line !== '' && !LOGGED.test(line)) ?? '';
}

/** Passes on only lines that are JSON objects: greetings, logs and warnings must not count as invalid messages. */
class OnlyMessages extends Transform {
  readonly #onNoise: (line: string) => void;
  #state: 'line start' | 'message' | 'noise' = 'line start';

  constructor(onNoise: (line: string) => void) {
    super();
    this.#onNoise = onNoise;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(LF, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
      if (this.#state === 'line start') this.#state = part[0] === BRACE ? 'message' : 'noise';
      if (this.#state === 'message') this.push(part);
      else this.#onNoise(part.toString());
      if (end >= 0) this.#state = 'line start';
      from += part.length;
    }
    done();
  }
}

function endOnce(child: ChildProcess): () => void {
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (thrown) {
      // The whole group has ended.
      if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
    }
  };
  return () => {
    if (isEnding) return;
    isEnding = true;
    end('SIGTERM');
    setTimeout(() => end('SIGKILL'), END_GRACE_MS).unref();
  };
}
