import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outdatedDocuments } from '../../../scripts/generate-docs.ts';
import { temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { liveConfig } from './live-config.ts';
import { CONFIG_MAX_BYTES, loadConfig } from './load-config.ts';
import { formatProblem } from './parse-config.ts';

let home: ReturnType<typeof temporaryHome>;
let file: string;
beforeEach(() => {
  home = temporaryHome();
  file = home.paths.configFile;
  mkdirSync(path.dirname(file), { recursive: true });
});
afterEach(() => home.remove());

it('reads the file, and works without one', () => {
  expect(loadConfig(file, {}).problems).toEqual([]);
  writeFileSync(file, '{"theme":"dark"}');
  expect(loadConfig(file, {}).config.theme).toBe('dark');
});

it('reports a path that is not a file, and uses the defaults', () => {
  mkdirSync(file);
  const { config, problems } = loadConfig(file, { COPANE_THEME: 'dark' });
  expect(config.theme).toBe('dark');
  expect(problems.map(formatProblem)).toEqual([
    `${file}: cannot be read: ${file} is a folder (the defaults apply; until then, the agent reads no file)`,
  ]);
});

it('says that a file with the name config.json is not read', () => {
  const misnamed = path.join(path.dirname(file), 'config.json');
  writeFileSync(misnamed, '{"theme":"dark"}');
  expect(loadConfig(file, {}).problems.map(formatProblem)).toEqual([
    `${file}: cannot be read: rename ${misnamed}, which is not read, to config.jsonc (the defaults apply; until then, the agent reads no file)`,
  ]);
  writeFileSync(file, '{"theme":"light"}');
  expect(loadConfig(file, {})).toMatchObject({ config: { theme: 'light' }, problems: [] });
});

it('reads a file at the limit and refuses one byte more', () => {
  writeFileSync(file, `{"theme":"dark"}${' '.repeat(CONFIG_MAX_BYTES - 16)}`);
  expect(loadConfig(file, {}).config.theme).toBe('dark');
  truncateSync(file, CONFIG_MAX_BYTES + 1);
  expect(loadConfig(file, {}).problems).toHaveLength(1);
});

it.each([
  ['a list of the wrong type', '{"agent_secret_files": "prod/**"}'],
  ['an invalid entry of the list', '{"agent_secret_files": ["prod/**", ""]}'],
  ['a mistake in the text before it', '{"theme": "dark", "agent_secret_files": ["prod/**'],
  ['a misspelled name', '{"agent_secret_file": ["prod/**"]}'],
  ['a list instead of an object', '[{"agent_secret_files": ["prod/**"]}]'],
  ['an object around it', '{"agent": {"agent_secret_files": ["prod/**"]}}'],
  ['a text that is truncated before it', '{"agent_secr'],
  ['a text that is nested too deeply', `{"agent_secret_files": ["prod/**"], "keys": ${'['.repeat(100_000)}`],
  ['another encoding', Buffer.from('\ufeff{"agent_secret_files": ["prod/**"]}', 'utf16le')],
])('hides every file from models if the list of secret files is lost: %s', (_, text) => {
  writeFileSync(file, text);
  const { config, problems, origins } = loadConfig(file, {});
  expect(config.agent_secret_files).toEqual(['**']);
  expect(origins.agent_secret_files).toEqual({ kind: 'default' });
  expect(problems.map(formatProblem).join('\n')).toContain('until then, the agent reads no file');
});

it('hides every file from models if the file cannot be read or a variable holds no list', () => {
  symlinkSync(file, file);
  expect(loadConfig(file, {}).config.agent_secret_files).toEqual(['**']);
  expect(liveConfig(file, {})().agent_secret_files).toEqual(['**']);
  rmSync(file);
  const { config, problems } = loadConfig(file, { COPANE_AGENT_SECRET_FILES: 'prod/**' });
  expect(config.agent_secret_files).toEqual(['**']);
  expect(problems[0]?.hint).toBe('until then, the agent reads no file');
});

it('hides only what the list names if the mistake is elsewhere', () => {
  writeFileSync(file, '{"theme": "dork", "agent_secret_files": ["prod/**"]}');
  expect(loadConfig(file, {}).config.agent_secret_files).toEqual(['prod/**']);
  writeFileSync(file, '{"theme": "dork", // "agent_secret_files": []\n}');
  expect(loadConfig(file, {}).config.agent_secret_files).toEqual([]);
});

it('has up-to-date generated documents', () => {
  expect(outdatedDocuments()).toEqual([]);
});
