import { expect, test } from 'vitest';
import { type AgentProvider, type StepRequest, toolCallFrom } from '../../src/agent/providers/provider.ts';
import { toolDescriptions } from '../../src/agent/tools/tool-box.ts';
import { ok } from '../../src/lib/result.ts';
import { recording, replaying, type TraceEntry, traceEntrySchema } from './replay.ts';

const KEY = 'my-secret-key';
const options = { signal: new AbortController().signal, onDelta: () => undefined };

const live: AgentProvider = {
  name: 'live',
  model: 'm1',
  contextTokens: 1_000,
  runStep: async (request) => {
    const usage = { inputTokens: 7, outputTokens: 3, latencyMs: 99, model: 'm1' };
    const turn = request.messages.length;
    const toolCalls =
      turn === 1 ? [toolCallFrom(`id-${Math.random()}`, 'read_file', '{"file_path":"a.md"}')] : [];
    const assistantMessage = turn === 1 ? '' : `done with ${KEY}`;
    return ok({ assistantMessage, toolCalls, stopReason: turn === 1 ? 'needs_tools' : 'done', usage });
  },
};

/** Two steps of a conversation with any provider. */
async function talk(provider: AgentProvider, instruction: string, system = 'be good') {
  const base = { system, tools: toolDescriptions() };
  const first: StepRequest = { ...base, messages: [{ role: 'user', text: instruction }] };
  const one = await provider.runStep(first, options);
  if (!one.ok) return one;
  const results = one.value.toolCalls.map(({ toolCallId, name }) => ({
    toolCallId,
    name,
    ok: true,
    blocks: ['text'],
  }));
  const assistant = { role: 'assistant', text: '', toolCalls: one.value.toolCalls } as const;
  return provider.runStep(
    { ...base, messages: [...first.messages, assistant, { role: 'tool', results }] },
    options,
  );
}

async function record(instruction = 'do it'): Promise<TraceEntry[]> {
  const entries: TraceEntry[] = [];
  await talk(
    recording(live, (entry) => entries.push(entry), [KEY]),
    instruction,
  );
  return entries;
}

test('a recorded request is answered again, whatever its ids', async () => {
  const entries = await record();
  expect(entries.map((entry) => traceEntrySchema.parse(JSON.parse(JSON.stringify(entry))))).toEqual(entries);
  const outcome = await talk(replaying(entries), 'do it');
  expect(outcome).toMatchObject({
    ok: true,
    value: { assistantMessage: 'done with [key]', stopReason: 'done' },
  });
});

test('keys are not recorded', async () => {
  expect(JSON.stringify(await record(`use ${KEY}`))).not.toContain(KEY);
});

test('a request that was not recorded fails, and says where it differs', async () => {
  const entries = await record();
  const other = await talk(replaying(entries), 'do that');
  expect(other).toMatchObject({ ok: false, error: { kind: 'not_recorded' } });
  expect(other.ok ? '' : other.error.message).toMatch(/- .*do it.*\n\+ .*do that/);
  const drifted = await talk(replaying(entries), 'do it', 'be better');
  expect(drifted.ok ? '' : drifted.error.message).toContain('differs in line 1');
  expect(await talk(replaying([]), 'do it')).toMatchObject({ ok: false, error: { kind: 'not_recorded' } });
});

test('a request recorded twice is answered in order', async () => {
  const [entry] = await record();
  if (entry === undefined) throw new Error('nothing recorded');
  const named = (name: string): TraceEntry => ({ ...entry, calls: [{ name, arguments: '{}' }] });
  const provider = replaying([named('a'), named('b')]);
  const request: StepRequest = {
    system: 'be good',
    tools: toolDescriptions(),
    messages: [{ role: 'user', text: 'do it' }],
  };
  const names: (string | undefined)[] = [];
  for (let i = 0; i < 3; i += 1) {
    const outcome = await provider.runStep(request, options);
    names.push(outcome.ok ? outcome.value.toolCalls[0]?.name : 'failed');
  }
  expect(names).toEqual(['a', 'b', 'b']);
});
