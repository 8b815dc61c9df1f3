/** Runs a GGUF file by node-llama-cpp (`copane model install`) in a process: a native crash costs one answer. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Env } from '../../platform/paths.ts';
import { shippedFile } from '../../platform/shipped-files.ts';
import type { FromGguf, GgufAnswer, GgufQuestion, ToGguf } from './gguf-protocol.ts';
import { runtimeModule } from './model-files.ts';

const PROGRAM = fileURLToPath(shippedFile('gguf.js'));
/** Loading takes long: files have some hundred megabytes. */
const LOAD_TIMEOUT_MS = 120_000;

export interface ModelProcessOptions {
  readonly file: string;
  /** The folder of `copane model install`. */
  readonly dataDir: string;
  readonly env: Env;
  readonly contextTokens: number;
  /** The process ends when idle for this long; left out: only when closed. */
  readonly idleMs?: number;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** The process ends after this silence: if it hangs, it cannot answer the next question either. */
  readonly silenceMs: number;
  readonly onDelta?: (text: string) => void;
  /** Ends the process of a cancelled question instead of waiting for native code to notice. */
  readonly endsWhenCancelled?: boolean;
}

export type ModelOutcome =
  | GgufAnswer
  /** The model could not be loaded. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Its process ended. */
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'silent' | 'cancelled' };

interface Running {
  readonly process: ChildProcess;
  /** Why the model did not load; null once it did. */
  readonly ready: Promise<ModelOutcome | null>;
  readonly questions: Map<number, Question>;
}

interface Question {
  readonly hear: (message: Extract<FromGguf, { id: number }>) => void;
  readonly settle: (outcome: ModelOutcome) => void;
}

export class ModelProcess {
  readonly #options: ModelProcessOptions;
  #running: Running | null = null;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;

  constructor(options: ModelProcessOptions) {
    this.#options = options;
  }

  /** Asks once. Never rejects. */
  async ask(question: GgufQuestion, options: AskOptions): Promise<ModelOutcome> {
    clearTimeout(this.#idle);
    this.#running ??= this.#start();
    const running = this.#running;
    const failure = await Promise.race([running.ready, cancelled(options.signal)]);
    const outcome = failure ?? (await this.#put(running, question, options));
    if (outcome.kind === 'silent' || (outcome.kind === 'cancelled' && options.endsWhenCancelled === true))
      this.close();
    this.#restLater();
    return outcome;
  }

  /** Ends the process; the next question starts another. */
  close(): void {
    clearTimeout(this.#idle);
    this.#running?.process.kill('SIGKILL');
    this.#running = null;
  }

  #put(
    { process: child, questions }: Running,
    question: GgufQuestion,
    { signal, silenceMs, onDelta }: AskOptions,
  ): Promise<ModelOutcome> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const settle = (outcome: ModelOutcome) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        if (questions.delete(id)) resolve(outcome);
      };
      const cancel = () => {
        tell(child, { kind: 'cancel', id });
        settle({ kind: 'cancelled' });
      };
      const timer = setTimeout(() => settle({ kind: 'silent' }), silenceMs);
      const hear: Question['hear'] = (message) => {
        timer.refresh();
        if (message.kind === 'delta') onDelta?.(message.text);
        else settle(message);
      };
      questions.set(id, { hear, settle });
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel, { once: true });
      tell(child, { kind: 'ask', id, question });
    });
  }

  #start(): Running {
    const { env, dataDir, file, contextTokens } = this.#options;
    const { PATH, HOME, LANG } = env;
    const child = fork(PROGRAM, [], {
      // Native code does not get the user's keys.
      env: { PATH, HOME, LANG },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json',
    });
    const questions: Running['questions'] = new Map();
    const { promise: ready, resolve } = Promise.withResolvers<ModelOutcome | null>();
    const fail = (outcome: ModelOutcome) => {
      clearTimeout(timer);
      if (this.#running?.process === child) this.close();
      resolve(outcome);
      for (const { settle } of [...questions.values()]) settle(outcome);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail({ kind: 'failed', message: `not loaded within ${LOAD_TIMEOUT_MS / 1000} s` });
    }, LOAD_TIMEOUT_MS);
    child.on('message', (message: FromGguf) => {
      if (message.kind === 'failed') return fail(message);
      if (message.kind !== 'ready') return questions.get(message.id)?.hear(message);
      clearTimeout(timer);
      resolve(null);
    });
    child.on('error', (error) => fail({ kind: 'lost', message: error.message }));
    child.on('exit', (code, signal) =>
      fail({ kind: 'lost', message: `it ended (${signal ?? `exit ${code}`})` }),
    );
    const module = pathToFileURL(runtimeModule(dataDir)).href;
    tell(child, { kind: 'load', module, file, contextTokens });
    return { process: child, ready, questions };
  }

  #restLater(): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#idle);
    if (idleMs !== undefined) this.#idle = setTimeout(() => this.close(), idleMs).unref();
  }
}

/** Does nothing after the process has ended. */
function tell(child: ChildProcess, message: ToGguf): void {
  if (child.connected) child.send(message, () => undefined);
}

function cancelled(signal: AbortSignal): Promise<ModelOutcome> {
  return new Promise((resolve) => {
    const settle = () => resolve({ kind: 'cancelled' });
    if (signal.aborted) settle();
    else signal.addEventListener('abort', settle, { once: true });
  });
}
