/** Two real AI CLIs in one folder, and one that exits: whose answers are shown, and the message after the exit. */
import { mkdtempSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/platform/run.ts';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { COPANE, CompanionPane, copaneEnv } from '../helpers/companion-pane.ts';
import { type StartedClient, startClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';

const PATIENCE_MS = 90_000;

let model: ScriptedModel | null = null;
const clients: StartedClient[] = [];
let root = '';
afterEach(async () => {
  for (const client of clients.splice(0)) await client.tmux.kill();
  await model?.close();
  removeTree(root);
});

async function start(name: ClientName): Promise<StartedClient> {
  const client = await startClient(name, {
    home: path.join(root, 'home'),
    project: path.join(root, 'project'),
    modelPort: model?.port ?? 0,
    size: { columns: 100, rows: 30 },
    patienceMs: PATIENCE_MS,
  });
  clients.push(client);
  return client;
}

async function prepare(): Promise<void> {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-two-')));
  model = await startScriptedModel({
    turns: [
      { when: 'first pane', replies: [{ text: 'The answer of the first.' }] },
      { when: 'second pane', replies: [{ text: 'The answer of the second.' }] },
    ],
  });
}

async function pull(client: StartedClient) {
  const env = copaneEnv({ root, project: path.join(root, 'project') });
  const socket = (await client.tmux.run(['display-message', '-p', '#{socket_path},#{pid},0'])).stdout
    .toString()
    .trim();
  const outcome = await run(COPANE, ['pull', '--pane', client.tmux.pane], { env: { ...env, TMUX: socket } });
  return { code: outcome.code, text: outcome.stdout.toString('utf8') };
}

const CLIENTS: readonly ClientName[] = ['claude', 'claude-old', 'codex', 'gemini', 'opencode', 'pi'];

describe.each(CLIENTS)('%s', (name) => {
  it.skipIf(!isInstalled(name))('a new one does not show the answers of its neighbour', async () => {
    await prepare();
    const first = await start(name);
    await first.submit('I am the first pane.');
    await first.tmux.until('the answer', (screen) => screen.includes('The answer of the first.'));
    await first.tmux.settled(1_500);
    const second = await start(name);
    expect(await pull(second)).toEqual({ code: 0, text: '' });
    expect((await pull(first)).text).toContain('The answer of the first.');
    await second.submit('I am the second pane.');
    await second.tmux.until('the answer', (screen) => screen.includes('The answer of the second.'));
    await second.tmux.settled(1_500);
    expect((await pull(second)).text).toContain('The answer of the second.');
    expect((await pull(first)).text).toContain('The answer of the first.');
  });
});

it.skipIf(!isInstalled('claude-old'))('says at once that the AI has exited, and what to do', async () => {
  await prepare();
  const client = await start('claude-old');
  await client.submit('I am the first pane.');
  await client.tmux.until('the answer', (screen) => screen.includes('The answer of the first.'));
  const companion = await CompanionPane.open(client.tmux, { root, project: path.join(root, 'project') });
  await companion.until('the answer', (screen) => screen.includes('The answer of the first.'));
  const pid = (await client.tmux.run(['display-message', '-p', '-t', client.tmux.pane, '#{pane_pid}']))
    .stdout;
  process.kill(Number(pid.toString()), 'SIGKILL');
  const screen = await companion.until('the end', (each) => /has ended/.test(each), 3_000);
  expect(screen).toContain('The answer of the first.');
});
