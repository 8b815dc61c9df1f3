/** llama-server and OpenAI-compatible servers against a scripted one, with every way to fail. */
import { afterEach, describe, expect, it } from 'vitest';
import { ModelServer } from '../../../test/helpers/model-server.ts';
import { buildPrompt } from '../core/model-prompt.ts';
import { createLlamaServer } from './llama-server.ts';
import { isRemoteUrl } from './loopback.ts';
import type { ModelSettings } from './model.ts';
import { createOpenAi } from './openai.ts';

const NEVER = new AbortController().signal;
const prompt = buildPrompt(
  { line: 'git com', cursor: 7, cwd: '/w', session: 's', limit: 4 },
  { habits: [], recent: [] },
);
const settings = (fields: Partial<ModelSettings>): ModelSettings => ({
  kind: 'llama-server',
  url: null,
  name: null,
  key: null,
  sha256: null,
  ...fields,
});

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
async function serve(): Promise<ModelServer> {
  const server = await new ModelServer().start();
  servers.push(server);
  return server;
}

describe('llama-server', () => {
  it('fills in', async () => {
    const server = await serve();
    server.answer = () => 'mit -m ""';
    const model = createLlamaServer(settings({ url: `${server.url}/` }));
    expect(await model.ask(prompt, NEVER)).toEqual({ ok: true, text: 'mit -m ""', form: 'rest' });
    expect(server.questions).toMatchObject([
      { path: '/infill', body: { input_prefix: '$ cd /w\n$ git com', input_suffix: '\n', stop: ['\n'] } },
    ]);
  });

  it.each([400, 404, 501])('completes, permanently, if it cannot fill in (%i)', async (status) => {
    const server = await serve();
    server.answer = () => ' commit';
    server.faults.set('/infill', { kind: 'status', status });
    const model = createLlamaServer(settings({ url: server.url }));
    for (let round = 0; round < 2; round += 1)
      expect(await model.ask(prompt, NEVER)).toEqual({ ok: true, text: ' commit', form: 'typed' });
    expect(server.questions.map(({ path }) => path)).toEqual(['/infill', '/completion', '/completion']);
    expect(server.questions[1]?.body).toMatchObject({
      prompt: '$ cd /w\n$ git',
      grammar: expect.stringContaining('root ::= " com"') as string,
    });
  });

  it('is unavailable while it loads its model, and says so', async () => {
    const server = await serve();
    server.faults.set('*', { kind: 'status', status: 503, body: { error: { message: 'Loading model' } } });
    expect(await createLlamaServer(settings({ url: server.url })).ask(prompt, NEVER)).toMatchObject({
      ok: false,
      problem: { code: 'inference_unavailable', message: expect.stringContaining('Loading model') as string },
    });
  });
});

const openAi = (server: ModelServer, fields: Partial<ModelSettings> = {}) =>
  createOpenAi(settings({ kind: 'openai', url: `${server.url}/v1`, name: 'tiny', ...fields }));

describe('a server with chat completions', () => {
  it('is asked with its key and the rules', async () => {
    const server = await serve();
    server.answer = () => 'git commit';
    expect(await openAi(server, { key: 'k1' }).ask(prompt, NEVER)).toEqual({
      ok: true,
      text: 'git commit',
      form: 'line',
    });
    expect(server.questions).toMatchObject([
      { path: '/v1/chat/completions', key: 'Bearer k1', body: { model: 'tiny', temperature: 0 } },
    ]);
  });

  it.each([
    ['OpenAI', { error: { message: 'The model does not exist', code: 'model_not_found' } }],
    ['Ollama', { error: 'model "tiny" not found, try pulling it first' }],
  ])('reports that it has no such model, as %s does', async (_name, body) => {
    const server = await serve();
    server.faults.set('*', { kind: 'status', status: 404, body });
    expect(await openAi(server).ask(prompt, NEVER)).toMatchObject({ problem: { code: 'model_not_found' } });
  });

  it('is not configured without its key, its name or its address', async () => {
    const server = await serve();
    server.faults.set('*', { kind: 'status', status: 401 });
    for (const model of [
      openAi(server),
      openAi(server, { name: null }),
      createOpenAi(settings({ kind: 'openai', name: 'x' })),
    ])
      expect(await model.ask(prompt, NEVER)).toMatchObject({ problem: { code: 'not_configured' } });
    expect(server.questions).toHaveLength(1);
  });
});

describe('returns every fault as an outcome', () => {
  it.each(['cut', 'garbage', 'flood', 'redirect', 'reset'] as const)('%s', async (kind) => {
    const server = await serve();
    server.faults.set('*', { kind });
    for (const model of [createLlamaServer(settings({ url: server.url })), openAi(server)])
      expect(await model.ask(prompt, NEVER)).toMatchObject({
        ok: false,
        problem: { code: 'inference_unavailable' },
      });
  });

  it.each([
    ['an answer of another form', { choices: [] }],
    ['null', null],
    ['an answer that is not text', { content: 7, choices: [{ message: { content: null } }] }],
  ])('%s', async (_name, body) => {
    const server = await serve();
    server.faults.set('*', { kind: 'status', status: 200, body });
    for (const model of [createLlamaServer(settings({ url: server.url })), openAi(server)])
      expect(await model.ask(prompt, NEVER)).toMatchObject({ problem: { code: 'inference_unavailable' } });
  });

  it('nobody listens', async () => {
    const server = await serve();
    const { url } = server;
    await server.stop();
    servers.length = 0;
    expect(await createLlamaServer(settings({ url })).ask(prompt, NEVER)).toMatchObject({
      problem: { code: 'inference_unavailable', message: expect.stringContaining('ECONNREFUSED') as string },
    });
  });

  it('gives up on a hanging server, and reports that it no longer waits', async () => {
    const server = await serve();
    server.faults.set('*', { kind: 'hang' });
    const controller = new AbortController();
    const answer = createLlamaServer(settings({ url: server.url })).ask(prompt, controller.signal);
    await expect.poll(() => server.questions.length).toBe(1);
    controller.abort();
    expect(await answer).toMatchObject({ ok: false });
    await expect.poll(() => server.aborted).toBe(1);
  });
});

it.each([
  ['http://localhost:1', false],
  ['http://127.0.0.2:8080/v1', false],
  ['http://[::1]:8080', false],
  ['https://api.example.org/v1', true],
  ['http://127.0.0.1.example.org', true],
  ['http://localhost@example.org', true],
  ['nonsense', true],
])('%s is on another machine: %s', (url, expected) => expect(isRemoteUrl(url)).toBe(expected));
