/**
 * The third way for an AI to get a review: the companion beside it types the decisions into its pane, if the user has
 * enabled it. With real AI CLIs: the scripted model's next request contains the decisions.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../helpers/client-catalog.ts';
import { COPANE, CompanionPane, copaneEnv } from '../helpers/companion-pane.ts';
import { git } from '../helpers/git-fixture.ts';
import { MCP_CLIENTS, type McpClientName } from '../helpers/mcp-clients.ts';
import { type StartedClient, startClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import type { Json } from '../helpers/suggestion-server.ts';
import { until } from '../helpers/until.ts';

const PROMPT = 'Offer the change for review.';
const BASE = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join('');

let root = '';
let model: ScriptedModel | null = null;
let client: StartedClient | null = null;

afterEach(async () => {
  await client?.tmux.kill();
  await model?.close();
  removeTree(root);
});

async function check(name: McpClientName): Promise<void> {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-feedback-')));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  git(root, 'init', '-q', project);
  writeFileSync(path.join(project, 'f'), BASE);
  git(project, 'add', '.');
  git(project, 'commit', '-qm', 'base');
  const place = { root, project };
  const env = copaneEnv(place);
  mkdirSync(path.join(root, 'config/copane'), { recursive: true });
  writeFileSync(path.join(root, 'config/copane/config.jsonc'), '{ "feedback_to_pane": true }');
  const copane = (...args: string[]): Json => {
    const run = spawnSync(COPANE, [...args, '--json'], { env, cwd: project, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`copane ${args.join(' ')}: ${run.stderr}`);
    return JSON.parse(run.stdout);
  };

  const { args, env: clientEnv = {}, configure, shell, tool } = MCP_CLIENTS[name];
  const publish = { description: 'Two edits', files: ['f'] };
  model = await startScriptedModel({
    turns: [
      { when: '[Suggestion Feedback]', replies: [{ text: 'Heard.' }] },
      {
        when: PROMPT,
        replies: [
          { tools: [shell("sed -i 's/^line 2$/two/; s/^line 18$/eighteen/' f")] },
          { tools: [tool('publish_suggestion', publish)] },
          { text: 'It is offered.' },
        ],
      },
    ],
  });
  const { XDG_STATE_HOME = '', XDG_RUNTIME_DIR = '' } = env;
  client = await startClient(name, {
    home,
    project,
    modelPort: model.port,
    size: { columns: 90, rows: 40 },
    args: args({ home, project }),
    env: { ...clientEnv, XDG_STATE_HOME, XDG_RUNTIME_DIR },
    beforeStart: async () => configure({ home, project }, { command: COPANE, args: ['mcp'] }),
  });
  const companion = await CompanionPane.open(client.tmux, place);
  await client.submit(PROMPT);
  await client.tmux.until('the end of the turn', (screen) => screen.includes('It is offered.'), 90_000);
  await companion.until('the news', (screen) =>
    screen.includes('Suggestion ready: Two edits (2 hunks in 1 file)'),
  );

  const [{ suggestion_id: id }] = copane('suggestions');
  const { hunks } = copane('show', id);
  copane('decide', id, hunks[0].id, 'reject', '--comment', 'Not this one.');
  copane('decide', id, hunks[1].id, 'accept');
  const { prompts } = model;
  await until('the feedback as a prompt', () => prompts().length >= 2, {
    timeoutMs: 60_000,
    show: () => JSON.stringify(prompts()),
  });
  expect(prompts()).toEqual([
    PROMPT,
    [
      '[Suggestion Feedback] User rejected hunk in f. 1 hunk remaining. Comment: "Not this one."',
      '[Suggestion Feedback] User accepted hunk in f. 0 hunks remaining.',
    ].join('\n'),
  ]);
  await client.tmux.until('the answer', (screen) => screen.includes('Heard.'), 60_000);
}

describe.each(['claude', 'opencode'] as const)('%s', (name) => {
  it.skipIf(!isInstalled(name))('gets the decisions in its pane (npm run setup:clients)', () => check(name));
});
