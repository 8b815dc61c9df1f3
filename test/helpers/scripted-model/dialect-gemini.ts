/** Gemini: `POST /v1beta/models/MODEL:streamGenerateContent?alt=sse` and `:generateContent`. */
import { type Dialect, type Frame, field, list, type ReplyContext, text, textPieces } from './dialect.ts';
import { humanText, type Message } from './script.ts';

function message(raw: unknown): Message {
  const parts = list(raw, 'parts');
  const said = parts.map((part) => text(part, 'text')).filter((part) => part !== '');
  if (text(raw, 'role') === 'model') {
    const calls = parts
      .map((part) => field(part, 'functionCall'))
      .filter((call) => call !== undefined)
      .map((call) => text(call, 'id') || 'unnamed');
    return { role: 'assistant', text: said.join('\n'), calls };
  }
  const results = parts.some((part) => field(part, 'functionResponse') !== undefined);
  const human = humanText(said);
  return { role: results && human === '' ? 'tool' : 'user', text: human, calls: [] };
}

function part(context: ReplyContext, parts: readonly unknown[], finish: string | null) {
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        index: 0,
        ...(finish === null ? {} : { finishReason: finish }),
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: context.model,
    responseId: context.id,
  };
}

function calls(context: ReplyContext): unknown[] {
  const { reasoning } = context.reply;
  return (context.reply.tools ?? []).map((tool, index) => ({
    ...(reasoning === undefined ? {} : { thoughtSignature: 'signed' }),
    functionCall: {
      id: context.callId(index),
      name: tool.name,
      args: typeof tool.input === 'string' ? JSON.parse(tool.input) : tool.input,
    },
  }));
}

export const gemini: Dialect = {
  name: 'gemini',
  parse(body, url) {
    const declared = list(body, 'tools').flatMap((tool) => list(tool, 'functionDeclarations'));
    return {
      model: /models\/([^:]+):/.exec(url.pathname)?.[1] ?? '',
      messages: list(body, 'contents').map(message),
      toolNames: declared.map((tool) => text(tool, 'name')),
      stream: url.pathname.endsWith(':streamGenerateContent'),
    };
  },
  frames(context) {
    const pieces: Frame[] = textPieces(context.reply).map((piece) => ({
      data: part(context, [{ text: piece.text }], null),
      delayMs: piece.delayMs,
    }));
    // The last frame must have content: the client treats a reply that ends with an empty frame as broken.
    const tools = calls(context);
    const last: Frame = {
      data: part(context, tools.length > 0 ? tools : [{ text: '' }], 'STOP'),
      delayMs: 0,
    };
    return [...pieces, last];
  },
  whole: (context) =>
    part(
      context,
      [...((context.reply.text ?? '') === '' ? [] : [{ text: context.reply.text }]), ...calls(context)],
      'STOP',
    ),
  error: (status, why) => ({ error: { code: status, message: why, status: 'INTERNAL' } }),
};
