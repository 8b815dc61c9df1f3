/** Our conversation in the SDK's form. */

import { isRecord } from '../../lib/is-record.ts';
import { answerForm } from './answer-form.ts';
import type { StepMessage, StepReasoning, StepRequest, StepToolCall, StepToolResult } from './provider.ts';
import type { CallOptions, Prompt, PromptMessage, SdkTool } from './sdk-types.ts';

/** How a provider takes a result with several blocks. */
export type ResultForm = 'blocks' | 'joined';

export interface PromptOptions {
  readonly resultForm: ResultForm;
  /** Return the model's reasoning. */
  readonly reasoning: boolean;
  readonly form: boolean;
}

type ToolContent = Extract<PromptMessage, { role: 'tool' }>['content'][number];
type CallContent = Exclude<Extract<PromptMessage, { role: 'assistant' }>['content'], string>[number];
type JsonSchema = NonNullable<Extract<CallOptions['responseFormat'], { type: 'json' }>['schema']>;
type ProviderOptions = NonNullable<PromptMessage['providerOptions']>;

/** Anthropic charges less for a repeated beginning of a conversation if its end is marked; others ignore the mark. */
const CACHED = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const;

/** The request in the SDK's form. */
export function sdkRequest(
  request: StepRequest,
  options: PromptOptions,
): Pick<CallOptions, 'prompt' | 'tools' | 'responseFormat'> {
  const prompt: Prompt = [
    { role: 'system', content: request.system, ...CACHED },
    ...request.messages.map((message, index) => {
      const isLast = index === request.messages.length - 1;
      return { ...sdkMessage(message, options), ...(isLast ? CACHED : {}) };
    }),
  ];
  const tools = request.tools.map(
    (tool): SdkTool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: tool.parameters,
    }),
  );
  const { answerTools } = request;
  if (tools.length > 0) return { prompt, tools };
  if (!options.form || answerTools === undefined) return { prompt };
  const schema = answerForm(answerTools) as JsonSchema;
  return { prompt, responseFormat: { type: 'json', name: 'answer', schema } };
}

function sdkMessage(message: StepMessage, { resultForm, reasoning }: PromptOptions): PromptMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant': {
      // Some providers refuse an empty text part.
      const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }];
      const thoughts = reasoning ? (message.reasoning ?? []).map(sdkReasoning) : [];
      return { role: 'assistant', content: [...thoughts, ...text, ...message.toolCalls.map(sdkCall)] };
    }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => sdkResult(result, resultForm)) };
  }
}

function sdkReasoning({ text, opaque }: StepReasoning): CallContent {
  return {
    type: 'reasoning',
    text,
    ...(isRecord(opaque) ? { providerOptions: opaque as ProviderOptions } : {}),
  };
}

function sdkCall(call: StepToolCall): CallContent {
  return {
    type: 'tool-call',
    toolCallId: call.toolCallId,
    toolName: call.name,
    // Providers accept only objects, so anything else is wrapped in one.
    input: call.arguments ?? { not_json: call.written },
    ...(isRecord(call.opaque) ? { providerOptions: call.opaque as ProviderOptions } : {}),
  };
}

function sdkResult(result: StepToolResult, form: ResultForm): ToolContent {
  const common = { type: 'tool-result' as const, toolCallId: result.toolCallId, toolName: result.name };
  const joined = result.blocks.join('\n\n');
  if (!result.ok) return { ...common, output: { type: 'error-text', value: joined } };
  if (form === 'joined') return { ...common, output: { type: 'text', value: joined } };
  return {
    ...common,
    output: { type: 'content', value: result.blocks.map((text) => ({ type: 'text' as const, text })) },
  };
}
