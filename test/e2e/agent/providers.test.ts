/** Every provider over real HTTP: calls, streams, and everything that a server can do wrong. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createProvider } from '../../../src/agent/providers/models.ts';
import { PROPOSE_EDITS, type StepMessage, type StepRequest } from '../../../src/agent/providers/provider.ts';
import { toolDescriptions } from '../../../src/agent/tools/tool-box.ts';
import type { AgentModels, ProviderKind } from '../../../src/protocol/agent-models.ts';
import { modelsAt, remoteProvider } from '../../helpers/agent-models.ts';
import type { ScriptedReply } from '../../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../helpers/scripted-model/server.ts';
import { endsAtOnce } from '../../helpers/turns.ts';
import { until } from '../../helpers/until.ts';

let model: ScriptedModel | undefined;
let plain: Server | undefined;
afterEach(async () => {
  await model?.close();
  plain?.closeAllConnections();
  plain?.close();
  model = undefined;
  plain = undefined;
});

const KINDS: readonly ProviderKind[] = ['openai-compatible', 'anthropic', 'google'];

const request = (messages: readonly StepMessage[] = [{ role: 'user', text: 'do it' }]): StepRequest => ({
  system: 'You are tested.',
  messages,
  tools: toolDescriptions(),
});

interface Run {
  readonly changes?: Partial<AgentModels>;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly request?: StepRequest;
}

async function step(kind: ProviderKind, replies: readonly ScriptedReply[], run: Run = {}) {
  model = await startScriptedModel({ turns: [{ replies }] });
  const provider = await remoteProvider(modelsAt(model.port, kind, run.changes), run.env);
  const deltas: string[] = [];
  const outcome = await provider.runStep(run.request ?? request(), {
    signal: run.signal ?? new AbortController().signal,
    onDelta: (text) => deltas.push(text),
  });
  return { outcome, deltas, requests: model.requests };
}

describe.each(KINDS)('%s', (kind) => {
  test('streams text as it arrives, and counts tokens', async () => {
    const text = 'Some words, 日本語 and 🦊, in pieces of three.';
    const { outcome, deltas } = await step(kind, [{ text, chunkSize: 3 }]);
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        assistantMessage: text,
        toolCalls: [],
        stopReason: 'done',
        usage: { inputTokens: 100, outputTokens: 20 },
      },
    });
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join('')).toBe(text);
  });

  test('returns parallel calls in order, and accepts all results right after them', async () => {
    const tools = [
      { name: 'read_file', input: { file_path: 'a.md' } },
      { name: 'search_project', input: { query: 'x' } },
      { name: 'read_file', input: { file_path: 'b.md' } },
    ];
    const { outcome } = await step(kind, [{ text: 'I look.', tools }, { text: 'Done.' }]);
    if (!outcome.ok || model === undefined) throw new Error('no step');
    const { toolCalls } = outcome.value;
    expect(toolCalls.map((call) => [call.name, call.arguments])).toEqual(
      tools.map((one) => [one.name, one.input]),
    );
    expect(new Set(toolCalls.map((call) => call.toolCallId)).size).toBe(3);
    const results = toolCalls.map(({ toolCallId, name }, index) => ({
      toolCallId,
      name,
      ok: index !== 1,
      blocks: index === 0 ? ['the text', 'the map'] : [`result ${index}`],
    }));
    const provider = await remoteProvider(modelsAt(model.port, kind));
    const second = await provider.runStep(
      request([
        { role: 'user', text: 'do it' },
        { role: 'assistant', text: 'I look.', toolCalls },
        { role: 'tool', results },
      ]),
      { signal: new AbortController().signal, onDelta: () => undefined },
    );
    expect(second).toMatchObject({ ok: true, value: { assistantMessage: 'Done.' } });
    expect(shapeOf(kind, model.requests.at(-1)?.body)).toEqual(EXPECTED_SHAPE[kind]);
  });

  test('names why the model stopped', async () => {
    const reasons: Record<string, string> = {
      clarify_user: 'needs_clarification',
      [PROPOSE_EDITS]: 'proposed_edits',
    };
    for (const [name, reason] of Object.entries(reasons)) {
      const { outcome } = await step(kind, [
        {
          tools: [
            { name: 'list_files', input: {} },
            { name, input: {} },
          ],
        },
      ]);
      expect(outcome).toMatchObject({ ok: true, value: { stopReason: reason } });
      await model?.close();
    }
  });

  test('waits as a 429 demands, then continues', async () => {
    const error = { status: 429, message: 'slow down', times: 1, headers: { 'retry-after-ms': '120' } };
    const { outcome, requests } = await step(kind, [{ text: 'hello', error }]);
    expect(outcome).toMatchObject({ ok: true, value: { assistantMessage: 'hello' } });
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(115);
    expect(requests).toHaveLength(2);
  });

  test('tells the user when a 429 means a long wait', async () => {
    const error = { status: 429, message: 'slow down', headers: { 'retry-after': '3600' } };
    const { outcome, requests } = await step(kind, [{ error }]);
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'rate_limited', retryAfterMs: 3_600_000 } });
    expect(outcome.ok ? '' : outcome.error.message).toContain('3600 s');
    expect(requests).toHaveLength(1);
  });

  test.each(['cut', 'end', 'reset'] as const)(
    'retries when the stream is %s, and finally gives up',
    async (fault) => {
      const once = { kind: fault, afterFrames: 3, times: 1 };
      const good = await step(kind, [{ text: 'a longer text, in pieces', chunkSize: 4, fault: once }]);
      expect(good.outcome).toMatchObject({
        ok: true,
        value: { assistantMessage: 'a longer text, in pieces' },
      });
      expect(good.requests).toHaveLength(2);
    },
  );

  test('a stream that is always cut fails as such', async () => {
    const { outcome, requests } = await step(kind, [
      { text: 'a longer text, in pieces', chunkSize: 4, fault: { kind: 'cut', afterFrames: 3 } },
    ]);
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'cut' } });
    expect(requests).toHaveLength(4);
  });

  test.each([0, 3])('silence after %i frames is a timeout', async (afterFrames) => {
    const { outcome, requests } = await step(
      kind,
      [{ text: 'a longer text, in pieces', chunkSize: 4, fault: { kind: 'hang', afterFrames } }],
      { changes: { agent_remote_timeout_ms: 300 } },
    );
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    expect(requests).toHaveLength(1);
  });

  test.each([0, 3])('a job cancelled after %i frames ends at once', async (afterFrames) => {
    const controller = new AbortController();
    const hanging = {
      text: 'a longer text, in pieces',
      chunkSize: 4,
      fault: { kind: 'hang' as const, afterFrames },
    };
    const ended = step(kind, [hanging], { signal: controller.signal });
    await until('the request', () => (model?.requests.length ?? 0) > 0);
    controller.abort();
    await endsAtOnce(ended);
    expect((await ended).outcome).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
  });

  test('a frame that is not JSON is malformed, not a crash', async () => {
    const { outcome } = await step(kind, [
      { text: 'a longer text, in pieces', chunkSize: 4, fault: { kind: 'garbage', afterFrames: 3 } },
    ]);
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'malformed' } });
  });

  test.each([
    [401, 'unauthorized'],
    [400, 'rejected'],
    [404, 'rejected'],
  ])('HTTP %i is %s, at once', async (status, expected) => {
    const { outcome, requests } = await step(kind, [{ error: { status, message: 'no such thing' } }]);
    expect(outcome).toMatchObject({ ok: false, error: { kind: expected } });
    expect(outcome.ok ? '' : outcome.error.message).toContain('no such thing');
    expect(requests).toHaveLength(1);
  });

  test('recognizes the messages for a conversation that is too long', async () => {
    const { outcome } = await step(kind, [{ error: { status: 400, ...OVERFLOW[kind] } }]);
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'context_overflow' } });
  });

  test('a key goes only into the request', async () => {
    const key = 'very-secret-key-12345678';
    const { outcome } = await step(
      kind,
      [{ error: { status: 401, message: `Incorrect API key provided: ${key}` } }],
      {
        env: { MY_KEY: key },
        changes: { agent_remote_key: 'MY_KEY' },
      },
    );
    expect(outcome.ok ? '' : outcome.error.message).toContain('[key]');
    expect(JSON.stringify(outcome)).not.toContain(key);
  });

  test('says when nobody listens', async () => {
    const closed = await startScriptedModel({ turns: [] });
    await closed.close();
    const provider = await remoteProvider(modelsAt(closed.port, kind));
    const outcome = await provider.runStep(request(), {
      signal: AbortSignal.timeout(20_000),
      onDelta: () => undefined,
    });
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
  });

  test('a redirect is not followed: it would take the key along', async () => {
    const seen: string[] = [];
    plain = createServer((incoming, response) => {
      seen.push(incoming.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => plain?.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    const provider = await remoteProvider(modelsAt(port, kind));
    const outcome = await provider.runStep(request(), {
      signal: AbortSignal.timeout(20_000),
      onDelta: () => undefined,
    });
    expect(outcome.ok).toBe(false);
    expect(seen).not.toContain('/elsewhere');
  });
});

const OVERFLOW: Readonly<Record<ProviderKind, { readonly message: string; readonly body?: unknown }>> = {
  'openai-compatible': {
    message: '',
    body: {
      error: {
        message: "This model's maximum context length is 10 tokens.",
        code: 'context_length_exceeded',
      },
    },
  },
  anthropic: { message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  google: { message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).' },
};

/** Roles, calls and results of a request body, in order, as the provider reads them. */
function shapeOf(kind: ProviderKind, body: unknown): unknown {
  const { messages, contents } = body as {
    messages?: Record<string, unknown>[];
    contents?: Record<string, unknown>[];
  };
  if (kind === 'google') {
    return contents?.map(({ role, parts }) => [
      role,
      (parts as Record<string, unknown>[]).map((part) => Object.keys(part)[0]),
    ]);
  }
  return messages?.map(({ role, content, tool_calls: calls }) => {
    if (Array.isArray(calls)) return [role, calls.length];
    if (!Array.isArray(content)) return [role, content];
    return [
      role,
      content.map((part: Record<string, unknown>) =>
        part.type === 'tool_result' ? part.content : part.type,
      ),
    ];
  });
}

