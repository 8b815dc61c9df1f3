/** Kills a program (see `review-child.ts`) at the N-th system call of one of its threads that can change a file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** Every call that changes a file or its name, and those that make it durable. */
export const TRACED_CALLS =
  'openat,write,pwrite64,pwritev,writev,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,symlink,symlinkat,mkdir,mkdirat,rmdir,chmod,fchmod,fchmodat,chown,fchown';

/** SQLite works in the main thread; libuv's thread writes the target's files. */
export type Thread = 'main' | 'worker';
export const THREADS: readonly Thread[] = ['main', 'worker'];

/** strace is installed and may attach to a process here. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'trace=write', 'true']).status === 0;
}

async function firstOutput(stream: Readable | null, pattern: RegExp): Promise<string> {
  let text = '';
  if (stream === null) throw new Error('no output to read');
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (pattern.test(text)) return text;
  }
  return text;
}

export function threadId(pid: number, thread: Thread): number {
  if (thread === 'main') return pid;
  const tids = readdirSync(`/proc/${pid}/task`).map(Number);
  const worker = tids.find((tid) =>
    readFileSync(`/proc/${pid}/task/${tid}/comm`, 'latin1').startsWith('libuv-worker'),
  );
  if (worker === undefined) throw new Error('libuv has no thread yet');
  return worker;
}

async function startChild(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--no-warnings', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const said = await firstOutput(child.stdout, /ready\n/);
  if (!said.includes('ready')) throw new Error(`the program did not start: ${said}`);
  return child;
}

async function runTraced(
  args: readonly string[],
  thread: Thread,
  strace: readonly string[],
): Promise<string> {
  const child = await startChild(args);
  const ended = once(child, 'close');
  const tracer = spawn(
    'strace',
    ['-p', String(threadId(child.pid ?? 0, thread)), '-e', `trace=${TRACED_CALLS}`, ...strace],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const traced = once(tracer, 'close');
  await firstOutput(tracer.stderr, /attached/);
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stdin?.end('go\n');
  await ended;
  await traced;
  return said;
}

/** How many such calls the thread makes after the program is told to start. */
export async function countCalls(args: readonly string[], thread: Thread): Promise<number> {
  const log = path.join(os.tmpdir(), `copane-strace-${process.pid}-${thread}`);
  try {
    await runTraced(args, thread, ['-o', log]);
    return readFileSync(log, 'latin1')
      .split('\n')
      .filter((line) => /^\w+\(/.test(line)).length;
  } finally {
    rmSync(log, { force: true });
  }
}

/** Runs the program and kills it when the thread's `call`-th counted call begins; returns its output. */
export function killAt(args: readonly string[], thread: Thread, call: number): Promise<string> {
  return runTraced(args, thread, [
    '-o',
    '/dev/null',
    '-e',
    `inject=${TRACED_CALLS}:signal=KILL:when=${call}`,
  ]);
}
