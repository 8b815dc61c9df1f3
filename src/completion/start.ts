/** Starts the completion daemon in its worker thread, from the host's main thread, and only while the host leads. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { wordList } from '../lib/word-list.ts';
import { copanePaths, type Env, homeFolder } from '../platform/paths.ts';
import { shippedFile } from '../platform/shipped-files.ts';
import type { CompletionStatus } from '../protocol/shell.ts';
import type { AskModel } from './command-writer.ts';
import type { ModelSettings } from './models/model.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-protocol.ts';

export interface CompletionOptions {
  readonly env: Env;
  readonly model: ModelSettings | null;
  readonly askModel: AskModel;
  /** Called for a bug in the worker; the daemon continues if it can. */
  readonly onDefect: (where: string, message: string) => void;
}

export interface CompletionService {
  readonly socketFile: string;
  /** Numbers for the Shell screen; null if the worker does not answer in time. */
  status(): Promise<CompletionStatus | null>;
  /** While on, nothing is answered, learned or sent to a model. */
  setPrivate(on: boolean): void;
  /** Never suggests `line` again. */
  forget(line: string): void;
  /** Gives up the socket and ends the worker. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;
const STATUS_TIMEOUT_MS = 1_000;
/** Enough for a history of a million lines. */
const MAX_OLD_SPACE_MB = 768;
/** Small: a request leaves little garbage, and users see unused memory. */
const MAX_YOUNG_SPACE_MB = 16;

/** Environment variables for the worker. */
const PASSED_ON = wordList(
  'HISTFILE ZDOTDIR PATH LANG LC_ALL LC_CTYPE HOME USER SHELL TERM KUBECONFIG COPANE_HIDDEN_SHELL',
);

/** `$ASHLET_SOCKET`, else in the runtime folder, else in /tmp. */
export function completionSocketFile(env: Env, uid = process.getuid?.() ?? 0): string {
  if (env.ASHLET_SOCKET) return env.ASHLET_SOCKET;
  return env.XDG_RUNTIME_DIR ? path.join(env.XDG_RUNTIME_DIR, 'ashlet.sock') : `/tmp/ashlet-${uid}.sock`;
}

export function completionSettings(env: Env, model: ModelSettings | null = null): WorkerSettings {
  const uid = process.getuid?.() ?? 0;
  const paths = copanePaths(env);
  return {
    socketFile: completionSocketFile(env, uid),
    uid,
    stateDir: paths.stateDir,
    dataDir: paths.dataDir,
    model,
    home: homeFolder(env),
    env: Object.fromEntries(PASSED_ON.map((name) => [name, env[name]])),
  };
}

/** Starts the daemon. Refused if the socket belongs to someone else: the host continues without completion. */
export async function startCompletion(options: CompletionOptions): Promise<Result<CompletionService>> {
  const settings = completionSettings(options.env, options.model);
  const worker = new Worker(shippedFile('completion-worker.js'), {
    workerData: settings,
    name: 'completion',
    resourceLimits: {
      maxOldGenerationSizeMb: MAX_OLD_SPACE_MB,
      maxYoungGenerationSizeMb: MAX_YOUNG_SPACE_MB,
    },
  });
  const first = await firstWord(worker);
  if (first.kind !== 'listening') {
    await worker.terminate();
    return first.kind === 'refused'
      ? fail('refused', first.message, first.hint)
      : fail('internal', first.kind === 'defect' ? first.message : 'the completion worker did not start');
  }
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'defect') options.onDefect(message.where, message.message);
  });
  answerQuestions(worker, options.askModel);
  worker.on('error', (error) => options.onDefect('worker', errorMessage(error)));
  return ok(createService(worker, settings.socketFile));
}

/** Asks the model the worker's questions, until the worker cancels them. */
function answerQuestions(worker: Worker, askModel: AskModel): void {
  const questions = new Map<number, AbortController>();
  worker.on('message', async (message: FromWorker) => {
    if (message.kind === 'drop-question') questions.get(message.id)?.abort();
    if (message.kind !== 'ask-model') return;
    const controller = new AbortController();
    questions.set(message.id, controller);
    const said = await askModel(message.question, controller.signal);
    questions.delete(message.id);
    worker.postMessage({ kind: 'model-said', id: message.id, said } satisfies ToWorker);
  });
  worker.on('exit', () => {
    for (const controller of questions.values()) controller.abort();
  });
}

/** The worker's first message; `stopped` if it dies or stays silent. */
function firstWord(worker: Worker): Promise<FromWorker> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'stopped' }), START_TIMEOUT_MS);
    const settle = (message: FromWorker) => {
      clearTimeout(timer);
      resolve(message);
    };
    worker.once('message', settle);
    worker.once('error', (error) =>
      settle({ kind: 'defect', where: 'worker', message: errorMessage(error) }),
    );
  });
}

function createService(worker: Worker, socketFile: string): CompletionService {
  let nextId = 1;
  const post = (message: ToWorker) => worker.postMessage(message);
  return {
    socketFile,
    status() {
      const id = nextId;
      nextId += 1;
      post({ kind: 'status', id });
      return reply(worker, STATUS_TIMEOUT_MS, (message) =>
        message.kind === 'status' && message.id === id ? message.status : null,
      );
    },
    setPrivate: (on) => post({ kind: 'private', on }),
    forget: (line) => post({ kind: 'forget', line }),
    async stop() {
      post({ kind: 'stop' });
      await reply(worker, STOP_TIMEOUT_MS, (message) => (message.kind === 'stopped' ? true : null));
      await worker.terminate();
    },
  };
}

/** The first message that `pick` takes, or null at the deadline. */
function reply<T>(
  worker: Worker,
  timeoutMs: number,
  pick: (message: FromWorker) => T | null,
): Promise<T | null> {
  return new Promise((resolve) => {
    const settle = (value: T | null) => {
      clearTimeout(timer);
      worker.off('message', listen);
      resolve(value);
    };
    const listen = (message: FromWorker) => {
      const picked = pick(message);
      if (picked !== null) settle(picked);
    };
    const timer = setTimeout(() => settle(null), timeoutMs);
    worker.on('message', listen);
  });
}
