/** The dialect of the original clients: who gets it, over every interface. `test/full` runs those clients. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Json, TestServer } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

let server: TestServer;
let published: Json;
beforeAll(async () => {
  server = await TestServer.start({ auth: 'none' });
  published = await server.publish();
});
afterAll(() => server.stop());

const get = async (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Json> => {
  const response = await fetch(`${server.url}/suggestions/${published.id}${query}`, { headers });
  return response.json();
};
const withToken = () => ({ Authorization: `Bearer ${server.token()}` });

/** The answer and the first message for a client that asks for this suggestion. */
async function ask(query: string, headers: Readonly<Record<string, string>>): Promise<Json[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws${query}`, { headers });
  const said: Json[] = [];
  socket.on('message', (data: Buffer) => said.push(JSON.parse(String(data))));
  await until('the greeting', () => said.length > 0);
  socket.send(JSON.stringify({ type: 'get', id: '7', suggestionId: published.id }));
  await until('the answer', () => said.length > 1);
  socket.terminate();
  return said;
}

it.each([
  ['without a token', '', () => ({})],
  ['with a token, when it asks for it', '?dialect=original', withToken],
])('%s a client is original', async (_, query, headers) => {
  const [first] = published.hunks;
  const flat = await get(query, headers());
  expect(flat).toMatchObject({
    id: published.id,
    hunk_count: 2,
    hunkCount: 2,
    hunkStates: { [first.id]: { reviewed: false } },
    hunks: [{ suggestionId: published.id, originalLines: ['line 3', 'line 4', 'line 5'] }, {}],
  });
  const [greeting, answer] = await ask(query, headers());
  expect(greeting.suggestions).toMatchObject([{ hunkCount: 2, jjChangeId: '' }]);
  expect(answer.suggestion).toMatchObject({ id: published.id, hunkStates: { [first.id]: {} } });
  expect(answer.data.suggestion).toEqual(answer.suggestion);
});

it.each([
  ['with a token', '', withToken],
  ['without one, when it asks for it', '?dialect=copane', () => ({})],
])('%s a client reads one spelling', async (_, query, headers) => {
  expect(await get(query, headers())).toEqual({ success: true, suggestion: published });
  const [greeting, answer] = await ask(query, headers());
  expect(Object.keys(greeting.suggestions[0]).filter((name) => /[A-Z]/.test(name))).toEqual([]);
  expect(answer).toEqual({
    type: 'response',
    id: '7',
    success: true,
    data: { success: true, suggestion: published },
  });
});