const EXPECTED_SHAPE: Readonly<Record<ProviderKind, unknown>> = {
  'openai-compatible': [
    ['system', 'You are tested.'],
    ['user', 'do it'],
    ['assistant', 3],
    ['tool', 'the text\n\nthe map'],
    ['tool', 'result 1'],
    ['tool', 'result 2'],
  ],
  anthropic: [
    ['user', ['text']],
    ['assistant', ['text', 'tool_use', 'tool_use', 'tool_use']],
    [
      'user',
      [
        [
          { type: 'text', text: 'the text' },
          { type: 'text', text: 'the map' },
        ],
        'result 1',
        [{ type: 'text', text: 'result 2' }],
      ],
    ],
  ],
  google: [
    ['user', ['text']],
    ['model', ['text', 'functionCall', 'functionCall', 'functionCall']],
    ['user', ['functionResponse', 'functionResponse', 'functionResponse']],
  ],
};

test.each([
  ['openai-compatible', '"reasoning_content":"I think."'],
  ['anthropic', '{"type":"thinking","thinking":"I think.","signature":"signed"}'],
  ['google', '"thoughtSignature":"signed"'],
] as const)('%s gets back its thoughts, with the calls that followed them', async (kind, expected) => {
  const tools = [{ name: 'list_files', input: {} }];
  const { outcome, deltas } = await step(kind, [{ reasoning: 'I think.', tools }, { text: 'Done.' }]);
  if (!outcome.ok || model === undefined) throw new Error('no step');
  expect(deltas).toEqual([]);
  const { toolCalls, reasoning } = outcome.value;
  const provider = await remoteProvider(modelsAt(model.port, kind));
  const messages: StepMessage[] = [
    { role: 'user', text: 'do it' },
    { role: 'assistant', text: '', toolCalls, ...(reasoning === undefined ? {} : { reasoning }) },
    {
      role: 'tool',
      results: toolCalls.map(({ toolCallId, name }) => ({ toolCallId, name, ok: true, blocks: ['x'] })),
    },
  ];
  const second = await provider.runStep(request(messages), {
    signal: AbortSignal.timeout(20_000),
    onDelta: () => undefined,
  });
  expect(second.ok).toBe(true);
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(expected);
});

