/** A provider over the AI SDK's models, by their lowest interface: tools, budgets, retries and time limits are ours. */
import { APICallError } from 'ai';
import { ok, type Result } from '../../lib/result.ts';
import { bytesOfTokens } from '../../lib/token-estimate.ts';
import { httpFailure } from './failure.ts';
import { redactKeys } from './keys.ts';
import {
  type AgentProvider,
  type ProviderFailure,
  type StepOptions,
  type StepRequest,
  type StepResult,
  stopReasonOf,
} from './provider.ts';
import { type PromptOptions, type ResultForm, sdkRequest } from './sdk-prompt.ts';
import type { SdkModel } from './sdk-types.ts';
import { StepFold } from './step-stream.ts';
import { NotAStream } from './stream-fetch.ts';

export interface SdkProviderOptions {
  readonly name: string;
  readonly model: SdkModel;
  readonly resultForm: ResultForm;
  readonly contextTokens: number;
  readonly maxOutputTokens: number | null;
  /** Whether the server may be asked to enforce the form of a JSON answer. */
  readonly mayEnforceForm: boolean;
  /** The longest silence, before the first piece and between two. */
  readonly silenceMs: number;
  /** Removed from every message. */
  readonly keys: readonly string[];
  readonly now: () => number;
}

/** Thrown if a provider stays silent too long. */
class Silence extends Error {}

/** Wraps one model. */
export function sdkProvider(options: SdkProviderOptions): AgentProvider {
  let extras: Extras = { reasoning: true, form: options.mayEnforceForm };
  return {
    name: options.name,
    model: options.model.modelId,
    contextTokens: options.contextTokens,
    runStep: async (request, step) => {
      let outcome = await runStep(request, step, options, extras);
      if (isRefused(outcome, request, extras)) {
        extras = NO_EXTRAS;
        outcome = await runStep(request, step, options, extras);
      }
      if (outcome.ok) return outcome;
      return {
        ok: false,
        error: { ...outcome.error, message: redactKeys(outcome.error.message, options.keys) },
      };
    },
  };
}

/** Options that not every server accepts: dropped for good if one refuses a request with them. */
type Extras = Pick<PromptOptions, 'reasoning' | 'form'>;
const NO_EXTRAS: Extras = { reasoning: false, form: false };

function isRefused(outcome: Step, request: StepRequest, extras: Extras): boolean {
  if (outcome.ok || outcome.error.kind !== 'rejected') return false;
  const hasReasoning = request.messages.some((message) => message.role === 'assistant' && message.reasoning);
  return (extras.form && request.answerTools !== undefined) || (extras.reasoning && hasReasoning);
}

type Step = Result<StepResult, ProviderFailure>;

async function runStep(
  request: StepRequest,
  step: StepOptions,
  options: SdkProviderOptions,
  extras: Extras,
): Promise<Step> {
  const watch = new SilenceWatch(options.silenceMs, step.signal);
  const start = options.now();
  const fold = new StepFold(bytesOfTokens(options.contextTokens));
  const failed = (thrown: unknown) =>
    ({ ok: false, error: failureOf(thrown, step.signal, watch, options) }) as const;
  try {
    await watch.race(consume({ request, step, options, extras, fold, watch }));
  } catch (thrown) {
    return failed(thrown);
  } finally {
    watch.stop();
  }
  if (fold.error !== undefined) return failed(fold.error);
  const problem = fold.problem();
  if (problem !== null) return { ok: false, error: problem };
  return ok(resultOf(fold, options, options.now() - start));
}

