/** A language model as the agent sees it: one step in, one normalized step out. Only adapters know the formats. */

import { parseJson, parseRecord } from '../../lib/parse-json.ts';
import type { Result } from '../../lib/result.ts';
import type { ToolDescription } from '../tools/tool-box.ts';

export interface StepToolResult {
  readonly toolCallId: string;
  readonly name: string;
  readonly ok: boolean;
  /** Text blocks of one result; never separate messages. */
  readonly blocks: readonly string[];
}

export interface StepToolCall {
  readonly toolCallId: string;
  readonly name: string;
  /** Null if the model's text is not a JSON object. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  /** The model's text. */
  readonly written: string;
  /** Data of the adapter, returned with the call in later steps. */
  readonly opaque?: unknown;
}

/** The model's reasoning before its answer. Never shown; some providers require it with the calls it led to. */
export interface StepReasoning {
  readonly text: string;
  /** Data of the adapter, such as a signature. */
  readonly opaque?: unknown;
}

/** A message of the conversation. All results of a message's calls follow directly, in the order of the calls. */
export type StepMessage =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly StepToolCall[];
      readonly reasoning?: readonly StepReasoning[];
    }
  | { readonly role: 'tool'; readonly results: readonly StepToolResult[] };

export interface StepRequest {
  readonly system: string;
  readonly messages: readonly StepMessage[];
  readonly tools: readonly ToolDescription[];
  /** Tools that a JSON answer may call, for an adapter that can enforce its form. */
  readonly answerTools?: readonly ToolDescription[];
}

export interface StepUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly latencyMs: number;
  readonly model: string;
}

/** Why the model stopped. */
export type StopReason = 'needs_tools' | 'needs_clarification' | 'proposed_edits' | 'done';

export interface StepResult {
  readonly assistantMessage: string;
  /** In the model's order; includes proposals. */
  readonly toolCalls: readonly StepToolCall[];
  readonly stopReason: StopReason;
  /** The provider ended the answer early: at its output limit, or for a pause. */
  readonly isCut?: true;
  readonly reasoning?: readonly StepReasoning[];
  readonly usage: StepUsage;
}

/** How a step can fail. */
export type ProviderFailureKind =
  | 'cancelled'
  | 'timeout'
  | 'rate_limited'
  /** The server is overloaded or broken, perhaps temporarily. */
  | 'unavailable'
  /** Nobody listens there. */
  | 'unreachable'
  /** The answer was truncated. */
  | 'cut'
  | 'context_overflow'
  | 'unauthorized'
  /** The answer violates the protocol. */
  | 'malformed'
  /** The provider refuses the request. */
  | 'rejected'
  /** The server at the address is not a model. */
  | 'not_a_model'
  | 'not_recorded';

export interface ProviderFailure {
  readonly kind: ProviderFailureKind;
  readonly message: string;
  readonly retryAfterMs?: number;
}

export interface StepOptions {
  readonly signal: AbortSignal;
  readonly onDelta: (text: string) => void;
  /** The request failed; it is repeated after this time. */
  readonly onWait?: (failure: ProviderFailure, waitMs: number) => void;
}

/** The interface for models: live, recorded or replayed. */
export interface AgentProvider {
  readonly name: string;
  readonly model: string;
  /** The size of the model's context, as far as we know. */
  readonly contextTokens: number;
  /** Never rejects. */
  runStep(request: StepRequest, options: StepOptions): Promise<Result<StepResult, ProviderFailure>>;
  /** Frees its resources; no step may follow. */
  close?(): void;
}

export const PROPOSE_EDITS = 'propose_edits';

/** Derives the reason from the model's calls. */
export function stopReasonOf(toolCalls: readonly StepToolCall[]): StopReason {
  if (toolCalls.some((call) => call.name === PROPOSE_EDITS)) return 'proposed_edits';
  if (toolCalls.some((call) => call.name === 'clarify_user')) return 'needs_clarification';
  return toolCalls.length > 0 ? 'needs_tools' : 'done';
}

/** A failed step. */
export function failStep(
  kind: ProviderFailureKind,
  message: string,
): { readonly ok: false; readonly error: ProviderFailure } {
  return { ok: false, error: { kind, message } };
}

/** A tool call from what a model wrote. */
export function toolCallFrom(
  toolCallId: string,
  name: string,
  written: string,
  opaque?: unknown,
): StepToolCall {
  const text = withoutQuotes(written);
  const call = { toolCallId, name, arguments: parseArguments(text), written: text };
  return opaque === undefined ? call : { ...call, opaque };
}

/** Some models encode their arguments twice. */
function withoutQuotes(written: string): string {
  if (!/^\s*"/.test(written)) return written;
  const value = parseJson(written);
  return typeof value === 'string' ? withoutQuotes(value) : written;
}

/** Some servers send nothing if there are no arguments. */
const parseArguments = (text: string) => (text.trim() === '' ? {} : parseRecord(text));
