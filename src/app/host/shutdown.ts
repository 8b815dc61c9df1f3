/** The only way to end the process. Restores the terminal first, then closes work, host and log within a deadline. */
import { errorMessage } from '../../lib/result.ts';
import type { createLog } from '../log/create-log.ts';

/** In order of disposal. `terminal` disposers must be synchronous. */
const PHASES = ['terminal', 'work', 'host', 'log'] as const;
type ShutdownPhase = (typeof PHASES)[number];

/** The deadline for all phases together; the kernel cleans up the rest. */
export const SHUTDOWN_DEADLINE_MS = 2_000;

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNALS;

/** The parts of the process that shutdown uses; tests pass their own. */
export interface ShutdownProcess {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  exit(code: number): void;
}

export interface ShutdownOptions {
  readonly process: ShutdownProcess;
  /** Reports an unexpected error to the user, after the terminal is restored. */
  readonly reportDefect: (thrown: unknown) => void;
  /** Reports a failed disposer; the others still run. */
  readonly onDisposeError: (name: string, message: string) => void;
}

interface Disposer {
  readonly name: string;
  readonly phase: ShutdownPhase;
  readonly dispose: () => Promise<void> | void;
}

/** Handles every signal and error that ends the process. */
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
    // Code that calls process.exit elsewhere still leaves a usable terminal.
    this.#listen('exit', () => this.#restoreTerminal());
  }

  /** Registers a disposer; within a phase the newest runs first. Returns a function that unregisters it. */
  add(phase: ShutdownPhase, name: string, dispose: () => Promise<void> | void): () => void {
    const entry: Disposer = { name, phase, dispose };
    this.#disposers.push(entry);
    return () => this.#forget(entry);
  }

  /** Registers `part.close` in the phase `work`; returns `part`. */
  closing<T extends { close(): Promise<void> | void }>(name: string, part: T): T {
    this.add('work', name, () => part.close());
    return part;
  }

  /** Runs all disposers and ends the process with `code`. */
  exit(code: number): Promise<void> {
    this.#leaving ??= this.#leave(code);
    return this.#leaving;
  }

  /** Stops handling signals and errors without closing anything (for tests). */
  detach(): void {
    for (const [event, listener] of this.#listeners) this.#options.process.off(event, listener);
  }

  #onSignal(code: number): void {
    if (this.#leaving !== null) this.#options.process.exit(code);
    else void this.exit(code);
  }

  /** Restores the screen, then reports. An error while shutting down does not stop the other disposers. */
  #onDefect(thrown: unknown): void {
    this.#restoreTerminal();
    this.#options.reportDefect(thrown);
    void this.exit(1);
  }

  async #leave(code: number): Promise<void> {
    this.#restoreTerminal();
    const { process } = this.#options;
    const timer = setTimeout(() => process.exit(code), SHUTDOWN_DEADLINE_MS);
    for (const phase of PHASES) {
      for (const entry of this.#newestFirst(phase)) await this.#dispose(entry);
    }
    clearTimeout(timer);
    process.exit(code);
  }

  #restoreTerminal(): void {
    for (const entry of this.#newestFirst('terminal')) void this.#dispose(entry);
  }

  /** Runs each disposer once; one that throws stops no other. */
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

interface ServingProcess {
  /** For the log, such as "the companion". */
  readonly what: string;
  readonly stateDir: string;
  readonly log: ReturnType<typeof createLog>;
  readonly say: (line: string) => void;
}

/** The shutdown of this process: errors go to the user and to the log, which is closed last. */
export function shutdownOf({ what, stateDir, log, say }: ServingProcess): Shutdown {
  const shutdown = new Shutdown({
    process: process as ShutdownProcess,
    reportDefect: (thrown) => {
      log.crash(`${what} stopped because of a defect`, thrown);
      say(
        `copane: Stopped because of a defect: ${errorMessage(thrown)}. The log in ${stateDir} has the details.`,
      );
    },
    onDisposeError: (name, message) => log.error(`closing ${name} failed`, { message }),
  });
  shutdown.add('log', 'log', () => log.flush());
  return shutdown;
}