function resultOf(fold: StepFold, options: SdkProviderOptions, latencyMs: number): StepResult {
  const { text, toolCalls, reasoning, inputTokens, outputTokens } = fold;
  const usage = { inputTokens, outputTokens, latencyMs, model: fold.model ?? options.model.modelId };
  const result = { assistantMessage: text, toolCalls, stopReason: stopReasonOf(toolCalls), usage };
  return {
    ...result,
    ...(fold.isCut ? { isCut: true } : {}),
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}

interface Consumed {
  readonly request: StepRequest;
  readonly step: StepOptions;
  readonly options: SdkProviderOptions;
  readonly extras: Extras;
  readonly fold: StepFold;
  readonly watch: SilenceWatch;
}

async function consume({ request, step, options, extras, fold, watch }: Consumed): Promise<void> {
  const { stream } = await options.model.doStream({
    ...sdkRequest(request, { resultForm: options.resultForm, ...extras }),
    ...(options.maxOutputTokens === null ? {} : { maxOutputTokens: options.maxOutputTokens }),
    abortSignal: watch.signal,
  });
  for await (const part of stream) {
    if (watch.signal.aborted) return;
    watch.heard();
    const text = fold.push(part);
    if (text !== '') step.onDelta(text);
    if (fold.isRunaway) return;
  }
}

/** Aborts after silence, or at once if the job is cancelled, even if the network does not react. */
class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #silenceMs: number;
  readonly #outer: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#outer.reason);

  constructor(silenceMs: number, outer: AbortSignal) {
    this.#silenceMs = silenceMs;
    this.#outer = outer;
    if (outer.aborted) this.#onAbort();
    outer.addEventListener('abort', this.#onAbort, { once: true });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(new Silence()), this.#silenceMs);
  }

  async race(work: Promise<void>): Promise<void> {
    let onAbort: () => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(this.signal.reason);
      if (this.signal.aborted) onAbort();
      else this.signal.addEventListener('abort', onAbort, { once: true });
    });
    // The loser of the race may still reject, and nobody waits for it.
    work.catch(() => undefined);
    aborted.catch(() => undefined);
    try {
      await Promise.race([work, aborted]);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#onAbort);
  }
}

function failureOf(
  thrown: unknown,
  signal: AbortSignal,
  watch: SilenceWatch,
  options: SdkProviderOptions,
): ProviderFailure {
  if (signal.aborted) return { kind: 'cancelled', message: 'The job was cancelled.' };
  if (watch.signal.reason instanceof Silence) {
    return { kind: 'timeout', message: `The model was silent for ${options.silenceMs / 1000} s.` };
  }
  const notAStream = causesOf(thrown).find((one) => one instanceof NotAStream);
  if (notAStream !== undefined) return { kind: 'not_a_model', message: notAStream.message };
  if (APICallError.isInstance(thrown)) {
    const status = thrown.statusCode ?? null;
    const headers = thrown.responseHeaders ?? {};
    const message = thrown.message;
    // The connection broke during a successful answer.
    const isCut = status !== null && status < 300 && !/invalid json/i.test(message);
    if (isCut) return cutBy(thrown);
    return httpFailure({ status, headers, body: thrown.responseBody ?? '', message }, options.now());
  }
  return streamFailure(thrown, options.now());
}

/** The failure for an error that a stream reports, or that ends it. */
function streamFailure(thrown: unknown, now: number): ProviderFailure {
  if (thrown instanceof Error) {
    const name = thrown.name;
    if (/JSONParse|TypeValidation|InvalidResponseData/.test(name) && !/finish reason/.test(thrown.message)) {
      return {
        kind: 'malformed',
        message: `The answer does not follow the protocol: ${firstLine(thrown.message)}`,
      };
    }
    if ('data' in thrown && typeof thrown.data === 'object' && thrown.data !== null) {
      return reported(thrown.data, now);
    }
    return cutBy(thrown);
  }
  return reported(thrown, now);
}

/** The libraries' message ("terminated") is meaningless; the system's error name is not. */
function cutBy(thrown: Error): ProviderFailure {
  const codes = causesOf(thrown).map((one) => ('code' in one ? one.code : null));
  const code = codes.find((one) => typeof one === 'string');
  return { kind: 'cut', message: `The answer broke off${code === undefined ? '' : ` (${code})`}.` };
}

/** An error and its causes: the SDK wraps those of a stream. */
function causesOf(thrown: unknown): readonly Error[] {
  return thrown instanceof Error ? [thrown, ...causesOf(thrown.cause)] : [];
}

/** An error object inside the stream has no status, so its message decides. */
function reported(value: unknown, now: number): ProviderFailure {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  const status = /rate_limit|too many requests|RESOURCE_EXHAUSTED/i.test(body) ? 429 : 500;
  return httpFailure({ status, headers: {}, body, message: '' }, now);
}

const firstLine = (text: string) => (text.split('\n')[0] ?? '').slice(0, 300);
