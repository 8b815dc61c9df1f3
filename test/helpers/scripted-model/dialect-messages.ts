/** Anthropic messages: `POST /v1/messages`. */
import {
  type Dialect,
  type Frame,
  field,
  inputText,
  list,
  type ReplyContext,
  text,
  textParts,
  textPieces,
} from './dialect.ts';
import { humanText, type Message } from './script.ts';

function message(raw: unknown): Message {
  const content = field(raw, 'content');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const calls = blocks
    .filter((block) => text(block, 'type') === 'tool_use')
    .map((block) => text(block, 'id'));
  const parts = textParts(content);
  if (text(raw, 'role') === 'assistant') return { role: 'assistant', text: parts.join('\n'), calls };
  // Newer versions of Claude Code send their own context as system messages between the others.
  if (text(raw, 'role') === 'system') return { role: 'system', text: parts.join('\n'), calls };
  // Claude Code sends its environment as messages of the role `system` after the human's.
  if (text(raw, 'role') === 'system') return { role: 'system', text: parts.join('\n'), calls };
  const said = humanText(parts);
  const results = blocks.some((block) => text(block, 'type') === 'tool_result');
  return { role: results && said === '' ? 'tool' : 'user', text: said, calls };
}

function parsedInput(input: Readonly<Record<string, unknown>> | string): unknown {
  return typeof input === 'string' ? JSON.parse(input) : input;
}

function content(context: ReplyContext): unknown[] {
  const said = context.reply.text ?? '';
  const tools = (context.reply.tools ?? []).map((tool, index) => ({
    type: 'tool_use',
    id: context.callId(index),
    name: tool.name,
    input: parsedInput(tool.input),
  }));
  return said === '' ? tools : [{ type: 'text', text: said }, ...tools];
}

const USAGE = {
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 20,
};

function whole(context: ReplyContext, blocks: readonly unknown[], stop: string | null) {
  return {
    id: context.id,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: blocks,
    stop_reason: stop,
    stop_sequence: null,
    usage: USAGE,
  };
}

function stopReason(context: ReplyContext): string {
  return (context.reply.tools ?? []).length > 0 ? 'tool_use' : 'end_turn';
}

function frame(type: string, rest: object, delayMs = 0): Frame {
  return { event: type, data: { type, ...rest }, delayMs };
}

function thinkingBlock(thinking: string): Frame[] {
  const delta = (value: object) => frame('content_block_delta', { index: 0, delta: value });
  return [
    frame('content_block_start', {
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    }),
    delta({ type: 'thinking_delta', thinking }),
    delta({ type: 'signature_delta', signature: 'signed' }),
    frame('content_block_stop', { index: 0 }),
  ];
}

function textBlock(context: ReplyContext, index: number): Frame[] {
  return [
    frame('content_block_start', { index, content_block: { type: 'text', text: '' } }),
    ...textPieces(context.reply).map((piece) =>
      frame('content_block_delta', { index, delta: { type: 'text_delta', text: piece.text } }, piece.delayMs),
    ),
    frame('content_block_stop', { index }),
  ];
}

function toolBlock(context: ReplyContext, index: number, tool: number): Frame[] {
  const call = context.reply.tools?.[tool];
  if (call === undefined) return [];
  const block = { type: 'tool_use', id: context.callId(tool), name: call.name, input: {} };
  const delta = { type: 'input_json_delta', partial_json: inputText(call.input) };
  return [
    frame('content_block_start', { index, content_block: block }),
    frame('content_block_delta', { index, delta }),
    frame('content_block_stop', { index }),
  ];
}

export const messages: Dialect = {
  name: 'messages',
  parse(body) {
    return {
      model: text(body, 'model'),
      messages: list(body, 'messages').map(message),
      toolNames: list(body, 'tools').map((tool) => text(tool, 'name')),
      stream: field(body, 'stream') === true,
    };
  },
  frames(context) {
    const hasText = (context.reply.text ?? '') !== '';
    const hasReasoning = context.reply.reasoning !== undefined;
    const tools = context.reply.tools ?? [];
    const first = hasReasoning ? 1 : 0;
    return [
      frame('message_start', { message: whole(context, [], null) }),
      ...(hasReasoning ? thinkingBlock(context.reply.reasoning ?? '') : []),
      ...(hasText ? textBlock(context, first) : []),
      ...tools.flatMap((_, tool) => toolBlock(context, tool + first + (hasText ? 1 : 0), tool)),
      frame('message_delta', {
        delta: { stop_reason: stopReason(context), stop_sequence: null },
        usage: USAGE,
      }),
      frame('message_stop', {}),
    ];
  },
  whole: (context) => whole(context, content(context), stopReason(context)),
  error: (status, why) => ({
    type: 'error',
    error: { type: status === 529 ? 'overloaded_error' : 'api_error', message: why },
  }),
};
