/** Any server with OpenAI's chat completions: Ollama, vLLM, LM Studio, a provider. */
import * as z from 'zod';
import { CHAT_RULES, chatMessage } from '../core/model-prompt.ts';
import { askJson, type HttpOutcome } from './http.ts';
import { isRemoteUrl } from './loopback.ts';
import {
  type CompletionModel,
  MAX_ANSWER_TOKENS,
  type ModelAnswer,
  type ModelSettings,
  unavailable,
} from './model.ts';

/** A remote provider is slow; a late answer still serves the next key. */
const TIMEOUT_MS = 10_000;

const answerSchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]).rest(z.unknown()),
});
const errorSchema = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, code: undefined })),
    z.object({ message: z.string().optional(), code: z.union([z.string(), z.number()]).nullish() }),
  ]),
});

export function createOpenAi(settings: ModelSettings): CompletionModel {
  const base = (settings.url ?? '').replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  const model = settings.name ?? '';
  return {
    name: `${model} at ${base}`,
    isRemote: isRemoteUrl(base),
    async ask(prompt, signal) {
      if (base === '' || model === '') return notConfigured();
      const outcome = await askJson({
        url: `${base}/chat/completions`,
        body: {
          model,
          messages: [
            { role: 'system', content: CHAT_RULES },
            { role: 'user', content: chatMessage(prompt) },
          ],
          max_tokens: MAX_ANSWER_TOKENS * 2,
          temperature: 0,
          stream: false,
        },
        key: settings.key,
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      return readAnswer(outcome, model, base);
    },
    close: () => undefined,
  };
}

function notConfigured(): ModelAnswer {
  return {
    ok: false,
    problem: {
      code: 'not_configured',
      message: 'set completion_model_url and completion_model_name for completion_model "openai"',
    },
  };
}

function readAnswer(outcome: HttpOutcome, model: string, base: string): ModelAnswer {
  if (outcome.kind === 'failure') return unavailable(`${base}: ${outcome.message}`);
  const answer = answerSchema.safeParse(outcome.body);
  if (outcome.status === 200 && answer.success)
    return { ok: true, text: answer.data.choices[0].message.content, form: 'line' };
  const error = errorSchema.safeParse(outcome.body);
  const message = error.success ? error.data.error.message : undefined;
  const code = error.success ? error.data.error.code : undefined;
  if (
    code === 'model_not_found' ||
    (outcome.status === 404 && message !== undefined && /model/i.test(message))
  )
    return {
      ok: false,
      problem: { code: 'model_not_found', message: `${base} has no model "${model}"`, models: [] },
    };
  if (outcome.status === 401 || outcome.status === 403)
    return {
      ok: false,
      problem: {
        code: 'not_configured',
        message: `${base} wants a key: name the variable that holds it in completion_model_key`,
      },
    };
  return unavailable(`${base}: ${message ?? `status ${outcome.status} without an answer`}`);
}
