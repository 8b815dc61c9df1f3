/** Makes one system call of a running program fail, by strace; the program (see `fault-child.ts`) continues. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Thread, TRACED_CALLS, threadId } from './kill-points.ts';
import { testProgram } from './product.ts';

/** A missing answer is itself a fault. */
const ANSWER_MAX_MS = 20_000;
/** A program that starts on a busy machine has received no command yet. */
const START_MAX_MS = 60_000;

/** The errors to inject into each call. */
const ERRNOS: Readonly<Record<string, readonly string[]>> = {
  openat: ['EMFILE', 'EROFS'],
  write: ['ENOSPC', 'EIO', 'EDQUOT'],
  writev: ['ENOSPC'],
  pwrite64: ['ENOSPC', 'EIO', 'EDQUOT'],
  pwritev: ['ENOSPC'],
  fsync: ['EIO', 'ENOSPC'],
  fdatasync: ['EIO', 'EDQUOT'],
  ftruncate: ['EIO'],
  fallocate: ['ENOSPC'],
  rename: ['EIO', 'EROFS', 'ENOSPC'],
  link: ['EROFS', 'EDQUOT'],
  unlink: ['EIO', 'EROFS'],
  symlink: ['ENOSPC', 'EROFS'],
  mkdir: ['ENOSPC', 'EROFS'],
  rmdir: ['EIO'],
  fchmod: ['EROFS', 'EIO'],
  fcntl: ['ENOLCK'],
};

export interface Injection {
  readonly thread: Thread;
  readonly call: string;
  /** Its position among calls of its kind on files (see `placesOf`), from 1. */
  readonly nth: number;
  /** Its last known position among all such system calls: threads wake each other with the same calls. */
  readonly when: number;
  readonly errno: string;
  /** The call as it was traced. */
  readonly traced: string;
}

export interface Answer {
  readonly ok?: boolean;
  readonly message?: string;
  readonly fault?: string | null;
  readonly thrown?: string;
  /** It has stopped answering. */
  readonly gone?: string;
}

export type Tried =
  | { readonly kind: 'survived' }
  /** `isFewer`: it made fewer such calls on files than there were when it was traced. */
  | { readonly kind: 'missed'; readonly instead: string; readonly isFewer: boolean }
  | { readonly kind: 'lost'; readonly fault: string };

