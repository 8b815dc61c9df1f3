import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { modelsAt, remoteProvider } from '../../../test/helpers/agent-models.ts';

test.each([
  ['a page', '<title>Bad gateway</title>', 'no data came: Bad gateway'],
  ['pings alone', ': ping\n\n: ping\n\n', 'no data came.'],
])('an event stream with %s fails once, with its address and type', async (_, text, words) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider = await remoteProvider(modelsAt(port, 'openai-compatible'));
  const request = { system: 's', messages: [{ role: 'user' as const, text: 'go' }], tools: [] };
  const signal = AbortSignal.timeout(20_000);
  const step = await provider.runStep(request, { signal, onDelta: () => undefined });
  server.closeAllConnections();
  server.close();
  const message = `http://127.0.0.1:${port}/v1/chat/completions answered with text/event-stream (HTTP 200), but ${words}`;
  expect(step).toEqual({ ok: false, error: { kind: 'not_a_model', message } });
  expect(asked).toBe(1);
});
