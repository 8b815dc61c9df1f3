/**
 * Programs that know copane only from its documents: clients in TypeScript and Python, generated from
 * `docs/openapi.json`, run a whole review; a public EventSource follows it; the MCP inspector lists the tools. All come
 * from npm and PyPI, pinned, in the cache folder of the other clients.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientsRoot } from '../helpers/client-catalog.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type Json, TestServer } from '../helpers/suggestion-server.ts';
import { until } from '../helpers/until.ts';

const NPM = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  '@types/node@24',
  'eventsource@5.1.5',
  '@modelcontextprotocol/inspector@2.12.0',
];
const PYPI = ['openapi-python-client==0.29.1', 'ruff==0.17.6'];
const CACHE = path.join(clientsRoot(), `strangers-${[...NPM, ...PYPI].join('_').replace(/[^\w.-]/g, '-')}`);
const DOCUMENT = path.resolve(import.meta.dirname, '../../docs/openapi.json');
const INSTALL_TIMEOUT_MS = 5 * 60_000;

const DRIVES_IN_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { paths } from './protocol.d.ts';

const [url = '', token = '', folder = '', patch = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: \`Bearer \${token}\` } });
function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
const { state, version } = must(await client.GET('/health'));
console.log(state, version !== '');
const published = must(await client.POST('/suggestions', { body: { working_directory: folder, patch } }));
const suggestion_id = published.suggestion_id;
const { suggestions } = must(await client.GET('/suggestions'));
console.log(suggestions.some(({ id }) => id === suggestion_id));
const { suggestion } = must(await client.GET('/suggestions/{suggestion_id}', { params: { path: { suggestion_id } } }));
const [hunk] = suggestion.hunks;
if (hunk === undefined) throw new Error('no hunk');
const ref = { suggestion_id, hunk_id: hunk.id };
console.log(must(await client.POST('/feedback', { body: { ...ref, action: 'accept' } })).hunks[0]?.status);
console.log(must(await client.POST('/undo', { body: ref })).hunks[0]?.status);
console.log(must(await client.POST('/redo', { body: ref })).hunks[0]?.status);
const wrong = await client.POST('/feedback', { body: { ...ref, hunk_id: 'none', action: 'reject' } });
console.log(wrong.response.status, wrong.error?.code);
console.log(must(await client.POST('/complete', { body: { suggestion_id, action: 'finalize' } })).action);
`;

const DRIVES_IN_PYTHON = `
import sys
from protocol.client import AuthenticatedClient
from protocol.api.default import complete, feedback, get, health, join, list_, publish, redo, reply, split, undo
from protocol import models

url, token, folder, patch = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
answer = health.sync(client=client)
print(answer.state, answer.version != '')
published = publish.sync(client=client, body=models.PublishBody(working_directory=folder, patch=patch))
sid = published.suggestion_id
print(any(one.id == sid for one in list_.sync(client=client).suggestions))
hunk = get.sync(sid, client=client).suggestion.hunks[0]
accept = models.FeedbackBody(suggestion_id=sid, hunk_id=hunk.id, action=models.FeedbackBodyAction.ACCEPT)
print(feedback.sync(client=client, body=accept).hunks[0].status)
print(undo.sync(client=client, body=models.UndoBody(suggestion_id=sid, hunk_id=hunk.id)).hunks[0].status)
print(redo.sync(client=client, body=models.RedoBody(suggestion_id=sid, hunk_id=hunk.id)).hunks[0].status)
other = get.sync(sid, client=client).suggestion.hunks[1]
ref = dict(suggestion_id=sid, hunk_id=other.id)
lines = other.diff.splitlines()
at = next(n for n, line in enumerate(lines) if line.startswith('+'))
two = models.SplitBodyLines(first=at, last=at)
parts = split.sync(client=client, body=models.SplitBody(**ref, lines=two)).hunks
part = next(one for one in parts if any(line.startswith('+') for line in one.diff.splitlines()))
say = models.FeedbackBody(suggestion_id=sid, hunk_id=part.id, action=models.FeedbackBodyAction.COMMENT, comment='why?')
say.lines = models.FeedbackBodyLines(first=1, last=1)
feedback.sync(client=client, body=say)
told = reply.sync(client=client, body=models.ReplyBody(suggestion_id=sid, hunk_id=part.id, text='so')).hunk
print(len(parts), [one.text for one in told.comments], told.comments[0].lines.first)
whole = join.sync(client=client, body=models.JoinBody(**ref)).hunks[0]
print(whole.id == other.id, len(whole.comments))
edit = models.FeedbackBody(**ref, action=models.FeedbackBodyAction.MODIFY, modified_diff=other.diff.replace('+', '+my '))
print(feedback.sync(client=client, body=edit).hunks[0].status)
undo.sync(client=client, body=models.UndoBody(**ref))
again = models.PublishBody(working_directory=folder, patch=patch.replace('+sixteen', '+XVI'), suggestion_id=sid)
later = publish.sync(client=client, body=again).suggestion
print(later.version, [(one.status.value, one.version or 1, len(one.comments or [])) for one in later.hunks])
accept.hunk_id = 'none'
wrong = feedback.sync_detailed(client=client, body=accept)
print(int(wrong.status_code), wrong.parsed.code)
end = models.CompleteBody(suggestion_id=sid, action=models.CompleteBodyAction.FINALIZE)
print(complete.sync(client=client, body=end).action)
`;

const FOLLOWS = `
import { EventSource } from 'eventsource';

const [url, token, , , count] = process.argv.slice(2);
const authorized = (address, init) =>
  fetch(address, { ...init, headers: { ...init.headers, Authorization: \`Bearer \${token}\` } });
const source = new EventSource(url + '/events', { fetch: authorized });
let left = Number(count);
source.onmessage = ({ data, lastEventId }) => {
  const { type, seq } = JSON.parse(data);
  console.log(type, type === 'connected' || lastEventId === String(seq));
  left -= 1;
  if (left === 0) source.close();
};
`;

const DRIVEN = ['leading true', 'true', 'accepted', 'pending', 'accepted', '404 not_found', 'finalized'];

let server: TestServer;
let scratch = '';
beforeAll(async () => {
  if (!existsSync(path.join(CACHE, 'whole'))) install();
  server = await TestServer.start();
  scratch = mkdtempSync(path.join(os.tmpdir(), 'copane-generated-'));
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  await server.stop();
  removeTree(scratch);
});

function install(): void {
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(path.join(CACHE, 'package.json'), '{"private":true,"type":"module"}\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...NPM], { cwd: CACHE });
  execFileSync('python3', ['-m', 'venv', 'venv'], { cwd: CACHE });
  execFileSync(path.join(CACHE, 'venv/bin/pip'), ['install', '-q', ...PYPI], { cwd: CACHE });
  writeFileSync(path.join(CACHE, 'whole'), '');
}

/** A program's output by line; the server keeps answering in this process. */
function drive(program: string, args: readonly string[], ...more: readonly string[]): Promise<string[]> {
  const patch = server.writeFile();
  return run(program, [...args, server.url, server.token(), server.target, patch, ...more]);
}

