import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { configSchema } from '../../protocol/config.ts';
import { keychainKey } from './keychain.ts';
import { createProvider } from './models.ts';

let bin = '';
beforeEach(() => {
  bin = mkdtempSync(path.join(os.tmpdir(), 'copane-keychain-'));
});
afterEach(() => removeTree(bin));

const env = () => ({ PATH: `${bin}:/usr/bin:/bin` });

/** Replaces the system's program; records how it was called. */
function program(name: string, script: string): void {
  const file = path.join(bin, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/called'\n${script}\n`);
  chmodSync(file, 0o755);
}
const called = () => readFileSync(path.join(bin, 'called'), 'utf8').trim().split('\n');

test.each([
  ['linux', 'secret-tool', ['lookup', 'service', 'copane', 'key', 'MY_KEY']],
  ['darwin', 'security', ['find-generic-password', '-s', 'copane', '-a', 'MY_KEY', '-w']],
] as const)('on %s, asks %s', async (platform, file, args) => {
  program(file, "printf 'the key\\n'");
  expect(await keychainKey('MY_KEY', env(), platform)).toEqual({ key: 'the key', problem: null });
  expect(called()).toEqual(args);
});

test.each([
  ['linux', 'secret-tool', 'exit 1', null],
  ['linux', 'secret-tool', 'exit 0', null],
  [
    'linux',
    'secret-tool',
    'echo "secret-tool: Cannot autolaunch D-Bus" >&2; exit 1',
    'secret-tool: Cannot autolaunch D-Bus',
  ],
  ['darwin', 'security', 'echo "could not be found" >&2; exit 44', null],
  ['darwin', 'security', 'echo "User interaction is not allowed." >&2; exit 36', /not allowed/],
  ['linux', 'secret-tool', 'exec yes', 'secret-tool: too much output'],
] as const)('on %s, %s that does "%s" has no key', async (platform, file, script, problem) => {
  program(file, script);
  const answer = await keychainKey('MY_KEY', env(), platform);
  expect(answer.key).toBeNull();
  if (problem instanceof RegExp) expect(answer.problem).toMatch(problem);
  else expect(answer.problem).toBe(problem);
});

test('without the program there is no keychain', async () => {
  expect(await keychainKey('MY_KEY', { PATH: bin }, 'linux')).toEqual({
    key: null,
    problem: 'secret-tool is not installed',
  });
});

const models = configSchema.parse({ agent_remote_model: 'm' });
const provider = (more: NodeJS.ProcessEnv) =>
  createProvider('remote', {
    models,
    env: { ...env(), ...more },
    keysFile: path.join(bin, 'keys.json'),
    dataDir: bin,
    now: Date.now,
  });

test.runIf(process.platform === 'linux')(
  'a model takes its key from there if no other source has it',
  async () => {
    program('secret-tool', "printf 'the key'");
    expect((await provider({})).ok).toBe(true);
    expect(called().at(-1)).toBe('OPENAI_API_KEY');
    program('secret-tool', `printf asked > '${bin}/asked'; exit 1`);
    expect((await provider({ OPENAI_API_KEY: 'of the environment' })).ok).toBe(true);
    expect(() => readFileSync(path.join(bin, 'asked'))).toThrow();
    const missing = await provider({});
    expect(missing).toMatchObject({
      ok: false,
      error: {
        hint: expect.stringContaining('secret-tool store --label=copane service copane key OPENAI_API_KEY'),
      },
    });
  },
);