test('a server that refuses thoughts does not get them again', async () => {
  const bodies: string[] = [];
  plain = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      bodies.push(body);
      const isRefused = body.includes('reasoning_content');
      const message = "property 'reasoning_content' is unsupported";
      response
        .writeHead(isRefused ? 400 : 401)
        .end(JSON.stringify({ error: { message: isRefused ? message : 'end' } }));
    });
  });
  await new Promise<void>((resolve) => plain?.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  const provider = await remoteProvider(modelsAt(port, 'openai-compatible'));
  const messages: StepMessage[] = [
    { role: 'user', text: 'a' },
    { role: 'assistant', text: 'b', toolCalls: [], reasoning: [{ text: 'hm' }] },
    { role: 'user', text: 'c' },
  ];
  const options = { signal: AbortSignal.timeout(20_000), onDelta: () => undefined };
  expect(await provider.runStep(request(messages), options)).toMatchObject({
    error: { kind: 'unauthorized' },
  });
  await provider.runStep(request(messages), options);
  expect(bodies.map((body) => body.includes('reasoning_content'))).toEqual([true, false, false]);
});

test('arguments that are not JSON become a call without arguments, with the original text', async () => {
  const { outcome } = await step('openai-compatible', [
    { tools: [{ name: 'read_file', input: '{"file_path": "a' }] },
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    value: { toolCalls: [{ name: 'read_file', arguments: null, written: '{"file_path": "a' }] },
  });
});

