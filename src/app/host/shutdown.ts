/**
 * The one way out of the process: signals, defects and a plain end. The terminal is given back first, whatever
 * else fails; then work, host and log are closed within a deadline. A second signal leaves at once.
 */
import { errorMessage } from '../../lib/result.ts';
import type { createLog } from '../log/create-log.ts';

/** In this order. `terminal` disposers must be synchronous. */
const PHASES = ['terminal', 'work', 'host', 'log'] as const;
type ShutdownPhase = (typeof PHASES)[number];

/** Deadline of all phases together; what is not closed by then is left to the kernel. */
export const SHUTDOWN_DEADLINE_MS = 2_000;

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNALS;

/** What the shutdown needs of the process; a test brings its own. */
export interface ShutdownProcess {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  exit(code: number): void;
}

export interface ShutdownOptions {
  readonly process: ShutdownProcess;
  /** Tells the user about a defect, after the terminal was given back. */
  readonly reportDefect: (thrown: unknown) => void;
  /** A disposer that failed: the others still run. */
  readonly onDisposeError: (name: string, message: string) => void;
  readonly deadlineMs?: number;
}

interface Disposer {
  readonly name: string;
  readonly phase: ShutdownPhase;
  readonly dispose: () => Promise<void> | void;
}

/** Listens for every way in which the process may be told to end. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  readonly #disposers: Disposer[] = [];
  readonly #listeners: [string, (...args: unknown[]) => void][] = [];
  #leaving: Promise<void> | null = null;

  constructor(options: ShutdownOptions) {
    this.#options = options;
    for (const signal of Object.keys(SIGNALS) as Signal[]) {
      this.#listen(signal, () => this.#onSignal(SIGNALS[signal]));
    }
    this.#listen('uncaughtException', (thrown) => this.#onDefect(thrown));
    this.#listen('unhandledRejection', (thrown) => this.#onDefect(thrown));
    // Whoever calls process.exit elsewhere still leaves a terminal that works.
    this.#listen('exit', () => this.#restoreTerminal());
  }

  /** Registers what is to be closed; within a phase the newest goes first. Returns the unregistration. */
  add(phase: ShutdownPhase, name: string, dispose: () => Promise<void> | void): () => void {
    const entry: Disposer = { name, phase, dispose };
    this.#disposers.push(entry);
    return () => this.#forget(entry);
  }

  /** `part`, which is closed with the rest of the work. */
  closing<T extends { close(): Promise<void> | void }>(name: string, part: T): T {
    this.add('work', name, () => part.close());
    return part;
  }

  /** Closes everything and ends the process with `code`. */
  exit(code: number): Promise<void> {
    this.#leaving ??= this.#leave(code);
    return this.#leaving;
  }

  /** Stops listening for signals and defects, closes nothing (tests). */
  detach(): void {
    for (const [event, listener] of this.#listeners) this.#options.process.off(event, listener);
  }

  #onSignal(code: number): void {
    if (this.#leaving !== null) this.#options.process.exit(code);
    else void this.exit(code);
  }

  /** The screen first, then the word about it. A defect on the way out does not keep the rest from being closed. */
  #onDefect(thrown: unknown): void {
    this.#restoreTerminal();
    this.#options.reportDefect(thrown);
    void this.exit(1);
  }

  async #leave(code: number): Promise<void> {
    this.#restoreTerminal();
    const { process, deadlineMs = SHUTDOWN_DEADLINE_MS } = this.#options;
    const timer = setTimeout(() => process.exit(code), deadlineMs);
    for (const phase of PHASES) {
      for (const entry of this.#newestFirst(phase)) await this.#dispose(entry);
    }
    clearTimeout(timer);
    process.exit(code);
  }

  #restoreTerminal(): void {
    for (const entry of this.#newestFirst('terminal')) void this.#dispose(entry);
  }

  /** Each disposer runs once, and one that throws stops no other. */
  async #dispose(entry: Disposer): Promise<void> {
    this.#forget(entry);
    try {
      await entry.dispose();
    } catch (thrown) {
      this.#options.onDisposeError(entry.name, errorMessage(thrown));
    }
  }

  #newestFirst(phase: ShutdownPhase): readonly Disposer[] {
    return this.#disposers.filter((entry) => entry.phase === phase).reverse();
  }

  #forget(entry: Disposer): void {
    const index = this.#disposers.indexOf(entry);
    if (index !== -1) this.#disposers.splice(index, 1);
  }

  #listen(event: string, listener: (...args: unknown[]) => void): void {
    this.#options.process.on(event, listener);
    this.#listeners.push([event, listener]);
  }
}

/** What a process that serves is shut down with. */
interface ServingProcess {
  /** For the log: "the companion". */
  readonly what: string;
  readonly stateDir: string;
  readonly log: ReturnType<typeof createLog>;
  readonly say: (line: string) => void;
}

/** The way out of this process: defects go to the user and into the log, which is closed last. */
export function shutdownOf({ what, stateDir, log, say }: ServingProcess): Shutdown {
  const shutdown = new Shutdown({
    process: process as ShutdownProcess,
    reportDefect: (thrown) => {
      log.crash(`${what} stopped because of a defect`, thrown);
      const why = `stopped because of a defect in copane: ${errorMessage(thrown)}`;
      say(`copane: ${why}. The log in ${stateDir} has the details.`);
    },
    onDisposeError: (name, message) => log.error(`closing ${name} failed`, { message }),
  });
  shutdown.add('log', 'log', () => log.flush());
  return shutdown;
}
