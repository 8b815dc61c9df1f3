/** llama-server: `/infill` if its model can fill in, else `/completion`, as its first answer shows. */
import * as z from 'zod';
import { grammarFor, type ModelPrompt } from '../core/model-prompt.ts';
import { askJson, type HttpOutcome } from './http.ts';
import { isRemoteUrl } from './loopback.ts';
import {
  type CompletionModel,
  MAX_ANSWER_TOKENS,
  type ModelAnswer,
  type ModelSettings,
  unavailable,
} from './model.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';
/** Long, since an answer takes seconds on a small machine, nobody waits for it, and typing cancels it. */
const TIMEOUT_MS = 10_000;

const answerSchema = z.object({ content: z.string() });
const errorSchema = z.object({ error: z.object({ message: z.string().optional() }) });

/** For both endpoints: one line, the likeliest one. */
const SAMPLING = {
  n_predict: MAX_ANSWER_TOKENS,
  temperature: 0,
  stop: ['\n'],
  cache_prompt: true,
  stream: false,
} as const;

export function createLlamaServer(settings: ModelSettings): CompletionModel {
  const base = (settings.url ?? DEFAULT_URL).replace(/\/+$/, '');
  /** Null: unknown. */
  let fillsIn: boolean | null = null;
  const post = (path: string, body: unknown, signal: AbortSignal) =>
    askJson({ url: base + path, body, key: settings.key, timeoutMs: TIMEOUT_MS, signal });
  const complete = (prompt: ModelPrompt, signal: AbortSignal) =>
    post('/completion', { ...SAMPLING, prompt: prompt.before, grammar: grammarFor(prompt.typed) }, signal);
  const infill = (prompt: ModelPrompt, signal: AbortSignal) =>
    post(
      '/infill',
      {
        ...SAMPLING,
        input_prefix: prompt.before + prompt.typed,
        input_suffix: `${prompt.right}\n`,
        input_extra: [],
      },
      signal,
    );
  return {
    name: `llama-server at ${base}`,
    isRemote: isRemoteUrl(base),
    async ask(prompt, signal) {
      if (fillsIn !== false) {
        const filled = await infill(prompt, signal);
        const cannot =
          filled.kind === 'answer' &&
          (filled.status === 404 || filled.status === 501 || filled.status === 400);
        if (!cannot) {
          const answer = readAnswer(filled, 'rest', base);
          if (answer.ok) fillsIn = true;
          return answer;
        }
        fillsIn = false;
      }
      return readAnswer(await complete(prompt, signal), 'typed', base);
    },
    close: () => undefined,
  };
}

function readAnswer(outcome: HttpOutcome, form: 'rest' | 'typed', base: string): ModelAnswer {
  if (outcome.kind === 'failure') return unavailable(`llama-server at ${base}: ${outcome.message}`);
  const answer = answerSchema.safeParse(outcome.body);
  if (outcome.status === 200 && answer.success) return { ok: true, text: answer.data.content, form };
  const error = errorSchema.safeParse(outcome.body);
  const message = error.success ? error.data.error.message : undefined;
  return unavailable(`llama-server at ${base}: ${message ?? `status ${outcome.status} without an answer`}`);
}
