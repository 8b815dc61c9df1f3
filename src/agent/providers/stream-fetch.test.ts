import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { NotAStream, streamFetch } from './stream-fetch.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function answered(answer: (response: ServerResponse) => void) {
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/chat/completions`;
  return { url, response: streamFetch(url) };
}

const ofType = (type: string, text: string) => (response: ServerResponse) =>
  void response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(text);

describe('an answer that is not an event stream', () => {
  test.each([
    [
      'a page',
      'text/html',
      '<!doctype html><title>Sign\n in</title><p>x',
      'text/html (HTTP 200).*: Sign in$',
    ],
    ['a whole completion', 'application/json', '{"choices":[]}', 'application/json (HTTP 200)'],
    [
      'an error',
      'application/json; charset=utf-8',
      '{"error":{"message":"no such model"}}',
      'no such model$',
    ],
    ['an error as text', 'application/json', '{"error":"no such model"}', 'no such model$'],
    ['words', 'text/plain', 'Ollama is running', 'text/plain.*: Ollama is running$'],
    ['nothing', 'text/event-stream', '', 'answered with nothing (HTTP 200, text/event-stream)'],
    ['nothing at all', '', '', 'answered with nothing (HTTP 200, no content type)'],
  ])('%s is reported with its address and type', async (_, type, text, words) => {
    const { url, response } = await answered(ofType(type, text));
    const error = await response.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotAStream);
    const { message } = error as NotAStream;
    expect(message).toContain(url);
    expect(message).toMatch(new RegExp(words.replace(/[()]/g, '\\$&')));
  });

  test('stops reading an endless page', async () => {
    const { response } = await answered((out) => {
      out.writeHead(200, { 'content-type': 'text/html' });
      const more = () => !out.destroyed && out.write('x'.repeat(65_536), more);
      more();
    });
    await expect(response).rejects.toThrow(NotAStream);
  });
});

test.each(['text/event-stream', 'text/plain', ''])('events as %j arrive complete', async (type) => {
  const { response } = await answered((out) => {
    out.writeHead(200, type === '' ? {} : { 'content-type': type });
    out.write(': wait\n\n');
    out.end('data: {"x":1}\n\n');
  });
  expect(await (await response).text()).toBe(': wait\n\ndata: {"x":1}\n\n');
});

test.each([
  ['comments alone', ': ping\n\n: ping\n\n', /event-stream \(HTTP 200\), but no data came\.$/],
  ['a page', '<html><title>Bad gateway</title></html>', /but no data came: Bad gateway$/],
  ['an error', 'event: error\n{"error":{"message":"busy"}}', /but no data came: .*busy/],
])('a stream with %s is reported with its address and type', async (_, text, words) => {
  const { url, response } = await answered(ofType('text/event-stream', text));
  const error = await (await response).text().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotAStream);
  expect(String(error)).toMatch(words);
  expect(String(error)).toContain(url);
});

test('an unsuccessful answer is left to its reader', async () => {
  const { response } = await answered((out) => void out.writeHead(404).end('no'));
  expect(await (await response).text()).toBe('no');
});
