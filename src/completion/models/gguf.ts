/**
 * A GGUF file on this machine, run by node-llama-cpp in a process of its own. That package is not part of copane:
 * `copane model install` brings it. The process starts with the first question and ends when none came for long.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../platform/paths.ts';
import { shippedFile } from '../../platform/shipped-files.ts';
import { grammarFor, type ModelPrompt } from '../core/model-prompt.ts';
import type { FromGguf, ToGguf } from './gguf-protocol.ts';
import {
  type CompletionModel,
  MAX_ANSWER_TOKENS,
  type ModelAnswer,
  type ModelProblem,
  type ModelSettings,
  unavailable,
} from './model.ts';
import { ggufFile, runtimeModule } from './model-files.ts';
import { startModelProcess, tell } from './model-process.ts';

/** A transcript and a line. */
const CONTEXT_TOKENS = 2_048;
const PROGRAM = fileURLToPath(shippedFile('completion-gguf.js'));
/** Reading a file of some hundred megabytes into memory. */
const LOAD_TIMEOUT_MS = 120_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** A model that nobody asks for so long gives its memory back. */
const IDLE_MS = 10 * 60_000;

export interface GgufOptions {
  /** Where `copane model install` puts runtime and files. */
  readonly dataDir: string;
  readonly env: Env;
  readonly idleMs?: number;
}

export function createGguf(settings: ModelSettings, options: GgufOptions): CompletionModel {
  const file = ggufFile(settings.name, options.dataDir);
  const holder = new ModelProcess(file ?? '', options);
  return {
    name: path.basename(file ?? 'no file'),
    isRemote: false,
    async ask(prompt, signal) {
      const problem = whatIsMissing(settings, file, options.dataDir);
      if (problem !== null) return { ok: false, problem };
      return holder.ask(prompt, signal);
    },
    close: () => holder.end(),
  };
}

/** What must be there before a process is worth starting. */
function whatIsMissing(settings: ModelSettings, file: string | null, dataDir: string): ModelProblem | null {
  if (file === null)
    return {
      code: 'not_configured',
      message: 'set completion_model_name to a GGUF file for completion_model "gguf"',
    };
  if (!existsSync(file)) {
    const { url, sha256 } = settings;
    const name = path.basename(file);
    // Without a checksum nobody could tell whether the right file came.
    const models =
      url === null || sha256 === null ? [] : [{ name, url, file: name, dir: path.dirname(file), sha256 }];
    return { code: 'model_not_found', message: `there is no ${file}`, models };
  }
  if (!existsSync(runtimeModule(dataDir)))
    return { code: 'not_configured', message: 'node-llama-cpp is not installed: run "copane model install"' };
  return null;
}

interface Question {
  readonly settle: (answer: ModelAnswer) => void;
}

class ModelProcess {
  readonly #file: string;
  readonly #options: GgufOptions;
  readonly #questions = new Map<number, Question>();
  #child: ChildProcess | null = null;
  #ready: Promise<string | null> = Promise.resolve(null);
  #idle: ReturnType<typeof setTimeout> | null = null;
  #nextId = 1;

  constructor(file: string, options: GgufOptions) {
    this.#file = file;
    this.#options = options;
  }

  async ask(prompt: ModelPrompt, signal: AbortSignal): Promise<ModelAnswer> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const answer = await this.#ask(prompt, signal);
    this.#restIn(this.#options.idleMs ?? IDLE_MS);
    return answer;
  }

  async #ask(prompt: ModelPrompt, signal: AbortSignal): Promise<ModelAnswer> {
    if (this.#child === null) this.#start();
    const failure = await this.#ready;
    if (failure !== null) return unavailable(`the model ${path.basename(this.#file)}: ${failure}`);
    if (signal.aborted) return unavailable('no longer needed');
    return this.#put(prompt, signal);
  }

  end(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #put(prompt: ModelPrompt, signal: AbortSignal): Promise<ModelAnswer> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const settle = (answer: ModelAnswer) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        if (this.#questions.delete(id)) resolve(answer);
      };
      const cancel = () => {
        this.#tell({ kind: 'cancel', id });
        settle(unavailable('no longer needed'));
      };
      // A process that hangs is of no use for the next question either.
      const timer = setTimeout(() => {
        this.end();
        settle(unavailable(`no answer within ${ANSWER_TIMEOUT_MS} ms`));
      }, ANSWER_TIMEOUT_MS);
      signal.addEventListener('abort', cancel, { once: true });
      this.#questions.set(id, { settle });
      this.#tell({
        kind: 'ask',
        id,
        prompt: prompt.before,
        grammar: grammarFor(prompt.typed),
        maxTokens: MAX_ANSWER_TOKENS,
      });
    });
  }

  #tell(message: ToGguf): void {
    if (this.#child !== null) tell(this.#child, message);
  }

  #start(): void {
    const { env, dataDir } = this.#options;
    const child = startModelProcess({
      program: PROGRAM,
      env,
      runtime: runtimeModule(dataDir),
      file: this.#file,
      contextTokens: CONTEXT_TOKENS,
    });
    this.#child = child;
    this.#ready = new Promise((resolve) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        resolve(`not loaded within ${LOAD_TIMEOUT_MS / 1000} s`);
      }, LOAD_TIMEOUT_MS);
      const settle = (failure: string | null) => {
        clearTimeout(timer);
        resolve(failure);
      };
      child.on('message', (message: FromGguf) => {
        if (message.kind === 'ready') settle(null);
        else if (message.kind === 'failed') settle(message.message);
        else this.#hear(message);
      });
      child.on('error', (error) => settle(error.message));
      child.on('exit', (code, signalName) => {
        settle(`its process ended (${signalName ?? `exit ${code}`})`);
        this.#lost(child, signalName ?? `exit ${code}`);
      });
    });
  }

  #hear(message: Extract<FromGguf, { id: number }>): void {
    const question = this.#questions.get(message.id);
    question?.settle(
      message.kind === 'answer'
        ? { ok: true, text: message.text, form: 'typed' }
        : unavailable(message.message),
    );
  }

  /** The process is gone: nobody answers what it was asked; the next question starts another. */
  #lost(child: ChildProcess, how: string): void {
    if (this.#child === child) this.#child = null;
    for (const { settle } of [...this.#questions.values()])
      settle(unavailable(`the model's process ended (${how})`));
  }

  #restIn(ms: number): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.end(), ms);
    this.#idle.unref();
  }
}
