/**
 * An answer's changes, beside each real AI CLI at 80 columns and by keys alone: the figures at the answer, its review,
 * one hunk rejected with a reason, and that reason as the next prompt.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { CompanionPane } from '../helpers/companion-pane.ts';
import { hasLooked } from '../helpers/first-look.ts';
import { git } from '../helpers/git-fixture.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import { DrivenClient } from '../helpers/transcript-drive.ts';
import { EDIT_CASES, editScript, promptFor, stepsFor } from '../helpers/turn-edit-cases.ts';

const CLIENTS: readonly ClientName[] = ['claude', 'codex', 'opencode', 'pi', 'pi-new', 'gemini'];
const EDIT = EDIT_CASES.find(({ name }) => name === 'edit');

let root = '';
let model: ScriptedModel | null = null;
let client: DrivenClient | null = null;

afterEach(async () => {
  await client?.stop();
  await model?.close();
  removeTree(root);
});

async function check(name: ClientName): Promise<void> {
  if (EDIT === undefined) throw new Error('no such case');
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-turn-real-')));
  const project = path.join(root, 'project');
  mkdirSync(project);
  const [[file = '', before = ''] = []] = Object.entries(EDIT.files);
  writeFileSync(path.join(project, file), before);
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, '-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'begin');
  model = await startScriptedModel(editScript(name, project));
  const { prompts } = model;
  client = await DrivenClient.start(name, { home: path.join(root, 'home'), project, model, columns: 80 });
  const companion = await CompanionPane.open(client.started.tmux, { root, project });
  await companion.until('the first look at the files, before a session', () => hasLooked(root));
  await client.ask(promptFor(EDIT), stepsFor(name, EDIT).length + 1);
  await companion.until('the figures', (screen) => /1 file .*\+1 -1/.test(screen), 30_000);
  await companion.keys('d');
  await companion.until('the review', (screen) => screen.includes('line THREE'));
  await companion.keys('r');
  await companion.until(
    'the change taken back',
    () => readFileSync(path.join(project, file), 'utf8') === before,
  );
  await companion.keys('D');
  await companion.until('the draft', (screen) => screen.includes('I took this back'));
  const asked = prompts().length;
  await companion.send();
  await companion.until('the reason at the model', () => prompts().length > asked, 40_000);
  expect(prompts().at(-1)).toContain(`${file}:3 I took this back; do not put it in again:`);
  // Until it is delivered, the draft holds it.
  await companion.until('the draft sent', (screen) => !screen.includes('line THREE'), 40_000);
  await companion.keys('2');
  await companion.until('the review', (screen) => screen.includes('line THREE'));
  await companion.keys('D');
  await companion.until('the question', (screen) => screen.includes('These reasons have already been sent'));
}

describe.each(CLIENTS)('%s', (name) => {
  it.skipIf(!isInstalled(name))('figures, review, one change rejected, the reason sent', () => check(name));
});