function run(program: string, argv: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, { cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.on('close', (code) => {
      if (code === 0) resolve(output.trim().split('\n'));
      else reject(new Error(errors + output));
    });
  });
}

const link = () => {
  for (const name of ['node_modules', 'package.json'])
    if (!existsSync(path.join(scratch, name))) symlinkSync(path.join(CACHE, name), path.join(scratch, name));
};

describe('a client generated from the OpenAPI document', () => {
  it('in TypeScript passes the compiler and drives a review', async () => {
    link();
    const bin = (name: string) => path.join(CACHE, 'node_modules', name);
    const node = (...argv: string[]) => execFileSync(process.execPath, argv, { cwd: scratch, stdio: 'pipe' });
    node(
      bin('openapi-typescript/bin/cli.js'),
      DOCUMENT,
      '-o',
      'protocol.d.ts',
      '--default-non-nullable',
      'false',
    );
    writeFileSync(path.join(scratch, 'drive.ts'), DRIVES_IN_TYPESCRIPT);
    const strict = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--skipLibCheck'];
    const modern = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    node(bin('typescript/bin/tsc'), ...strict, ...modern, 'drive.ts');
    expect(await drive(process.execPath, ['drive.ts'])).toEqual(DRIVEN);
  });

  it('in Python drives a review', async () => {
    const python = (name: string) => path.join(CACHE, 'venv/bin', name);
    const made = path.join(scratch, 'made');
    const env = { ...process.env, PATH: `${python('')}:${process.env.PATH ?? ''}` };
    const said = execFileSync(
      python('openapi-python-client'),
      ['generate', '--path', DOCUMENT, '--output-path', made, '--meta', 'none'],
      { env, encoding: 'utf8' },
    );
    expect(said).not.toMatch(/WARNING|ERROR/);
    cpSync(made, path.join(scratch, 'protocol'), { recursive: true });
    writeFileSync(path.join(scratch, 'drive.py'), DRIVES_IN_PYTHON);
    // Python writes True.
    const driven = await drive(python('python'), ['drive.py']);
    const further = ["2 ['why?', 'so'] 1", 'true 2', 'modified', "2 [('accepted', 1, 0), ('pending', 2, 2)]"];
    expect(driven.map((line) => line.toLowerCase())).toEqual(DRIVEN.toSpliced(5, 0, ...further));
  });
});

it('a public EventSource gets the events, with the ids to resume from', async () => {
  link();
  writeFileSync(path.join(scratch, 'follow.mjs'), FOLLOWS);
  const following = drive(process.execPath, ['follow.mjs'], '3');
  await until('the stream', async () => ((await server.ask('GET', '/health')).body.ws_clients ?? 0) > 0);
  await server.publish();
  expect(await following).toEqual(['connected true', 'suggestion.ready true', 'suggestion.status true']);
});

it('the MCP inspector finds the input and output of each tool, and calls one', async () => {
  link();
  const inspect = async (...argv: string[]) => {
    const header = `Authorization: Bearer ${server.token('inspector')}`;
    const cli = path.join(CACHE, 'node_modules/.bin/mcp-inspector');
    const out = await run(cli, [
      '--cli',
      `${server.url}/mcp`,
      '--transport',
      'http',
      '--header',
      header,
      ...argv,
    ]);
    return JSON.parse(out.join('\n'));
  };
  const { tools } = await inspect('--method', 'tools/list');
  const described = tools
    .filter((tool: Json) => tool.inputSchema && tool.outputSchema)
    .map(({ name }: Json) => name);
  const names = tools.map(({ name }: Json) => name);
  // This one always refuses: only a reviewer decides.
  expect(names.filter((name: string) => !described.includes(name))).toEqual(['suggestion_feedback']);
  const called = await inspect('--method', 'tools/call', '--tool-name', 'list_suggestions');
  expect(called.structuredContent).toEqual({ suggestions: [] });
});
