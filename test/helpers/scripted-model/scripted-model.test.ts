/** The scripted model speaks its four dialects, and uses a script's turns only for the human's prompts. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTree } from '../remove-tree.ts';
import type { Script } from './script.ts';
import { type ScriptedModel, startScriptedModel } from './server.ts';

const SCRIPT: Script = {
  turns: [
    {
      when: 'list it',
      replies: [
        { text: 'Looking.', tools: [{ name: 'bash', input: { command: 'ls' } }] },
        { text: 'Two files: 日本 👩‍👩‍👧.', chunkSize: 3 },
      ],
    },
    { replies: [{ text: 'first in order' }] },
    { replies: [{ text: 'second in order' }] },
    { when: 'flaky', replies: [{ text: 'now', error: { status: 529, message: 'busy', times: 1 } }] },
  ],
};

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel(SCRIPT);
});
afterAll(() => model.close());

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${model.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** The pieces of text in a stream, joined, from the dialect's text field. */
function said(stream: string, pick: (event: never) => string | undefined): string {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => pick(JSON.parse(line.slice(6)) as never) ?? '')
    .join('');
}

interface DialectCase {
  readonly name: string;
  readonly path: string;
  body(prompt: string, callId: string | null): unknown;
  read(stream: string): string;
}

const CHAT_TOOLS = [{ type: 'function', function: { name: 'bash', parameters: {} } }];
const CASES: readonly DialectCase[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    body: (prompt, id) => ({
      model: 'mock',
      stream: true,
      tools: CHAT_TOOLS,
      messages: [
        { role: 'system', content: 'rules' },
        { role: 'user', content: prompt },
        ...(id === null
          ? []
          : [
              { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: {} }] },
              { role: 'tool', tool_call_id: id, content: 'a b' },
            ]),
      ],
    }),
    read: (stream) =>
      said(stream, (e: { choices: { delta: { content?: string } }[] }) => e.choices[0]?.delta.content),
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: (prompt, id) => ({
      model: 'mock',
      stream: true,
      tools: [{ type: 'function', name: 'bash' }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>x' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...(id === null
          ? []
          : [
              { type: 'function_call', call_id: id, name: 'bash', arguments: '{}' },
              { type: 'function_call_output', call_id: id, output: 'a b' },
            ]),
      ],
    }),
    read: (stream) =>
      said(stream, (e: { type: string; delta?: string }) =>
        e.type === 'response.output_text.delta' ? e.delta : undefined,
      ),
  },
  {
    name: 'messages',
    path: '/v1/messages?beta=true',
    body: (prompt, id) => ({
      model: 'mock',
      stream: true,
      tools: [{ name: 'bash' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '<system-reminder>x</system-reminder>' },
            { type: 'text', text: prompt },
          ],
        },
        ...(id === null
          ? []
          : [
              { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: {} }] },
              { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'a b' }] },
            ]),
      ],
    }),
    read: (stream) => said(stream, (e: { delta?: { text?: string } }) => e.delta?.text),
  },
  {
    name: 'gemini',
    path: '/v1beta/models/mock:streamGenerateContent?alt=sse',
    body: (prompt, id) => ({
      tools: [{ functionDeclarations: [{ name: 'bash' }] }],
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...(id === null
          ? []
          : [
              { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] },
              { role: 'user', parts: [{ functionResponse: { name: 'bash', response: {} } }] },
            ]),
      ],
    }),
    read: (stream) =>
      said(
        stream,
        (e: { candidates: { content: { parts: { text?: string }[] } }[] }) =>
          e.candidates[0]?.content.parts[0]?.text,
      ),
  },
];

describe.each(CASES)('$name', ({ path, body, read }) => {
  it('answers with text and a tool call, then with the text after the tool', async () => {
    const first = await post(path, body('please list it', null));
    expect(read(first.text)).toBe('Looking.');
    expect(first.text).toContain('call_t0r0n0');
    const second = await post(path, body('please list it', 'call_t0r0n0'));
    expect(read(second.text)).toBe('Two files: 日本 👩‍👩‍👧.');
    const again = await post(path, body('please list it', 'call_t0r0n0'));
    expect(read(again.text)).toBe(read(second.text));
  });

  it('records only the words of the human', () => {
    expect(model.requests.at(-1)?.prompt).toBe('please list it');
  });
});

describe('choice of the turn', () => {
  const ask = async (prompt: string, tools: unknown = CHAT_TOOLS) => {
    const messages = [{ role: 'user', content: prompt }];
    return (await post('/v1/chat/completions', { model: 'mock', tools, messages })).text;
  };

  it('gives turns without a key to new prompts in order, and the same one to a repeated request', async () => {
    expect(await ask('alpha')).toContain('first in order');
    expect(await ask('alpha')).toContain('first in order');
    expect(await ask('beta')).toContain('second in order');
    expect(await ask('gamma')).toContain('UNSCRIPTED');
  });

  it('side calls use up no turn', async () => {
    expect(await ask('a title for: list it', [])).toContain('side call');
  });

  it('fails as often as the script says', async () => {
    expect(await ask('flaky')).toContain('busy');
    expect(await ask('flaky')).toContain('now');
  });
});

it('runs as a separate process, reports its port, and ends with SIGTERM', async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'copane-model-'));
  const file = path.join(dir, 'script.json');
  writeFileSync(file, JSON.stringify(SCRIPT));
  const main = path.join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [main, '--script', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  try {
    const [line] = await new Promise<string[]>((resolve) => {
      createInterface(child.stdout).once('line', (text) => resolve([text]));
    });
    const { port } = JSON.parse(line ?? '') as { port: number };
    const body = JSON.stringify({
      model: 'mock',
      tools: CHAT_TOOLS,
      messages: [{ role: 'user', content: 'x' }],
    });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', body });
    expect(await answer.text()).toContain('first in order');
    const seen = (await (await fetch(`http://127.0.0.1:${port}/_requests`)).json()) as { prompt: string }[];
    expect(seen.map((request) => request.prompt)).toEqual(['x']);
  } finally {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    removeTree(dir);
  }
});
