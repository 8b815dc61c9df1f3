/** The agent's GGUF model in a separate process, with a substitute for node-llama-cpp. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installStandIn } from '../../../test/helpers/llama-stand-in.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { endsAtOnce } from '../../../test/helpers/turns.ts';
import { runtimeModule } from '../../completion/models/model-files.ts';
import { configSchema } from '../../protocol/config.ts';
import { toolDescriptions } from '../tools/tool-box.ts';
import { createGguf, type GgufOptions } from './gguf.ts';
import { jsonProtocol } from './json-protocol.ts';
import { createProvider } from './models.ts';
import type { AgentProvider, StepRequest } from './provider.ts';

let dataDir = '';
let provider: AgentProvider | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'copane-agent-model-'));
  mkdirSync(path.join(dataDir, 'models'));
  writeFileSync(path.join(dataDir, 'models/tiny.gguf'), 'GGUF weights');
  installStandIn(dataDir);
});
afterEach(() => {
  provider?.close?.();
  removeTree(dataDir);
});

function create(changes: Partial<GgufOptions> = {}) {
  return createGguf({
    name: 'tiny.gguf',
    dataDir,
    env: { PATH: process.env.PATH, HOME: dataDir, OPENAI_API_KEY: 'sk-test' },
    contextTokens: 4_000,
    silenceMs: 20_000,
    now: Date.now,
    ...changes,
  });
}

function open(changes: Partial<GgufOptions> = {}): AgentProvider {
  const made = create(changes);
  if (!made.ok) throw new Error(made.error.message);
  provider = made.value;
  return provider;
}

const ask = (
  text: string,
  signal = AbortSignal.timeout(30_000),
  onDelta: (text: string) => void = () => undefined,
) => {
  const request: StepRequest = {
    system: 'be good',
    messages: [
      { role: 'user', text: 'before' },
      { role: 'assistant', text: '{}', toolCalls: [] },
      { role: 'user', text },
    ],
    tools: [],
    answerTools: toolDescriptions(),
  };
  return provider?.runStep(request, { signal, onDelta });
};

test('streams an answer in the requested form, and counts', async () => {
  open();
  const deltas: string[] = [];
  const outcome = await ask('hello', undefined, (text) => deltas.push(text));
  expect(outcome).toMatchObject({
    ok: true,
    value: {
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number), model: 'tiny.gguf' },
    },
  });
  const said = outcome?.ok ? JSON.parse(outcome.value.assistantMessage) : null;
  expect(said).toMatchObject({ message: 'hello', history: ['system', 'user', 'model'] });
  expect(said.form).toContain('read_file');
  expect(deltas.join('')).toBe(outcome?.ok ? outcome.value.assistantMessage : '');
});

test('continues in one process, with only the necessary environment', async () => {
  open();
  const pids: number[] = [];
  for (const text of ['a', 'b']) {
    const outcome = await ask(text);
    const said = outcome?.ok ? JSON.parse(outcome.value.assistantMessage) : null;
    pids.push(said.pid);
    expect(said.env).not.toContain('OPENAI_API_KEY');
  }
  expect(pids[0]).toBe(pids[1]);
  expect(pids[0]).not.toBe(process.pid);
});

test.each([
  ['crash', 'unavailable', 'SIGSEGV'],
  ['throw', 'rejected', 'no room left'],
  ['long '.repeat(4_000), 'context_overflow', 'tokens'],
])('%.10s is %s', async (text, kind, words) => {
  open();
  const outcome = await ask(text);
  expect(outcome).toMatchObject({ ok: false, error: { kind, message: expect.stringContaining(words) } });
  // A crash costs one answer.
  expect(await ask('hello')).toMatchObject({ ok: true });
});

test('silence is a timeout', async () => {
  open({ silenceMs: 500 });
  // The first answer includes the start of a process.
  await expect.poll(async () => (await ask('hello'))?.ok).toBe(true);
  expect(await ask('slow')).toMatchObject({ ok: false, error: { kind: 'timeout' } });
});

test('cancelling does not wait for native code', async () => {
  open();
  expect((await ask('hello'))?.ok).toBe(true);
  const controller = new AbortController();
  const slow = ask('slow', controller.signal);
  controller.abort();
  await endsAtOnce(Promise.resolve(slow));
  expect(await slow).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
});

test('reports what is missing', async () => {
  expect(create({ name: 'none.gguf' })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('none.gguf') },
  });
  rmSync(runtimeModule(dataDir));
  expect(create()).toMatchObject({
    ok: false,
    error: { hint: expect.stringContaining('copane model install') },
  });
  installStandIn(dataDir);
  writeFileSync(path.join(dataDir, 'models/tiny.gguf'), 'HTML');
  open();
  expect(await ask('hello')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('not a GGUF file') },
  });
  expect(existsSync(dataDir)).toBe(true);
});

test.each([
  { url: null, name: 'tiny.gguf', isFile: true },
  { url: null, name: 'TINY.GGUF', isFile: false },
  { url: 'http://127.0.0.1:9/v1', name: 'tiny.gguf', isFile: false },
])('$name at $url', async ({ url, name, isFile }) => {
  const models = { ...configSchema.parse({}), agent_local_model: name, agent_local_url: url };
  const context = { models, env: {}, keysFile: path.join(dataDir, 'keys.json'), dataDir, now: Date.now };
  const made = await createProvider('local', context);
  if (name === 'TINY.GGUF') expect(made).toMatchObject({ ok: false, error: { code: 'not_found' } });
  else expect(made).toMatchObject({ ok: true, value: { model: name } });
  // Only the process of a file is ours to close.
  expect(made.ok && made.value.close !== undefined).toBe(isFile);
});

test('the user sees text, not braces', async () => {
  const wrapped = jsonProtocol(open());
  const deltas: string[] = [];
  const outcome = await wrapped.runStep(
    { system: 's', messages: [{ role: 'user', text: 'hello' }], tools: toolDescriptions() },
    { signal: AbortSignal.timeout(30_000), onDelta: (text) => deltas.push(text) },
  );
  expect(outcome).toMatchObject({ ok: true, value: { assistantMessage: 'hello' } });
  expect(deltas.join('')).toBe('hello');
});
