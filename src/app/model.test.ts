import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { copanePaths } from '../platform/paths.ts';
import { modelFacts } from './model.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'copane-model-facts-'));
afterAll(() => removeTree(home));

function factsOf(text: string, env: Readonly<Record<string, string>> = {}) {
  const all = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, ...env };
  const { configFile } = copanePaths(all);
  mkdirSync(path.dirname(configFile), { recursive: true });
  writeFileSync(configFile, text);
  return modelFacts(all);
}

it.each([
  ['{}', []],
  ['{"completion_model":"llama-server"}', []],
  ['{"completion_model":"openai"}', ['completion_model_url is not set', 'completion_model_name is not set']],
  ['{"completion_model":"gguf"}', ['completion_model_name is not set']],
  [
    '{"completion_model":"llama-server","completion_model_key":"NO_KEY"}',
    ['$NO_KEY, which completion_model_key names, is not set'],
  ],
  ['{"completion_model_key":"NO_KEY"}', []],
])('%s: reports what is missing', (text, missing) => {
  expect(factsOf(text)).toMatchObject({ missing, problems: [] });
});

it('finds an existing key', () => {
  const text = '{"completion_model":"llama-server","completion_model_key":"A_KEY"}';
  expect(factsOf(text, { A_KEY: 'x' })).toMatchObject({ hasKey: true, missing: [] });
});

it.each([
  ['{"completion_model":"llama"}', '"completion_model": Invalid option'],
  ['{"completion_model":"openai","completion_model_url":"nowhere"}', 'must be an http or https address'],
  ['{"completion_modl":"gguf"}', 'did you mean "completion_model"'],
  ['{"completion_model":', 'value expected'],
])('%s: reports what is ignored', (text, words) => {
  expect(factsOf(text).problems.join('\n')).toContain(words);
});
