/** Classifies a provider's failure by status, headers and body. Pure. */
import { parseJson } from '../../lib/parse-json.ts';
import type { ProviderFailure, ProviderFailureKind } from './provider.ts';

/** A request without a usable answer. */
export interface HttpFailure {
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** As received; may not be JSON. */
  readonly body: string;
  readonly message: string;
}

/** The providers' messages about a conversation that is too long. */
const OVERFLOW = [
  /context_length_exceeded/i, // OpenAI
  /maximum context length/i, // OpenAI, OpenRouter, vLLM
  /exceed_context_size|exceeds? the available context size/i, // llama-server
  /greater than the context length|context (length|window) (is )?(exceeded|overflow)/i, // LM Studio
  /prompt is too long/i, // Anthropic
  /exceed context limit/i, // Anthropic, with max_tokens
  /input token count.{0,40}exceeds the maximum/is, // Google
  /request_too_large/i, // Anthropic, by bytes
];

/** The longest part of an answer that is passed on. */
const DETAIL_MAX_CHARS = 300;

/** Classifies a failed answer. `now` is the wall clock, for dates in headers. */
export function httpFailure(failure: HttpFailure, now: number): ProviderFailure {
  const kind = kindOf(failure);
  const message = sentence(kind, failure);
  const retryAfterMs = kind === 'rate_limited' || kind === 'unavailable' ? retryAfter(failure, now) : null;
  return retryAfterMs === null ? { kind, message } : { kind, message, retryAfterMs };
}

function kindOf({ status, body, message }: HttpFailure): ProviderFailureKind {
  const text = `${message}\n${body}`;
  if (OVERFLOW.some((pattern) => pattern.test(text))) return 'context_overflow';
  if (status === null) return 'unreachable';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 413) return 'context_overflow';
  if (status === 429) return /insufficient_quota/i.test(body) ? 'rejected' : 'rate_limited';
  if (status === 408 || status === 504) return 'timeout';
  if (status >= 500 || status === 409) return 'unavailable';
  // A successful answer that could not be read.
  return status < 300 ? 'malformed' : 'rejected';
}

const WORDS: Readonly<Record<ProviderFailureKind, string>> = {
  cancelled: 'The job was cancelled',
  timeout: 'The model took too long',
  rate_limited: 'The provider asks for a pause',
  unavailable: 'The provider cannot answer right now',
  unreachable: 'The model cannot be reached',
  cut: 'The answer broke off',
  context_overflow: "The conversation exceeds the model's context",
  unauthorized: 'The provider does not accept the key',
  malformed: 'The answer does not follow the protocol',
  rejected: 'The provider refuses the request',
  not_a_model: 'What is at the address is no model',
  not_recorded: 'There is no recording of this',
};

function sentence(kind: ProviderFailureKind, { status, body, message }: HttpFailure): string {
  const detail = findMessage(parseJson(body)) ?? message;
  const code = status === null ? '' : ` (HTTP ${status})`;
  const words = detail === '' ? '' : `: ${detail.slice(0, DETAIL_MAX_CHARS)}`;
  const whole = `${WORDS[kind]}${code}${words}`;
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** The message in a provider's error, wherever it is. */
function findMessage(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return findMessage(value[0]);
  if (typeof value !== 'object' || value === null) return null;
  if ('message' in value && typeof value.message === 'string') return value.message;
  return 'error' in value ? findMessage(value.error) : null;
}

/** How long the provider asks us to wait, in ms; null if it does not say. */
function retryAfter({ headers, body }: HttpFailure, now: number): number | null {
  const ms = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(ms)) return Math.max(0, ms);
  const header = headers['retry-after'];
  if (header !== undefined) {
    const seconds = Number(header);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const date = Date.parse(header);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  // Google puts it into the body.
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? null : Number(delay) * 1000;
}
