/** Our conversation in the SDK's form. */
import {
  isRecord,
  type StepMessage,
  type StepRequest,
  type StepToolCall,
  type StepToolResult,
} from './provider.ts';
import type { CallOptions, Prompt, PromptMessage, SdkTool } from './sdk-types.ts';

/** How a provider takes a result of several blocks. */
export type ResultForm = 'blocks' | 'joined';

type ToolContent = Extract<PromptMessage, { role: 'tool' }>['content'][number];
type CallContent = Exclude<Extract<PromptMessage, { role: 'assistant' }>['content'], string>[number];
type ProviderOptions = NonNullable<PromptMessage['providerOptions']>;

/** Anthropic bills the same beginning of a conversation less, where it is told how far that goes; others take no notice. */
const CACHED = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const;

/** The request as the SDK takes it. */
export function sdkRequest(request: StepRequest, form: ResultForm): Pick<CallOptions, 'prompt' | 'tools'> {
  const prompt: Prompt = [
    { role: 'system', content: request.system, ...CACHED },
    ...request.messages.map((message, index) => {
      const isLast = index === request.messages.length - 1;
      return { ...sdkMessage(message, form), ...(isLast ? CACHED : {}) };
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
  return tools.length === 0 ? { prompt } : { prompt, tools };
}

function sdkMessage(message: StepMessage, form: ResultForm): PromptMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant': {
      // An empty text part is refused by some providers.
      const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }];
      return { role: 'assistant', content: [...text, ...message.toolCalls.map(sdkCall)] };
    }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => sdkResult(result, form)) };
  }
}

function sdkCall(call: StepToolCall): CallContent {
  return {
    type: 'tool-call',
    toolCallId: call.toolCallId,
    toolName: call.name,
    // Providers take objects only, so what is none goes back in one.
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
