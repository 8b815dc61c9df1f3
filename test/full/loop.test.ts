/** The whole loop beside each real AI CLI, at two widths: the scripted model must get exactly the notes. */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import {
  FIRST_ANSWER,
  FIRST_QUESTION,
  NOTES,
  NOTES_SENT,
  runLoop,
  SECOND_ANSWER,
  SECOND_QUESTION,
} from '../helpers/loop.ts';
import { type StartedClient, startClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import { until } from '../helpers/until.ts';

const CLIENTS: readonly ClientName[] = [
  'claude-old',
  'claude',
  'codex',
  'pi',
  'pi-new',
  'gemini',
  'opencode',
];
const WIDTHS = [90, 44];

let model: ScriptedModel | null = null;
let client: StartedClient | null = null;
let root = '';

afterEach(async () => {
  await client?.tmux.kill();
  await model?.close();
  removeTree(root);
});

async function check(name: ClientName, columns: number): Promise<void> {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-loop-'));
  const project = path.join(root, 'project');
  model = await startScriptedModel({
    turns: [
      { when: FIRST_QUESTION, replies: [{ text: FIRST_ANSWER }] },
      { when: SECOND_QUESTION, replies: [{ text: SECOND_ANSWER }] },
      { when: NOTES[0], replies: [{ text: 'Noted.' }] },
    ],
  });
  const { prompts } = model;
  client = await startClient(name, {
    home: path.join(root, 'home'),
    project,
    modelPort: model.port,
    size: { columns, rows: 40 },
  });
  const companion = await runLoop(client.tmux, { root, project });
  await until('the third prompt', () => prompts().length >= 3, {
    timeoutMs: 30_000,
    show: () => JSON.stringify(prompts()),
  });
  expect(prompts()).toEqual([FIRST_QUESTION, SECOND_QUESTION, NOTES_SENT]);
  await companion.until('the delivery', (screen) => /delivered/i.test(screen));
}

describe.each(CLIENTS)('%s', (name) => {
  for (const columns of WIDTHS) {
    it.skipIf(!isInstalled(name))(`the loop at ${columns} columns`, () => check(name, columns));
  }
});
