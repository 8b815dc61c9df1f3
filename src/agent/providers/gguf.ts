/** A GGUF file on this machine as a model of the agent. It has no tool calls: wrap it in the JSON protocol. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { GgufMessage } from '../../completion/models/gguf-protocol.ts';
import { ggufFile, runtimeModule } from '../../completion/models/model-files.ts';
import { type ModelOutcome, ModelProcess } from '../../completion/models/model-process.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { answerForm } from './answer-form.ts';
import {
  type AgentProvider,
  failStep,
  type ProviderFailure,
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
  /** The longest silence; reading a long conversation is silent. */
  readonly silenceMs: number;
  readonly now: () => number;
  readonly idleMs?: number;
}

/** The largest share of the context for an answer. */
const ANSWER_SHARE = 0.25;
const ANSWER_MAX_TOKENS = 4_096;

type Step = Result<StepResult, ProviderFailure>;

/** The provider; reports at once what is missing. Its process starts with the first step. */
export function createGguf(options: GgufOptions): Result<AgentProvider> {
  const file = ggufFile(options.name, options.dataDir);
  if (file === null || !existsSync(file)) {
    return fail(
      'not_found',
      `There is no model file ${file ?? options.name}.`,
      'Set agent_local_model to its path.',
    );
  }
  if (!existsSync(runtimeModule(options.dataDir))) {
    return fail(
      'not_found',
      'node-llama-cpp is not installed.',
      'Run "copane model install", or set agent_local_url.',
    );
  }
  const { contextTokens, silenceMs, now } = options;
  const model = path.basename(file);
  const holder = new ModelProcess({ ...options, file });
  const maxTokens = Math.min(ANSWER_MAX_TOKENS, Math.floor(contextTokens * ANSWER_SHARE));
  return ok({
    name: 'local',
    model,
    contextTokens,
    runStep: async (request, { signal, onDelta }) => {
      const start = now();
      const form = answerForm(request.answerTools ?? []);
      const question = { of: 'chat', messages: messagesOf(request), form, maxTokens } as const;
      // Native code cannot be awaited: cancelling ends the process.
      const outcome = await holder.ask(question, { signal, onDelta, silenceMs, endsWhenCancelled: true });
      return stepOf(outcome, { model, silenceMs, maxTokens, latencyMs: now() - start });
    },
    close: () => holder.close(),
  });
}

function messagesOf({ system, messages }: StepRequest): GgufMessage[] {
  const chat = messages.flatMap((message): GgufMessage[] =>
    message.role === 'tool' ? [] : [{ role: message.role, text: message.text }],
  );
  return [{ role: 'system', text: system }, ...chat];
}

interface About {
  readonly model: string;
  readonly silenceMs: number;
  readonly maxTokens: number;
  readonly latencyMs: number;
}

function stepOf(outcome: ModelOutcome, { model, silenceMs, maxTokens, latencyMs }: About): Step {
  switch (outcome.kind) {
    case 'answer': {
      const { text, inputTokens, outputTokens } = outcome;
      const usage = { inputTokens, outputTokens, latencyMs, model };
      const step = { assistantMessage: text, toolCalls: [], stopReason: 'done', usage } as const;
      return ok(outputTokens < maxTokens ? step : { ...step, isCut: true });
    }
    case 'overflow': {
      const needed = `The conversation needs ${outcome.tokens} tokens, more than the model's context.`;
      return failStep('context_overflow', needed);
    }
    case 'failed':
      return failStep('rejected', `The model cannot be loaded: ${outcome.message}`);
    case 'error':
      return failStep('rejected', `The model cannot answer: ${outcome.message}`);
    case 'lost':
      return failStep('unavailable', `The model's process: ${outcome.message}`);
    case 'silent':
      return failStep('timeout', `The model was silent for ${silenceMs / 1000} s.`);
    case 'cancelled':
      return failStep('cancelled', 'The job was cancelled.');
  }
}