test('names missing configuration, and what to set', async () => {
  const models = modelsAt(1, 'openai-compatible');
  const context = {
    env: {},
    keysFile: '/nonexistent/keys.json',
    dataDir: '/nonexistent/data',
    now: Date.now,
  };
  const none = await createProvider('remote', {
    ...context,
    models: { ...models, agent_remote_model: null },
  });
  expect(none).toMatchObject({
    ok: false,
    error: { code: 'not_found', hint: expect.stringContaining('agent_remote_model') },
  });
  const local = await createProvider('local', { ...context, models: { ...models, agent_local_model: null } });
  expect(local).toMatchObject({ ok: false, error: { hint: expect.stringContaining('agent_local_model') } });
  const keyless = await createProvider('remote', {
    ...context,
    models: { ...models, agent_remote_url: null },
  });
  expect(keyless).toMatchObject({ ok: false, error: { message: expect.stringContaining('OPENAI_API_KEY') } });
});

test('the usual key goes to the provider’s own address, never to another server', async () => {
  const headers: (string | undefined)[] = [];
  plain = createServer((incoming, response) => {
    headers.push(incoming.headers.authorization);
    response.writeHead(401).end('{}');
  });
  await new Promise<void>((resolve) => plain?.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  const options = { signal: AbortSignal.timeout(20_000), onDelta: () => undefined };
  const env = { OPENAI_API_KEY: 'for-openai-alone', MINE: 'for-this-server' };
  await (await remoteProvider(modelsAt(port, 'openai-compatible'), env)).runStep(request(), options);
  const named = modelsAt(port, 'openai-compatible', { agent_remote_key: 'MINE' });
  await (await remoteProvider(named, env)).runStep(request(), options);
  expect(headers).toEqual([undefined, 'Bearer for-this-server']);
});

test('Anthropic is told what to cache, the others are not', async () => {
  for (const kind of KINDS) {
    const { requests } = await step(kind, [{ text: 'x' }]);
    const marks = JSON.stringify(requests[0]?.body).split('cache_control').length - 1;
    expect(marks).toBe(kind === 'anthropic' ? 2 : 0);
    await model?.close();
  }
});

test('uses JSON with a model without tool calls', async () => {
  const answer = { message: 'I look', tool_calls: [{ name: 'list_files', arguments: { prefix: 'a' } }] };
  model = await startScriptedModel({
    withoutTools: true,
    turns: [{ replies: [{ text: JSON.stringify(answer) }] }],
  });
  const models = modelsAt(model.port, 'openai-compatible', { agent_remote_tools: 'json' });
  const provider = await remoteProvider(models);
  const outcome = await provider.runStep(request(), {
    signal: AbortSignal.timeout(20_000),
    onDelta: () => undefined,
  });
  expect(outcome).toMatchObject({
    ok: true,
    value: { assistantMessage: 'I look', toolCalls: [{ name: 'list_files', arguments: { prefix: 'a' } }] },
  });
  expect(model.requests[0]?.conversation.toolNames).toEqual([]);
  const body = model.requests[0]?.body as { response_format?: { type: string } } | undefined;
  expect(body?.response_format?.type).toBe('json_schema');
});
