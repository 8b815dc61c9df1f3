/**
 * The agent's overhead over what it uses: a search beside ripgrep itself, a tool call beside the cheapest round trip to
 * a model, a streamed step beside the loop of the SDK that we use.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { AgentProvider } from '../src/agent/providers/provider.ts';
import { searchProject } from '../src/agent/tools/search-project.ts';
import { ok } from '../src/lib/result.ts';
import { run } from '../src/platform/run.ts';
import { agentLimitsSchema } from '../src/protocol/agent.ts';
import { runLoop, scriptedProvider } from '../test/helpers/agent-loop.ts';
import { modelsAt, remoteProvider } from '../test/helpers/agent-models.ts';
import { projectFolder, toolContext } from '../test/helpers/agent-tools.ts';
import { startScriptedModel } from '../test/helpers/scripted-model/server.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const FILES = 100_000;
const FOLDERS = 400;
/** Files that hold the rare word. */
const RARE = 12;
const CALLS = 50;
/** No piece is repeated: a model that repeats itself is stopped. */
const STREAM_TEXT = Array.from({ length: 500 }, (_, at) => `word ${at} and another `).join('');

function manyFiles(root: string): void {
  const paragraph = 'The quick brown fox jumps over the lazy dog, and nothing else happens here.\n'.repeat(8);
  for (let folder = 0; folder < FOLDERS; folder += 1) mkdirSync(path.join(root, `d${folder}`));
  for (let i = 0; i < FILES; i += 1) {
    const rare = i % Math.floor(FILES / RARE) === 7 ? 'rareword stands here\n' : '';
    writeFileSync(path.join(root, `d${i % FOLDERS}`, `n${i}.md`), `# Note ${i}\n${paragraph}${rare}`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function search(root: string, query: string): Promise<void> {
  const outcome = await searchProject.run(searchProject.input.parse({ query }), toolContext(root));
  if (!outcome.ok || outcome.value.output.results.length === 0) throw new Error(`nothing found for ${query}`);
}

/** The same search, as a person would run ripgrep. */
async function bareRipgrep(root: string, args: readonly string[]): Promise<void> {
  const { rgPath } = await import('@vscode/ripgrep');
  const outcome = await run(
    rgPath,
    ['--no-config', '--hidden', '-g', '!.git', '--line-number', ...args, '.'],
    {
      cwd: root,
      timeoutMs: 120_000,
      maxOutputBytes: 1024 ** 3,
    },
  );
  if (outcome.code !== 0) throw new Error(`rg: ${outcome.failure ?? outcome.stderr}`);
}

function searchRows(root: string): BenchRow[] {
  const common = { unit: 'ms', rounds: 5 } as const;
  return [
    {
      ...common,
      name: `search_project, a rare word in ${FILES} files`,
      peer: 'rg',
      target: 1.3,
      ours: () => timed(() => search(root, 'rareword')),
      theirs: () => timed(() => bareRipgrep(root, ['-F', 'rareword'])),
    },
    {
      ...common,
      name: `search_project, a word in all ${FILES} files`,
      peer: 'rg',
      target: 1,
      ours: () => timed(() => search(root, 'fox')),
      theirs: () => timed(() => bareRipgrep(root, ['-F', 'fox'])),
    },
  ];
}

/** The time of one job that reads many times, with a model that costs nothing. */
async function toolCall(root: string): Promise<number> {
  const calls = Array.from(
    { length: CALLS },
    (_, i) => ['read_file', { file_path: `d0/n${i * FOLDERS}.md` }] as const,
  );
  const provider = scriptedProvider([{ calls }, { text: 'done' }]);
  const limits = agentLimitsSchema.parse({ max_tool_calls_per_job: CALLS });
  const setup = { provider: async () => ok<AgentProvider>(provider) };
  const took = await timed(async () => {
    const { outcome } = await runLoop({ root, setup, input: { limits } });
    if (!outcome.ok) throw new Error(outcome.error.message);
  });
  return took / CALLS;
}

async function stepRows(root: string, port: number): Promise<BenchRow[]> {
  const provider = await remoteProvider(modelsAt(port, 'openai-compatible'));
  const body = JSON.stringify({
    model: 'm',
    stream: true,
    tools: [{ type: 'function', function: { name: 'x', parameters: {} } }],
    messages: [{ role: 'user', content: 'go' }],
  });
  const bare = async () => {
    const url = `http://127.0.0.1:${port}/v1/chat/completions`;
    const headers = { 'content-type': 'application/json' };
    const text = await (await fetch(url, { method: 'POST', headers, body })).text();
    if (!text.includes('[DONE]')) throw new Error('no stream');
  };
  const step = async () => {
    const tools = [{ name: 'x', description: 'x', parameters: { type: 'object', properties: {} } }];
    const request = { system: 's', messages: [{ role: 'user' as const, text: 'go' }], tools };
    const outcome = await provider.runStep(request, {
      signal: AbortSignal.timeout(60_000),
      onDelta: () => undefined,
    });
    if (!outcome.ok || outcome.value.assistantMessage !== STREAM_TEXT) throw new Error('no step');
  };
  return [
    {
      name: 'one tool call of a job (read_file)',
      peer: 'a bare request to a model, its stream read',
      target: 0.25,
      ours: () => toolCall(root),
      theirs: () => timed(bare),
    },
    {
      name: `one streamed step of ${STREAM_TEXT.length} characters`,
      peer: "the SDK's own streamText",
      target: 1,
      ours: () => timed(step),
      theirs: () => timed(() => sdkStep(port)),
    },
  ];
}

/** The same step in the SDK's own loop. */
async function sdkStep(port: number): Promise<void> {
  const [{ jsonSchema, streamText, tool }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  const create = createOpenAICompatible({ name: 'bench', baseURL: `http://127.0.0.1:${port}/v1` });
  const x = tool({ description: 'x', inputSchema: jsonSchema({ type: 'object', properties: {} }) });
  const { textStream } = streamText({ model: create('m'), prompt: 'go', tools: { x } });
  let text = '';
  for await (const piece of textStream) text += piece;
  if (text !== STREAM_TEXT) throw new Error('no step');
}

export const suite: BenchSuite = {
  name: 'agent',
  prepare: async () => {
    const project = projectFolder({});
    manyFiles(project.root);
    const model = await startScriptedModel({
      turns: [{ when: 'go', replies: [{ text: STREAM_TEXT, chunkSize: 19 }] }],
    });
    return {
      rows: [...searchRows(project.root), ...(await stepRows(project.root, model.port))],
      cleanup: async () => {
        await model.close();
        project.remove();
      },
    };
  },
};
