/** OpenAI chat completions: `POST /v1/chat/completions`. */
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
  const role = text(raw, 'role');
  const parts = textParts(field(raw, 'content'));
  const calls = list(raw, 'tool_calls').map((call) => text(call, 'id'));
  if (role === 'user') return { role, text: humanText(parts), calls };
  if (role === 'assistant' || role === 'tool') return { role, text: parts.join('\n'), calls };
  return { role: 'system', text: parts.join('\n'), calls };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function chunk(context: ReplyContext, delta: unknown, finish: string | null, delayMs = 0): Frame {
  return {
    data: {
      id: context.id,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: context.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...(finish === null ? {} : { usage: USAGE }),
    },
    delayMs,
  };
}

function toolCalls(context: ReplyContext) {
  return (context.reply.tools ?? []).map((tool, index) => ({
    index,
    id: context.callId(index),
    type: 'function',
    function: { name: tool.name, arguments: inputText(tool.input) },
  }));
}

export const chat: Dialect = {
  name: 'chat',
  parse(body) {
    return {
      model: text(body, 'model'),
      messages: list(body, 'messages').map(message),
      toolNames: list(body, 'tools').map((tool) => text(field(tool, 'function'), 'name')),
      stream: field(body, 'stream') === true,
    };
  },
  frames(context) {
    const pieces = textPieces(context.reply);
    const calls = toolCalls(context);
    return [
      chunk(context, { role: 'assistant', content: '' }, null),
      ...(context.reply.reasoning === undefined
        ? []
        : [chunk(context, { reasoning_content: context.reply.reasoning }, null)]),
      ...pieces.map((piece) => chunk(context, { content: piece.text }, null, piece.delayMs)),
      ...calls.map((call) => chunk(context, { tool_calls: [call] }, null)),
      chunk(context, {}, calls.length > 0 ? 'tool_calls' : 'stop'),
      { data: '[DONE]', delayMs: 0 },
    ];
  },
  whole(context) {
    const calls = toolCalls(context);
    const said = { role: 'assistant', content: context.reply.text ?? '' };
    return {
      id: context.id,
      object: 'chat.completion',
      created: 1_700_000_000,
      model: context.model,
      choices: [
        {
          index: 0,
          message: calls.length > 0 ? { ...said, tool_calls: calls } : said,
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        },
      ],
      usage: USAGE,
    };
  },
  error: (status, why) => ({ error: { message: why, type: 'scripted_error', code: String(status) } }),
};
