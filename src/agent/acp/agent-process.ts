/** The process of an external agent: started in a folder, ended with all its children. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../../platform/paths.ts';

/** What it writes to stderr is kept for the words of a failure. */
const STDERR_MAX_CHARS = 2_000;
/** How long after SIGTERM a process gets SIGKILL. */
const END_GRACE_MS = 2_000;
/** How long a broken connection waits for the end of the process, which is its usual cause and is reported later. */
const EXIT_WAIT_MS = 500;

export interface AgentProcess {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: NonNullable<ChildProcess['stdout']>;
  /** Why it failed, as far as can be told: that it ended, else `otherwise`; then its last words. */
  whyFailed(otherwise: string): Promise<string>;
  /** Ends it and what it started; once is enough. */
  close(): void;
}

export function startAgentProcess(
  file: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Env },
): AgentProcess {
  const child = spawn(file, args, { ...place, stdio: 'pipe', detached: true });
  const lastWords = keepLast(child);
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, by) => resolve(`it ended with ${by ?? `exit code ${code}`}`));
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    whyFailed: async (otherwise) => {
      const ended = await Promise.race([gone, sleep(EXIT_WAIT_MS, null)]);
      return [ended ?? otherwise, lastWords()].filter(Boolean).join(': ');
    },
    close: endOnce(child),
  };
}

function keepLast(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-STDERR_MAX_CHARS);
  });
  return () => text.trim();
}

function endOnce(child: ChildProcess): () => void {
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (thrown) {
      // The whole group is gone.
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
