import { expect, test } from 'vitest';
import { ok } from '../../lib/result.ts';
import { toolDescriptions } from '../tools/tool-box.ts';
import { jsonProtocol, readAnswer } from './json-protocol.ts';
import type { AgentProvider, StepRequest } from './provider.ts';

const CALL =
  '{"message": "I look", "tool_calls": [{"name": "read_file", "arguments": {"file_path": "a.md"}}]}';

test.each([
  ['bare', CALL],
  ['fenced', `Here:\n\`\`\`json\n${CALL}\n\`\`\`\nDone.`],
  ['after prose with braces', `The {thing} is:\n${CALL}`],
  ['with arguments as text', CALL.replace('{"file_path": "a.md"}', '"{\\"file_path\\": \\"a.md\\"}"')],
])('extracts the object from its surroundings: %s', (_, text) => {
  expect(readAnswer(text, 2)).toEqual({
    assistantMessage: 'I look',
    toolCalls: [
      expect.objectContaining({
        toolCallId: 'json_2_0',
        name: 'read_file',
        arguments: { file_path: 'a.md' },
      }),
    ],
  });
});

test.each([
  ['Just words, no form at all.', 'Just words, no form at all.'],
  ['{"message": "done"}', 'done'],
  ['{"message": "brace } and \\" quote", "tool_calls": []}', 'brace } and " quote'],
])('%s is an answer', (text, message) => {
  expect(readAnswer(text, 0)).toEqual({ assistantMessage: message, toolCalls: [] });
});

test.each([
  '{"message": "cut off',
  '{"tool_calls": [{"nam": "x"}]}',
  '{"tool_calls": {"name": "x"}}',
  '{"message": ""}',
  `{"tool_calls": [${Array.from({ length: 33 }, () => '{"name":"x"}').join()}]}`,
  '```json\n{"file": 1}\n```',
])('%s is an invalid answer', (text) => {
  expect(readAnswer(text, 0)).toBeNull();
});

test('user and model take turns; all results, including maps, are one message', async () => {
  const sent: StepRequest[] = [];
  const inner: AgentProvider = {
    name: 'inner',
    model: 'm',
    contextTokens: 1_000,
    runStep: async (request) => {
      sent.push(request);
      const usage = { inputTokens: 1, outputTokens: 1, latencyMs: 1, model: 'm' };
      return ok({ assistantMessage: CALL, toolCalls: [], stopReason: 'done', usage });
    },
  };
  const provider = jsonProtocol(inner);
  const call = { name: 'read_file', arguments: { file_path: 'a.md' }, written: '{"file_path":"a.md"}' };
  const outcome = await provider.runStep(
    {
      system: 'be good',
      tools: toolDescriptions(),
      messages: [
        { role: 'user', text: 'do it' },
        {
          role: 'assistant',
          text: '',
          toolCalls: [
            { ...call, toolCallId: '1' },
            { ...call, toolCallId: '2' },
          ],
        },
        {
          role: 'tool',
          results: [
            { toolCallId: '1', name: 'read_file', ok: true, blocks: ['text "1"', 'map 1'] },
            { toolCallId: '2', name: 'read_file', ok: false, blocks: ['no such file'] },
          ],
        },
      ],
    },
    { signal: new AbortController().signal, onDelta: () => undefined },
  );
  expect(outcome).toMatchObject({ ok: true, value: { stopReason: 'needs_tools' } });
  const [request] = sent;
  expect(request?.tools).toEqual([]);
  expect(request?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  for (const tool of toolDescriptions()) expect(request?.system).toContain(JSON.stringify(tool.parameters));
  const last = request?.messages[2];
  expect(last?.role === 'user' && last.text).toContain(
    '{"result_of_call":1,"name":"read_file","ok":true,"data":["text \\"1\\"","map 1"]}',
  );
});

test('a conversation without tools is text both ways', async () => {
  const sent: StepRequest[] = [];
  const inner: AgentProvider = {
    name: 'inner',
    model: 'm',
    contextTokens: 16_000,
    runStep: async (request) => {
      sent.push(request);
      const usage = { inputTokens: 1, outputTokens: 1, latencyMs: 1, model: 'm' };
      return ok({ assistantMessage: '```\na\n```', toolCalls: [], stopReason: 'done', usage });
    },
  };
  const messages = [{ role: 'assistant', text: 'a.md', toolCalls: [] } as const];
  const request = { system: 's', messages, tools: [] };
  const options = { signal: new AbortController().signal, onDelta: () => undefined, onWait: () => undefined };
  const step = await jsonProtocol(inner).runStep(request, options);
  expect(sent).toEqual([request]);
  expect(step).toMatchObject({ ok: true, value: { assistantMessage: '```\na\n```' } });
});
