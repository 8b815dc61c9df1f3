import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { configSchema } from '../../protocol/config.ts';
import { loadConfig } from './load-config.ts';
import { unconfigured } from './unconfigured.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-config-'));
  file = path.join(folder, 'config.json');
  vi.stubGlobal('COPANE_CONFIG_DEFAULTS', configSchema.parse({}));
});
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true });
});

it.each([
  {},
  { EDITOR: 'vim' },
  { VISUAL: 'code -w', EDITOR: 'vim' },
  { VISUAL: '', EDITOR: '' },
  { COPANE_NODE: '/usr/bin/node', COPANE_THEME: '' },
])('equals the loaded configuration with %j', (env) => {
  expect(unconfigured(file, env)).toEqual(loadConfig(file, env).config);
});

it.each([
  { COPANE_THEME: 'dark' },
  { COPANE_EDITOR: 'nano' },
  { COPANE_TCP_PORT: 'nonsense' },
  { SUGGESTION_MANAGER_HOST: 'localhost' },
  { SUGGESTION_MANAGER_PORT: '4100' },
])('returns null when %j must be read', (env) => {
  expect(unconfigured(file, env)).toBeNull();
});

it('returns null when the path exists, even if it is not a file', () => {
  writeFileSync(file, '{}');
  expect(unconfigured(file, {})).toBeNull();
  expect(unconfigured(folder, {})).toBeNull();
});

it('returns null when run from source', () => {
  vi.unstubAllGlobals();
  expect(unconfigured(file, {})).toBeNull();
});
