/** OpenAI Responses: `POST /v1/responses`. */
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
  const type = text(raw, 'type');
  if (type === 'function_call' || type === 'custom_tool_call') {
    return { role: 'assistant', text: '', calls: [text(raw, 'call_id')] };
  }
  if (type.endsWith('_output')) return { role: 'tool', text: inputText(text(raw, 'output')), calls: [] };
  const parts = textParts(field(raw, 'content'));
  const role = text(raw, 'role');
  if (role === 'user') return { role, text: humanText(parts), calls: [] };
  return { role: role === 'assistant' ? role : 'system', text: parts.join('\n'), calls: [] };
}

interface Item {
  readonly type: string;
  readonly id: string;
  readonly [key: string]: unknown;
}

function textItem(context: ReplyContext, said: string, status: string): Item {
  const content = status === 'completed' ? [{ type: 'output_text', text: said, annotations: [] }] : [];
  return { type: 'message', id: `msg_${context.id}`, role: 'assistant', status, content };
}

function toolItems(context: ReplyContext): Item[] {
  return (context.reply.tools ?? []).map((tool, index) => {
    const { name, namespace } = tool;
    const id = `fc_${context.id}_${index}`;
    const group = namespace === undefined ? {} : { namespace };
    const common = { id, call_id: context.callId(index), name, ...group };
    return typeof tool.input === 'string'
      ? { type: 'custom_tool_call', ...common, input: tool.input, status: 'completed' }
      : { type: 'function_call', ...common, arguments: inputText(tool.input), status: 'completed' };
  });
}

function items(context: ReplyContext): Item[] {
  const said = context.reply.text ?? '';
  return [...(said === '' ? [] : [textItem(context, said, 'completed')]), ...toolItems(context)];
}

function response(context: ReplyContext, status: string, output: readonly Item[]) {
  return {
    id: context.id,
    object: 'response',
    created_at: 1_700_000_000,
    model: context.model,
    status,
    output,
    usage:
      status === 'completed'
        ? {
            input_tokens: 100,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: 20,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: 120,
          }
        : null,
  };
}

function textEvents(context: ReplyContext, frame: (type: string, rest: object, delayMs?: number) => Frame) {
  const said = context.reply.text ?? '';
  if (said === '') return [];
  const place = { item_id: `msg_${context.id}`, output_index: 0, content_index: 0 };
  const part = (value: string) => ({ type: 'output_text', text: value, annotations: [] });
  return [
    frame('response.output_item.added', { output_index: 0, item: textItem(context, '', 'in_progress') }),
    frame('response.content_part.added', { ...place, part: part('') }),
    ...textPieces(context.reply).map((piece) =>
      frame('response.output_text.delta', { ...place, delta: piece.text }, piece.delayMs),
    ),
    frame('response.output_text.done', { ...place, text: said }),
    frame('response.content_part.done', { ...place, part: part(said) }),
    frame('response.output_item.done', { output_index: 0, item: textItem(context, said, 'completed') }),
  ];
}

export const responses: Dialect = {
  name: 'responses',
  parse(body) {
    const input = field(body, 'input');
    const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : list(body, 'input');
    return {
      model: text(body, 'model'),
      messages: messages.map(message),
      toolNames: list(body, 'tools').map((tool) => text(tool, 'name') || text(tool, 'type')),
      stream: field(body, 'stream') === true,
    };
  },
  frames(context) {
    let sequence = 0;
    const frame = (type: string, rest: object, delayMs = 0): Frame => ({
      event: type,
      data: { type, sequence_number: sequence++, ...rest },
      delayMs,
    });
    const first = (context.reply.text ?? '') === '' ? 0 : 1;
    return [
      frame('response.created', { response: response(context, 'in_progress', []) }),
      ...textEvents(context, frame),
      ...toolItems(context).flatMap((item, index) => [
        frame('response.output_item.added', { output_index: first + index, item }),
        frame('response.output_item.done', { output_index: first + index, item }),
      ]),
      frame('response.completed', { response: response(context, 'completed', items(context)) }),
    ];
  },
  whole: (context) => response(context, 'completed', items(context)),
  error: (status, why) => ({ error: { message: why, type: 'scripted_error', code: String(status) } }),
};
