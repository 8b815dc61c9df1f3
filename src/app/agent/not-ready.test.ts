import { expect, it } from 'vitest';
import { configSchema } from '../../protocol/config.ts';
import { agentNotReady } from './not-ready.ts';

const file = '/home/me/xdg/copane/config.jsonc';
const hintOf = (problems: readonly string[]) =>
  agentNotReady(configSchema.parse({}), null, { file, problems })?.hint;

it('names the file in which to set the model', () => {
  expect(hintOf([])).toBe(`Set agent_remote_model in ${file}, or agent_mode to local and agent_local_model.`);
});

it('reports the error in a configuration file that cannot be read', () => {
  const problem = `${file}:2:1: value expected (the rest of the file applies)`;
  expect(hintOf([problem])).toBe(`The configuration has an error: ${problem}`);
});
