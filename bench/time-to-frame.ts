/** Measures how long a program in a pseudo terminal takes until its output matches. */
import { performance } from 'node:perf_hooks';
import * as pty from 'node-pty';

const DEADLINE_MS = 60_000;

export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Keys typed before the program reads. */
  readonly keys?: string;
  /** The frame is complete when the output contains this. */
  readonly shows: RegExp;
}

/** Wall time until the output matches, in ms; the process is then killed. */
export function timeToFrame({ file, args, env, cwd, shows, keys }: Start): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = pty.spawn(file, [...args], {
      cols: 120,
      rows: 50,
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
    });
    if (keys !== undefined) child.write(keys);
    let output = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`no ${shows} within ${DEADLINE_MS} ms: ${output.slice(-400)}`));
    }, DEADLINE_MS);
    child.onData((data) => {
      output += data;
      if (!shows.test(output)) return;
      clearTimeout(timer);
      const took = performance.now() - begun;
      child.onExit(() => resolve(took));
      child.kill('SIGKILL');
    });
  });
}

/** Runs it until it exits; `lastKeys` end it once the frame is there. */
export function runToEnd({ file, args, env, cwd, shows, keys }: Start, lastKeys: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = pty.spawn(file, [...args], { cwd, env: { ...env, TERM: 'xterm-256color' } });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`no end within ${DEADLINE_MS} ms: ${output.slice(-400)}`));
    }, DEADLINE_MS);
    child.onExit(() => {
      clearTimeout(timer);
      resolve();
    });
    if (keys !== undefined) child.write(keys);
    let output = '';
    const listening = child.onData((data) => {
      output += data;
      if (!shows.test(output)) return;
      listening.dispose();
      child.write(lastKeys);
    });
  });
}

/** A bare Node that draws one screen in a pseudo terminal: the minimum for any program on Node. */
export const RAW_FRAME_SCRIPT =
  "process.stdin.setRawMode(true);process.stdout.write('\\u001b[?1049h'+Array.from({length:48},(_,i)=>'| row '+i).join('\\r\\n')+'READY');setInterval(()=>{},1e6);";
