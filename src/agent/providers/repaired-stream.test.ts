import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { repairedStream } from './stream-fetch.ts';

/** The corrected stream, whatever the size of its pieces. */
const mended = (stream: string, size = 7) => {
  const bytes = new TextEncoder().encode(stream);
  const input = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  return text(input.pipeThrough(repairedStream((said) => new Error(`no data: ${said}`))));
};

const REASON = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';

test.each([
  ['a correct stream', `data: {"choices":[{"delta":{"content":"日本 🦊"}}]}\n\n${REASON}data: [DONE]\n\n`],
  ['CRLF and comments', `: hi\r\n\r\n${REASON}data: [DONE]\r\n\r\n`],
  ['a truncated stream', 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"cho'],
  ['truncated arguments', `data: {"arguments": {"a"\n${REASON}data: [DONE]\n\n`],
])('leaves alone: %s', async (_, stream) => {
  expect(await mended(stream)).toBe(stream);
});

test('adds why the answer ends if the server does not say', async () => {
  const stream = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":null}]}\n\n';
  const ended = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
  for (const end of ['data: [DONE]\n\n', 'data: [DONE]'])
    expect(await mended(stream + end)).toBe(stream + ended + end);
});

test('turns arguments given as an object into text', async () => {
  const stream = 'data: {"function":{"name":"read_file","arguments":{"file_path":"a.md"}}}\n\n';
  expect(await mended(stream + REASON)).toBe(
    `data: {"function":{"name":"read_file","arguments":"{\\"file_path\\":\\"a.md\\"}"}}\n\n${REASON}`,
  );
});