export class FaultProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterableIterator<string>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout === null) throw new Error('no output to read');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static async start(): Promise<FaultProcess> {
    const child = spawn(process.execPath, ['--no-warnings', testProgram('fault-child')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    });
    child.stdin?.on('error', () => undefined);
    const started = new FaultProcess(child);
    const { gone } = await started.#next(START_MAX_MS);
    if (gone !== undefined) throw new Error(`it did not start: ${gone}`);
    return started;
  }

  /** Replaces it after a failed call of Node's own, which no disk would cause. */
  static async restart(old: FaultProcess): Promise<FaultProcess> {
    old.#child.kill('SIGKILL');
    return FaultProcess.start();
  }

  /** In a new process: every call of the scenario that can fail, with each error it can have. */
  async injections(scenario: string): Promise<Injection[]> {
    const found: Injection[] = [];
    for (const thread of ['main', 'worker'] as const) {
      await this.ask(`prepare ${scenario}`);
      const { log } = await this.#traced(thread, ['-e', `trace=${TRACED_CALLS},fallocate,fcntl`]);
      for (const [call, made] of Map.groupBy(log, callOf))
        for (const [index, traced] of made.entries()) {
          const nth = placesOf(made, traced).indexOf(index + 1) + 1;
          const errnos = nth === 0 ? [] : (ERRNOS[call] ?? []);
          found.push(...errnos.map((errno) => ({ thread, call, nth, when: index + 1, errno, traced })));
        }
    }
    return found;
  }

  /** Runs it with one failing call; returns what was lost or not reported. `missed`: a different call failed. */
  async tryWith(scenario: string, injection: Injection): Promise<Tried> {
    const { thread, call, nth, when, errno, traced } = injection;
    await this.ask(`prepare ${scenario}`);
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${errno}:when=${when}`];
    const { answer, log } = await this.#traced(thread, inject);
    const places = placesOf(log, traced);
    const injected = log.filter((line) => callOf(line) === call)[when - 1];
    if (injected === undefined || places[nth - 1] !== when) {
      const instead = injected ?? 'the call was not made this time';
      return { kind: 'missed', instead, isFewer: places.length < nth };
    }
    const checked = answer.gone === undefined ? await this.ask(`check ${errno}`) : answer;
    const fault = answer.thrown ?? checked.gone ?? checked.thrown ?? checked.fault ?? null;
    return fault === null ? { kind: 'survived' } : { kind: 'lost', fault: `${injected}\n  ${fault}` };
  }

  /**
   * The same injection where the call stands in an undisturbed run of this new process; unchanged without it. A run in
   * which another call failed does not tell: after an unlock that failed, SQLite does not lock again.
   */
  async placed(scenario: string, injection: Injection): Promise<Injection> {
    await this.#repeat(scenario, injection);
    await this.ask(`prepare ${scenario}`);
    const { log } = await this.#traced(injection.thread, ['-e', `trace=${injection.call}`]);
    return { ...injection, when: placesOf(log, injection.traced)[injection.nth - 1] ?? injection.when };
  }

  /** The same in a new process, which first repeats what ran before `injections` looked at this thread. */
  async tryAsTraced(scenario: string, injection: Injection): Promise<Tried> {
    await this.#repeat(scenario, injection);
    return this.tryWith(scenario, injection);
  }

  async #repeat(scenario: string, { thread }: Injection): Promise<void> {
    if (thread === 'main') return;
    await this.ask(`prepare ${scenario}`);
    await this.ask('act');
  }

  async ask(order: string): Promise<Answer> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      return { gone: 'the program is gone' };
    this.#child.stdin?.write(`${order}\n`);
    return this.#next();
  }

  async #next(maxMs = ANSWER_MAX_MS): Promise<Answer> {
    const late = AbortSignal.timeout(maxMs);
    const next = await Promise.race([
      this.#lines.next(),
      once(late, 'abort').then(() => ({ done: true as const, value: 'no answer in time' })),
    ]);
    if (!next.done) return JSON.parse(next.value) as Answer;
    // A late answer would be mistaken for the next command's.
    this.#child.kill('SIGKILL');
    return { gone: `the program is gone: ${String(next.value)}` };
  }

  async #traced(
    thread: Thread,
    args: readonly string[],
  ): Promise<{ answer: Answer; log: readonly string[] }> {
    const file = path.join(os.tmpdir(), `copane-faults-${process.pid}-${thread}`);
    const tracer = spawn(
      'strace',
      ['-y', '-p', String(threadId(this.#child.pid ?? 0, thread)), '-o', file, ...args],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = once(tracer, 'close');
    try {
      await new Promise<void>((resolve, reject) => {
        tracer.stderr.on('data', (chunk) => String(chunk).includes('attached') && resolve());
        tracer.once('close', () => reject(new Error('strace did not attach')));
      });
      const answer = await this.ask('act');
      tracer.kill('SIGINT');
      await ended;
      return { answer, log: readFileSync(file, 'latin1').split('\n') };
    } finally {
      tracer.kill('SIGKILL');
      rmSync(file, { force: true });
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin?.end();
    await ended;
  }
}

const callOf = (line: string) => /^(\w+)\(/.exec(line)?.[1] ?? '';

/** What is locked and how, as a lock for reading is not one for writing; empty for other calls. */
const lockOf = (line: string) => /^fcntl\(.*?(\{l_type=[^}]*\})/.exec(line)?.[1] ?? '';

/** Where the calls of the same kind on files are among all system calls of that name, from 1. */
const placesOf = (log: readonly string[], traced: string) =>
  log
    .filter((line) => callOf(line) === callOf(traced))
    .flatMap((line, at) => (isOfFiles(line) && lockOf(line) === lockOf(traced) ? [at + 1] : []));

/** The call is about one of the program's files, not a pipe or thread; a lock is taken, not released. */
function isOfFiles(line: string): boolean {
  const call = callOf(line);
  if (call === 'fcntl' && !/F_(OFD_)?SETLKW?, \{l_type=F_(RD|WR)LCK/.test(line)) return false;
  const [, descriptor] = /^\w+\(\d+<([^>]*)>/.exec(line) ?? [];
  if (descriptor !== undefined) return descriptor.startsWith(os.tmpdir());
  // Folders that are opened one by one start at the root; several files have a different order each time.
  return [`"${os.tmpdir()}`, '"/proc/self/fd/', '"/",'].some((name) => line.includes(name));
}
