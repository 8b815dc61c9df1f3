/**
 * A GGUF file on this machine as a model of the agent, run by node-llama-cpp in a process of its own. That package
 * is not part of copane: `copane model install` brings it. Knows no tool calls: wrap it in the JSON protocol.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ggufFile, runtimeModule } from '../../completion/models/model-files.ts';
import { startModelProcess, tell } from '../../completion/models/model-process.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { shippedFile } from '../../platform/shipped-files.ts';
import { answerForm } from './answer-form.ts';
import type { FromGguf, GgufMessage, ToGguf } from './gguf-messages.ts';
import {
  type AgentProvider,
  failStep,
  type ProviderFailure,
  type StepOptions,
  type StepRequest,
  type StepResult,
} from './provider.ts';

export interface GgufOptions {
  /** A path, or a name in the models' folder. */
  readonly name: string;
  /** Where `copane model install` puts runtime and files. */
  readonly dataDir: string;
  readonly env: Env;
  readonly contextTokens: number;
  /** Longest silence; reading a long conversation is silent. */
  readonly silenceMs: number;
  readonly now: () => number;
}

const PROGRAM = fileURLToPath(shippedFile('agent-gguf.js'));
/** What an answer may take of the context, and no more than that. */
const ANSWER_SHARE = 0.25;
const ANSWER_MAX_TOKENS = 4_096;

type Step = Result<StepResult, ProviderFailure>;

/** The provider; what is missing is said at once. Its process starts with the first step. */
export function createGguf(options: GgufOptions): Result<AgentProvider> {
  const file = ggufFile(options.name, options.dataDir);
  if (file === null || !existsSync(file)) {
    return fail(
      'not_found',
      `There is no model file ${file ?? options.name}.`,
      'Set agent_local_model to its path.',
    );
  }
  const runtime = runtimeModule(options.dataDir);
  if (!existsSync(runtime)) {
    return fail(
      'not_found',
      'node-llama-cpp is not installed.',
      'Run "copane model install", or set agent_local_url.',
    );
  }
  const holder = new GgufProcess(file, runtime, options);
  return ok({
    name: 'local',
    model: path.basename(file),
    supportsNativeTools: false,
    contextTokens: options.contextTokens,
    runStep: (request, step) => holder.run(request, step),
    close: () => holder.end(),
  });
}

class GgufProcess {
  readonly #file: string;
  readonly #runtime: string;
  readonly #options: GgufOptions;
  #child: ChildProcess | null = null;

  constructor(file: string, runtime: string, options: GgufOptions) {
    this.#file = file;
    this.#runtime = runtime;
    this.#options = options;
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  /** One question. Native code is not waited for: who cancels, or hears nothing for long, ends the process. */
  run(request: StepRequest, step: StepOptions): Promise<Step> {
    const { silenceMs, now, contextTokens } = this.#options;
    const start = now();
    const child = this.#child ?? this.#start();
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (outcome: Step) => {
        clearTimeout(timer);
        step.signal.removeEventListener('abort', onAbort);
        child.off('message', onMessage).off('error', onError).off('exit', onExit);
        resolve(outcome);
      };
      const stop = (outcome: Step) => {
        this.end();
        settle(outcome);
      };
      const onAbort = () => stop(failStep('cancelled', 'The job was cancelled.'));
      const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(
          () => stop(failStep('timeout', `The model was silent for ${silenceMs / 1000} s.`)),
          silenceMs,
        );
      };
      const onMessage = (message: FromGguf) => {
        heard();
        if (message.kind === 'delta') step.onDelta(message.text);
        else if (message.kind === 'failed') stop(endOf(message, this.#file, now() - start));
        else if (message.kind !== 'ready') settle(endOf(message, this.#file, now() - start));
      };
      const onError = (error: Error) =>
        stop(failStep('unavailable', `The model's process: ${error.message}`));
      const onExit = (code: number | null, signal: string | null) =>
        stop(failStep('unavailable', `The model's process ended (${signal ?? `exit ${code}`}).`));
      child.on('message', onMessage).on('error', onError).on('exit', onExit);
      step.signal.addEventListener('abort', onAbort, { once: true });
      if (step.signal.aborted) return onAbort();
      heard();
      const maxTokens = Math.min(ANSWER_MAX_TOKENS, Math.floor(contextTokens * ANSWER_SHARE));
      const form = answerForm(request.answerTools ?? []);
      tell<ToGguf>(child, { kind: 'ask', messages: messagesOf(request), maxTokens, form });
    });
  }

  #start(): ChildProcess {
    const { env, contextTokens } = this.#options;
    const child = startModelProcess({
      program: PROGRAM,
      env,
      runtime: this.#runtime,
      file: this.#file,
      contextTokens,
    });
    this.#child = child;
    child.on('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    // Between two questions nobody else listens, and an error that nobody hears ends this process.
    child.on('error', () => undefined);
    return child;
  }
}

function messagesOf({ system, messages }: StepRequest): GgufMessage[] {
  const said = messages.flatMap((message): GgufMessage[] =>
    message.role === 'tool' ? [] : [{ role: message.role, text: message.text }],
  );
  return [{ role: 'system', text: system }, ...said];
}

function endOf(
  message: Exclude<FromGguf, { kind: 'ready' | 'delta' }>,
  file: string,
  latencyMs: number,
): Step {
  switch (message.kind) {
    case 'answer': {
      const { text, inputTokens, outputTokens } = message;
      const usage = { inputTokens, outputTokens, latencyMs, model: path.basename(file) };
      return ok({ assistantMessage: text, toolCalls: [], stopReason: 'done', usage });
    }
    case 'overflow':
      return failStep(
        'context_overflow',
        `The conversation needs ${message.tokens} tokens, more than the model's context.`,
      );
    case 'failed':
      return failStep('rejected', `The model cannot be loaded: ${message.message}`);
    case 'error':
      return failStep('rejected', `The model cannot answer: ${message.message}`);
  }
}
