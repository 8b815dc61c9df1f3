/** Whole jobs over real HTTP: every provider, real tools on real files, and servers that fail in the middle. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import type { AgentModels, ProviderKind } from '../../../src/protocol/agent-models.ts';
import { runLoop } from '../../helpers/agent-loop.ts';
import { modelsAt } from '../../helpers/agent-models.ts';
import { projectFolder } from '../../helpers/agent-tools.ts';
import type { Script, ScriptedReply } from '../../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../helpers/scripted-model/server.ts';
import { endsAtOnce } from '../../helpers/turns.ts';

const KINDS: readonly ProviderKind[] = ['openai-compatible', 'anthropic', 'google'];
const NOTES = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `notes/n${String(i).padStart(2, '0')}.md`,
    `# Old heading\r\n\r\nNote ${i}\r\n`,
  ]),
);

let project: ReturnType<typeof projectFolder>;
let servers: ScriptedModel[] = [];
beforeEach(() => {
  project = projectFolder({
    ...NOTES,
    'big.md': Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`).join(''),
  });
});
afterEach(async () => {
  project.remove();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function serve(script: Script): Promise<ScriptedModel> {
  const server = await startScriptedModel(script);
  servers.push(server);
  return server;
}

interface Job {
  readonly kind?: ProviderKind;
  readonly changes?: Partial<AgentModels>;
  readonly run?: Partial<Parameters<typeof runLoop>[0]>;
}

async function job(
  replies: readonly ScriptedReply[],
  { kind = 'openai-compatible', changes, run }: Job = {},
) {
  const server = await serve({ turns: [{ replies }] });
  const models = modelsAt(server.port, kind, changes);
  return { ...(await runLoop({ root: project.root, models, ...run })), requests: server.requests };
}

const call = (name: string, input: Readonly<Record<string, unknown>>) => ({ name, input });
const retitle = (file_path: string) => ({
  file_path,
  operation: 'replace',
  start_line: 1,
  end_line: 1,
  new_text: '# New heading\n',
  rationale: 'The new name.',
});

describe.each(KINDS)('%s', (kind) => {
  test('renames a heading across thirty notes: one search, one proposal', async () => {
    const edits = Object.keys(NOTES).map(retitle);
    const { outcome, types, requests } = await job(
      [
        {
          text: 'I look.',
          tools: [
            call('search_project', { query: 'Old heading', limit: 50 }),
            call('list_files', { prefix: 'notes' }),
          ],
        },
        { text: 'Thirty notes.', tools: [call('propose_edits', { edits })] },
      ],
      { kind },
    );
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.edits).toHaveLength(30);
    expect(outcome.value.message).toBe('Thirty notes.');
    expect(requests).toHaveLength(2);
    expect(types.filter((type) => type === 'tool.call.completed')).toHaveLength(2);
    for (const name of Object.keys(NOTES)) {
      expect(readFileSync(path.join(project.root, name), 'utf8')).toBe(NOTES[name]);
    }
  });

  test('is refused for lines that it did not see, reads them, and then succeeds', async () => {
    const { outcome, requests } = await job(
      [
        { tools: [call('propose_edits', { edits: [retitle('notes/n00.md')] })] },
        {
          tools: [
            call('read_file', { file_path: 'notes/n00.md' }),
            call('read_file', { file_path: 'big.md' }),
          ],
        },
        { tools: [call('propose_edits', { edits: [retitle('notes/n00.md')] })] },
      ],
      { kind },
    );
    expect(outcome.ok).toBe(true);
    expect(JSON.stringify(requests[1]?.body)).toContain('Nothing was proposed');
  });

  test('continues after a 429, a cut stream and a malformed frame in the middle of a job', async () => {
    const { outcome, requests, types } = await job(
      [
        {
          text: 'I look at it now.',
          chunkSize: 3,
          tools: [call('read_file', { file_path: 'notes/n00.md' })],
          error: { status: 429, message: 'wait', times: 1, headers: { 'retry-after-ms': '20' } },
          fault: { kind: 'cut', afterFrames: 3, times: 1 },
        },
        {
          text: 'I propose this now.',
          chunkSize: 3,
          tools: [call('propose_edits', { edits: [retitle('notes/n00.md')] })],
          fault: { kind: 'garbage', afterFrames: 3, times: 1 },
        },
      ],
      { kind },
    );
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.edits).toHaveLength(1);
    expect(requests).toHaveLength(5);
    expect(types.filter((type) => type === 'provider.waiting')).toHaveLength(2);
  });

  test('is cancelled at once in the middle of a stream', async () => {
    const controller = new AbortController();
    const { promise: begun, resolve: delta } = Promise.withResolvers<void>();
    const slow = { text: 'a long text that comes slowly', chunkSize: 2, chunkDelayMs: 60_000 };
    const ended = job([slow], {
      kind,
      run: { deps: { signal: controller.signal, delta: () => delta() } },
    });
    await begun;
    controller.abort();
    await endsAtOnce(ended);
    expect((await ended).outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

test('a model without tool calls does the same with JSON', async () => {
  const answer = (value: unknown) => [{ text: `Sure!\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`` }];
  const server = await serve({
    withoutTools: true,
    turns: [
      {
        replies: answer({
          message: 'I look',
          tool_calls: [{ name: 'read_file', arguments: { file_path: 'notes/n01.md' } }],
        }),
      },
      { replies: [{ text: '{"message": "oops", "tool_calls": [{"name": "propose_ed' }] },
      {
        replies: answer({
          message: 'Here',
          tool_calls: [{ name: 'propose_edits', arguments: { edits: [retitle('notes/n01.md')] } }],
        }),
      },
    ],
  });
  const models = modelsAt(server.port, 'openai-compatible', { agent_remote_tools: 'json' });
  const { outcome } = await runLoop({ root: project.root, models });
  if (!outcome.ok) throw new Error(outcome.error.message);
  expect(outcome.value).toMatchObject({ message: 'Here', edits: [{ file_path: 'notes/n01.md' }] });
  for (const { conversation } of server.requests) {
    expect(conversation.toolNames).toEqual([]);
    const roles = conversation.messages.map((message) => message.role).filter((role) => role !== 'system');
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
  }
});

test('hybrid_auto: the local server overflows, the remote one does the job, and every choice is traced', async () => {
  const local = await serve({
    turns: [
      {
        replies: [
          {
            error: {
              status: 400,
              message: '',
              body: {
                error: {
                  message: 'the request exceeds the available context size',
                  type: 'exceed_context_size_error',
                },
              },
            },
          },
        ],
      },
    ],
  });
  const remote = await serve({
    turns: [
      {
        replies: [
          { tools: [call('read_file', { file_path: 'notes/n02.md' })] },
          { tools: [call('propose_edits', { edits: [retitle('notes/n02.md')] })] },
        ],
      },
    ],
  });
  const models = modelsAt(remote.port, 'anthropic', { agent_local_url: `http://127.0.0.1:${local.port}/v1` });
  const { outcome, events } = await runLoop({ root: project.root, models, input: { mode: 'hybrid_auto' } });
  expect(outcome.ok).toBe(true);
  const choices = events
    .filter((event) => event.type.startsWith('provider.'))
    .map((event) => event.data.summary);
  expect(choices).toEqual([
    'local scripted-local: agent_mode is hybrid_auto: the local model first',
    "local → remote: the job exceeds the local model's context",
    "remote scripted: the job exceeds the local model's context",
  ]);
});

test('a truncated read carries its map in the same result, and parallel reads stay whole', async () => {
  const { requests } = await job(
    [
      {
        tools: [call('read_file', { file_path: 'big.md' }), call('read_file', { file_path: 'notes/n03.md' })],
      },
      { text: 'Done.' },
    ],
    {
      kind: 'anthropic',
      run: {
        setup: {
          maps: {
            outline: async () =>
              ok({
                text: 'THE MAP',
                filePath: 'big.md',
                symbolCount: 1,
                totalLines: 2_000,
                language: 'markdown',
              }),
          },
        },
      },
    },
  );
  const body = requests[1]?.body as AnthropicBody | undefined;
  expect(body?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  const results = body?.messages[2]?.content ?? [];
  expect(results.map((result) => result.type)).toEqual(['tool_result', 'tool_result']);
  expect(results[0]?.content.map((block) => block.text).at(1)).toBe('THE MAP');
});

interface AnthropicBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly {
      readonly type: string;
      readonly content: readonly { readonly text: string }[];
    }[];
  }[];
}
