/**
 * Each real AI CLI with our MCP server configured: a scripted model edits a file in a worktree with the CLI's own tool,
 * publishes, and waits; the reviewer decides in a shell; the model's next request contains the decision.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../helpers/client-catalog.ts';
import { git } from '../helpers/git-fixture.ts';
import { MCP_CLIENTS, type McpClientName, type McpServerEntry } from '../helpers/mcp-clients.ts';
import { type StartedClient, startClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import { freePort, ServeProcess } from '../helpers/serve-process.ts';
import type { Json } from '../helpers/suggestion-server.ts';
import { until } from '../helpers/until.ts';

const COPANE = path.resolve(import.meta.dirname, '../../bin/copane');
const PROMPT = 'Make the change and offer it for review.';
const COMMENT = 'Keep the second line as it was.';
const BASE = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join('');

/** The same two edits, as a CLI that works elsewhere would send them. */
const PATCH = `--- a/f
+++ b/f
@@ -1,3 +1,3 @@
 line 1
-line 2
+two
 line 3
@@ -17,3 +17,3 @@
 line 17
-line 18
+eighteen
 line 19
`;

let root = '';
let model: ScriptedModel | null = null;
let client: StartedClient | null = null;
let server: ServeProcess | null = null;

afterEach(async () => {
  await client?.tmux.kill();
  await model?.close();
  await server?.kill();
  server = null;
  removeTree(root);
});

/** A reviewer's command, in a separate shell. */
function copane(...args: string[]): Json {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: path.join(root, 'home') };
  const run = spawnSync(COPANE, [...args, '--json'], { env, cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`copane ${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

type Way = 'over stdio' | 'by HTTP';

/** `copane serve --tcp` with an author for the AI. */
async function serve(home: string): Promise<McpServerEntry> {
  const port = await freePort();
  server = new ServeProcess({ home, port });
  await server.says('suggestions on');
  const { token } = copane('token', '--role', 'author', '--name', 'remote-ai');
  return { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `Bearer ${token}` } };
}

async function check(name: McpClientName, way: Way): Promise<void> {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-mcp-')));
  const [home, work, project] = [
    path.join(root, 'home'),
    path.join(root, 'work'),
    path.join(root, 'sandbox'),
  ];
  git(root, 'init', '-q', work);
  writeFileSync(path.join(work, 'f'), BASE);
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'base');
  git(work, 'worktree', 'add', '-q', '-b', 'ai', project);

  const { args, env = {}, configure, shell, tool } = MCP_CLIENTS[name];
  mkdirSync(home);
  const entry = way === 'by HTTP' ? await serve(home) : { command: COPANE, args: ['mcp'] };
  const publish =
    way === 'by HTTP'
      ? { description: 'Two edits', target_directory: work, patch: PATCH }
      : { description: 'Two edits', files: ['f'] };
  model = await startScriptedModel({
    turns: [
      {
        when: PROMPT,
        replies: [
          { tools: [shell("sed -i 's/^line 2$/two/; s/^line 18$/eighteen/' f")] },
          { tools: [tool('publish_suggestion', publish)] },
          { tools: [tool('await_review', {})] },
          { text: 'The review has arrived.' },
        ],
      },
    ],
  });
  const place = { home, project };
  client = await startClient(name, {
    ...place,
    modelPort: model.port,
    size: { columns: 90, rows: 40 },
    args: args(place),
    env,
    beforeStart: async () => configure(place, entry),
  });
  await client.submit(PROMPT);

  const { tmux } = client;
  const { requests } = model;
  let screen = '';
  const show = () => `${screen}\n${JSON.stringify(requests.at(-1)?.conversation.toolNames)}`;
  const [suggestion] = await until(
    'a suggestion',
    async () => {
      screen = await tmux.screen();
      const listed = copane('suggestions');
      return listed.length > 0 && listed;
    },
    { timeoutMs: 60_000, intervalMs: 1_000, show },
  );
  expect(suggestion).toMatchObject({ working_directory: work, hunk_count: 2 });
  const { hunks } = copane('show', suggestion.suggestion_id);
  copane('decide', suggestion.suggestion_id, hunks[0].id, 'reject', '--comment', COMMENT);
  copane('decide', suggestion.suggestion_id, hunks[1].id, 'accept');

  await tmux.until('the end of the turn', (text) => text.includes('The review has arrived.'), 90_000);
  const asked = JSON.stringify(requests.findLast(({ choice }) => choice.kind === 'reply')?.body);
  expect(asked).toContain(COMMENT);
  expect(asked).toContain('User rejected hunk in f. 0 hunks remaining.');
  expect(asked).toContain('User accepted hunk in f.');
  expect(readFileSync(path.join(work, 'f'), 'utf8')).toBe(BASE.replace('line 18\n', 'eighteen\n'));
  // The name given by the CLI's MCP client, or by its token: nobody else asked.
  expect(suggestion.author).toContain(way === 'by HTTP' ? 'remote-ai' : name);
}

describe.each(Object.keys(MCP_CLIENTS) as McpClientName[])('%s', (name) => {
  it.skipIf(!isInstalled(name)).each(['over stdio', 'by HTTP'] as const)(
    'publishes from a worktree and gets the review, %s (npm run setup:clients)',
    (way) => check(name, way),
  );
});
