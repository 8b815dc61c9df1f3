/** The real Codex has nothing to say against what `copane init codex` writes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../src/platform/run.ts';
import { clientCommand, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { COPANE } from '../helpers/product.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';

const TIMEOUT_MS = 90_000;

let home = '';
let model: ScriptedModel;
beforeEach(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-codex-'));
  model = await startScriptedModel({ turns: [{ when: 'Say hello.', replies: [{ text: 'Hello.' }] }] });
  mkdirSync(path.join(home, '.codex'));
  const provider = `[model_providers.mock]\nname = "mock"\nbase_url = "http://127.0.0.1:${model.port}/v1"`;
  const config = `model = "mock"\nmodel_provider = "mock"\n${provider}\nwire_api = "responses"\n`;
  writeFileSync(path.join(home, '.codex/config.toml'), config);
});
afterEach(async () => {
  await model.close();
  removeTree(home);
});

const env = () => ({ PATH: process.env.PATH, HOME: home, CODEX_HOME: path.join(home, '.codex') });

async function said(): Promise<string> {
  const args = ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', 'Say hello.'];
  const command = clientCommand(clientSpec('codex'));
  const { stdout, stderr } = await run(command, args, { cwd: home, env: env(), timeoutMs: TIMEOUT_MS });
  return String(stdout) + stderr;
}

it.skipIf(!isInstalled('codex'))('warns of none of our hooks (npm run setup:clients)', async () => {
  execFileSync(COPANE, ['init', 'codex', '--yes'], { env: env(), stdio: 'ignore' });
  const ours = await said();
  expect(ours).toContain('Hello.');
  expect(ours).not.toMatch(/clamping|hook timeout/i);
  // That it would say so of a longer one.
  const hooks = path.join(home, '.codex/hooks.json');
  writeFileSync(hooks, readFileSync(hooks, 'utf8').replaceAll('"timeout": 3', '"timeout": 4'));
  expect(await said()).toContain('clamping Interrupt hook timeout to 3s');
});
