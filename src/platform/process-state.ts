/** Tells whether another process is stopped (SIGSTOP, Ctrl-Z, a debugger): from `/proc` on Linux, else by `ps`. */
import { existsSync, readFileSync } from 'node:fs';
import { run } from './run.ts';

export type ProcessState = 'running' | 'stopped' | 'gone';

const PS_TIMEOUT_MS = 2_000;

/** The state of process `pid`. One that we cannot see counts as gone. */
export async function processState(pid: number): Promise<ProcessState> {
  if (existsSync('/proc/self/stat')) return stateOf(statusInProc(pid));
  const outcome = await run('ps', ['-o', 'state=', '-p', String(pid)], { timeoutMs: PS_TIMEOUT_MS });
  return stateOf(outcome.stdout.toString('utf8').trim());
}

/** Whether any user runs a process with this pid. One that ended but is not reaped yet does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // If /proc is missing or hides other users' processes, the signal decides.
  const state = statusInProc(pid);
  return state === '' || stateOf(state) !== 'gone';
}

/** The fields of `/proc/PID/stat` from the state on; empty if they cannot be read. */
function statusInProc(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name is in parentheses and may contain spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}

/** `T` stopped, `t` traced; `Z` and `X` ended; empty: no such process. */
function stateOf(text: string): ProcessState {
  const letter = text[0];
  if (letter === undefined || letter === 'Z' || letter === 'X') return 'gone';
  return letter === 'T' || letter === 't' ? 'stopped' : 'running';
}
